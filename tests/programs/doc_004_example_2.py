"""The same with the inner product detached: gradients stop there."""

import torch
from show import describe_all

first = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
second = torch.tensor([3.0, 3.0, 3.0], requires_grad=True)
third = torch.tensor([4.0, 6.0, 10.0], requires_grad=True)
inner = first * second
outer = inner.detach() * third
answer = torch.sum(outer)

tensors = dict(first=first, second=second, third=third, inner=inner, outer=outer, answer=answer)
describe_all("before", **tensors)
answer.backward()
describe_all("after", **tensors)
print(outer.grad_fn.next_functions)
