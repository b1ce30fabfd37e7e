"""Two products and a sum, three leaves."""

import torch
from show import describe_all

first = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
second = torch.tensor([3.0, 3.0, 3.0], requires_grad=True)
third = torch.tensor([4.0, 6.0, 10.0], requires_grad=True)
inner = first * second
outer = inner * third
answer = torch.sum(outer)

tensors = dict(first=first, second=second, third=third, inner=inner, outer=outer, answer=answer)
describe_all("before", **tensors)
answer.backward()
describe_all("after", **tensors)

node = answer.grad_fn
while node is not None:
    print(node, node.next_functions)
    node = node.next_functions[0][0] if node.next_functions else None
