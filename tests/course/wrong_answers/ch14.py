"""Wrong answers to the exercises of chapter 14."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "14.1": {
        "create_graph": {
            "if not g.requires_grad:\n            return 0.0\n        ": "",
            "create_graph=True, ": "",
        },
        "linear": {
            "if not g.requires_grad:\n            return 0.0\n        ": "",
            ", allow_unused=True": "",
        },
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
        "add up": {
            "(g,) = grad(g, x, create_graph=True, allow_unused=True)": (
                "g.backward(create_graph=True)\n        g = x.grad"
            )
        },
    },
    "14.2": {
        "neither an input nor an output": {"return s": "return s * 1"},
        "the same gradient as sigmoid": {"grad * s * (1 - s)": "s * (1 - s)"},
        "Save s instead": {
            "ctx.save_for_backward(s)": "ctx.save_for_backward(x)",
            "(s,) = ctx.saved_tensors": (
                "(x,) = ctx.saved_tensors\n        s = 1 / (1 + (-x).exp())"
            ),
        },
        "is not one of a `Function`": """
            class Sigmoid:
                @staticmethod
                def apply(x):
                    return x.sigmoid()
        """,
        "which is a cycle": {
            "ctx.save_for_backward(s)": "ctx.s = s",
            "(s,) = ctx.saved_tensors": "s = ctx.s",
        },
    },
    "14.3": {
        "is part of a cycle": {"tensor if number is None else without_graph(tensor)": "tensor"},
        "returned `y` itself": """
            class Kept:
                def __init__(self, tensor, number=None):
                    import weakref
                    self.tensor = (lambda: tensor) if number is None else weakref.ref(tensor)

                def unpack(self, node):
                    return self.tensor()
        """,
        "as if it were an input": {
            "tensor if number is None else without_graph(tensor)": (
                "without_graph(tensor) if number else tensor"
            ),
            "self.number is None": "not self.number",
        },
        "may have several outputs": {"node, self.number": "node"},
        "a copy of its array": {"without_graph(tensor)": "tensor.detach().clone()"},
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
        "without a history, or with a wrong one": {
            "        set_history(tensor, node, self.number)\n": ""
        },
        "a class of your own": "Kept = SavedTensor",
        "has to create a new tensor each time": {
            "tensor = without_graph(self.tensor)": "tensor = self.tensor"
        },
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
        "Its first derivative is right": {"grad(t * f(t), t, create_graph=True)[0]": "t * f(t)"},
        "whose second derivative is right": {"tensor(at, dtype=float64,": "tensor(at,"},
        "refuses one that is right": {"<=": ">"},
        "in proportion to the numbers": {"1e-4 * max(1.0, abs(difference))": "1e-4"},
        "only a thousandth": {"<= 1e-4 *": "<= 0.1 *"},
        "so compare numbers": {
            "grad(t * f(t), t,": "grad(f(t), t,",
            "t, g = slope(x)": "return slope(x)[1].requires_grad",
        },
        "the ready-made one": """
            def second_is_right(f, x):
                t = tensor(x, dtype=yours().float64, requires_grad=True)
                return gradcheck.gradcheck(gradient_of(lambda t: t * f(t)), (t,))
        """,
    },
}
