"""Results of tensors that do not require grad are leaves, and record nothing."""

import torch
from show import describe

data = torch.tensor([1.0, 2.0])
w = torch.tensor([3.0, 4.0], requires_grad=True)
describe("data * 2", data * 2)
describe("data * w", data * w)
describe("w.detach() * data", w.detach() * data)
describe("w == data", w == data)
describe("w > 3", w > 3)
describe("ones_like(w)", torch.ones_like(w))
describe("w.long()", w.long())
describe("w.double()", w.double())
describe("torch.zeros(2)", torch.zeros(2, requires_grad=True))
