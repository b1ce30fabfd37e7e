"""Wrong answers to the exercises of chapter 16."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "16.1": {
        "You skip the other 96": {
            '469, "last batch": 96, "steps": 4690': '468, "last batch": 128, "steps": 4680'
        },
        "samples that 468 full batches leave": {'"last batch": 96': '"last batch": 128'},
        "that is one epoch": """
            counts = {"batches": 469, "last batch": 96, "steps": 469, "steps with drop_last": 468}
        """,
        "so it is left out": {'"steps with drop_last": 4680': '"steps with drop_last": 4690'},
    },
    "16.2": {
        "count all batches alike": {"loss.item() * count": "loss.item()", "+= count": "+= 1"},
        "keep the graph": {
            "self.total += loss.item() * count": "self.total = self.total + loss * count",
            "return self.total / self.count": "return self.total.item() / self.count",
        },
        "not a tensor": {"item() *": "detach() *"},
        "number of batches": {"self.count += count": "self.count += 1"},
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
        "twice in the list": {
            "found = {}": "found = []",
            "found |= {id(each): each for each in part.parameters()}\n"
            "        return list(found.values())": (
                "found += part.parameters()\n        return found"
            ),
        },
        "does not have parameters": {'if hasattr(part, "parameters"):': "if True:"},
        "from the last to the first": {
            "self.parts:\n            x = part(x)": (
                "reversed(self.parts):\n            x = part(x)"
            )
        },
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
        "neither `SGD` nor": {"losses = []": "losses, optimizer = [], SGD(layer.parameters(), lr)"},
        "never cleared": {"parameter.grad = None": "pass"},
        "is recorded": {"with no_grad():": "if True:"},
        "has not changed": {"parameter -= lr *": "parameter = parameter - lr *"},
        "in the wrong direction": {"parameter -= lr * parameter.": "parameter += lr * parameter."},
        "the sum": {"loss = ((layer(x) - y) ** 2).mean()": "loss = ((layer(x) - y) ** 2).sum()"},
        "are tensors": {"losses.append(loss.item())": "losses.append(loss)"},
        "what `.grad` held before": {
            "parameter.grad = None": "pass",
            "parameter -= lr * parameter.grad": (
                "parameter -= lr * parameter.grad\n                parameter.grad = None"
            ),
        },
        "new tensors now": {
            "for parameter in layer.parameters():\n"
            "                parameter -= lr * parameter.grad": (
                "weight = layer.weight - lr * layer.weight.grad\n"
                "            bias = layer.bias - lr * layer.bias.grad\n"
                "        layer.weight = weight.requires_grad_()\n"
                "        layer.bias = bias.requires_grad_()"
            )
        },
        "put a tensor in the layer": {
            "with no_grad():\n"
            "            for parameter in layer.parameters():\n"
            "                parameter -= lr * parameter.grad": (
                "layer.weight = layer.weight - lr * layer.weight.grad\n"
                "        layer.bias = layer.bias - lr * layer.bias.grad"
            )
        },
        "behind autograd's back": {"parameter -= lr": "parameter.data -= lr"},
    },
    "16.5": {
        "Return a NumPy array": {".detach().numpy()": ".detach()"},
        "shape of the picture": {".sum(1)[0].relu()": ".sum(1).relu()"},
        "Use `relu`": {"[0].relu()": "[0]"},
        "each place by its own": {"gradient.mean((2, 3), keepdim=True)": "gradient"},
        "the same for two digits": {"network(picture)[0, digit]": "network(picture).sum()"},
        "still registered": {"with network.maps": "if network.maps"},
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
            "        for optimizer in optimizers:\n            optimizer.zero_grad()\n": "",
            "    for optimizer in optimizers:\n            optimizer.step()": (
                "for optimizer in optimizers:\n        optimizer.step()"
            ),
        },
        "last batch is missing": {"batches(order, 64)": "batches(order, 64)[:-1]"},
        "one step for all pictures": {"batches(order, 64)": "[order]"},
        "by their row numbers": {"batches(order, 64)": "batches(range(len(order)), 64)"},
    },
}
