"""Saved-tensor hooks and higher derivatives: rules compute with what the unpack hook gives back."""

import torch
from show import attempt


def rounded(tensor):
    return (tensor.detach() * 2).round() / 2


def graph(node):
    """The graph behind a node, in one line."""
    if node is None:
        return "None"
    return f"{node.name()}({', '.join(graph(each) for each, _ in node.next_functions)})"


def differentiate(result):
    """Show three derivatives, their graphs, and what the nodes have saved."""
    for order in (1, 2, 3):
        (result,) = torch.autograd.grad(result, a, create_graph=True)
        print(order, result, graph(result.grad_fn))
        saved = getattr(result.grad_fn, "_saved_other", None)
        if saved is not None:
            print("  saved", saved, saved is a, saved.is_leaf, saved.grad_fn)
        if not result.requires_grad:
            break


hooks = torch.autograd.graph.saved_tensors_hooks
functions = {
    "cube": lambda x: x**3,
    "product": lambda x: x * x * x,
    "of an output": lambda x: x.exp(),
    "of an input": lambda x: x.sin(),
    "of an input that is no leaf": lambda x: (x * 3).sin(),
}
a = torch.tensor(1.25, requires_grad=True)
for name, function in functions.items():
    with hooks(lambda tensor: tensor, rounded):
        result = function(a)
    print(name, torch.autograd.grad(result, a, retain_graph=True), "without create_graph")
    differentiate(result)
    with hooks(lambda tensor: tensor, rounded):
        print(name, "all inside")
        differentiate(function(a))

with hooks(lambda tensor: tensor, lambda tensor: tensor):
    result = a**3
saved = result.grad_fn._saved_self
print("given back as it was", saved, saved is a, saved.is_leaf, saved.requires_grad)
(saved * 2).backward()
print("its gradient goes to the leaf", a.grad, saved.grad)
with hooks(lambda tensor: tensor, lambda tensor: torch.tensor(2.0, requires_grad=True)):
    result = a**3
differentiate(result)

for name, function in functions.items():
    result = function(a)
    for kind in ("self", "result"):
        raw = getattr(result.grad_fn, f"_raw_saved_{kind}", None)
        if raw is not None:
            print(name, "hooks of one saved tensor")
            attempt("set", lambda raw=raw: raw.register_hooks(lambda tensor: tensor, rounded))
    differentiate(result)
