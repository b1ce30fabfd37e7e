"""Only floating-point tensors may require grad; setting and clearing the flag."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
print(x.requires_grad, x.is_leaf, x.grad, x)
x.requires_grad = False
print(x.requires_grad, x.is_leaf, x)
x.requires_grad = True
print(x.requires_grad)
for numbers in (3, [1, 2], [True, False]):
    try:
        torch.tensor(numbers, requires_grad=True)
    except RuntimeError as error:
        print("RuntimeError:", str(error))
whole = torch.tensor([1, 2])
try:
    whole.requires_grad = True
except RuntimeError as error:
    print("RuntimeError:", str(error))
print(whole.requires_grad, whole)
