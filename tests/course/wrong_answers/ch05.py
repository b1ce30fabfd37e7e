"""Wrong answers to the exercises of chapter 05."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "05.1": {
        "passes through on the way to `a`": {'"d": False': '"d": True'},
        "the flag comes too late": {'"b": False': '"b": True'},
        "was called on it before": {'"e": True': '"e": False'},
        "only `other` uses it": {'"f": False': '"f": True'},
        "it also passes that gradient on": {'"c": True': '"c": False'},
        "starts with 1": {'"loss": False': '"loss": True'},
    },
    "05.2": {
        "the flag was set first": (
            "return tensor(numbers, dtype=float64, requires_grad=True) * factor"
        ),
        "does not require grad": "return tensor(numbers).to(float64) * factor",
        "float32": {"tensor(numbers, dtype=float64) * factor": "tensor(numbers) * factor"},
        "retains its gradient, so an optimizer accepts it": {
            "return (tensor(numbers, ": "w = (tensor(numbers, requires_grad=True, ",
            ".requires_grad_()": "\n    w.retain_grad()\n    return w",
        },
        "on line 3: `w.retain_grad()`": {
            "return (": "w = (",
            ".requires_grad_()": "\n    w.retain_grad()\n    return w",
        },
        "rounded to float32 before": (
            "return (tensor(numbers) * factor).to(float64).requires_grad_()"
        ),
        "comes in chapter 10": (
            "return (tensor(numbers, dtype=float64) * factor).detach().requires_grad_()"
        ),
        "are not multiplied": "return tensor(numbers, dtype=float64).requires_grad_()",
    },
    "05.3": {
        "too late, after backward": {
            "    z.backward()\n": "",
            "for t in tensors:\n        t.grad = None": ("z.backward()\n    for t in tensors:"),
        },
        "If you ask `leaf_is_reached`": {
            "t.grad for": "t.grad if leaf_is_reached(t, z) else None for"
        },
        "not as numbers": {"[t.grad for": "[None if t.grad is None else t.grad.item() for"},
        "switches on the flag of `k`": {
            "if t.requires_grad:\n            t": "t.requires_grad_()\n        t"
        },
        "passes through unless `y` retains it": {
            "        if t.requires_grad:\n            t.retain_grad()\n": "",
            "return [t.grad for t in tensors]": "return [t._grad for t in tensors]",
        },
        "so return None for it": {"if t.requires_grad:\n            t": "t"},
        "more than once": {"    z.backward()": "        z.backward()"},
        "from an earlier backward pass": {"        t.grad = None\n": ""},
        "has retained a gradient from an earlier": {
            "t.grad = None\n        if t.requires_grad:": (
                "if t.is_leaf:\n            t.grad = None\n        elif t.requires_grad:"
            )
        },
        "that somebody had assigned": {
            "        t.grad = None\n": "",
            "if t.requires_grad:": "if t.requires_grad:\n            t.grad = None",
        },
        "does not know your library's tensors": """
            def gradients(z, *tensors):
                import minigrad as torch

                return list(torch.autograd.grad(z, tensors, allow_unused=True))
        """,
    },
    "05.4": {
        "runs a backward pass": {
            "reached = leaf_is_reached": "loss.backward()\n    reached = leaf_is_reached"
        },
        "restores the `.grad` of `t`": {
            "reached = leaf_is_reached(t, loss) if t.is_leaf else t.grad_fn in nodes_of(loss)": (
                "before, t.grad = t.grad, None\n"
                "    if loss.requires_grad:\n"
                "        loss.backward()\n"
                "    reached, t.grad = t.grad is not None, before"
            )
        },
        "from an earlier pass, but this loss": {
            "    if not t.is_leaf and": (
                '    if t._grad is not None:\n        return ""\n    if not t.is_leaf and'
            )
        },
        "A loss can be a leaf itself": {
            "leaf_is_reached(t, loss)": (
                "any(t is getattr(node, 'variable', None) for node in nodes_of(loss))"
            )
        },
        "But it retains its gradient": {"is_leaf and not t.retains_grad": "is_leaf"},
        "only among the leaves": {
            "(t, loss) if t.is_leaf else t.grad_fn in nodes_of(loss)": "(t, loss)"
        },
        "`in` compares numbers": {"leaf_is_reached(t, loss)": "t in ends_of(loss)"},
        "the loss does not use it": {'"" if reached else "path"': '""'},
        "no path at all": """
            def why_none(t, loss):
                if not t.requires_grad:
                    return "flag"
                if not t.is_leaf and not t.retains_grad:
                    return "leaf"
                ahead = [loss.grad_fn]
                while ahead:
                    node = ahead.pop()
                    if getattr(node, "variable", 0) is t or t.grad_fn and node is t.grad_fn:
                        return ""
                    ahead += [each for each, _ in node.next_functions if each is not None]
                return "path"
        """,
    },
    "05.5": {
        "keeps a tensor alive": {"weakref.ref(t)": "lambda: t"},
        "does not require grad": {'raise RuntimeError("this tensor gets no gradient")': "return"},
        "does not have a node": {
            "if not t.is_leaf:\n            self": (
                "t.grad_fn.kept = self.references\n        self"
            )
        },
        "another node": {"if t is not None and t.grad_fn is node:": "if t is not None:"},
        "is None after the pass": {"t.grad = grads[0]": "t.kept = grads[0]"},
        "the error should be a RuntimeError": {'RuntimeError("this': 'ValueError("this'},
        "All your Keepers share one list": {
            "    def __init__(self):\n        self.references = []\n": "    references = []\n"
        },
        "forgets one of them": {
            "self.references.append(weakref.ref(t))": "self.references = [weakref.ref(t)]"
        },
        "Your code holds the node": {
            "            self.references.append": (
                "            self.node = t.grad_fn\n            self.references.append"
            )
        },
        "may be gone": {"if t is not None and t.grad_fn is node:": "if t.grad_fn is node:"},
        "of your library": """
            class Keeper:
                def keep(self, t):
                    t.retain_grad()

                def passing(self, node, grads):
                    node._retain(grads)
        """,
    },
}
