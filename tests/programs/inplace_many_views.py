"""Outputs of unbind, split and chunk: what they allow, and the errors where they do not."""

import torch
from show import attempt


def leaf():
    return torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)


for split in ("unbind()", "split(2)", "chunk(2)"):
    for source in ("leaf()", "leaf() * 1", "leaf().detach()"):
        print("---", split, source)
        x, w = eval(source), torch.tensor(2.0, requires_grad=True)
        views = eval(f"x.{split}")
        print([(v._version, v._base is x, v.output_nr, v.is_leaf) for v in views])
        attempt("edit", lambda: views[0].mul_(2))
        attempt("with a graph", lambda: views[0].mul_(w))
        attempt("a view of one", lambda: views[1].view(-1).copy_(w))
        attempt("detached", lambda: views[1].detach().mul_(2))
        attempt("detach_", lambda: views[1].detach_())
        attempt("requires_grad_", lambda: views[1].requires_grad_())
        with torch.no_grad():
            attempt("unrecorded", lambda: views[1].mul_(2))
        x = eval(source)
        views = eval(f"x.{split}")
        attempt("base", lambda: x.mul_(w))
        attempt("grad_fn", lambda: views[0].grad_fn)
        attempt("use", lambda: views[0] * 2)
        attempt("repr", lambda: views[0])
        with torch.no_grad():
            attempt("unrecorded grad_fn", lambda: views[0].grad_fn)
            attempt("unrecorded use", lambda: views[0] * 2)
            attempt("unrecorded edit", lambda: views[0].mul_(2))
            x = eval(source)
            views = eval(f"x.{split}")
        attempt("made unrecorded, edit", lambda: views[0].mul_(w))
        attempt("made unrecorded, base", lambda: x.mul_(w))
        attempt("made unrecorded, grad_fn", lambda: views[1].grad_fn)
