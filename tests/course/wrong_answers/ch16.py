"""Wrong answers to the exercises of chapter 16."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "16.1": {
        "leaves out the rest": """
            counts = {"batches": 468, "last batch": 128, "steps": 4680}
            counts["steps with drop_last"] = 4680
        """,
        "what 468 full batches leave": """
            counts = {"batches": 469, "last batch": 128, "steps": 4690}
            counts["steps with drop_last"] = 4680
        """,
        "that is one epoch": """
            counts = {"batches": 469, "last batch": 96, "steps": 469, "steps with drop_last": 468}
        """,
        "makes no step": {'"steps with drop_last": 4680': '"steps with drop_last": 4690'},
    },
    "16.2": {
        "all batches alike": {
            "self.total, self.count = 0.0, 0": "self.losses = []",
            "self.total += loss.item() * count\n"
            "        self.count += count": "self.losses.append(loss.item())",
            "return self.total / self.count": "return sum(self.losses) / len(self.losses)",
        },
        "keeps the graph": {
            "self.total += loss.item() * count": "self.total = self.total + loss * count",
            "return self.total / self.count": "return self.total.item() / self.count",
        },
        "a tensor": {"self.total += loss.item() * count": "self.total += loss.detach() * count"},
        "number of batches": {
            "self.total, self.count = 0.0, 0": "self.total, self.batches = 0.0, 0",
            "self.count += count": "self.batches += 1",
            "return self.total / self.count": "return self.total / self.batches",
        },
        "two averages": """
            class Average:
                total, count, seen = 0.0, 0, []

                def add(self, loss, count):
                    self.seen.append((loss.item(), count))

                def value(self):
                    return sum(n * c for n, c in self.seen) / sum(c for _, c in self.seen)
        """,
    },
    "16.3": {
        "twice in the list": """
            class Chain:
                def __init__(self, *parts):
                    self.parts = parts

                def __call__(self, x):
                    for part in self.parts:
                        x = part(x)
                    return x

                def parameters(self):
                    return [
                        each
                        for part in self.parts
                        if hasattr(part, "parameters")
                        for each in part.parameters()
                    ]
        """,
        "A plain function has no parameters": """
            class Chain:
                def __init__(self, *parts):
                    self.parts = parts

                def __call__(self, x):
                    for part in self.parts:
                        x = part(x)
                    return x

                def parameters(self):
                    return [each for part in self.parts for each in part.parameters()]
        """,
        "from the last to the first": """
            class Chain:
                def __init__(self, *parts):
                    self.parts = parts

                def __call__(self, x):
                    for part in reversed(self.parts):
                        x = part(x)
                    return x

                def parameters(self):
                    return []
        """,
        "asks `==`": {
            "found = {}": "found = []",
            "found |= {id(each): each for each in part.parameters()}\n"
            "        return list(found.values())": (
                "for each in part.parameters():\n"
                "                    if each not in found:\n"
                "                        found.append(each)\n"
                "        return found"
            ),
        },
    },
    "16.4": {
        "neither `SGD` nor": {
            "losses = []": "losses, optimizer = [], SGD(layer.parameters(), lr)",
            "for parameter in layer.parameters():\n"
            "            parameter.grad = None": "optimizer.zero_grad()",
            "with no_grad():\n"
            "            for parameter in layer.parameters():\n"
            "                parameter -= lr * parameter.grad": "optimizer.step()",
        },
        "never cleared": {
            "        for parameter in layer.parameters():\n"
            "            parameter.grad = None\n": "",
        },
        "is recorded": {
            "with no_grad():\n"
            "            for parameter in layer.parameters():\n"
            "                parameter -= lr * parameter.grad": (
                "for parameter in layer.parameters():\n"
                "            parameter -= lr * parameter.grad"
            ),
        },
        "has not changed": {"parameter -= lr *": "parameter = parameter - lr *"},
        "in the wrong direction": {"parameter -= lr * parameter.": "parameter += lr * parameter."},
        "the sum": {"loss = ((layer(x) - y) ** 2).mean()": "loss = ((layer(x) - y) ** 2).sum()"},
        "are tensors": {"losses.append(loss.item())": "losses.append(loss)"},
        "what it held before": {
            "        for parameter in layer.parameters():\n"
            "            parameter.grad = None\n": "",
            "parameter -= lr * parameter.grad": (
                "parameter -= lr * parameter.grad\n"
                "                parameter.grad = None"
            ),
        },
    },
}
