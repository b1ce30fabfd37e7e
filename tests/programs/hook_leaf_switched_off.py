"""A leaf whose flag is cleared before backward: its hooks run, but nothing is stored."""

import torch
from show import attempt

leaf = torch.ones(2, requires_grad=True)
y = leaf * 2
leaf.register_hook(lambda gradient: print("gradient", gradient))
leaf.register_post_accumulate_grad_hook(lambda tensor: print("after", tensor, tensor.grad))
leaf.requires_grad_(False)
y.sum().backward()
print(leaf.grad)

attempt("sum", lambda: torch.sum(1))
attempt("mean", lambda: torch.mean(3.0))
attempt("squeeze", lambda: torch.squeeze(2))
attempt("exp", lambda: torch.exp(2))
attempt("index_select", lambda: torch.index_select(2, 0, torch.tensor([0])))
