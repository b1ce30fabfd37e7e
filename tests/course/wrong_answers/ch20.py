"""Wrong answers to the exercises of chapter 20."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "20.1": {
        "makes a leaf that": 'fixes = {1: "a", 2: "b", 3: "a", 4: "e", 5: "d"}',
        "another tensor": 'fixes = {1: "c", 2: "d", 3: "a", 4: "e", 5: "d"}',
        "still overwrites": 'fixes = {1: "c", 2: "b", 3: "a", 4: "e", 5: "b"}',
        "freed there": 'fixes = {1: "C", 2: "B", 3: "D", 4: "E", 5: "A"}',
    },
    "20.2": {
        "all gradients so far": {"        w.grad = None\n": ""},
        "your function raised": {
            "with torch.no_grad():\n"
            "            w -= 0.1 * w.grad\n"
            "        w.grad = None": "w -= 0.1 * w.grad",
        },
        "hides the write": {
            "with torch.no_grad():\n            w -= 0.1 * w.grad": "w.data -= 0.1 * w.grad",
        },
        "graph grows": {
            "for _ in range(steps):": "for _ in range(steps):\n        w.retain_grad()",
            "with torch.no_grad():\n"
            "            w -= 0.1 * w.grad\n"
            "        w.grad = None": "w = w - 0.1 * w.grad",
        },
        "does not learn anything": {
            "with torch.no_grad():\n"
            "            w -= 0.1 * w.grad\n"
            "        w.grad = None": "step, w.grad = w - 0.1 * w.grad, None",
        },
        "by hand": """
            def fit(x, t, steps):
                w = 0.0
                for _ in range(steps):
                    w -= 0.1 * (2.0 * (w * x - t) * x).mean().item()
                return w
        """,
    },
    "20.3": {
        "older batches": {
            "        h = h.detach()\n": "",
            "h.backward()": "h.backward(retain_graph=True)",
        },
        "inside a batch": {
            "        h = h.detach()\n": "",
            "h = (w * h + x).tanh()": "h = (w * h.detach() + x).tanh()",
        },
        "loses the state": {
            "    h = torch.tensor(0.0)\n": "",
            "h = h.detach()": "h = torch.tensor(0.0)",
        },
        "clears `w.grad`": {"h = h.detach()": "h, w.grad = h.detach(), None"},
    },
    "20.4": {
        "library's softmax": {
            "e = (t - t.max()).exp()\n    return e / e.sum()": "return t.softmax(0)",
        },
        "silently wrong": {"return e / e.sum()": "e.data /= e.sum()\n    return e"},
        "still writes to a tensor": {"return e / e.sum()": "e /= e.sum()\n    return e"},
        "can be a clone": {
            "e = (t - t.max()).exp()": "t = t.clone()\n    t -= t.max()\n    e = t.exp()",
        },
        "caller's": """
            def softmax(t):
                with torch.no_grad():
                    t -= t.max()
                e = t.exp()
                return e / e.sum()
        """,
        "overflows": {"e = (t - t.max()).exp()": "e = t.exp()"},
    },
    "20.5": {
        "has changed": """
            def examine(loss, w):
                if not loss.requires_grad:
                    return "no graph"
                if loss.numel() != 1:
                    return "not a scalar"
                if not w.is_leaf:
                    return "not a leaf"
                if not w.requires_grad:
                    return "frozen"
                loss.backward()
                return "not reached" if w.grad is None else "fine"
        """,
        "only look at the first node": """
            def examine(loss, w):
                if not loss.requires_grad:
                    return "no graph"
                if loss.numel() != 1:
                    return "not a scalar"
                if not w.is_leaf:
                    return "not a leaf"
                if not w.requires_grad:
                    return "frozen"
                ends = [getattr(node, "variable", None) for node, _ in loss.grad_fn.next_functions]
                return "fine" if any(end is w for end in ends) else "not reached"
        """,
        "backward accepts it": {"loss.numel() != 1": "loss.dim() > 0"},
        "each node once": {
            "if loss is w:\n"
            '        return "fine"\n'
            "    todo, seen = [loss.grad_fn], set()": "todo, visits = [loss.grad_fn], 0",
            "if node is None or node in seen:": (
                "visits += 1\n"
                "        if visits > 5000:\n"
                '            raise RuntimeError("this takes too long")\n'
                "        if node is None:"
            ),
            "        seen.add(node)\n": "",
        },
        "looked at edges": {
            "if loss is w:\n"
            '        return "fine"\n'
            "    todo, seen = [loss.grad_fn], set()": "todo = [loss.grad_fn]",
            "        if node is None or node in seen:\n"
            "            continue\n"
            "        seen.add(node)\n": "",
            "todo += [following for following, _ in node.next_functions]": (
                "todo += [each for each, _ in node.next_functions if each is not None]"
            ),
        },
    },
}
