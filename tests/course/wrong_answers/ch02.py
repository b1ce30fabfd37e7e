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
        "the result of an operation": {
            "return tensor(values, dtype=float32, requires_grad=True)": (
                "flagged = tensor(values, dtype=float32, requires_grad=True)\n"
                "    return times(flagged, tensor(np.ones(len(values)), dtype=float32))"
            ),
        },
        "changed when the array did": (
            "return new_tensor(np.asarray(values, np.float32), requires_grad=True)"
        ),
    },
    "02.2": {
        "what you are asked to write": (
            "return mine.from_numpy(array).requires_grad_(requires_grad)"
        ),
        "Your tensor holds a copy": "return tensor(array, requires_grad=requires_grad)",
        "lets an array of int64 require grad": "return new_tensor(array, requires_grad)",
        "lets an array of int32 require grad": """
            def share(array, requires_grad=False):
                if requires_grad and array.dtype == np.int64:
                    raise RuntimeError("integers")
                return new_tensor(array, requires_grad)
        """,
        "should be a RuntimeError": """
            def share(array, requires_grad=False):
                if requires_grad and array.dtype.kind != "f":
                    raise ValueError("integers")
                return new_tensor(array, requires_grad)
        """,
        "the flag is still off": "return new_tensor(array)",
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
        "the slopes of a product": {"out._node = Add": "out._node = Mul"},
        "in the attribute `made_from` of the record": {
            "out._node = AddBackward0(a, b)": (
                "out._node = [(a, np.ones_like(a._data)), (b, np.ones_like(b._data))]"
            ),
        },
        "there is no record": "return new_tensor(np.asarray(a._data + b._data))",
        "Only one of the two inputs": {", (b, ones)]": "]"},
        "overwrites the numbers of an input": {
            "a._data + b._data": "np.add(a._data, b._data, out=a._data)"
        },
        "Your values are those of": "return times(a, b)",
        "If neither of the two": {"wanted = a.requires_grad or b.requires_grad": "wanted = True"},
        "If only the first": {"a.requires_grad or b": "a.requires_grad and b"},
        "If only the second": {"a.requires_grad or b.requires_grad": "a.requires_grad"},
        "set it when you make the tensor": {
            "b._data), wanted)": "b._data))",
            "    return out": "        out.requires_grad = True\n    return out",
        },
        "does not have a `+` yet": "return a + b",
        "cannot record a sum before chapter 03": "return mine.add(a, b)",
        "the flag of your result is off": {"b._data), wanted)": "b._data))"},
    },
    "02.4": {
        "the `Tensor` of the page": "return tensor(values, requires_grad=requires_grad)",
        "a tensor from a library": """
            def my_tensor(values, requires_grad=False):
                import minigrad

                return minigrad.tensor(values, requires_grad=requires_grad)
        """,
        "keep a copy": {"np.array(values)": "np.asarray(values)"},
        "has no `grad`": {"self.grad = self.grad_fn = None": "self.grad_fn = None"},
        "lets int64 require grad": {'numbers.dtype.kind != "f"': "False"},
        "lets int32 require grad": {'numbers.dtype.kind != "f"': "numbers.dtype == np.int64"},
        "should be a RuntimeError": {'RuntimeError("only': 'ValueError("only'},
        "refuses floats of one size": {'numbers.dtype.kind != "f"': "numbers.dtype != np.float32"},
        "so it is a leaf": {"self.grad_fn is None\n\n": "self.requires_grad\n\n"},
        "A product that was recorded": {"self.grad_fn is None\n\n": "True\n\n"},
        "If neither factor": {"if self.requires_grad or other.requires_grad:": "if True:"},
        "If only one factor": {"or other": "and other"},
        "the other factor": {
            "[(self, other.numbers), (other, self.numbers)]": (
                "[(self, self.numbers), (other, other.numbers)]"
            ),
        },
        "their gradients are added": {"() if self.grad is None else self.grad + grad": "()"},
        "is the caller's array": {"grad.copy()": "grad"},
        "`data` gets a gradient": {"elif self.requires_grad:": "else:"},
        "but only leaves should": {"(grad * slope)": "(grad * slope); self.grad = grad"},
    },
}
