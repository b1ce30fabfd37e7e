"""Inference mode: tensors that are made in it join no graph, then or later."""

import torch
from show import attempt

x = torch.ones(3, requires_grad=True)

print("--- made inside")
with torch.inference_mode():
    made = x * 2
    fresh = torch.ones(2)
    view = x[:2]
    print(torch.is_inference_mode_enabled(), torch.is_grad_enabled())
    for tensor in (made, fresh, view, made > 1, fresh.view(2), torch.tensor(1.0), x.detach()):
        print(tensor.is_inference(), tensor.requires_grad, tensor.is_leaf, tensor.grad_fn)
    attempt("version", lambda: fresh._version)
    print(fresh.add_(1))
    with torch.enable_grad():
        recorded = x * 2
        print("enable_grad:", torch.is_grad_enabled(), recorded.requires_grad)
    with torch.inference_mode(False):
        ordinary = x * 2
        print("left:", ordinary.is_inference(), ordinary.requires_grad)
        print(fresh.clone().is_inference())
print(torch.is_inference_mode_enabled(), torch.is_grad_enabled())

print("--- used outside")
attempt("saved", lambda: x[:2] * fresh)
attempt("saved", lambda: fresh * x[:2])
attempt("not saved", lambda: x[:2] + fresh)
attempt("alone", lambda: (fresh + 1).is_inference())
attempt("clone", lambda: x[:2] * fresh.clone())
attempt("no_grad", lambda: torch.no_grad()(lambda: x[:2] * fresh)())
attempt("view", lambda: fresh.view(2).is_inference())
attempt("version", lambda: fresh._version)
attempt("in place", lambda: fresh.add_(1))
attempt("in place on a view", lambda: view.add_(1))
attempt("requires_grad_", lambda: fresh.requires_grad_())

print("--- edited inside")
outside = torch.ones(2)
with torch.inference_mode():
    outside.add_(1)
print(outside.is_inference(), outside._version, outside)

print("--- a layer that is made inside")
with torch.inference_mode():
    layer = torch.nn.Linear(2, 1)
    torch.nn.init.ones_(layer.weight)
    torch.nn.init.zeros_(layer.bias)
    inner = torch.ones(2)
    inner.requires_grad = True
    print(layer(torch.ones(1, 2)), inner, layer.weight.is_inference())
print(layer.weight, layer.bias.requires_grad, (inner * 2).requires_grad)
layer.weight.grad = torch.ones(1, 2)
attempt("a step", torch.optim.SGD(layer.parameters(), lr=0.1).step)
layer.requires_grad_(False)
attempt("the flag again", layer.requires_grad_)
attempt("a parameter", lambda: torch.nn.Parameter(fresh))

print("--- as a decorator")


@torch.inference_mode()
def with_parentheses():
    return torch.ones(1).is_inference()


@torch.inference_mode
def without_parentheses():
    return torch.ones(1).is_inference()


print(with_parentheses(), without_parentheses(), torch.ones(1).is_inference())
