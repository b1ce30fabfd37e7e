"""A base, two overlapping views, a view of a view and a detached twin, after one edit of any."""

import torch
from show import attempt, state


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


EDITS = (
    "a.mul_(w)", "x.mul_(w)", "c.mul_(w)", "a.copy_(b)", "a.add_(b)", "a[0] = w", "c[0] = w",
    "x[1] = w",
    "x[:] = w", "a.zero_()", "x.zero_()", "x.detach_()", "a.detach_()", "x.requires_grad_()",
    "a.requires_grad_()", "x.requires_grad_(False)", "a.requires_grad_(False)", "d.mul_(2)",
    "x.data.mul_(2)",
    "a.detach().mul_(w)", "a.fill_(w)", "a.sub_(x[0])", "x.mul_(a[0])", "x.mul_(x)", "a.square_()",
    "x.relu_().mul_(w)", "a.mul_(w); b.mul_(w)", "b.mul_(w); b.grad_fn; a.grad_fn; a.mul_(w)",
    "x[:2] += w", "x[1:3] *= w", "x[x > 1] = w", "x[[0, 1]] = w", "x[[0, 0]] += w",
    "c.mul_(2); b.mul_(w * c.sum())", "x.requires_grad_(); v = x[:2]; a.sum().backward()",
    "x.requires_grad_(); a.mul_(w)", "x.detach_(); a.mul_(w)",
)  # fmt: skip
for source in ("leaf(1.0, 2.0, 3.0, 4.0) * 1", "torch.arange(4.0)"):
    for edit in EDITS:
        x, w = eval(source), leaf(2.0).sum()
        a, b = x[:2], x[1:3]
        c, d = a.view(2, 1), x.detach()
        names = {"x": x, "a": a, "b": b, "c": c, "d": d, "w": w}

        def run(names=names, edit=edit):
            exec(edit, dict(names))
            for name in "xabcd":
                state(f"  {name}", names[name])
            sum(names[name].sum() * k for k, name in enumerate("xabc", 1)).backward()

        attempt(f"{source}: {edit}", run)
