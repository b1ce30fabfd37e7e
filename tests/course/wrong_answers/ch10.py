"""Wrong answers to the exercises of chapter 10."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "10.1": {
        "factor has its value": {'"2 b": 2.0': '"2 b": None'},
        "only one of the two": {'"3 a": 6.0': '"3 a": 12.0'},
        "behind the cut": {'"4 a": 1.0': '"4 a": 4.0', '"4 b": None': '"4 b": 2.0'},
        "inside the block": {'"5 a": None': '"5 a": 9.0', '"5 b": 6.0': '"5 b": 12.0'},
    },
    "10.2": {
        "the outer block has not ended": {
            "self.before = set_mode(False)": "set_mode(False)",
            "set_mode(self.before)": "set_mode(True)",
        },
        "swallows errors": {"set_mode(self.before)": "set_mode(self.before)\n        return True"},
        "one and the same": """
            class Paused:
                before = []

                def __enter__(self):
                    self.before.clear()
                    self.before.append(set_mode(False))

                def __exit__(self, *error):
                    set_mode(self.before[0])
        """,
        "for all threads": {
            "class Paused:": "class Paused:\n    before = []\n",
            "before = set_mode(False)": "before.append(set_mode(False))",
            "(self.before)": "(self.before.pop())",
        },
        "an error in the block": """
            from contextlib import contextmanager

            @contextmanager
            def Paused():
                before = set_mode(False)
                yield
                set_mode(before)
        """,
        "needs `@contextmanager`": """
            def Paused():
                before = set_mode(False)
                yield
                set_mode(before)
        """,
        "leaves the work to `no_grad`": """
            from contextlib import contextmanager

            @contextmanager
            def Paused():
                with no_grad():
                    yield
        """,
        "both flags": {
            "before = set_mode(False)": "before, mode.recording = mode.recording, False",
            "set_mode(self.before)": "mode.recording = self.before",
        },
        "before the block": {
            "__enter__": "__init__",
            "def __exit__": ("def __enter__(self):\n        return self\n\n    def __exit__"),
        },
    },
    "10.3": {
        "share a graph": """
            def in_two_halves(first, second, x):
                z = second(first(x))
                z.backward()
                return z
        """,
        "never reaches": {
            "y = first(x)\n    leaf = y.detach()": "leaf = first(x).detach()",
            "    y.backward(leaf.grad)\n": "",
        },
        "so pass that": {"leaf.grad": ""},
        "begins with 1": {"y.backward(leaf.grad)": "y.sum().backward()"},
    },
    "10.4": {
        "the whole past": {
            "h.backward()": "h.backward(retain_graph=True)",
            "            h = h.detach()\n": "",
        },
        "only one step back": {
            "h + x).tanh()": "h.detach() + x).tanh()",
            "            h = h.detach()\n": "",
        },
        "sums of all": {"            w.grad = None\n": ""},
        "as numbers": {"w.grad.item()": "w.grad"},
        "starts again": {"h.detach()": "tensor(1.0)"},
    },
    "10.5": {
        "is a tensor": {"total += model(sample).item()": "total = total + model(sample)"},
        "was recorded": {"with no_grad():": "if True:"},
        "After an error": {
            "with no_grad():": "set_mode(False)\n    if True:",
            "    return": "    set_mode(True)\n    return",
        },
        "for a caller that had turned it off": {
            "with no_grad():": "set_mode(False)\n    try:",
            "    return": "    finally:\n        set_mode(True)\n    return",
        },
    },
    "10.6": {
        "in evaluation mode the losses are": {"    model.eval()\n": ""},
        "operations were recorded": {"with torch.no_grad()": "with torch.enable_grad()"},
        "should be numbers": {", y).item()": ", y)"},
        "still in evaluation mode afterwards": {"module.training = training": "pass"},
        "not just that of the model": {
            "in modes:": "in modes[:1]:",
            "module.training = training": "module.train(training)",
        },
        "After an error in the model": """
            @torch.no_grad()
            def validation_losses(model, batches):
                modes = [(module, module.training) for module in model.modules()]
                model.eval()
                losses = [torch.nn.functional.mse_loss(model(x), y).item() for x, y in batches]
                for module, training in modes:
                    module.training = training
                return losses
        """,
        "nothing is recorded": {
            "with torch.no_grad():": "torch.set_grad_enabled(False)\n        if True:"
        },
    },
    "10.7": {
        "the optimizer skips it": {'"1 weight": False': '"1 weight": True'},
        "freezing has no effect on it": {'"1 mean": True': '"1 mean": False'},
        "does not update them": {'"2 mean": False': '"2 mean": True'},
        "is a gradient to it": {'"3 weight": True': '"3 weight": False'},
        "without a graph": {'"4 weight": False': '"4 weight": True'},
        "is not a recording": {'"4 mean": True': '"4 mean": False'},
        "Write True or False": {'"1 weight": False': '"1 weight": None'},
    },
}
