"""Arguments that layers and losses take or refuse, and gradients that are clipped."""

import math

import torch
from show import attempt

nn, utils = torch.nn, torch.nn.utils
x = torch.ones(2, requires_grad=True)
for label, action in {
    "device": lambda: nn.Linear(2, 1, device="cpu", dtype=torch.float64).weight.dtype,
    "by position": lambda: nn.Linear(2, 1, True, "cpu", torch.float64).weight.dtype,
    "negative": lambda: nn.Linear(-1, 2),
    "one size": lambda: nn.Linear(2),
    "no kernel": lambda: nn.Conv2d(1, 1),
    "numbers": lambda: nn.ReLU()(3),
    "integers": lambda: nn.Linear(2, 1)(torch.tensor([1, 2])),
    "probability": lambda: nn.Dropout(-0.1),
    "no dropout": lambda: nn.Dropout(p=0.0)(torch.ones(2)),
    "dropout, eval": lambda: nn.Dropout().eval()(x) is x,
    "softmax": lambda: nn.Softmax()(torch.ones(2, 2)),
    "flatten": lambda: nn.Flatten()(torch.ones(2, 3, 4)).shape,
    "flatten 1-d": lambda: nn.Flatten()(torch.ones(3)),
    "identity": lambda: nn.Identity(3, k=4)(x) is x,
    "hardtanh": lambda: nn.Hardtanh(2, 1),
    "unknown reduction": lambda: nn.MSELoss(reduction="most"),
    "mse broadcast": lambda: nn.MSELoss()(torch.ones(2), torch.ones(2, 1)),
    "mse shapes": lambda: nn.MSELoss()(torch.ones(2), torch.ones(3)),
    "class is float": lambda: nn.CrossEntropyLoss()(torch.ones(2, 3), torch.ones(2)),
    "no such class": lambda: nn.CrossEntropyLoss()(torch.ones(2, 3), torch.tensor([0, 3])),
    "class below 0": lambda: nn.CrossEntropyLoss()(torch.ones(2, 3), torch.tensor([0, -1])),
    "not a probability": lambda: nn.BCELoss()(torch.tensor([2.0]), torch.tensor([1.0])),
    "bce shapes": lambda: nn.BCELoss()(torch.tensor([0.5]), torch.tensor([[1.0]])),
    "logits shapes": lambda: nn.BCEWithLogitsLoss()(torch.ones(1), torch.ones(1, 1)),
}.items():
    attempt(label, action)
convolution, loss = nn.Conv2d(1, 2, 3), nn.CrossEntropyLoss(torch.tensor([1.0, 2.0]))
print(convolution.kernel_size, convolution.stride, convolution.padding, convolution.groups)
print(loss.weight, loss.ignore_index, loss.reduction, loss.label_smoothing)


def with_grad(*values, dtype=torch.float32):
    parameter = nn.Parameter(torch.zeros(len(values), dtype=dtype))
    parameter.grad = torch.tensor(values, dtype=dtype)
    return parameter


wide = with_grad(3.0, 4.0, dtype=torch.float64)
attempt("float64", lambda: utils.clip_grad_norm_(wide, 1, foreach=False))
attempt("a string", lambda: utils.clip_grad_norm_(wide, "1", "inf"))
attempt("the smallest", lambda: utils.clip_grad_norm_(wide, 1, -math.inf))
attempt("two dtypes", lambda: utils.clip_grad_norm_([wide, with_grad(3.0)], 0.1))
utils.clip_grad_value_(wide, 0.02, foreach=None)
print(wide.grad)
(x**2).sum().backward(create_graph=True)
attempt("of a graph", lambda: (utils.clip_grad_norm_(x, 1.0), x.grad))
attempt("of a graph", lambda: (utils.clip_grad_value_(x, 0.1), x.grad))
