"""no_grad and enable_grad as context managers and as decorators, with and without parentheses."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)


@torch.no_grad()
def with_parentheses():
    """Say so."""
    return torch.is_grad_enabled(), (x * 2).requires_grad


@torch.no_grad
def without_parentheses():
    return torch.is_grad_enabled(), (x * 2).requires_grad


@torch.enable_grad()
def enabled():
    return torch.is_grad_enabled(), (x * 2).requires_grad


print(with_parentheses(), without_parentheses(), enabled(), torch.is_grad_enabled())
print(with_parentheses.__name__, with_parentheses.__doc__)
with torch.no_grad():
    print("outer", torch.is_grad_enabled(), enabled())
    with torch.enable_grad():
        y = x * 2
        print("inner", y)
    print("a leaf made here", torch.ones(2, requires_grad=True))
    print("a view made here", x[0], x[0].is_leaf, x.view(2, 1).requires_grad)
    print("clone and detach", x.clone(), x.detach())
print("after", torch.is_grad_enabled(), x * y)
try:
    with torch.no_grad():
        raise KeyError("inside")
except KeyError:
    print("restored", torch.is_grad_enabled())
