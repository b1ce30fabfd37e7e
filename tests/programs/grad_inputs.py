"""backward(inputs=…): only these receive, through the shortest part of the graph."""

import torch
from show import attempt


class Loud(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, name):
        ctx.name = name
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        print("    through", ctx.name)
        return gradient * 2, None


a = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)
lone = torch.tensor(1.0, requires_grad=True)


def graph():
    inner = Loud.apply(a, "a") * Loud.apply(b, "b")
    return inner, Loud.apply(inner, "inner")


for name in ("a", "b", "inner", "out", "lone"):
    print(f"inputs=[{name}]")
    a.grad = b.grad = None
    inner, out = graph()
    target = {"a": a, "b": b, "inner": inner, "out": out, "lone": lone}[name]
    out.backward(inputs=[target])
    print("   ", a.grad, b.grad, inner.grad, out.grad, lone.grad)
inner, out = graph()
attempt("no inputs", lambda: out.backward(inputs=[]))
attempt("constant", lambda: out.backward(inputs=[torch.tensor(1.0)]))
attempt("intermediate by grad", lambda: torch.autograd.grad(out, [inner, a]))
