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
        "multiply by the gradient that came in": {"grad * s * (1 - s)": "s * (1 - s)"},
        "save s": """
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
        "cycle": """
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
        "is part of a cycle": """
            class Kept:
                def __init__(self, tensor, number=None):
                    self.tensor = tensor

                def unpack(self, node):
                    return self.tensor
        """,
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
        "has no history": """
            class Kept:
                def __init__(self, tensor, number=None):
                    self.tensor = tensor if number is None else without_graph(tensor)

                def unpack(self, node):
                    return self.tensor
        """,
        "a class of your own": "Kept = SavedTensor",
        "the history of the tensor that was unpacked first": """
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
        "the sum over all of H": {"(product,) = grad(g, x, v)": "(product,) = grad(g.sum(), x)"},
        "passes": """
            def along(f, x, v):
                x = x.detach().requires_grad_()
                (g,) = grad(f(x), x, create_graph=True)
                rows = [grad(each, x, retain_graph=True)[0] for each in g.unbind()]
                return sum((row * v).sum().item() * w for row, w in zip(rows, v.tolist()))
        """,
        "stay as it is": {"x = x.detach().requires_grad_()": "x.requires_grad_()"},
    },
    "14.5": {
        "The penalty does not reach": {"result, x, create_graph=": "result, x, retain_graph="},
        "Use your own `grad`": """
            def penalised_step(model, w, x, lr):
                result = model(w, x)
                (g,) = torch.autograd.grad(result, x, create_graph=True)
                (step,) = torch.autograd.grad(result + g**2, w)
                return w.item() - lr * step.item()
        """,
        ".grad": """
            def penalised_step(model, w, x, lr):
                result = model(w, x)
                (g,) = grad(result, x, create_graph=True)
                (result + g**2).backward()
                return w.item() - lr * w.grad.item()
        """,
        "compute with the arguments": """
            def penalised_step(model, w, x, lr):
                return w.item() - lr * (9 + 144)
        """,
        "only the penalty": """
            def penalised_step(model, w, x, lr):
                (g,) = grad(model(w, x), x, create_graph=True)
                (step,) = grad(g**2, w)
                return w.item() - lr * step.item()
        """,
    },
}
