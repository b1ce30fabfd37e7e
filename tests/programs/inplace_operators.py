"""Augmented operators on whole tensors and parts, for every dtype, and on overlapping memory."""

import torch
from show import attempt, state


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


STATEMENTS = (
    "x[0] += 1", "x[0] *= w", "x[0, 0] /= 2", "x[x > 1] += 1", "x[[0, 0]] += 1", "x[0] **= 2",
    "x[1:] += x[:1]", "x += x", "x += x[0]", "x *= x", "x **= 2", "x **= w", "x /= w", "x %= 2",
    "x //= 2",
    "x &= x > 0", "x |= 1", "x ^= True", "x += 1.5", "x += True",
    "x += torch.tensor([1.5, 2.0, 3.0], dtype=torch.float64)", "x += torch.tensor(2.5)",
    "x += torch.ones(2, 2, 3)", "x += torch.ones(2)", "x += 's'", "x += None", "x -= True",
)  # fmt: skip
for source in (
    "torch.arange(6.0).view(2, 3)",
    "torch.arange(6.0, requires_grad=True).view(2, 3) * 1",
    "torch.arange(6).view(2, 3)",
    "torch.ones(2, 3) > 0",
):
    for statement in STATEMENTS:
        if "grad" in source and statement == "x //= 2":  # its edges hang on from outside the core
            continue
        x, w = eval(source), leaf(1.0, 2.0, 3.0)
        names = {"torch": torch, "x": x, "w": w}

        def run(names=names, statement=statement, x=x):
            exec(statement, names)
            state(f"  {names['x'] is x}", names["x"])
            (names["x"] * torch.arange(1.0, 7.0).view(2, 3)).sum().backward()
            print(names["w"].grad)

        attempt(f"{source}: {statement}", run)

for statement in (
    "x[1:] = x[:-1]", "x[:] = x", "x[::2] = x[1::2]", "x.copy_(x)", "x[:3].add_(x[1:4])",
    "x[:3].sub_(x[0])", "x.sub_(x)", "x.fill_(x[0])", "x.div_(x[1])", "x.mul_(x.flip(0))",
    "x.view(2, 2).add_(x.view(2, 2).t())", "x[x > 1] = x[1:3]", "x[[0, 1]] = x[2:]",
    "x[[3, 2, 1, 0]] = x",
    "x.expand(2, 4).copy_(x)", "x.expand(2, 4)[0].copy_(x * 2)", "x.expand(2, 4).add_(1)",
    "x.expand(2, 4)[:, 0] = 1", "x.expand(1, 4).add_(1)", "x[:1].expand(3)[0] = 2",
    "x.add_(x.data)",
    "x.add_(x.view(4))", "x.pow_(x)", "x.masked_fill_(x > 1, x[0])", "x[0:0].add_(x[0:0])",
    "x[0], x[1] = x[1], x[0]", "x[0], x[1] = x[1].clone(), x[0].clone()", "x[[0, 1]] = x[[1, 0]]",
    "x[...] += x[..., :1]",
):  # fmt: skip
    for source in ("torch.arange(4.0)", "torch.arange(4.0, requires_grad=True) * 1"):
        x = eval(source)

        def run(x=x, statement=statement):
            exec(statement, {"x": x})
            state("  x", x)

        attempt(f"{source}: {statement}", run)
        print("  ", x._version, x.tolist())
