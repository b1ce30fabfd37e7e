"""Full backward hooks see, and may replace, the gradients of a module's inputs and outputs."""

import torch
from show import attempt

nn = torch.nn


def linear():
    layer = nn.Linear(2, 2)
    layer.load_state_dict({"weight": torch.tensor([[1.0, 2.0], [3.0, 4.0]]), "bias": torch.ones(2)})
    return layer


def look(module, grad_input, grad_output):
    print("hook", type(module).__name__, grad_input, grad_output)


def look_before(module, grad_output):
    print("pre", type(module).__name__, grad_output)


layer, x = linear(), torch.ones(1, 2, requires_grad=True)
handles = [layer.register_full_backward_hook(look)]
handles.append(layer.register_full_backward_pre_hook(look_before))
y = layer(x)
node = y.grad_fn
print(y, type(node).__module__)
while node is not None:
    print(node.name(), [type(each).__name__ for each, _ in node.next_functions])
    node = next((each for each, _ in node.next_functions if each and each.next_functions), None)
y.sum().backward()
print(x.grad, layer.weight.grad)
with torch.no_grad():
    print(layer(x))
print("the input wants no gradient")
layer(torch.ones(1, 2)).sum().backward()
for handle in handles:
    handle.remove()
print(layer(x).grad_fn)

print("hooks that replace")
replacing = {
    "grad_input": ("register_full_backward_hook", lambda m, before, after: (before[0] * 10,)),
    "nothing": ("register_full_backward_hook", lambda m, before, after: None),
    "too many": ("register_full_backward_hook", lambda m, before, after: before * 2),
    "grad_output": ("register_full_backward_pre_hook", lambda m, after: (after[0] * 10,)),
    "too many outputs": ("register_full_backward_pre_hook", lambda m, after: after * 2),
}
for label, (register, hook) in replacing.items():
    layer, x.grad = linear(), None
    first = layer.register_full_backward_hook(look)
    getattr(layer, register)(hook)
    attempt(label, lambda layer=layer: layer(x).sum().backward())
    print(x.grad, layer.weight.grad)
layer = linear()
layer.register_full_backward_hook(lambda m, before, after: (torch.ones(1, 2),))
attempt("a gradient for an input that wants none", lambda: layer(torch.ones(1, 2)).sum().backward())


class Two(nn.Module):
    def forward(self, a, b, flag=True):
        return a * b, a + b


two = Two()
two.register_full_backward_hook(look)
two.register_full_backward_pre_hook(look_before)
a, b = torch.tensor(2.0, requires_grad=True), torch.tensor(3.0, requires_grad=True)
two(a, b)[0].backward()
print(a.grad, b.grad)
product, total = two(a, b, False)
(product + total).backward()
print("by keyword")
product, total = two(a, b=b)
(product + total).backward()

print("a network")
net = nn.Sequential(linear(), nn.ReLU(), linear())
for module in net:
    module.register_full_backward_hook(look)
net(torch.ones(1, 2)).sum().backward()
print("an error in a hook")
net = nn.Sequential(linear(), nn.Tanh())
handle = net[1].register_full_backward_hook(lambda *args: 1 / 0)
attempt("backward", lambda: net(x).sum().backward())
handle.remove()
attempt("afterwards", lambda: net(x).sum().backward())
print(torch.is_grad_enabled(), net[0].bias.grad)

print("an in-place module")
net[1] = nn.ReLU(inplace=True)
net[1].register_full_backward_hook(look)
attempt("in place", lambda: net(x).sum())


class Boxed(nn.Module):
    def forward(self, a):
        return {"a": a * 2}


boxed = Boxed()
boxed.register_full_backward_hook(look)
attempt("a dict", lambda: boxed(a)["a"].backward())


class Leaky(nn.Module):
    def forward(self, a):
        self.inside = a * 2
        return self.inside * 3


print("past the output")
leaky = Leaky()
leaky.register_full_backward_hook(look)
leaky(a).backward(retain_graph=True)
leaky.inside.backward()
print("second derivatives")
layer = linear()
layer.register_full_backward_hook(look)
(grad,) = torch.autograd.grad(layer(x).pow(2).sum(), x, create_graph=True)
grad.sum().backward()
print(layer.weight.grad)
