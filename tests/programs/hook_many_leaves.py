"""Leaves that become ready together: the order in which they get their gradients."""

import torch

for count in (2, 3, 4, 5, 6, 9):
    order = []
    leaves = [torch.tensor(float(number), requires_grad=True) for number in range(count)]
    for number, leaf in enumerate(leaves):
        leaf.register_post_accumulate_grad_hook(lambda _, number=number: order.append(number))
    torch.stack(leaves).sum().backward()
    print(count, order)
