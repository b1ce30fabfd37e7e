"""Wrong answers to the exercises of chapter 23."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "23.1": {
        "no floats": {"new, constant": "new, history"},
        "a tensor of its own": {"memory of h, history": "new, history"},
        "carry the new history itself": {"h itself": "memory of h"},
        "whatever is in it": {"untouched": "h itself, history"},
        "It is new": {"new, history": "memory of h, history"},
        "cannot be `h`": {"memory of h, constant": "h itself, constant"},
        "write one of": {"untouched": "a list"},
    },
    "23.2": {
        "nobody was told": {"        ctx.mark_dirty(h)\n": ""},
        "End it with": {"        return h\n": ""},
        "in place": {"h.mul_(h > 0.0)\n        ctx.mark_dirty(h)": "h = h * (h > 0.0)"},
        "where the result is 0": {
            "        ctx.save_for_backward(h)\n": "",
            "(result,) = ctx.saved_tensors\n        return grad * (result > 0.0)": "return grad",
        },
        "what arrives": {
            "(result,) = ctx.saved_tensors\n"
            "        return grad * (result > 0.0)": "return (ctx.saved_tensors[0] > 0.0) * 1.0",
        },
        "attribute of `ctx`": {
            "ctx.save_for_backward(h)": "ctx.h = h",
            "(result,) = ctx.saved_tensors\n"
            "        return grad * (result > 0.0)": "return grad * (ctx.h > 0.0)",
        },
        "keeps an array": {
            "def forward(ctx, h):": "def forward(ctx, h):\n        ctx.mask = h._data > 0.0",
            "        ctx.save_for_backward(h)\n": "",
            "(result,) = ctx.saved_tensors\n"
            "        return grad * (result > 0.0)": "return grad * type(grad)(1.0 * ctx.mask)",
        },
        "no memory of its own": """
            class ReluInPlace(Function):
                @staticmethod
                def forward(ctx, h):
                    ctx.positive = (h > 0.0).tolist()
                    h.mul_(h > 0.0)
                    ctx.mark_dirty(h)
                    return h

                @staticmethod
                def backward(ctx, grad):
                    return grad * type(grad)([1.0 * each for each in ctx.positive])
        """,
        "changes the gradient that arrives": {"grad * (result > 0.0)": "grad.mul_(result > 0.0)"},
        "outside the node": """
            masks = []


            class ReluInPlace(Function):
                @staticmethod
                def forward(ctx, h):
                    masks.append(h > 0.0)
                    h.mul_(masks[-1])
                    ctx.mark_dirty(h)
                    return h

                @staticmethod
                def backward(ctx, grad):
                    return grad * masks.pop()
        """,
        "other memory": {"h.mul_(h > 0.0)": "h.data = (h * (h > 0.0)).data"},
        "another library": {
            "class ReluInPlace(Function):": (
                "import minigrad\n"
                "\n"
                "\n"
                "class ReluInPlace(minigrad.autograd.Function):"
            ),
        },
        "beside `h`": {
            "h.mul_(h > 0.0)": "mask = h > 0.0\n        h.mul_(mask)",
            "ctx.save_for_backward(h)": "ctx.save_for_backward(mask)",
            "(result,) = ctx.saved_tensors\n"
            "        return grad * (result > 0.0)": "return grad * ctx.saved_tensors[0]",
        },
    },
}
