"""Wrong answers to the exercises of chapter 11."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "11.1": {
        "not the memory": {"'m.detach()': True": "'m.detach()': False"},
        "the counter that it does not share": {"'m.data': True": "'m.data': False"},
        "no stride could describe": {"'m[[0]]': False": "'m[[0]]': True"},
        "so this `reshape` copies": {"'m.t().reshape(6)': False": "'m.t().reshape(6)': True"},
    },
    "11.2": {
        "`sin` has saved its input, so its result": {"4: 'right'": "4: 'error'"},
        "`.data` has another counter": {"3: 'wrong'": "3: 'error'"},
        "counts nothing": {"7: 'wrong'": "7: 'error'"},
        "memory of its own": {"6: 'right'": "6: 'error'"},
        "a third of what": {"8: 'wrong'": "8: 'right'"},
        '1: write `"right"` in lower case': {"1: 'right'": "1: 'Right'"},
    },
    "11.3": {
        "has the shape [5, 3]": {"'first program': 16": "'first program': 9"},
        "has the shape [5, 2]": {"'first program': 16": "'first program': 12"},
        "the last backward pass": {"'first program': 16": "'first program': 20"},
        "one of the numbers 9, 12, 16 or 20": {"'first program': 16": "'first program': 14"},
        "a result of `tanh`": {"'second program': 11": "'second program': 6"},
        "of a linear layer, which no": {"'second program': 11": "'second program': 8"},
        "has the shape [2, 1]": {"'second program': 11": "'second program': 13"},
    },
    "11.4": {
        "only the name": {"p -= lr * p.grad": "p = p - lr * p.grad"},
        "Around the loop": {"with no_grad():": "if True:"},
        "notices nothing": {"p -= lr": "p.data -= lr"},
        "has no gradient": {"if p.grad is not None:": "if True:"},
        "Use your own `no_grad`": {"with no_grad():": "with torch.no_grad():"},
        "the work of `zero_grad`": {"* p.grad": "* p.grad\n                p.grad = None"},
    },
    "11.5": {
        "takes what the chapter": """
            def states(h, w, n):
                out = tensor([0.0] * n)
                for i in range(n):
                    h = (w * h).tanh()
                    out[i] = h
                return out
        """,
        "still writes to something": {
            "return stack(found)": (
                "out = stack(found)\n    for each in found:\n        each.mul_(1.0)\n    return out"
            )
        },
        "numbers do not have a": {"append(h)": "append(h.item())", "stack(found)": "tensor(found)"},
        "is a leaf, which cuts": """
            def states(h, w, n):
                found = []
                for _ in range(n):
                    h = tensor((w * h).tanh().item(), requires_grad=True)
                    found.append(h.item())
                return tensor(found, requires_grad=True)
        """,
        "Use your own `stack`": {"return stack(found)": "return torch.stack(found)"},
        "only a part of its gradient: 1.0882, not 1.8860.": {
            "found = []": "found, first = [], h",
            "h = (w * h).tanh()": "h = (w * (h if h is first else tensor(h.item()))).tanh()",
        },
        "cuts the way back": {"h = (w * h).tanh()": "h = (w * h.detach()).tanh()"},
        "what `detach()` returns": {"found.append(h)": "found.append(h.detach())"},
        "does not get a gradient: `detach()`": {"found = []": "found, h = [], h.detach()"},
        "the loop starts from": {
            "found = []": "found = [h]",
            "h = (w * h).tanh()\n        found.append(h)": "found.append((w * found[-1]).tanh())",
        },
    },
    "11.6": {
        "is a copy": {"as_array(tensor)": "as_array(tensor).copy()"},
        "wraps `SavedTensor`": """
            class Kept:
                def __init__(self, tensor):
                    self.saved = SavedTensor(tensor, 0)

                def get(self):
                    return self.saved.unpack(None)
        """,
        "the same tensor twice": {
            "self.array = as_array(tensor)": "self.kept = new_tensor(as_array(tensor))",
            "new_tensor(self.array)": "self.kept",
        },
        "holds the tensor": {
            "self.array = as_array(tensor)": "self.array, self.tensor = as_array(tensor), tensor"
        },
        "older changes": {"!= self.version": "!= 0"},
        "the same values": {
            "self.version = self.counter[0]": "self.before = self.array.copy()",
            "self.counter[0] != self.version": "(self.array != self.before).any()",
        },
        "its own number": {
            "counter = version_counter(tensor)": "counter = list(version_counter(tensor))",
            'RuntimeError("changed in place since it was kept")': 'RuntimeError("changed")',
        },
    },
}
