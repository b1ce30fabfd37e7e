"""Every view operation: the view and its base after edits of either, recorded or not."""

import torch
from show import attempt, state


def leaf():
    return torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)


VIEWS = (
    "x.view(4)", "x.expand(2, 2, 2)", "x.expand_as(x)", "x.expand(2, 2, 2)[1]", "x.t()",
    "x[:1].squeeze()", "x[0, 1]", "x[:, ::2]", "x[...]", "x.diagonal()", "x.split(1)[1]",
    "x.detach()",
    "x.contiguous()", "x[[0]]",
)  # fmt: skip
SOURCES = ("leaf().detach()", "leaf()", "leaf() * 1")
for view in VIEWS:
    for source in SOURCES:
        x = eval(source)
        v = eval(view)
        state(f"{view} of {source}: {v is x} {v._base is x}", v)
        for edited in ("v", "x"):
            for unrecorded in ("nothing", "view", "edit"):
                x, w = eval(source), torch.tensor(2.0, requires_grad=True)
                with torch.set_grad_enabled(unrecorded != "view"):
                    v = eval(view)

                def run(x=x, v=v, w=w, unrecorded=unrecorded, edited=edited):
                    with torch.set_grad_enabled(unrecorded != "edit"):
                        {"v": v, "x": x}[edited].mul_(w)
                    print("  ", *(t.grad_fn and t.grad_fn.name() for t in (x, v)), v._version)
                    (v.sum() * 2 + x.sum()).backward()
                    print("  ", w.grad, v.requires_grad, v.tolist())

                attempt(f"  {edited} edited, {unrecorded} unrecorded", run)
