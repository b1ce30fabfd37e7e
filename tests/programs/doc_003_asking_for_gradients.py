"""Four ways to make a tensor that requires grad."""

import torch
from show import attempt, describe

from_ints = torch.tensor([[1, 2], [3, 4]], dtype=torch.float, requires_grad=True)
describe("from_ints", from_ints)

assigned = torch.FloatTensor([1.0, 2.0])
describe("assigned", assigned)
assigned.requires_grad = True
describe("assigned", assigned)

asked = torch.FloatTensor([1.0, 2.0])
print(asked.requires_grad_())
describe("asked", asked)

whole = torch.tensor([[1, 2], [3, 4]])
attempt("integers", lambda: whole.requires_grad_())
describe("whole", whole)
print(whole.float().requires_grad_())
print(torch.FloatTensor([[1, 2], [3, 4]]))
