"""Wrong answers to the exercises of chapter 03."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "03.1": {
        "without the flag are leaves": {'"b": True': '"b": False', '"c": True': '"c": False'},
        "was not recorded": 'leaves = {"a": True, "b": True, "c": False, "d": False, "e": True}',
        "was set after the product": {'"e": True': '"e": False'},
        "computed by a recorded operation": {'"d": False': '"d": True'},
    },
    "03.2": {
        "once for each path": """
            def count_operations(root):
                if root is None or isinstance(root, AccumulateGrad):
                    return 0
                return 1 + sum(count_operations(node) for node, _ in root.next_functions)
        """,
        "counts `AccumulateGrad`": {" or isinstance(node, AccumulateGrad)": ""},
        "treats `None`": {"node is None or ": ""},
        "remembers": """
            def count_operations(root, seen=set()):
                if root is None or root in seen or isinstance(root, AccumulateGrad):
                    return 0
                seen.add(root)
                return 1 + sum(count_operations(node) for node, _ in root.next_functions)
        """,
        "a chain of 4 operations has 3": "return 3",
        "Return the number of operations": {"return len(met)": "return met"},
        "by their names": {
            "node in met": "node.name() in met",
            "met.add(node)": "met.add(node.name())",
        },
    },
    "03.3": {
        "has to multiply it by `grad`": {"result: grad * (result + 1)": "result: result + 1"},
        "saves the input": {"grad, result: grad * (result + 1)": "grad, self: grad * self.exp()"},
        "That is the rule of `exp`": {"result: grad * (result + 1)": "result: grad * result"},
        "records nothing": 'expm1 = op("expm1", np.expm1)',
        "loses the digits": {"np.expm1, self=lambda": "lambda self: np.exp(self) - 1, self=lambda"},
        "leaves two operations": "expm1 = lambda x: x.exp() - 1",
        "which already has `expm1`": "expm1 = yours().expm1",
        "is named `exp`": {'"expm1", np.expm1, self=lambda': '"exp", np.expm1, self=lambda'},
        "only `op` turns it into one": "expm1 = np.expm1",
        "PyTorch calls the first input `self`": {"self=lambda grad": "x=lambda grad"},
    },
    "03.4": {
        "the first two `Linear`s as well": {'"sigmoid": 3.6': '"sigmoid": 6.8'},
        "the batch counts as well": {'"sigmoid": 3.6': '"sigmoid": 3.2'},
        "there are two": {'"sigmoid": 3.6': '"sigmoid": 2.0'},
        "it counts once": {'"sigmoid": 3.6': '"sigmoid": 5.2'},
        "one array for each GELU": {'"gelu": 6.8': '"gelu": 3.6'},
        "for each GELU its input and its result": {'"gelu": 6.8': '"gelu": 5.2'},
        "neither is the input of the first GELU": {"4.8": "6.4"},
        "the *second* `Linear` save": {"4.8": "3.2"},
        "recording begins at the second": {"4.8": "1.6"},
        "that rule is no longer wanted": {"5.2": "6.8"},
        "the second GELU is still recorded": {"5.2": "3.6"},
        "Which array is no longer saved": {"5.2": "1.6"},
        "no node saves anything": {"0.0": "6.8"},
        "Write a number, without quotes": {"4.8": '"4.8"'},
    },
    "03.5": {
        "wrap the kernel's result": {"np.asarray(kernel(*arrays))": "kernel(*arrays)"},
        "records although": {"any(node is not None for node, _ in edges)": "True"},
        "leaves out the edge": {
            "gradient_edge(each) for each in inputs]": (
                "gradient_edge(each) for each in inputs if each.requires_grad]"
            )
        },
        "That is the page's own `op`": 'return op("recorded", kernel, **dict(zip("ab", rules)))',
        "None for an input": {"None if node is None else rule": "rule"},
        "without the result": {"        arrays.append(out._data)\n": ""},
        "An older node must not change": {"node.arrays": "Recorded.arrays"},
        "calls the kernel 2 times": {
            "        arrays.append(out._data)\n": "",
            "rule(grad, *self.arrays)": "rule(grad, *self.arrays, self.kernel(*self.arrays))",
            "node.rules, node.arrays": "node.kernel, node.rules, node.arrays",
            "= rules, arrays": "= kernel, rules, arrays",
        },
        "got a tensor instead of an array": {
            "node.arrays = rules, arrays": "node.arrays = rules, [*inputs, out]"
        },
        "holds its result in a cycle": {
            "node.arrays = rules, arrays": "node.arrays, node.out = rules, arrays, out"
        },
    },
}
