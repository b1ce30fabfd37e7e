"""What chapter NN asks: who gets the gradient of the larger of two."""

from course.declare import exercise, expect, prediction, same
from course.reader import yours

prediction(
    "NN.a",
    "`a` and `b` are both 3. What are `a.grad` and `b.grad` after `maximum(a, b).backward()`?",
    {
        "1 and 0": "Why the first one? `maximum(b, a)` would then say the opposite.",
        "1 and 1": "That is twice of what arrived. If both move by h, the result moves by h only.",
        "0.5 and 0.5": "If one of them moves up, the result follows, if it moves down, it does "
        "not: half of the time.",
    },
    answer="0.5 and 0.5",
    shown="(tensor(0.5000), tensor(0.5000))",
)

prediction(
    "NN.b",
    "`a` is [1, 7] and `b` is [4, 2]. What is `a.grad` after `maximum(a, b).sum().backward()`?",
    {
        "[0, 1]": "Each element is decided on its own, and `a` is larger in the second place.",
        "[1, 1]": "In the first place the result is `b`'s element, and does not follow `a`.",
        "[0, 7]": "7 is the value. When it moves by h, the result moves by h: the gradient is 1.",
    },
    answer="[0, 1]",
    shown="tensor([0., 1.])",
)

prediction(
    "NN.c",
    "`x` is [1, 4, 4]. What is `x.grad` after `x.amax().backward()`?",
    {
        "[0, 1, 0]": "That is what `x.max(0)` does, which names one place.",
        "[0, 0.5, 0.5]": "The two that are equal share what arrives.",
        "[0, 1, 1]": "Then the two together would get twice of what arrived.",
    },
    answer="[0, 0.5, 0.5]",
    shown="tensor([0.0000, 0.5000, 0.5000])",
)


def gradients(function, *values):
    """The value of `function` of tensors with these values, and the gradient of each."""
    tensors = [yours().tensor(value, requires_grad=True) for value in values]
    result = function(*tensors)
    result.backward()
    return result.item(), [None if x.grad is None else x.grad.item() for x in tensors]


@exercise(
    "NN.1",
    "The smaller of two",
    difficulty=1,
    minutes=5,
    hint="The smaller of two is minus the larger of their negatives.",
    solution="""
        def smaller(a, b):
            return -maximum(-a, -b)
    """,
    right="One function and two signs: the halves at a tie came for free.",
)
def check_smaller(smaller):
    value, (first, second) = gradients(smaller, 2.0, 5.0)
    expect(same(value, 2.0), f"The smaller of 2 and 5 is 2; yours says {value:g}.")
    expect(same([first, second], [1.0, 0.0]), "The smaller one gets the gradient, the other 0.")
    _, shares = gradients(smaller, 3.0, 3.0)
    expect(same(shares, [0.5, 0.5]), "At a tie each gets a half; yours prefers one of them.")


@exercise(
    "NN.2",
    "The larger of itself",
    difficulty=2,
    minutes=5,
    hint="Run backward once, and look at the leaf. Nothing is to be halved or doubled by hand.",
    solution="""
        def of_itself(x):
            maximum(x, x).backward()
            return x.grad
    """,
    right="Two halves meet in the leaf. `maximum(x, x)` is `x`, and its gradient is that of `x`.",
)
def check_of_itself(of_itself):
    gradient = of_itself(yours().tensor(3.0, requires_grad=True))
    expect(not same(gradient, 0.5), "Along one edge comes a half. There are two edges.")
    expect(not same(gradient, 2), "That is twice of what arrived: at a tie each edge gets a half.")
    expect(same(gradient, 1), "Draw `maximum(x, x)` with `gradients=True`, and read the arrows.")


@exercise(
    "NN.3",
    "A ramp",
    difficulty=2,
    minutes=5,
    hint="A ramp is the larger of `x` and 0, and `maximum` shares a tie.",
    solution="""
        def ramp(x):
            return maximum(x, tensor(0.0))
    """,
    right="PyTorch's `relu` has 0 at 0: a choice, written in its table of derivatives.",
)
def check_ramp(ramp):
    for value, expected, share in ((2.0, 2.0, 1.0), (-2.0, 0.0, 0.0)):
        found, (gradient,) = gradients(ramp, value)
        expect(
            same(found, expected),
            f"0 is asked for where `x` is negative; at {value} yours is {found:g}.",
        )
        expect(same(gradient, share), f"At {value} the gradient is {share:g}.")
    _, (gradient,) = gradients(ramp, 0.0)
    expect(same(gradient, 0.5), f"At 0 the gradient shall be a half; yours is {gradient:g}.")


@exercise(
    "NN.4",
    "The largest, on an empty page",
    difficulty=3,
    minutes=10,
    hint="Find the largest value first. Then average all the tensors that have it.",
    solution="""
        def largest(xs):
            top = max(x.item() for x in xs)
            winners = [x for x in xs if x.item() == top]
            return sum(winners) / len(winners)
    """,
    right="A loop of halves gives a quarter, a quarter and a half. Count first, then share.",
)
def check_largest(largest):
    value, shares = gradients(lambda *xs: largest(list(xs)), 1.0, 4.0, 2.0)
    expect(same(value, 4.0), f"The largest of 1, 4 and 2 is 4; yours is {value:g}.")
    expect(shares[1] == 1.0 and not any(shares[::2]), "The largest one gets the whole gradient.")
    _, shares = gradients(lambda *xs: largest(list(xs)), 4.0, 4.0, 4.0)
    expect(
        all(share is not None and same(share, 1 / 3) for share in shares),
        "Three that are equal share in equal parts, a third each.",
    )
