"""Wrong answers to the exercises of chapter 08."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "08.1": {
        "one value for each argument": {"times + to_sum, to_sum, None": "times + to_sum, to_sum"},
        "used in both outputs": {"to_product * ctx.times + to_sum,": "to_product * ctx.times,"},
        "the gradients that you receive": "return ctx.times + 1.0, 1.0, None",
        "`b` is used only": "return to_product * ctx.times + to_sum, to_product + to_sum, None",
        "it must be None": {"times + to_sum, to_sum, None": "times + to_sum, to_sum, to_product"},
    },
    "08.2": {
        "computed twice": {'"tanh(x)": "result"': '"tanh(x)": "input"'},
        "divide a second time": {'"1 / x": "result"': '"1 / x": "input"'},
        "solve the equation again": {'"both"': '"input"'},
        "for a constant": {'"x * sigmoid(x)": "input"': '"x * sigmoid(x)": "both"'},
        "not a tensor": {'"on ctx"': '"input"'},
        "Both derivatives are 1": {'"x + y": "nothing"': '"x + y": "both"'},
    },
    "08.3": {
        "where |x| > 1 it must be 0": {"grad * (x.abs() <= 1.0)": "grad"},
        "Multiply that by": {"grad * (x.abs() <= 1.0)": "(x.abs() <= 1.0) * 1.0"},
        "attribute of `ctx`": {
            "ctx.save_for_backward(x)": "ctx.x = x",
            "(x,) = ctx.saved_tensors": "x = ctx.x",
        },
        "includes −1 and 1": {"<= 1.0": "< 1.0"},
        "The sign of 0 is 0": {"x.sign()": "(x >= 0.0) * 2.0 - 1.0"},
        "a value in between": {"x.sign()": "x.clamp(-1.0, 1.0)"},
        "Inherit from your `Function`": {"(Function)": "(torch.autograd.Function)"},
        "Pass the class itself": {"<= 1.0)": "<= 1.0)\n\nBinarySign = BinarySign.apply"},
    },
    "08.4": {
        "With x = 0 and q = 2": {"0.0 if x.item() <= 0.0 else grad * x": "x"},
        "With x = −2 and q = 2, the gradient of q": {"x.item() <= 0.0": "x.item() == 0.0"},
        "0⁰": {"grad * 0.0 if q.item() == 0.0 else grad * q": "grad * q"},
        "needs no gradient": {"if ctx.needs_input_grad[1]:\n            for_q": "for_q"},
        "anyway": {
            "        if ctx.needs_input_grad[1]:\n            for_q = grad": "        made = grad",
            "return for_x, for_q": "return for_x, made if ctx.needs_input_grad[1] else None",
        },
        "you could ask `q.requires_grad`": {"ctx.needs_input_grad[1]": "q.requires_grad"},
        "x^q · ln x": {" * x.log()": ""},
        "q · x^(q−1)": {"grad * q * x": "grad * x"},
        "`backward` of your `SafePow` returns something that is not a tensor": {
            "grad * 0.0 if": "0.0 if",
        },
        "attribute of `ctx`": {
            "ctx.save_for_backward(x, q)": "ctx.x, ctx.q = x, q",
            "x, q = ctx.saved_tensors": "x, q = ctx.x, ctx.q",
        },
        "Inherit from your": {"(Function)": "(torch.autograd.Function)"},
    },
    "08.5": {
        "inherit from `torch.autograd.Function`": {"(torch.autograd.Function)": "(Function)"},
        "has to round": {"(x * weight).round()": "x * weight"},
        "Forward has two arguments": {"weight, (grad * x).sum(0)": "weight"},
        "so it does not learn": {"weight, (grad * x).sum(0)": "weight, None"},
        "is the gradient of `x`, and yours": {
            "grad * weight, (grad * x).sum(0)": "(grad * x).sum(0), grad * weight"
        },
        "a shape that does not fit": {"(grad * x).sum(0)": "(grad * x).sum(1)"},
        "Multiply by the gradient": {"grad * weight, (": "weight + grad * 0.0, ("},
        "the received one times the weight": {"grad * weight, (": "grad, ("},
        "before the rows are": {"(grad * x).sum(0)": "grad.sum(0) * x.sum(0)"},
        "attribute of `ctx`": {
            "ctx.save_for_backward(x, weight)": "ctx.kept = x, weight",
            "x, weight = ctx.saved_tensors": "x, weight = ctx.kept",
        },
        "something that is not a tensor": {"(grad * x).sum(0)": "1.0"},
    },
    "08.6": {
        "that exists already. Write": """
            class MyFunction(Function):
                pass
        """,
        "leaves the work to": """
            class MyFunction:
                @classmethod
                def apply(cls, *args):
                    methods = {
                        "forward": staticmethod(cls.forward),
                        "backward": staticmethod(cls.backward),
                    }
                    return type(cls.__name__, (Function,), methods).apply(*args)
        """,
        "one of the arguments is a number": {
            "in args if isinstance(each, Tensor)": "in args if each.requires_grad"
        },
        "a tuple": {"results = out if isinstance(out, tuple) else (out,)": "results = (out,)"},
        "a cycle": {"[without_graph(each) for each in tensors]": "tensors"},
        "returns that same tensor": {
            "without_graph(r) if any(r is t for t in tensors) else r": "r"
        },
    },
}
