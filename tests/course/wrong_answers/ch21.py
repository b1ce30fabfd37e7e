"""Wrong answers to the exercises of chapter 21."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "21.1": {
        "could look at `b.grad`": "to_its_end = {1: True, 2: True, 3: True, 4: False, 5: True}",
        "not in the graph of `z`": "to_its_end = {1: True, 2: False, 3: False, 4: False, 5: True}",
        "with tensors": "to_its_end = {1: True, 2: False, 3: True, 4: False, 5: False}",
        "watches from the start": "to_its_end = {1: True, 2: False, 3: True, 4: True, 5: True}",
    },
    "21.2": {
        "the watched node itself": {
            "if node is watched:\n"
            "            break\n"
            "        ran.append(node.name())\n": (
                "ran.append(node.name())\n"
                "        if node is watched:\n"
                "            break\n"
            ),
        },
        "follows the first edges": """
            def ran_before(root, watched):
                ran, node = [], root.grad_fn
                while node is not watched and node.next_functions:
                    ran.append(node.name())
                    node = node.next_functions[0][0]
                return ran
        """,
        "compare nodes, not names": """
            def ran_before(root, watched):
                names = [node.name() for node, waiting in toy_lane(root)[0]]
                return names[: names.index(watched.name())]
        """,
        "waits to the end, though": {
            "[node for node in arrived if node.next_functions]": "[*arrived]",
        },
        "return the names": {"node.name()": "node"},
        "whatever is watched": """
            def ran_before(root, watched):
                return []
        """,
    },
    "21.3": {
        "calls of Python functions": """
            def my_exp(x):
                return torch.exp.row(x)
        """,
        "gradient_edge, __init__, record": """
            class ExpBackward0(Node):
                def __init__(self, result):
                    self.result = result

                def backward(self, grad):
                    return [new_tensor(grad._data * self.result)]

            def my_exp(x):
                usual = isinstance(x, Tensor) and x.dtype.is_floating_point
                if observers.active or not usual or not mode.recording:
                    return torch.exp.row(x)
                out = new_tensor(np.exp(x._data))
                edge = gradient_edge(x)
                if edge[0]:
                    node = ExpBackward0(out._data)
                    node.record([edge], [out])
                return out
        """,
        "accelerator's own function": """
            def my_exp(x):
                return torch.exp(x)
        """,
        "exp of torch.int32": {"x.dtype.is_floating_point": "x.dtype is not torch.int64"},
        "exp of torch.int64": """
            class ExpBackward0(Node):
                def backward(self, grad):
                    return [new_tensor(grad._data * self.result)]

            def my_exp(x):
                if not mode.recording:
                    return torch.exp.row(x)
                out = object.__new__(Tensor)
                out._data, out.dtype = np.exp(x._data), x.dtype
                edge = gradient_edge(x)
                if edge[0]:
                    node = ExpBackward0()
                    node.result = out._data
                    node.record([edge], [out])
                return out
        """,
        "inside `no_grad`": """
            class ExpBackward0(Node):
                def backward(self, grad):
                    return [new_tensor(grad._data * self.result)]

            def my_exp(x):
                if not x.dtype.is_floating_point:
                    return torch.exp.row(x)
                out = object.__new__(Tensor)
                out._data, out.dtype = np.exp(x._data), x.dtype
                edge = gradient_edge(x)
                if edge[0]:
                    node = ExpBackward0()
                    node.result = out._data
                    node.record([edge], [out])
                return out
        """,
        "The gradient": """
            class ExpBackward0(Node):
                def backward(self, grad):
                    return [new_tensor(grad._data * self.result)]

            def my_exp(x):
                if not x.dtype.is_floating_point or not mode.recording:
                    return torch.exp.row(x)
                out = object.__new__(Tensor)
                out._data, out.dtype = np.exp(x._data), x.dtype
                node = ExpBackward0()
                node.result = x._data
                node.record([gradient_edge(x)], [out])
                return out
        """,
        "records nothing": """
            def my_exp(x):
                out = object.__new__(Tensor)
                out._data, out.dtype = np.exp(x._data), x.dtype
                return out
        """,
        "does not see your node": {"observers.active or not": "not"},
        "an edge is a pair": {"(edge,), next": "edge, next"},
        "Return a list": {
            "[new_tensor(grad._data * self.result)]": "new_tensor(grad._data * self.result)",
        },
        "no `_meta`": {"        node._meta = [(out._data.shape, out.dtype)]\n": ""},
        "keeps its input": {
            "self.result": "np.exp(self.input)",
            "node.result = out._data": "node.input = x._data",
        },
        "no `_seq`": {", node._seq = (edge,), next(sequence_numbers)": " = (edge,)"},
        "not the next number": {"next(sequence_numbers)": "0"},
        "a cycle": {"node.result = out._data": "node.result, node.out = out._data, out"},
        "its `_node` is out of date": {
            "edge = gradient_edge(x)": (
                "edge = (x._node, x._output_nr) if x._node else gradient_edge(x)"
            ),
        },
        "my_exp('2') must raise the TypeError": {"x.__class__ is Tensor and ": ""},
        "A text is no Tensor": {
            "    usual =": (
                "    x = x if isinstance(x, Tensor) else torch.tensor(float(x))\n"
                "    usual ="
            ),
        },
        "`np.exp` 2 times": {"= out._data\n": "= np.exp(x._data)\n"},
    },
}
