"""What a hook of a leaf finds in the `.grad` of other leaves that several paths lead to."""

import torch

GRAPHS = {
    "(a * b) * b": lambda a, b, c: (a * b) * b,
    "(b * a) * b": lambda a, b, c: (b * a) * b,
    "b * (b * a)": lambda a, b, c: b * (b * a),
    "(a * b) * a * b": lambda a, b, c: (a * b) * a * b,
    "(a + b) * (b + c)": lambda a, b, c: (a + b) * (b + c),
    "(a * b).sin() * b * c": lambda a, b, c: (a * b).sin() * b * c,
    "(a * b + b * c) * c": lambda a, b, c: (a * b + b * c) * c,
}


def numbers(leaves):
    return [None if leaf.grad is None else round(leaf.grad.item(), 3) for leaf in leaves]


for name, graph in GRAPHS.items():
    for watched in range(3):
        for kind in ("register_hook", "register_post_accumulate_grad_hook"):
            leaves = [torch.tensor(value, requires_grad=True) for value in (2.0, 3.0, 0.5)]
            getattr(leaves[watched], kind)(lambda _, leaves=leaves: print("  ", numbers(leaves)))
            print(name, "hook of", "abc"[watched], kind)
            graph(*leaves).backward()


def refuses(grad):
    raise ValueError


a, b = torch.tensor(2.0, requires_grad=True), torch.tensor(3.0, requires_grad=True)
a.register_hook(refuses)
try:
    ((a * b) * b).backward()
except ValueError:
    print("a hook that raises:", a.grad, b.grad)
