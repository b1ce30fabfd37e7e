"""Wrong answers to the exercises of chapter 22."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "22.1": {
        "the first element is left alone": {"1: [1.0, 10.0, 10.0]": "1: [10.0, 10.0, 10.0]"},
        "a part of the new `y`": {"2: [10.0, 10.0, 0.0]": "2: [1.0, 1.0, 0.0]"},
        "was overwritten": {"3: [0.0, 1.0, 1.0]": "3: [1.0, 1.0, 1.0]"},
        "follows both writes": {"4: [0.0, 20.0, 20.0]": "4: [0.0, 10.0, 10.0]"},
        "makes a copy": {"5: [1.0, 1.0, 0.0]": "5: [10.0, 10.0, 0.0]"},
    },
    "22.2": {
        "writes in place": """
            def pure(x, w):
                y = x * 1.0
                y[1:].mul_(w)
                y[:2].add_(y[1:].sum())
                return y, y[1:]
        """,
        "Something is written through a view": """
            def pure(x, w):
                y = x * 1.0
                early, part = y[:2], y[1:]
                part *= w
                early += part.sum()
                return y, part
        """,
        "The second write is missing": {
            "    y = slice_scatter(y, early + part.sum(), start=0)\n": ""
        },
        "taken again after the first write": {
            "= x * 1.0": "= x * 1.0\n    part = y[1:]",
            "early, part = y[:2], y[1:]": "early = y[:2]",
        },
        "Take it again at the end": {"return y, y[1:]": "return y, part"},
        "No gradient reaches": {"y = x * 1.0": "y = x.detach() * 1.0"},
        "The gradient of `x` by way of `y`": {"part.sum()": "part.sum().detach()"},
        "Return two tensors": {"return y, y[1:]": "return y"},
    },
    "22.3": {
        "none of their elements is shared": {
            "return bool(seen(a) & seen(b))": (
                "a, b = seen(a), seen(b)\n    return min(a) <= max(b) and min(b) <= max(a)"
            )
        },
        "Do you use the offset": {"t.stride(), t.storage_offset())": "t.stride(), 0)"},
        "do not begin at the same place": "return a.storage_offset() == b.storage_offset()",
        "Use only `shape`": "return np.shares_memory(a._data, b._data)",
        "Return True or False": {"return bool(seen(a) & seen(b))": "return seen(a) & seen(b)"},
    },
    "22.4": {
        "an operation with an underscore": {"sigmoid()": "sigmoid_()", "new.tanh()": "new.tanh_()"},
        "`chunk` of a clone does not help": {
            "sigmoid()": "sigmoid_()",
            "new.tanh()": "new.tanh_()",
            "gates.chunk": "gates.clone().chunk",
        },
        "they are not recorded": """
            def fixed(gates, state):
                enter, forget, new, out = gates.chunk(4)
                with torch.no_grad():
                    enter.sigmoid_(), new.tanh_(), forget.sigmoid_(), out.sigmoid_()
                state = enter * new + forget * state
                return out * state.tanh(), state
        """,
        "No gradient reaches": {"gates.chunk": "gates.detach().clone().chunk"},
        "No gradient reaches `state`": {"* state\n": "* state.detach()\n"},
        "has changed `state`": {
            "enter.sigmoid() * new.tanh() + forget.sigmoid() * state": (
                "enter.sigmoid() * new.tanh() + state.mul_(forget.sigmoid())"
            )
        },
        "has changed `gates`": {
            "sigmoid()": "sigmoid_()",
            "new.tanh()": "new.tanh_()",
            "gates.chunk(4)": "(gates[i : i + 3] for i in range(0, 12, 3))",
        },
        "even though no value changes": {"    state = ": "    state.mul_(1.0)\n    state = "},
        "a single version counter": {
            "sigmoid()": "sigmoid_()",
            "new.tanh()": "new.tanh_()",
            "    enter, forget, new, out = gates.chunk(4)": (
                "    gates = gates.clone()\n"
                "    enter, forget, new, out = (gates[i : i + 3] for i in range(0, 12, 3))"
            ),
        },
        "as long as one gate": "return gates, state",
        "overwrites the state with its `tanh`": {"state.tanh()": "state.tanh_()"},
        "is mixed up": {"new.tanh()": "new.sigmoid()"},
    },
    "22.5": {
        "the backward of a sum needs no value": {"1: 'right'": "1: 'raises'"},
        "2: the product saved `out[0]`": {"2: 'leaks'": "2: 'right'"},
        "which has its own memory": {"3: 'right'": "3: 'leaks'"},
        "4: `sin` saved its input": {"4: 'leaks'": "4: 'raises'"},
        "`exp` saves its result": {"5: 'right'": "5: 'leaks'"},
        "no node leads from": {"6: 'raises'": "6: 'leaks'"},
        'or "leaks" for 6': {"6: 'raises'": "6: 'refused'"},
    },
    "22.6": {
        "the `CopySlices` of this chapter": """
            class Wrapped(CopySlices):
                pass
        """,
        "the history of the view": {
            "(gradient_edge(base), *inner.next_functions[1:])": "inner.next_functions"
        },
        "There should be two edges": {"(base), *inner.next_functions[1:]": "(base),"},
        "changes the gradient that it is given": {"np.array(grad)": "np.asarray(grad)"},
        "should pass its gradient on unchanged": {
            "whole[self.places] = first": (
                "whole = np.zeros_like(whole)\n        whole[self.places] = first"
            )
        },
        "should go through `inner.backward`": {"whole[self.places] = first": "pass"},
        "Do you use the strides": {
            "places(view.shape, view.stride(), view.storage_offset())": (
                "view.storage_offset() + np.arange(len(view))"
            )
        },
        "what `inner.backward` computes": {", *others]": ", first]"},
    },
}
