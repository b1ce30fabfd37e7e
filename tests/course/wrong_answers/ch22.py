"""Wrong answers to the exercises of chapter 22."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "22.1": {
        "the first element goes by": {"1: [1.0, 10.0, 10.0]": "1: [10.0, 10.0, 10.0]"},
        "elements of the new `y`": {"2: [10.0, 10.0, 0.0]": "2: [1.0, 1.0, 0.0]"},
        "was overwritten": {"3: [0.0, 1.0, 1.0]": "3: [1.0, 1.0, 1.0]"},
        "follows each write": {"4: [0.0, 20.0, 20.0]": "4: [0.0, 10.0, 10.0]"},
        "is a copy": {"5: [1.0, 1.0, 0.0]": "5: [10.0, 10.0, 0.0]"},
    },
    "22.2": {
        "only lie between each other": """
            def overlap(a, b):
                def seen(t):
                    found = places(t.shape, t.stride(), t.storage_offset())
                    return found.min(), found.max()

                return seen(a)[0] <= seen(b)[1] and seen(b)[0] <= seen(a)[1]
        """,
        "the offset": {"t.stride(), t.storage_offset())": "t.stride(), 0)"},
        "begin at the same place": """
            def overlap(a, b):
                return a.storage_offset() == b.storage_offset()
        """,
        "alone": """
            def overlap(a, b):
                return np.shares_memory(a._data, b._data)
        """,
        "Return True or False": {"return bool(seen(a) & seen(b))": "return seen(a) & seen(b)"},
    },
    "22.3": {
        "`chunk` makes views that refuse": {"sigmoid()": "sigmoid_()", "new.tanh()": "new.tanh_()"},
        "`chunk` of a clone does not help": {
            "sigmoid()": "sigmoid_()",
            "new.tanh()": "new.tanh_()",
            "gates.chunk": "gates.clone().chunk",
        },
        "The write passes, and the view raises": """
            def mended(gates, state):
                enter, forget, new, out = gates.chunk(4)
                with torch.no_grad():
                    enter.sigmoid_(), new.tanh_(), forget.sigmoid_(), out.sigmoid_()
                state = enter * new + forget * state
                return out * state.tanh(), state
        """,
        "No gradient reaches": {"gates.chunk": "gates.detach().clone().chunk"},
        "No gradient reaches `state`": {"* state\n": "* state.detach()\n"},
        "has changed `state`": """
            def mended(gates, state):
                enter, forget, new, out = gates.chunk(4)
                state = state.mul_(forget.sigmoid()) + enter.sigmoid() * new.tanh()
                return out.sigmoid() * state.tanh(), state
        """,
        "has changed `gates`": {
            "sigmoid()": "sigmoid_()",
            "new.tanh()": "new.tanh_()",
            "    enter, forget, new, out = gates.chunk(4)\n": (
                "    n = len(gates) // 4\n"
                "    enter, forget, new, out = (gates[i * n : (i + 1) * n] for i in range(4))\n"
            ),
        },
        "changes no value": {"    state = ": "    state.mul_(1.0)\n    state = "},
        "one memory has one counter": {
            "sigmoid()": "sigmoid_()",
            "new.tanh()": "new.tanh_()",
            "    enter, forget, new, out = gates.chunk(4)\n": (
                "    n = len(gates) // 4\n"
                "    enter, forget, new, out = (gates[i * n : (i + 1) * n] for i in range(4))\n"
            ),
            "n = len(gates)": "gates, n = gates.clone(), len(gates)",
        },
        "Each of the two has the length": """
            def mended(gates, state):
                return gates, state
        """,
        "returns that memory as the state": {"state.tanh()": "state.tanh_()"},
        "Another gate": {"new.tanh()": "new.sigmoid()"},
    },
}
