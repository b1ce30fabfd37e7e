"""Wrong answers to the exercises of chapter 02."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "02.1": {
        "of integers, which cannot": {"dtype=float32, requires_grad=True": "requires_grad=True"},
        "does not require grad": {"dtype=float32, requires_grad=True": "dtype=float32"},
        "torch.float64": {"values, dtype=float32,": "np.array(values, float),"},
        "There is no `torch` on this page": {"dtype=float32,": "dtype=torch.float32,"},
        "That is NumPy's dtype": {"float32, requires_grad=": "np.float32, requires_grad="},
        "from another library": """
            def trainable(values):
                import minigrad
                return minigrad.tensor(values, dtype=minigrad.float32, requires_grad=True)
        """,
        "changed when the array did": """
            def trainable(values):
                return new_tensor(np.asarray(values, np.float32), requires_grad=True)
        """,
    },
    "02.2": {
        "what you are asked to write": """
            def share(array, requires_grad=False):
                return mine.from_numpy(array).requires_grad_(requires_grad)
        """,
        "Your tensor has a copy": """
            def share(array, requires_grad=False):
                return tensor(array, requires_grad=requires_grad)
        """,
        "lets integers require grad": """
            def share(array, requires_grad=False):
                return new_tensor(array, requires_grad)
        """,
        "the flag is still off": """
            def share(array, requires_grad=False):
                return new_tensor(array)
        """,
        "by default": {"made.requires_grad = requires_grad": "made.requires_grad = True"},
        "Integers may share": {
            "    made = new_tensor(array)": (
                "    if array.dtype.kind != 'f':\n"
                "        raise RuntimeError('integers')\n"
                "    made = new_tensor(array)"
            ),
        },
        "makes a copy, because": {"new_tensor(array)": "new_tensor(np.asarray(array, np.float64))"},
    },
    "02.3": {
        "the slopes of a product": """
            def plus(a, b):
                out = new_tensor(np.asarray(a._data + b._data), True)
                out._node = MulBackward0(a, b)
                return out
        """,
        "there is no record": """
            def plus(a, b):
                return new_tensor(np.asarray(a._data + b._data))
        """,
        "Only one of the two inputs": {
            "def __init__(self, a, b):\n"
            "        ones = np.ones_like(a._data)\n"
            "        self.made_from = [(a, ones), (b, ones)]": (
                "def __init__(self, a):\n"
                "        self.made_from = [(a, np.ones_like(a._data))]"
            ),
            "out._node = AddBackward0(a, b)": "out._node = AddBackward0(a)",
        },
        "overwrites the numbers of an input": """
            def plus(a, b):
                a._data += b._data
                return new_tensor(a._data, a.requires_grad or b.requires_grad)
        """,
        "Your values are those of": """
            def plus(a, b):
                return times(a, b)
        """,
        "If neither of the two": {
            "ones = np.ones_like(a._data)\n"
            "        self.made_from = [(a, ones), (b, ones)]": "self.made_from = [(a, 1), (b, 1)]",
            "wanted = a.requires_grad or b.requires_grad": "wanted = True",
        },
        "If only the first": {
            "ones = np.ones_like(a._data)\n"
            "        self.made_from = [(a, ones), (b, ones)]": (
                "self.made_from = [(a, np.ones(a.shape)), (b, np.ones(b.shape))]"
            ),
            "a.requires_grad or b.requires_grad": "a.requires_grad and b.requires_grad",
        },
        "If only the second": {
            "ones = np.ones_like(a._data)\n"
            "        self.made_from = [(a, ones), (b, ones)]": (
                "self.made_from = [(a, np.ones(a.shape)), (b, np.ones(b.shape))]"
            ),
            "a.requires_grad or b.requires_grad": "a.requires_grad",
        },
        "set it when you make the tensor": """
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
        "does not have a `+` yet": """
            def plus(a, b):
                return a + b
        """,
        "cannot record a sum before chapter 03": """
            def plus(a, b):
                return mine.add(a, b)
        """,
        "the flag of your result is off": {
            "ones = np.ones_like(a._data)\n"
            "        self.made_from = [(a, ones), (b, ones)]": "self.made_from = [(a, 1), (b, 1)]",
            "a._data + b._data), wanted)": "a._data + b._data))",
        },
    },
    "02.4": {
        "the `Tensor` of the page": """
            def my_tensor(values, requires_grad=False):
                return tensor(values, requires_grad=requires_grad)
        """,
        "a tensor from a library": """
            def my_tensor(values, requires_grad=False):
                import minigrad

                return minigrad.tensor(values, requires_grad=requires_grad)
        """,
        "keep a copy": {"np.array(values)": "np.asarray(values)"},
        "has no `grad`": {"self.grad = self.grad_fn = None": "self.grad_fn = None"},
        "although it should raise an error": {'numbers.dtype.kind != "f"': "False"},
        "refuses floats of one size": {
            'numbers.dtype.kind != "f"': "numbers.dtype != np.float32",
        },
        "so it is a leaf": {"self.grad_fn is None\n\n": "self.requires_grad\n\n"},
        "A product that was recorded": {"self.grad_fn is None\n\n": "True\n\n"},
        "If neither factor": {
            "if self.requires_grad or other.requires_grad:": "if True:",
        },
        "If only one factor": {
            "self.requires_grad or other.requires_grad:": (
                "self.requires_grad and other.requires_grad:"
            ),
        },
        "the other factor": {
            "[(self, other.numbers), (other, self.numbers)]": (
                "[(self, self.numbers), (other, other.numbers)]"
            ),
        },
        "their gradients are added": {
            "grad.copy() if self.grad is None else self.grad + grad": "grad.copy()",
        },
        "is the caller's array": {"grad.copy()": "grad"},
        "`data` gets a gradient": {"elif self.requires_grad:": "else:"},
        "but only leaves should": {
            "each.backward(grad * slope)": "each.backward(grad * slope); self.grad = grad",
        },
    },
}
