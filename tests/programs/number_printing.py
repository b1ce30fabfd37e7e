"""How tensors of every kind print: alone, in strings, in lists, under every option."""

import torch
from show import attempt


class Celsius(torch.Tensor):
    pass


leaf = torch.tensor([1.0, 2.0], requires_grad=True)
long = torch.arange(1200.0)
tensors = {
    "a parameter": torch.nn.Parameter(torch.ones(2)),
    "a parameter of one number": torch.nn.Parameter(torch.tensor(1.0)),
    "a fixed parameter": torch.nn.Parameter(torch.ones(2), requires_grad=False),
    "an empty parameter": torch.nn.Parameter(torch.zeros(0, 3)),
    "a subclass": Celsius([1.0, 2.0]),
    "a subclass of one number": torch.tensor(1.5).as_subclass(Celsius),
    "a subclass in a graph": (leaf * 2).as_subclass(Celsius),
    "a view": leaf.view(2, 1),
    "expanded": leaf.expand(3, 2),
    "cut": leaf.detach(),
    "empty": torch.zeros(0),
    "an empty matrix": torch.zeros(2, 0, dtype=torch.float64),
    "empty integers": torch.zeros(0, dtype=torch.int64),
    "an empty leaf": torch.zeros(0, 2, requires_grad=True),
    "an empty slice": leaf[:0],
    "a bool": torch.tensor(True),
    "an integer": torch.tensor(3),
    "a small integer": torch.tensor(-3, dtype=torch.int8),
    "half precision": torch.tensor(1 / 3, dtype=torch.float16),
    "bytes": torch.tensor([1, 255], dtype=torch.uint8),
    "minus zero": torch.tensor([-0.0, 1.0]),
    "not finite": torch.tensor([float("inf"), float("nan"), -1.5]),
    "no number": torch.tensor(float("nan")),
    "in a graph": leaf * 2,
    "a long line in a graph": torch.ones(2, 8, requires_grad=True).double() * 1.5,
    "summarised": long,
    "a summarised leaf": long.clone().requires_grad_(),
    "a summarised matrix": long.view(30, 40),
    "summarised in three dimensions": long.view(2, 3, 200),
}
for name, tensor in tensors.items():
    print(f"== {name}\n{tensor}")
    attempt("in containers", lambda: [tensor, (tensor,), {"t": tensor}])
    attempt("a string", lambda: (str(tensor), f"{tensor!s}", f"{tensor!r:>40}", "%s" % tensor))
    for specification in (".2f", ">10", "d", "e", "s"):
        attempt(specification, lambda: format(tensor, specification))
    attempt("%.2f", lambda: "%.2f" % tensor)
    attempt("%d", lambda: "%d" % tensor)

print("== as Python numbers")
for tensor in (leaf[0], leaf, leaf.detach()[0], torch.zeros(0), torch.tensor([[7]])):
    for kind in (float, int, bool, complex):
        attempt(kind.__name__, lambda: kind(tensor))
    attempt("item", lambda: tensor.item())

print("== options")
shown = (torch.tensor([1 / 3, 12345.678, 1e-9]), torch.arange(20), torch.ones(3, 3) / 7)
options = (
    {"precision": 2},
    {"sci_mode": True},
    {"sci_mode": False},
    {"profile": "full"},
    {"profile": "short"},
    {"threshold": 3, "edgeitems": 1},
    {"threshold": 3, "edgeitems": 0},
    {"linewidth": 20},
    {"linewidth": 0},
    {"precision": 0},
    {"precision": 20},
    {"precision": -1},
    {"precision": "x"},
    {"threshold": "x"},
    {"threshold": float("inf")},
    {"profile": "another"},
    {"width": 3},
)
for option in options:
    try:
        attempt(f"set {option}", lambda: torch.set_printoptions(**option))
        attempt("shown", lambda: shown)
    finally:
        torch.set_printoptions(profile="default")
torch.set_printoptions(1, 2, 3, 40, "default", True)
print(*shown)
torch.set_printoptions(profile="default")
print(*shown)
