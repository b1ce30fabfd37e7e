"""Wrong answers to the exercises of chapter 14."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "14.1": {
        "create_graph": """
            def derivative(f, x, n):
                x = tensor(x, requires_grad=True)
                g = f(x)
                for _ in range(n):
                    (g,) = grad(g, x)
                return g.item()
        """,
        "linear": """
            def derivative(f, x, n):
                x = tensor(x, requires_grad=True)
                g = f(x)
                for _ in range(n):
                    (g,) = grad(g, x, create_graph=True)
                return g.item()
        """,
        "hid it": """
            def derivative(f, x, n):
                try:
                    x = tensor(x, requires_grad=True)
                    g = f(x)
                    for _ in range(n):
                        (g,) = grad(g, x, create_graph=True)
                    return g.item()
                except RuntimeError:
                    return 0.0
        """,
        "add up": """
            def derivative(f, x, n):
                import warnings
                warnings.simplefilter("ignore")
                x = tensor(x, requires_grad=True)
                g = f(x)
                for _ in range(n):
                    g.backward(create_graph=True)
                    g = x.grad
                return g.item()
        """,
    },
    "14.2": {
        "neither an input nor an output": {"return s": "return s * 1"},
        "the same gradient as sigmoid": {"grad * s * (1 - s)": "s * (1 - s)"},
        "Save s instead": """
            class Sigmoid(Function):
                @staticmethod
                def forward(ctx, x):
                    ctx.save_for_backward(x)
                    return 1 / (1 + (-x).exp())

                @staticmethod
                def backward(ctx, grad):
                    (x,) = ctx.saved_tensors
                    s = 1 / (1 + (-x).exp())
                    return grad * s * (1 - s)
        """,
        "is not one of a `Function`": """
            class Sigmoid:
                @staticmethod
                def apply(x):
                    return x.sigmoid()
        """,
        "which is a cycle": """
            class Sigmoid(Function):
                @staticmethod
                def forward(ctx, x):
                    ctx.s = 1 / (1 + (-x).exp())
                    return ctx.s

                @staticmethod
                def backward(ctx, grad):
                    return grad * ctx.s * (1 - ctx.s)
        """,
    },
    "14.3": {
        "is part of a cycle": {
            "self.tensor = tensor if number is None else without_graph(tensor)": (
                "self.tensor = tensor"
            )
        },
        "returned `y` itself": """
            class Kept:
                def __init__(self, tensor, number=None):
                    import weakref
                    self.tensor = (lambda: tensor) if number is None else weakref.ref(tensor)

                def unpack(self, node):
                    return self.tensor()
        """,
        "as if it were an input": """
            class Kept:
                def __init__(self, tensor, number=None):
                    self.number = number
                    self.tensor = without_graph(tensor) if number else tensor

                def unpack(self, node):
                    if not self.number:
                        return self.tensor
                    tensor = without_graph(self.tensor)
                    set_history(tensor, node, self.number)
                    return tensor
        """,
        "may have several outputs": {
            "set_history(tensor, node, self.number)": "set_history(tensor, node)"
        },
        "a copy of its array": {
            "tensor if number is None else without_graph(tensor)": (
                "tensor if number is None else tensor.detach().clone()"
            )
        },
        "the input itself": """
            class Kept:
                def __init__(self, tensor, number=None):
                    self.tensor, self.number = without_graph(tensor), number
                    self.before = tensor._node, tensor._output_nr

                def unpack(self, node):
                    tensor = without_graph(self.tensor)
                    if self.number is not None:
                        set_history(tensor, node, self.number)
                    elif self.before[0] is not None:
                        set_history(tensor, *self.before)
                    return tensor
        """,
        "without a history, or with a wrong one": """
            class Kept:
                def __init__(self, tensor, number=None):
                    self.tensor = tensor if number is None else without_graph(tensor)

                def unpack(self, node):
                    return self.tensor
        """,
        "a class of your own": "Kept = SavedTensor",
        "has to create a new tensor each time": """
            class Kept:
                def __init__(self, tensor, number=None):
                    self.number = number
                    self.tensor = tensor if number is None else without_graph(tensor)

                def unpack(self, node):
                    if self.number is not None and self.tensor._node is None:
                        set_history(self.tensor, node, self.number)
                    return self.tensor
        """,
    },
    "14.4": {
        "adds up the rows of H": {"(product,) = grad(g, x, v)": "(product,) = grad(g.sum(), x)"},
        "passes for three elements": """
            def along(f, x, v):
                x = x.detach().requires_grad_()
                (g,) = grad(f(x), x, create_graph=True)
                rows = [grad(each, x, retain_graph=True)[0] for each in g.unbind()]
                return sum((row * v).sum().item() * w for row, w in zip(rows, v.tolist()))
        """,
        "Leave it as it was": {"x = x.detach().requires_grad_()": "x.requires_grad_()"},
    },
    "14.5": {
        "Differentiate t · f(t)": {"grad(t * f(t), t,": "grad(f(t), t,"},
        "Its first derivative is right": """
            def second_is_right(f, x):
                def value(at):
                    t = tensor(at, dtype=yours().float64, requires_grad=True)
                    return t, t * f(t)

                t, y = value(x)
                first = grad(y, t)[0].item()
                difference = (value(x + 1e-4)[1] - value(x - 1e-4)[1]).item() / 2e-4
                return abs(first - difference) <= 1e-4 * max(1.0, abs(difference))
        """,
        "whose second derivative is right": {"tensor(at, dtype=yours().float64,": "tensor(at,"},
        "refuses one that is right": {"<=": ">"},
        "in proportion to the numbers": {"1e-4 * max(1.0, abs(difference))": "1e-4"},
        "only a thousandth": {"<= 1e-4 *": "<= 0.1 *"},
        "so compare numbers": """
            def second_is_right(f, x):
                t = tensor(x, dtype=yours().float64, requires_grad=True)
                (g,) = grad(f(t), t, create_graph=True)
                return g.requires_grad
        """,
        "the ready-made one": """
            def second_is_right(f, x):
                t = tensor(x, dtype=yours().float64, requires_grad=True)
                return gradcheck.gradcheck(gradient_of(lambda t: t * f(t)), (t,))
        """,
    },
}
