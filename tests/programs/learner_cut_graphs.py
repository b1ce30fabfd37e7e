"""Learners ask: why does nothing train? Six ways to lose the graph on the way to the loss."""

import copy
import math

import torch
from show import attempt

weights = torch.tensor([0.25, 0.75], requires_grad=True)
data = torch.tensor([2.0, 4.0])

print("-- nobody asked for gradients")
fixed = torch.ones(2)
loss = ((fixed * data - 1) ** 2).mean()
print(loss, loss.requires_grad)
attempt("backward", loss.backward)
attempt("integers", lambda: torch.tensor([1, 2], requires_grad=True))

print("-- the loss went through an index")
choice = weights.argmax()
loss = (choice.float() - 1) ** 2
print(choice, loss)
attempt("backward", loss.backward)
loss.requires_grad_()  # often given as the cure
loss.backward()
print(loss.grad, weights.grad)

print("-- the loss was rebuilt from its numbers")
losses = [(weights * factor).sum() for factor in (1, 2, 3)]
print(torch.stack(losses).mean())
rebuilt = torch.tensor(losses).mean()
print(rebuilt)
attempt("backward", rebuilt.backward)
rebuilt = torch.tensor([loss.item() for loss in losses], requires_grad=True).mean()
rebuilt.backward()
print(rebuilt, weights.grad)

print("-- Python's own mathematics")
power = math.pow(weights[0], 2)
print(type(power).__name__, power, float(weights.sum()), weights[1].item())
print(math.sqrt(weights.detach().sum()), round(weights[0].item(), 1))
attempt("NumPy", weights.numpy)
attempt("NumPy, detached", lambda: weights.detach().numpy().mean())
with torch.no_grad():
    attempt("NumPy, not recording", weights.numpy)

print("-- a switch that was left off")
with torch.no_grad():
    hidden = weights * data
loss = hidden.sum() ** 2
print(hidden.requires_grad, loss.requires_grad)
layer = torch.nn.Linear(2, 1).eval()
print("eval is another switch:", layer.training, layer(data).requires_grad)

print("-- what of it can be kept")
for name, part in {
    "clone": weights.clone(),
    "detach": weights.detach(),
    "detach and clone": weights.detach().clone(),
    "deepcopy": copy.deepcopy(weights),
    "data": weights.data,
}.items():
    shared = part.data_ptr() == weights.data_ptr()
    print(f"{name}: requires_grad={part.requires_grad} leaf={part.is_leaf} shared={shared}")
attempt("deepcopy of a result", lambda: copy.deepcopy(weights * 2))
result = weights * 2
attempt("switching a result off", lambda: setattr(result, "requires_grad", False))
attempt("optimizing a result", lambda: torch.optim.SGD([result], lr=0.1))
