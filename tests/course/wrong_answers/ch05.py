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
        "the flag was set first": """
            def small_weight(numbers, factor):
                return tensor(numbers, dtype=float64, requires_grad=True) * factor
        """,
        "does not require grad": """
            def small_weight(numbers, factor):
                return tensor(numbers).to(float64) * factor
        """,
        "float32": {"tensor(numbers, dtype=float64) * factor": "tensor(numbers) * factor"},
        "retains its gradient, so an optimizer accepts it": """
            def small_weight(numbers, factor):
                w = tensor(numbers, dtype=float64, requires_grad=True) * factor
                w.retain_grad()
                return w
        """,
        "on line 3: `w.retain_grad()`": """
            def small_weight(numbers, factor):
                w = tensor(numbers, dtype=float64) * factor
                w.retain_grad()
                return w
        """,
        "rounded to float32 before": {
            "(tensor(numbers, dtype=float64) * factor)": "(tensor(numbers) * factor).to(float64)"
        },
        "comes in chapter 10": {
            "(tensor(numbers, dtype=float64) * factor)": (
                "(tensor(numbers, dtype=float64) * factor).detach()"
            )
        },
        "are not multiplied": {
            "(tensor(numbers, dtype=float64) * factor).": "tensor(numbers, dtype=float64).",
        },
    },
    "05.3": {
        "too late, after backward": """
            def gradients(z, *tensors):
                z.backward()
                for t in tensors:
                    if t.requires_grad:
                        t.retain_grad()
                return [t.grad for t in tensors]
        """,
        "passes through unless `y` retains it": {
            "        if t.requires_grad:\n            t.retain_grad()\n": "",
            "return [t.grad for t in tensors]": "return [t._grad for t in tensors]",
        },
        "so return None for it": {
            "if t.requires_grad:\n            t.retain_grad()": "t.retain_grad()",
        },
        "more than once": """
            def gradients(z, *tensors):
                found = []
                for t in tensors:
                    t.grad = None
                    if t.requires_grad:
                        t.retain_grad()
                    z.backward()
                    found.append(t.grad)
                return found
        """,
        "from an earlier backward pass": {"        t.grad = None\n": ""},
        "has retained a gradient from an earlier": """
            def gradients(z, *tensors):
                for t in tensors:
                    if t.is_leaf:
                        t.grad = None
                    elif t.requires_grad:
                        t.retain_grad()
                z.backward()
                return [t.grad for t in tensors]
        """,
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
        "runs a backward pass": """
            def why_none(t, loss):
                if not t.requires_grad:
                    return "flag"
                if not t.is_leaf and not t.retains_grad:
                    return "leaf"
                loss.backward()
                return "" if t.grad is not None else "path"
        """,
        "restores the `.grad` of `t`": """
            def why_none(t, loss):
                if not t.requires_grad:
                    return "flag"
                if not t.is_leaf and not t.retains_grad:
                    return "leaf"
                before, t.grad = t.grad, None
                if loss.requires_grad:
                    loss.backward()
                filled, t.grad = t.grad is not None, before
                return "" if filled else "path"
        """,
        "But it retains its gradient": {
            "if not t.is_leaf and not t.retains_grad": "if not t.is_leaf"
        },
        "only among the leaves": {
            "reached = is_reached(t, loss) if t.is_leaf else t.grad_fn in nodes_of(loss)": (
                "reached = is_reached(t, loss)"
            ),
        },
        "`in` compares numbers": {
            "is_reached(t, loss) if t.is_leaf": "t in ends_of(loss) if t.is_leaf",
        },
        "the loss does not use it": """
            def why_none(t, loss):
                if not t.requires_grad:
                    return "flag"
                return "" if t.is_leaf or t.retains_grad else "leaf"
        """,
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
        "keeps a tensor alive": """
            class Keeper:
                def __init__(self):
                    self.tensors = []

                def keep(self, t):
                    if not t.requires_grad:
                        raise RuntimeError("this tensor gets no gradient")
                    if not t.is_leaf:
                        self.tensors.append(t)

                def passing(self, node, grads):
                    for t in self.tensors:
                        if t.grad_fn is node:
                            t.grad = grads[0]
        """,
        "does not require grad": """
            class Keeper:
                def __init__(self):
                    self.references = []

                def keep(self, t):
                    self.references.append(weakref.ref(t))

                def passing(self, node, grads):
                    for reference in self.references:
                        t = reference()
                        if t is not None and t.grad_fn is node:
                            t.grad = grads[0]
        """,
        "does not have a node": """
            class Keeper:
                def keep(self, t):
                    if not t.requires_grad:
                        raise RuntimeError("this tensor gets no gradient")
                    t.grad_fn.kept = weakref.ref(t)

                def passing(self, node, grads):
                    t = getattr(node, "kept", lambda: None)()
                    if t is not None:
                        t.grad = grads[0]
        """,
        "another node": {"if t is not None and t.grad_fn is node:": "if t is not None:"},
        "is None after the pass": {"t.grad = grads[0]": "t.kept = grads[0]"},
        "forgets one of them": """
            class Keeper:
                reference = staticmethod(lambda: None)

                def keep(self, t):
                    if not t.requires_grad:
                        raise RuntimeError("this tensor gets no gradient")
                    if not t.is_leaf:
                        self.reference = weakref.ref(t)

                def passing(self, node, grads):
                    t = self.reference()
                    if t is not None and t.grad_fn is node:
                        t.grad = grads[0]
        """,
        "Your code holds the node": """
            class Keeper:
                def __init__(self):
                    self.by_node = {}

                def keep(self, t):
                    if not t.requires_grad:
                        raise RuntimeError("this tensor gets no gradient")
                    if not t.is_leaf:
                        self.by_node[t.grad_fn] = weakref.ref(t)

                def passing(self, node, grads):
                    t = self.by_node.get(node, lambda: None)()
                    if t is not None:
                        t.grad = grads[0]
        """,
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
