"""Wrong answers to the exercises of chapter 06."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "06.1": {
        "looks only at the last node": {
            "sorted(count_dependencies([gradient_edge(z)]))": "[z.grad_fn]"
        },
        "But the node of `exp` is newer": {
            "([gradient_edge(z)])": "([gradient_edge(z)]), reverse=True"
        },
        "not its name": {"return node": "return node.name()"},
        "or None, not": (
            "return any(FREED in n._saved.values() for n in count_dependencies([gradient_edge(z)]))"
        ),
        "Two nodes are freed": """
            def complaining(z):
                waiting = [z.grad_fn]
                while waiting:
                    node = waiting.pop(0)
                    if any(value is FREED for value in getattr(node, "_saved", {}).values()):
                        return node
                    waiting += [before for before, _ in node.next_functions if before]
                return None
        """,
        "your function returns the older": {
            "sorted(count_dependencies([gradient_edge(z)]))": (
                "count_dependencies([gradient_edge(z)])"
            )
        },
        "nothing is freed": {
            "if any(value is FREED for value in node._saved.values()):": "if node._saved:",
        },
        "Your function runs a backward pass": """
            def complaining(z):
                try:
                    z.backward()
                except RuntimeError:
                    return z.grad_fn
        """,
    },
    "06.2": {
        "before you keep the loss": {
            '"train, kept.append(loss)": 0': '"train, kept.append(loss)": 30',
        },
        "the batch as well": {
            '"evaluate, kept.append(loss)": 30': '"evaluate, kept.append(loss)": 20',
            '"evaluate, kept = loss": 3': '"evaluate, kept = loss": 2',
        },
        "only for the gradient of the batch": {
            '"evaluate, kept.append(loss)": 30': '"evaluate, kept.append(loss)": 31',
            '"evaluate, kept = loss": 3': '"evaluate, kept = loss": 4',
        },
        "only the last loss": {'"evaluate, kept = loss": 3': '"evaluate, kept = loss": 30'},
        "which leads nowhere": {
            '"evaluate, kept.append(loss.item())": 0': '"evaluate, kept.append(loss.item())": 3',
        },
    },
    "06.3": {
        "carries its history along": {"new_tensor(state._data)": "state"},
        "still passes `retain_graph=True`": {
            "loss.backward()": "loss.backward(retain_graph=True)",
        },
        "walks through earlier steps as well": {
            "        loss.backward()\n        total += loss.item()\n    return total": (
                "        total = total + loss\n    total.backward()\n    return total.item()"
            ),
            "new_tensor(state._data)": "state",
        },
        "forgets the state": {
            "state, total = tensor(0.0),": "total =",
            "new_tensor(state._data)": "tensor(0.0)",
        },
        "a tensor, which leads to": {"loss.item()": "loss"},
        "`detach` comes in chapter 10": {"new_tensor(state._data)": "state.detach()"},
        "becomes a number too late": {
            "state, total = tensor(0.0), 0.0": "state, total = tensor(0.0), 0",
            "total += loss.item()\n    return total": ("total += loss\n    return total.item()"),
        },
        "cut too early": {
            "tanh(w * new_tensor(state._data) + batch)": "new_tensor(tanh(w * state + batch)._data)"
        },
        "is still None": {"        loss.backward()\n": ""},
    },
    "06.4": {
        "keeps a copy of the result": {"node.result = out._data": "node.result = out._data.copy()"},
        "returns an array": {"grad * new_tensor(self.result)": "grad._data * self.result"},
        "one gradient for each edge": {
            "[grad * new_tensor(self.result)]": "grad * new_tensor(self.result)"
        },
        "never lets go": {"\n    def release_variables(self):\n        self.result = None\n": ""},
        "let go of them in `release_variables`": {
            "return [grad * new_tensor(self.result)]": (
                "result, self.result = self.result, None\n"
                "        return [grad * new_tensor(result)]"
            ),
            "\n    def release_variables(self):\n        self.result = None\n": "",
        },
        "raise `freed_graph()`": {
            "        if self.result is None:\n            raise freed_graph()\n": ""
        },
        "each keeps the other alive": {
            "(self.result)]": "(self.result._data)]",
            "node.result = out._data": "node.result = out",
        },
        "records although": {"if x.requires_grad:": "if True:"},
        "An edge is a pair": {"[gradient_edge(x)]": "[x]"},
        "holds its input": {
            "self.result = None": "self.x = None",
            "if self.result is None:": "if self.x is None:",
            "new_tensor(self.result)": "new_tensor(np.exp(self.x))",
            "node.result = out._data": "node.x = x._data",
        },
        "a class of your own": "return exp(x)",
    },
}
