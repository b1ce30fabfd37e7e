"""In-place operations on a non-leaf rebase its graph; the object stays the same."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 1
same = y
for name, edit in {
    "+=": lambda y: y.__iadd__(1),
    "-=": lambda y: y.__isub__(x),
    "*=": lambda y: y.__imul__(3),
    "/=": lambda y: y.__itruediv__(torch.tensor([2.0, 4.0])),
    "**=": lambda y: y.__ipow__(2),
    "add_": lambda y: y.add_(x),
    "sub_": lambda y: y.sub_(1),
    "mul_": lambda y: y.mul_(x),
    "div_": lambda y: y.div_(2),
    "pow_": lambda y: y.pow_(2),
    "neg_": lambda y: y.neg_(),
    "exp_": lambda y: y.exp_(),
}.items():
    y = edit(y)
    print(name, y, y is same, y._version, len(y.grad_fn.next_functions))
y.sum().backward()
print(x.grad)

y = x * 1
y.zero_()
y.sum().backward()
print("zero_", x.grad)
y = x * 1
y.fill_(3)
print(y, y.grad_fn.name(), y.grad_fn.next_functions)
target = torch.zeros(2)
target.copy_(x * 2)
print(target, target.requires_grad, target.grad_fn.next_functions)
target.sum().backward()
print("copy_", x.grad)
target = torch.zeros(2)
target += x
print(target, target.is_leaf)
