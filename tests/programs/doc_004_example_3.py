"""Three linear layers: through the detached activation the first one learns nothing."""

import torch

layers = {name: torch.nn.Linear(4, 4) for name in "ABC"}
with torch.no_grad():
    for index, layer in enumerate(layers.values()):
        layer.weight.copy_(torch.arange(16.0).reshape(4, 4) / (8 + index) - 1)
        layer.bias.copy_(torch.tensor([0.5, -0.5, 0.25, -0.25]) * (index + 1))


def show_gradients(moment):
    print(f"--- {moment}")
    for name, layer in layers.items():
        print(name, "weight", layer.weight.grad, "bias", layer.bias.grad)


x = torch.tensor([[1.0, -2.0, 3.0, -4.0]])
a = layers["A"](x)
b = layers["B"](a.detach())
print("a", a)
print("b", b, b.requires_grad, a.detach().grad_fn)
b.mean().backward()
show_gradients("after B")

c = layers["C"](a)
print("c", c, c.grad_fn.name(), c.grad_fn.next_functions)
c.mean().backward()
show_gradients("after C")

with torch.no_grad():
    for layer in layers.values():
        layer.weight -= 0.01 * layer.weight.grad
print("A stepped", layers["A"].weight, layers["A"].weight.is_leaf)
