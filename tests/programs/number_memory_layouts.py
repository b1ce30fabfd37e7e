"""How results are laid out in memory: like their input, but without gaps and repetitions."""

import torch


def numbers(*shape):
    return torch.arange(float(torch.zeros(shape).numel())).reshape(shape) - 2


INPUTS = {
    "transposed": numbers(2, 3).t(),
    "expanded in front": numbers(2, 3).expand(2, 2, 3),
    "expanded within": numbers(2, 1, 3).expand(2, 2, 3),
    "a row expanded": numbers(1, 3).expand(2, 3),
    "transposed, then expanded": numbers(2, 3).t().expand(2, 3, 2),
    "moved": numbers(2, 3, 4).movedim(0, -1),
    "swapped": numbers(2, 3, 4).mT,
    "every second": numbers(2, 4)[:, ::2],
}
OPERATIONS = {
    "clone": lambda x: x.clone(),
    "double": lambda x: x.double(),
    "zeros_like": torch.zeros_like,
    "full_like": lambda x: torch.full_like(x, 2.0),
    "relu": lambda x: x.relu(),
    "nan_to_num": lambda x: x.nan_to_num(),
    "flip": lambda x: x.flip(0),
    "sort": lambda x: x.sort(0)[0],
    "argsort": lambda x: x.argsort(),
    "masked_fill": lambda x: x.masked_fill(x > 0, 2.0),
    "power of a number": lambda x: 2**x,
    "cat": lambda x: torch.cat([x, x]),
    "sum": lambda x: x.sum(0),
    "amax": lambda x: x.amax(-1, keepdim=True),
    "prod": lambda x: x.prod(0),
    "var": lambda x: x.var(0),
    "all": lambda x: (x > 0).all(0),
    "norm": lambda x: x.norm(dim=0),
    "by a list": lambda x: x[[0, -1]],
    "by an index as it is laid out": lambda x: x[x.argsort(0) % 2],
    "tril": lambda x: x.tril(),
    "round integers": lambda x: x.nonzero().floor(),
}
for kind, x in INPUTS.items():
    for name, operation in OPERATIONS.items():
        result = operation(x)
        steps = [step for n, step in zip(result.shape, result.stride()) if n > 1]
        print(f"{kind}, {name}: {steps}")

x = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
print(x.expand(2, 3).relu().view(-1))
