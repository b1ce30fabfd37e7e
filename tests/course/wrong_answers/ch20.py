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
        "instead of printing it": {"return w.item()": "print(w.item())"},
        "all gradients so far": {"        w.grad = None\n": ""},
        "your function raised": {"with torch.no_grad():": "if True:"},
        "hides the write": {
            "with torch.no_grad():\n            w -= 0.1 * w.grad": "w.data -= 0.1 * w.grad",
        },
        "graph grows": {
            "for _ in range(steps):": "for _ in range(steps):\n        w.retain_grad()"
        },
        "does not learn anything": {"w -= 0.1 * w.grad": "step = w - 0.1 * w.grad"},
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
        "inside a batch": {"        h = h.detach()\n": "", "w * h + x": "w * h.detach() + x"},
        "later writes through it": {"h.detach()": "h.data"},
        "loses the state": {"    h = torch.tensor(0.0)\n": "", "h.detach()": "torch.tensor(0.0)"},
        "clears `w.grad`": {"h = h.detach()": "h, w.grad = h.detach(), None"},
    },
    "20.4": {
        "library's softmax": "return t.softmax(0)",
        "has no graph": {"return e / e.sum()": "e = e.detach()\n    return e / e.sum()"},
        "is not a tensor": {"return e / e.sum()": "return (e / e.sum()).detach().numpy()"},
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
        "The loss is `w` itself": {'    if loss is w:\n        return "fine"\n': ""},
        "has changed": {"    todo, seen": "    loss.backward()\n    todo, seen"},
        "only look at the first node": {
            "        todo += [following for following, _ in node.next_functions]\n": ""
        },
        "backward accepts it": {"loss.numel() != 1": "loss.dim() > 0"},
        "looked at edges": {" or node in seen": ""},
        "Your function raised": {"node is None or ": ""},
    },
}
