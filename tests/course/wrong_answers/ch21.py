"""Wrong answers to the exercises of chapter 21."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "21.1": {
        "its array is float64": "wrong = {1: False, 2: False, 3: True, 4: False, 5: True}",
        "2: more calls go to the row": "wrong = {1: True, 2: True, 3: True, 4: False, 5: True}",
        "would not see the node": "wrong = {1: True, 2: False, 3: False, 4: False, 5: True}",
        "products that broadcast": "wrong = {1: True, 2: False, 3: True, 4: True, 5: True}",
        "always makes a plain Tensor": "wrong = {1: True, 2: False, 3: True, 4: False, 5: False}",
    },
    "21.2": {
        "another `dtype`": {"x.dtype, ": ""},
        "another `shape`": {"tuple(x.shape)": "x.numel(), x.ndim"},
        "Pass it the tensor": {"made[key] = make(x)": "made[key] = make(key)"},
        "another `requires_grad`": {"x.requires_grad, ": ""},
        "Inside `no_grad`": {", torch.is_grad_enabled()": ""},
        "differ only in their values": {"x.dtype, ": "id(x), x.dtype, "},
        "compares more than dtype": {"x.dtype, ": "x.is_leaf, x.dtype, "},
        "`stride()` is (2,)": {"x.dtype, ": "x.stride(), x.dtype, "},
        "Call that with `x`": {"return made[key](x)": "return made[key]"},
        "makes one more": {
            "            if len(made) == limit:\n                return fallback(x)\n": "",
        },
        "must return `fallback(x)`": {"return fallback(x)": "return fallback"},
        "must still be used": {
            "if key not in made:\n"
            "            if len(made) == limit:\n"
            "                return fallback(x)\n": (
                "if len(made) == limit:\n"
                "            return fallback(x)\n"
                "        if key not in made:\n"
            )
        },
        "share their specializations": {
            "def specializing(make, fallback, limit):\n    made = {}\n": (
                "made = {}\n\ndef specializing(make, fallback, limit):\n"
            ),
        },
        "before there is a tensor": """
            def specializing(make, fallback, limit):
                only = make(torch.tensor(1.0))

                def run(x):
                    return only(x)

                return run
        """,
        "with the new tensor": {
            "made[key] = make(x)": "made[key] = make(x)(x)",
            "return made[key](x)": "return made[key]",
        },
        "what the specialization returns": {"= make(x)": "= make(x)\n            return None"},
    },
    "21.3": {
        "calls of Python functions": "return torch.exp.row(x)",
        "gradient_edge, __init__, record": """
            class ExpBackward0(Node):
                def __init__(self, result):
                    self.result = result

                def backward(self, grad):
                    return [new_tensor(grad._data * self.result)]

            def my_exp(x):
                usual = x.__class__ is Tensor and x.dtype.is_floating_point
                if observers.active or not usual or not mode.recording:
                    return torch.exp.row(x)
                out = new_tensor(np.exp(x._data))
                edge = gradient_edge(x)
                if edge[0]:
                    node = ExpBackward0(out._data)
                    node.record([edge], [out])
                return out
        """,
        "library's own function": "return torch.exp(x)",
        "lets subclasses pass": {"x.__class__ is Tensor": "isinstance(x, Tensor)"},
        "exp of torch.int32": {"x.dtype.is_floating_point": "x.dtype is not torch.int64"},
        "exp of torch.int64": {" and x.dtype.is_floating_point": ""},
        "inside `no_grad`": {" or not mode.recording": ""},
        "The gradient": {"node.result = out._data": "node.result = x._data"},
        "records nothing": {"if edge[0]:": "if False:"},
        "does not see your node": {"observers.active or not": "not"},
        "an edge is a pair": {"(edge,), next": "edge, next"},
        "Return a list": {
            "[new_tensor(grad._data * self.result)]": "new_tensor(grad._data * self.result)",
        },
        "no `_meta`": {"        node._meta = [(out._data.shape, out.dtype)]\n": ""},
        "keeps its input": {"self.result": "np.exp(self.input)", "result = out": "input = x"},
        "no `_seq`": {", node._seq = (edge,), next(sequence_numbers)": " = (edge,)"},
        "not the next number": {"next(sequence_numbers)": "0"},
        "a cycle": {"node.result = out._data": "node.result, node.out = out._data, out"},
        "its `_node` is out of date": {
            "gradient_edge": "(x._node, x._output_nr) if x._node else gradient_edge"
        },
        "my_exp('2') must raise the TypeError": {"x.__class__ is Tensor and ": ""},
        "A string is not a Tensor": {
            "    usual =": (
                "    x = x if isinstance(x, Tensor) else torch.tensor(float(x))\n    usual ="
            ),
        },
        "`np.exp` 2 times": {"= out._data\n": "= np.exp(x._data)\n"},
    },
}
