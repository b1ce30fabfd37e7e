"""Wrong answers to the exercises of chapter 24."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "24.1": {
        "a slice can follow": "raises = {'A': 3, 'B': 4, 'C': None, 'D': 2, 'E': 4, 'F': None}",
        "the write into the base passes": {"'B': 4": "'B': 2"},
        "a clone has memory of its own": {"'C': None": "'C': 2"},
        "the view was made unrecorded": {"'D': 2": "'D': 3"},
        "an unrecorded write passes": {"'E': 4": "'E': 2"},
        "nobody uses `a`": "raises = {'A': None, 'B': 4, 'C': None, 'D': 2, 'E': 4, 'F': 2}",
        "where nothing raises, write None": {"'A': None": "'A': 0"},
    },
    "24.2": {
        "`chunk` makes views that refuse": {"sigmoid()": "sigmoid_()", "new.tanh()": "new.tanh_()"},
        "`chunk` of a clone does not help": {
            "sigmoid()": "sigmoid_()",
            "new.tanh()": "new.tanh_()",
            "gates.chunk": "gates.clone().chunk",
        },
        "The write passes, and the view raises": """
            def mended(gates, state):
                enter, forget, new, out = gates.chunk(4)
                with no_grad():
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
