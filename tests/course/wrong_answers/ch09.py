"""Wrong answers to the exercises of chapter 09."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "09.1": {
        "three equal columns": {'"A": "ignored"': '"A": "place"'},
        "wrong places": {'"place"': '"ignored"'},
        "half of what": {'"factor"': '"right"'},
        "all nine entries": {'"D": "right"': '"D": "factor"'},
    },
    "09.2": {
        "of your gradients ignores `grad`": {"grad / b, -grad * a": "1.0 / b, -a"},
        "except for its sign": {"b, -grad": "b, grad"},
        "b instead of by its square": {"grad / b, -grad * a / (b * b)": "grad / b, -grad * a / b"},
        "as an attribute of `ctx`": {"return a / b": "ctx.y = a / b\n        return ctx.y"},
        "in the order of forward's arguments": {
            "return grad / b, -grad * a / (b * b)": "return -grad * a / (b * b), grad / b",
        },
    },
    "09.3": {
        "0 · inf": "return where(x > 0, x.log(), zeros(x))",
        "the values must be log(x)": "return where(x > 0, (x + 1e-3).log(), zeros(x))",
        "At 1e-09 your result is off": "return where(x > 0, (x + 1e-12).log(), zeros(x))",
        "shape": "return x[x > 0].log()",
        "At 1e-20 your result is off": "return x.clamp(min=1e-12).log() * (x > 0)",
        "cut off from the graph": (
            "return tensor([np.log(v) if v > 0 else 0.0 for v in x.tolist()], dtype=float64)"
        ),
    },
    "09.4": {
        "pass `raise_exception=False`": {", raise_exception=False": ""},
        "not a copy of it": {"(parameter,)": "(parameter.detach().clone().requires_grad_(),)"},
        "only the gradient for `x` is wrong": """
            def wrong_parameters(layer, x):
                x = x.clone().requires_grad_()
                right = torch.autograd.gradcheck(layer, (x,), raise_exception=False)
                return [] if right else ["x"]
        """,
        "one parameter at a time": """
            def wrong_parameters(layer, x):
                right = torch.autograd.gradcheck(
                    lambda *_: layer(x), tuple(layer.parameters()), raise_exception=False
                )
                return [] if right else [name for name, _ in layer.named_parameters()]
        """,
        "at the first one": {"wrong.append(name)": "return [name]"},
        "Use `torch.autograd.gradcheck`": {
            "torch.autograd.gradcheck": "gradcheck",
            ", raise_exception=False": "",
        },
        "a list of names": {"wrong.append(name)": "wrong.append(parameter)"},
    },
    "09.5": {
        "without a copy": {"(func(x)).copy()": "(func(x))"},
        "are swapped": {"np.array(rows)": "np.array(rows).T"},
        "one side": {"original - eps": "original", "(2 * eps)": "eps"},
        "twice eps": {"(2 * eps)": "eps"},
        "it must come from backward": """
            def my_jacobian(func, x, eps=1e-6):
                return numerical_of(func, x) if eps != 1e-6 else by_units(func, x)

            def numerical_of(func, x):
                return numerical_jacobians(func, (x,), x, (func(x),), 0.1)[0]

            def by_units(func, x):
                return analytical_jacobians(func(x), (x,))[0]
        """,
        "own `differences`": "return numerical_jacobians(func, (x,), x, (func(x),), eps)[0]",
        "`draft`": """
            def my_jacobian(func, x, eps=1e-6):
                before = as_array(x).copy()
                try:
                    return draft(lambda x: func(x) * 1.0, x, eps)
                finally:
                    as_array(x)[...] = before
        """,
        "stays moved": {"try:": "if True:", "finally:": "if True:"},
    },
}
