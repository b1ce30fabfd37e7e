"""Wrong answers to the exercises of chapter 02."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "02.1": {
        "integers cannot require grad": {"dtype=float32, requires_grad=True": "requires_grad=True"},
        "does not require grad": {"dtype=float32, requires_grad=True": "dtype=float32"},
        "torch.float64": {"values, dtype=float32,": "np.array(values, float),"},
        "the library is called `mine`": {"values, dtype=float32,": "values, dtype=torch.float32,"},
        "wants one of our dtypes": {"float32, requires_grad=": "np.float32, requires_grad="},
        "is from a library": """
            def trainable(values):
                import minigrad
                return minigrad.tensor(values, dtype=minigrad.float32, requires_grad=True)
        """,
        "changed with the array": """
            def trainable(values):
                return new_tensor(np.asarray(values, np.float32), requires_grad=True)
        """,
    },
    "02.3": {
        "is the function to write": """
            def share(array, requires_grad=False):
                return mine.from_numpy(array).requires_grad_(requires_grad)
        """,
        "has a copy": """
            def share(array, requires_grad=False):
                return tensor(array, requires_grad=requires_grad)
        """,
        "checks nothing": """
            def share(array, requires_grad=False):
                return new_tensor(array, requires_grad)
        """,
        "flag was asked for": """
            def share(array, requires_grad=False):
                return new_tensor(array)
        """,
        "nobody asked": {"made.requires_grad = requires_grad": "made.requires_grad = True"},
        "a copy, because": {"new_tensor(array)": "new_tensor(np.asarray(array, np.float64))"},
    },
    "02.5": {
        "the slopes of a product": """
            def plus(a, b):
                out = new_tensor(np.asarray(a._data + b._data))
                if a.requires_grad or b.requires_grad:
                    out._node, out._requires_grad = MulBackward0(a, b), True
                return out
        """,
        "there is no record": """
            def plus(a, b):
                return new_tensor(np.asarray(a._data + b._data))
        """,
        "Only one of the two": {
            "def __init__(self, a, b):\n"
            "        ones = np.ones_like(a._data)\n"
            "        self.made_from = [(a, ones), (b, ones)]": (
                "def __init__(self, a):\n"
                "        self.made_from = [(a, np.ones_like(a._data))]"
            ),
            "_requires_grad = AddBackward0(a, b), True": "_requires_grad = AddBackward0(a), True",
        },
        "the values are those of": """
            def plus(a, b):
                return times(a, b)
        """,
        "neither of the two requires grad": {
            "ones = np.ones_like(a._data)\n"
            "        self.made_from = [(a, ones), (b, ones)]": "self.made_from = [(a, 1), (b, 1)]",
            "if a.requires_grad or b.requires_grad:\n"
            "        out._node, out._requires_grad = AddBackward0(a, b), True": (
                "out._node, out._requires_grad = AddBackward0(a, b), True"
            ),
        },
        "Here only the first requires grad": {
            "ones = np.ones_like(a._data)\n"
            "        self.made_from = [(a, ones), (b, ones)]": (
                "self.made_from = [(a, np.ones(a.shape)), (b, np.ones(b.shape))]"
            ),
            "if a.requires_grad or b.requires_grad:": "if a.requires_grad and b.requires_grad:",
        },
        "Here only the second requires grad": {
            "ones = np.ones_like(a._data)\n"
            "        self.made_from = [(a, ones), (b, ones)]": (
                "self.made_from = [(a, np.ones(a.shape)), (b, np.ones(b.shape))]"
            ),
            "if a.requires_grad or b.requires_grad:": "if a.requires_grad:",
        },
        "Write to `_requires_grad`": """
            class AddBackward0:
                def __init__(self, a, b):
                    self.made_from = [(a, np.ones(a.shape)), (b, np.ones(b.shape))]


            def plus(a, b):
                out = new_tensor(np.asarray(a._data + b._data))
                if a.requires_grad or b.requires_grad:
                    out._node = AddBackward0(a, b)
                    out.requires_grad = True
                return out
        """,
        "has no `+` yet": """
            def plus(a, b):
                return a + b
        """,
        "no sum that records before chapter 03": """
            def plus(a, b):
                return mine.add(a, b)
        """,
        "says that it requires grad": {
            "ones = np.ones_like(a._data)\n"
            "        self.made_from = [(a, ones), (b, ones)]": "self.made_from = [(a, 1), (b, 1)]",
            "_node, out._requires_grad = AddBackward0(a, b), True": "_node = AddBackward0(a, b)",
        },
    },
    "02.4": {
        "the chapter's `Tensor`": """
            def my_tensor(values, requires_grad=False):
                return tensor(values, requires_grad=requires_grad)
        """,
        "a library's tensor": """
            def my_tensor(values, requires_grad=False):
                import minigrad

                return minigrad.tensor(values, requires_grad=requires_grad)
        """,
        "keep a copy": {"np.array(values)": "np.asarray(values)"},
        "`grad` is missing": {"self.grad = self.grad_fn = None": "self.grad_fn = None"},
        "Integers required grad": {'numbers.dtype.kind != "f"': "False"},
        "Floats come in several sizes": {
            'numbers.dtype.kind != "f"': "numbers.dtype != np.float32",
        },
        "so it is a leaf, flag or not": {"self.grad_fn is None\n\n": "self.requires_grad\n\n"},
        "A recorded product is not a leaf": {"self.grad_fn is None\n\n": "True\n\n"},
        "neither of the two requires grad": {
            "if self.requires_grad or other.requires_grad:": "if True:",
        },
        "only one of the two requires grad": {
            "self.requires_grad or other.requires_grad:": (
                "self.requires_grad and other.requires_grad:"
            ),
        },
        "the other factor": {
            "[(self, other.numbers), (other, self.numbers)]": (
                "[(self, self.numbers), (other, other.numbers)]"
            ),
        },
        "what they bring is added": {"grad if self.grad is None else self.grad + grad": "grad"},
        "`data` does not require grad": {"elif self.requires_grad:": "else:"},
        "Only leaves keep": {
            "each.backward(grad * slope)": "each.backward(grad * slope); self.grad = grad",
        },
    },
}
