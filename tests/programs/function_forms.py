"""The forms of a Function: vjp, setup_context, keywords and defaults, inheritance."""

import torch
from show import attempt, state


class Combined(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(ctx, a, b=None, n=2):
        print(ctx.needs_input_grad, b, n)
        return a * n

    @staticmethod
    def vjp(ctx, gradient):
        return (gradient * 7,) + (None,) * (len(ctx.needs_input_grad) - 1)

    @staticmethod
    def jvp(ctx, tangent):
        return tangent * 7


x = torch.tensor([1.0, 2.0], requires_grad=True)
for arguments in (
    {},
    {"b": 5},
    {"b": x},
    {"b": x, "n": 3},
    {"n": 3},
    {"a": x},
    {"c": 4},
    {"ctx": 4},
):

    def run(arguments=arguments):
        y = Combined.apply(x, **arguments)
        state("y", y)
        y.sum().backward()
        print(x.grad)

    attempt(str(list(arguments)), run)
attempt("all by name", lambda: Combined.apply(a=x, b=1, n=2))
attempt("the first is missing", lambda: Combined.apply(b=1))
attempt("too many", lambda: Combined.apply(x, 1, 2, 3))
attempt("none", lambda: Combined.apply())


class Separate(torch.autograd.Function):
    @staticmethod
    def forward(a, b=1, c=4):
        print(torch.is_grad_enabled())
        return a * b * c

    @staticmethod
    def setup_context(ctx, inputs, output):
        print(torch.is_grad_enabled(), inputs, output, ctx.needs_input_grad)
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, gradient):
        state("saved", ctx.saved_tensors[0])
        return gradient * 7, None, None


for positional, arguments in (
    ((x,), {}),
    ((x,), {"c": 2}),
    ((), {"a": x, "b": 2}),
    ((x, 1, 2, 3), {}),
):
    attempt("separate", lambda p=positional, a=arguments: Separate.apply(*p, **a))
attempt("separate", lambda: Separate.apply(x, d=3))
attempt("separate", lambda: Separate.apply())
Separate.apply(x).sum().backward()


class KeywordOnly(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, *, n=3):
        return a * n


class Both(Combined):
    @staticmethod
    def backward(ctx, gradient):
        return gradient


class Inherits(Separate):
    @staticmethod
    def setup_context(ctx, inputs, output):
        return 5

    @staticmethod
    def backward(ctx, gradient):
        return gradient, None, None


attempt("keyword only", lambda: KeywordOnly.apply(x))
attempt("keyword only", lambda: KeywordOnly.apply(x, n=3))
attempt("vjp and backward", lambda: Both.apply(x).sum().backward())
state("inherited", Inherits.apply(x))
for name, arguments in (
    ("forward", (x,)),
    ("backward", (None, x)),
    ("vjp", (None, x)),
    ("setup_context", (None, (), x)),
):
    attempt(name, lambda n=name, a=arguments: getattr(torch.autograd.Function, n)(*a))
node = Inherits.apply(x).grad_fn
print(isinstance(node, torch.autograd.function.FunctionCtx), isinstance(node, Inherits))
print(isinstance(node, torch.autograd.function.BackwardCFunction), node.name())
attempt("ctx has what one puts there", lambda: node.surely_not)


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a * b, a + b

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g, h):
        print(torch.is_grad_enabled())
        return eval(result)


c = torch.ones(2, requires_grad=True)
for result in (
    "(g, None)",
    "(g, h)",
    "(g, g.double())",
    "(g.long(), h)",
    "None",
    "(None, None)",
    "(3, g)",
    "[g, h]",
):
    for cotangent, graph in ((c, True), (c.detach(), True), (c.detach(), False)):

        def run(v=cotangent, graph=graph):
            y, z = Twice.apply(x, c)
            got = torch.autograd.grad((y, z), (x, c), (v, v), create_graph=graph, allow_unused=True)
            print(got)
            got[0].sum().backward()

        attempt(result, run)
