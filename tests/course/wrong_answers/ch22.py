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
}
