"""Wrong answers to the exercises of chapter 16."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "16.1": {
        "You skip the other 96": """
            counts = {"batches": 468, "last batch": 128, "steps": 4680}
            counts["steps with drop_last"] = 4680
        """,
        "samples that 468 full batches leave": """
            counts = {"batches": 469, "last batch": 128, "steps": 4690}
            counts["steps with drop_last"] = 4680
        """,
        "that is one epoch": """
            counts = {"batches": 469, "last batch": 96, "steps": 469, "steps with drop_last": 468}
        """,
        "so it is left out": {'"steps with drop_last": 4680': '"steps with drop_last": 4690'},
    },
    "16.2": {
        "count all batches alike": {
            "self.total, self.count = 0.0, 0": "self.losses = []",
            "self.total += loss.item() * count\n"
            "        self.count += count": "self.losses.append(loss.item())",
            "return self.total / self.count": "return sum(self.losses) / len(self.losses)",
        },
        "keep the graph": {
            "self.total += loss.item() * count": "self.total = self.total + loss * count",
            "return self.total / self.count": "return self.total.item() / self.count",
        },
        "not a tensor": {
            "self.total += loss.item() * count": "self.total += loss.detach() * count"
        },
        "number of batches": {
            "self.total, self.count = 0.0, 0": "self.total, self.batches = 0.0, 0",
            "self.count += count": "self.batches += 1",
            "return self.total / self.count": "return self.total / self.batches",
        },
        "Two averages": """
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
        "does not have parameters": """
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
        "compares tensors": {
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
            "        for parameter in layer.parameters():\n            parameter.grad = None\n": "",
        },
        "is recorded": {
            "with no_grad():\n"
            "            for parameter in layer.parameters():\n"
            "                parameter -= lr * parameter.grad": (
                "for parameter in layer.parameters():\n            parameter -= lr * parameter.grad"
            ),
        },
        "has not changed": {"parameter -= lr *": "parameter = parameter - lr *"},
        "in the wrong direction": {"parameter -= lr * parameter.": "parameter += lr * parameter."},
        "the sum": {"loss = ((layer(x) - y) ** 2).mean()": "loss = ((layer(x) - y) ** 2).sum()"},
        "are tensors": {"losses.append(loss.item())": "losses.append(loss)"},
        "what `.grad` held before": {
            "        for parameter in layer.parameters():\n            parameter.grad = None\n": "",
            "parameter -= lr * parameter.grad": (
                "parameter -= lr * parameter.grad\n                parameter.grad = None"
            ),
        },
        "new tensors now": {
            "with no_grad():\n"
            "            for parameter in layer.parameters():\n"
            "                parameter -= lr * parameter.grad": (
                "with no_grad():\n"
                "            weight = layer.weight - lr * layer.weight.grad\n"
                "            bias = layer.bias - lr * layer.bias.grad\n"
                "        layer.weight = weight.requires_grad_()\n"
                "        layer.bias = bias.requires_grad_()"
            ),
        },
        "put a tensor in the layer": """
            def fit_line(layer, x, y, lr, steps):
                losses = []
                for _ in range(steps):
                    loss = ((layer(x) - y) ** 2).mean()
                    loss.backward()
                    layer.weight = layer.weight - lr * layer.weight.grad
                    layer.bias = layer.bias - lr * layer.bias.grad
                    losses.append(loss.item())
                return losses
        """,
        "behind autograd's back": {"parameter -= lr": "parameter.data -= lr"},
    },
    "16.5": {
        "Return a NumPy array": {".detach().numpy()": ".detach()"},
        "shape of the picture": {".sum(1)[0].relu()": ".sum(1).relu()"},
        "Use `relu`": {"[0].relu()": "[0]"},
        "each place by its own": {"gradient.mean((2, 3), keepdim=True)": "gradient"},
        "the same for two digits": {"network(picture)[0, digit]": "network(picture).sum()"},
        "still registered": """
            def heat(network, picture, digit):
                kept = []
                network.maps.register_forward_hook(lambda _, inputs, maps: kept.append(maps))
                logit = network(picture)[0, digit]
                (gradient,) = torch.autograd.grad(logit, kept[-1])
                weights = gradient.mean((2, 3), keepdim=True)
                return (weights * kept[-1]).sum(1)[0].relu().detach().numpy()
        """,
        "have a `.grad` now": {
            "(gradient,) = torch.autograd.grad(logit, kept)": (
                "kept[0].retain_grad()\n    logit.backward()\n    gradient = kept[0].grad"
            ),
        },
    },
    "16.6": {
        "styles have not moved": {
            "SGD([styles], lr=1.0), SGD(weights, lr=0.2)": "[SGD(weights, lr=0.2)]"
        },
        "weights have not moved": {
            "SGD([styles], lr=1.0), SGD(weights, lr=0.2)": "[SGD([styles], lr=1.0)]"
        },
        "rate of the weights": {"lr=1.0": "lr=0.2"},
        "still there": {
            "        for optimizer in optimizers:\n            optimizer.zero_grad()\n": ""
        },
        "added up in the weights": {
            "for optimizer in optimizers:\n            optimizer.zero_grad()": (
                "optimizers[0].zero_grad()"
            ),
        },
        "one step at the end": {
            "    for batch in batches(order, 64):\n"
            "        for optimizer in optimizers:\n            optimizer.zero_grad()\n": (
                "    for batch in batches(order, 64):\n"
            ),
            "        for optimizer in optimizers:\n            optimizer.step()": (
                "    for optimizer in optimizers:\n        optimizer.step()"
            ),
        },
        "last batch is missing": {"batches(order, 64)": "batches(order, 64)[:-1]"},
        "one step for all pictures": {"batches(order, 64)": "[order]"},
        "by their row numbers": {"batches(order, 64)": "batches(range(len(order)), 64)"},
    },
}
