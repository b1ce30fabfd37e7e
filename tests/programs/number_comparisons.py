"""Comparisons give bool tensors without a graph; and truth, conversion, containment."""

import torch
from show import attempt

a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
b = torch.tensor([3.0, 2.0, 1.0])
for result in (a == b, a != b, a < b, a <= b, a > b, a >= b, a == 2, 2 == a, a != 1.0):
    print(result, result.dtype, result.requires_grad)
print((a > 1).sum(), (a > 1) * a, torch.equal(b, b), torch.allclose(a, b))
print((a == b).all(), (a == b).any(), bool(torch.tensor(0.0)), bool(torch.tensor([5])))
print(2.0 in b, 7.0 in b, hash(a) == hash(a), a is a, {a: "key"}[a])
attempt("truth of many", lambda: bool(b))
attempt("truth of none", lambda: bool(torch.tensor([])))
attempt("shapes", lambda: a == torch.ones(2))
attempt("item of many", b.item)
attempt("float of many", lambda: float(b))
print(float(b[0]), int(b[0]), b[0].item(), torch.tensor([[4]]).item(), a.tolist())
print(torch.tensor(3).item(), torch.tensor(True).item(), torch.tensor([[1, 2]]).tolist())
print(range(5)[torch.tensor(2)], [10, 20, 30][torch.tensor(1)])
