"""What notebook 22_views_that_refuse asks: what becomes of a view whose memory was written."""

from course.declare import exercise, expect, prediction, same

prediction(
    "22.a",
    """`part = First.apply(y)` shows the first element of `y`, and the backward of `First` brings
    100. In a new tensor, `part * 10.0`, the gradient is 1000. And after `part.mul_(10.0)`?""",
    {
        "1000": """That would be right. But the view gets a new history where it follows a change of
        its memory.""",
        "100": """The factor 10 is recorded. Something else is lost.""",
        "10": """After the write the view has the history "a part of my base", and `First` is not on
        that path.""",
    },
    answer="10",
    shown="in place:     tensor([10.,  0.,  0.])",
)

prediction(
    "22.b",
    """`tail = y[1:]`, `cut = y.detach()`, `copied = y.clone()`, `first = First.apply(y)`. Which of
    the four show the memory of `y`?""",
    {
        "`tail`": """`detach` cuts the graph and copies nothing. And forward of `First` returns a
        slice.""",
        "`tail` and `first`": """`detach` cuts the graph. It copies no values.""",
        "`tail`, `cut` and `first`": """Only `clone` copies. Whether a history leads back to `y` is
        another question.""",
    },
    answer="`tail`, `cut` and `first`",
    shown="copied = [1, 2, 3] | memory B",
)

prediction(
    "22.c",
    """`first` refuses, and its base is changed: `y.mul_(10.0)`. Then come `first.detach()`,
    `first.sum()` and `y.sum().backward()`. Which line raises?""",
    {
        "`y.mul_(10.0)`": """`y` does not know its views. It can follow the change, so it is
        written.""",
        "`first.detach()`": """The values are there, and a detached tensor has no history that could
        be wrong.""",
        "`first.sum()`": """The sum is recorded, so it asks `first` for its history. That cannot be
        made again.""",
        "`y.sum().backward()`": """`y` has the right history: the product is in it.""",
    },
    answer="`first.sum()`",
    shown="Output 0 of First is a view and its base or another view of its base",
)


RAISES = {"A": None, "B": 4, "C": None, "D": 2, "E": 4, "F": None}
WHY = {
    "A": 'A: a slice can follow a change of its base. It takes the history "a part of my base".',
    "B": "B: the write into the base passes, and `detach` has no history to renew. The sum has.",
    "C": "C: a clone has memory of its own, so it is no view.",
    "D": "D: the view was made unrecorded, and the write is recorded. The write itself is refused.",
    "E": "E: an unrecorded write passes, and `y` is no view. The sum of `a` asks for its history.",
    "F": "F: nobody uses `a` after the write, so nobody asks for its history.",
}


@exercise(
    "22.1",
    "Which line raises?",
    difficulty=2,
    minutes=10,
    hint="""Two places read the note of a view: a recorded write into the view itself, and the view
    when it is used in a recorded operation after its memory was changed.""",
    solution=f"raises = {RAISES!r}",
    wrong={
        "a slice can follow": f"raises = {RAISES | {'A': 3}!r}",
        "the write into the base passes": f"raises = {RAISES | {'B': 2}!r}",
        "`detach` has no history": f"raises = {RAISES | {'B': 3}!r}",
        "a clone has memory of its own": f"raises = {RAISES | {'C': 2}!r}",
        "the view was made unrecorded": f"raises = {RAISES | {'D': 3}!r}",
        "The write itself is refused": f"raises = {RAISES | {'D': None}!r}",
        "an unrecorded write passes": f"raises = {RAISES | {'E': 2}!r}",
        "`y` is no view": f"raises = {RAISES | {'E': 3}!r}",
        "asks for its history": f"raises = {RAISES | {'E': None}!r}",
        "nobody uses `a`": f"raises = {RAISES | {'F': 2}!r}",
    },
    right="A view refuses late: where its history is asked for, or where a recorded write is made.",
)
def check_raises(raises):
    for name, right in RAISES.items():
        found = raises[name]
        expect(found is None if right is None else same(found, right), WHY[name])
