"""What notebook 22_views_that_refuse asks: what becomes of a view whose memory was written."""

from course.declare import exercise, expect, prediction
from course.reader import yours

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


@exercise(
    "22.1",
    "The letters of memory",
    difficulty=2,
    minutes=10,
    hint="""Who shows the same memory counts changes together: `version_counter(t)` is then the very
    same object. A list is another list even if it is equal, so compare with `is`.""",
    solution="""
        def letters(tensors):
            counters, found = [], []
            for each in tensors:
                counter = version_counter(each)
                places = [n for n, known in enumerate(counters) if known is counter]
                if not places:
                    counters.append(counter)
                    places = [len(counters) - 1]
                found.append("ABCDEFGHIJ"[places[0]])
            return found
    """,
    wrong={
        "equal values": """
            def letters(tensors):
                values = []
                for each in tensors:
                    if each.tolist() not in values:
                        values.append(each.tolist())
                return ["ABCDEFGHIJ"[values.index(each.tolist())] for each in tensors]
        """,
        "equal counters": """
            def letters(tensors):
                counters = []
                for each in tensors:
                    if version_counter(each) not in counters:
                        counters.append(version_counter(each))
                return ["ABCDEFGHIJ"[counters.index(version_counter(each))] for each in tensors]
        """,
        "no element in common": """
            def letters(tensors):
                found = []
                for n, each in enumerate(tensors):
                    same = [
                        found[k] for k in range(n)
                        if np.shares_memory(tensors[k]._data, each._data)
                    ]
                    found.append(same[0] if same else "ABCDEFGHIJ"[len(set(found))])
                return found
        """,
        "`detach()`": """
            def letters(tensors):
                owners, found = [], []
                for each in tensors:
                    owner = each if each._view is None else each._view.base
                    places = [n for n, known in enumerate(owners) if known is owner]
                    if not places:
                        owners.append(owner)
                        places = [len(owners) - 1]
                    found.append("ABCDEFGHIJ"[places[0]])
                return found
        """,
        "number of its own": """
            def letters(tensors):
                counters = [version_counter(each) for each in tensors]
                return [
                    "ABCDEFGHIJ"[[known is each for known in counters].index(True)]
                    for each in counters
                ]
        """,
    },
    right="A write into one of them concerns all with its letter.",
)
def check_letters(letters):
    tensor = yours().tensor
    y, other = tensor([1.0, 2.0, 3.0]), tensor([4.0, 5.0, 6.0])
    twin = tensor([1.0, 2.0, 3.0])

    def ask(tensors, wanted, message):
        found = letters(tensors)
        expect(list(found) == list(wanted), f"{message} Yours gives {found}, and not {wanted}.")

    other.mul_(2.0)  # so that the counters of the first two differ
    ask([y, other, y], ["A", "B", "A"], "Two tensors, and the first once more.")
    ask([y, twin.mul_(1.0)], ["A", "B"], "Two tensors with equal values have two memories.")
    ask([y, tensor([7.0])], ["A", "B"], "Two fresh tensors have equal counters, and two memories.")
    ask([y, y[:2], y[1:]], ["A", "A", "A"], "Slices of one tensor.")
    ask([y[:1], y[1:]], ["A", "A"], "Two slices with no element in common show one memory.")
    ask([y, y.detach()], ["A", "A"], "`detach()` cuts the graph and copies nothing.")
    ask([y.clone(), y, y[1:].view(2, 1)], ["A", "B", "B"], "A clone, `y`, and a view of a view.")
    ask(
        [y, y[:1], other],
        ["A", "A", "B"],
        "The next letter is that of the next memory; yours gives each tensor a number of its own.",
    )
