"""What chapter 00 asks: the five-line puzzle, what nodes save, a gradient by hand, and a node."""

import math
from collections.abc import Callable
from typing import Any

import minigrad as torch
from minigrad_course.ask.declare import (
    error_means,
    exercise,
    expect,
    expect_none_of,
    names_used,
    prediction,
    same,
)

prediction(
    "00.a",
    "`x` is 5. What is `x.grad` now?",
    {
        "tensor(0.6000)": "That is the gradient of `log(x³)` alone, but `√(x²)` also depends "
        "on `x`.",
        "tensor(1.)": "That is the gradient of `√(x²)` alone, but `log(x³)` also depends on `x`.",
        "tensor(1.6000)": "At 5, `log(x³)` has the gradient 0.6 and `√(x²)` has 1, and `z` is "
        "their sum.",
    },
    answer="tensor(1.6000)",
)

prediction(
    "00.b",
    "`y` is 125, and `z` contains `log(y)`, whose gradient there is 1/125. What is `y.grad`?",
    {
        "tensor(0.0080)": "The number is right. `backward()` computed it and used it, but did it "
        "also keep it?",
        "None": "The gradient was computed on the way to `x`, but not kept. The result of an "
        "operation keeps its gradient only if you ask for it in advance.",
        "tensor(0.)": "A zero would mean that `z` does not depend on `y`, but it does.",
    },
    answer="None",
)

prediction(
    "00.c",
    "You call `z.backward()` a second time. What does it do?",
    {
        "nothing: `x.grad` is 1.6 already": "`backward()` does not check whether `x.grad` holds a "
        "number already.",
        "it adds 1.6, and `x.grad` is 3.2": "`backward()` does add to `.grad`. But does it still "
        "have everything it needs?",
        "it raises an error": "The first call has freed what the operations had saved to "
        "compute their gradients.",
    },
    answer="it raises an error",
    shown="RuntimeError",
)

prediction(
    "00.d",
    "`x.grad` is still 1.6. Now `u = x + 1`, then `u.backward()` twice. What is `x.grad` then?",
    {
        "there is an error, as before": "That error is raised if a saved value is gone. What would "
        "have to be saved for the gradient of `x + 1`?",
        "tensor(1.)": "That is the gradient of `x + 1`, but `backward()` does not start from "
        "0: it adds to what is there.",
        "tensor(2.6000)": "You have added 1 once, but there are two calls.",
        "tensor(3.6000)": "Each call adds the gradient 1 to the 1.6 that was there.",
    },
    answer="tensor(3.6000)",
)

prediction(
    "00.e",
    "`x.grad` is 3.6. Now `u = 2 * x`, then `u.backward()` twice. What happens?",
    {
        "both calls work, and `x.grad` is 7.6": "That would be right if the product, like the sum, "
        "had nothing to lose. What does its gradient need?",
        "the first call raises an error": "The calls for `z` and `x + 1` left `x` itself as it "
        "was, and the product is new.",
        "the second call raises an error": "The gradient with respect to `x` is the other factor. "
        "The product had saved the 2, and the first call freed it.",
    },
    answer="the second call raises an error",
    shown="RuntimeError",
)

prediction(
    "00.f",
    "`weight = torch.tensor([1.0, 2.0], requires_grad=True) * 0.1`, and then "
    "`weight.sum().backward()`. What is `weight.grad`?",
    {
        "tensor([1., 1.])": "That is the gradient at `weight`, but as with `y`, it is computed and "
        "not kept.",
        "tensor([0.1000, 0.1000])": "That is the gradient at the tensor that was multiplied "
        "by 0.1. Is that tensor `weight`?",
        "None": "`weight` is the product, not the tensor that was created with "
        "`requires_grad=True`, so its gradient is not kept.",
    },
    answer="None",
    shown="True None",
)

prediction(
    "00.g",
    "`x - 1`, `-x`, `x.sum()`, `x / 2`, `x**1` and `x * 1`: on which of them does a second "
    "`backward()` work?",
    {
        "`x - 1`, `x**1` and `x * 1`": "The gradient of each is 1, so nothing would need to be "
        "saved. But a power and a product do not look at the numbers that they happen to get.",
        "`-x`, `x / 2` and `x * 1`": "You are right that these are products with a constant. But "
        "a division and a product save their second operand for the gradient of the first.",
        "`x - 1`, `-x` and `x.sum()`": "Those three pass on what they receive, with another sign "
        "or in another shape, so they have nothing to save.",
    },
    answer="`x - 1`, `-x` and `x.sum()`",
    shown="DivBackward0 fails",
)

prediction(
    "00.h",
    "`double = 2 * x` and `(double + 1).backward()`. Then `u = double + a`, where `a` is a leaf "
    "that requires grad, and `u.backward()`. What happens?",
    {
        "an error, and `a.grad` is None": "The error is right. But the pass begins at `u`, and "
        "who comes first?",
        "an error, and `a.grad` is 1": "The sum works, so `a` gets its 1. Then the pass reaches "
        "the product, which has been freed.",
        "no error, and `a.grad` is 1": "The sum `u` is new, but it shares the product with the "
        "first one.",
    },
    answer="an error, and `a.grad` is 1",
    shown="u.backward() fails",
)


@exercise(
    "00.1",
    "What the nodes save",
    difficulty=1,
    minutes=2,
    hint="Ask of each operation what its gradient needs: does it only pass on what it receives, "
    "perhaps with another sign or shape, or does it multiply by an input or by its result?",
    solution='saving = "bc"',
    right="`exp` has saved its result and the product its two factors; the other three need no "
    "tensor. A second `backward()` fails at the product, which it reaches first.",
)
def check_saving(saving: object) -> None:
    parts = saving if isinstance(saving, list | tuple | set) else [saving]
    written = "".join(part for part in parts if isinstance(part, str)).lower()
    letters = {*written} - {*", "}
    expect(
        all(isinstance(part, str) for part in parts) and letters <= {*"abcde"},
        'The answer should be a string of the letters a to e, such as `saving = "ad"`.',
    )
    expect(
        "c" in letters,
        "To differentiate `b * p`, backward multiplies by the other factor. Where is that kept?",
    )
    expect(
        "b" in letters, "The gradient of `exp(a)` is `exp(a)` again, so the node needs that value."
    )
    expect(
        "d" not in letters,
        "The node of `c - 1` only passes on what it receives, just as that of `x + 1` does.",
    )
    expect(
        "a" not in letters,
        "The node of `-p` only changes the sign of what it receives, so it needs no value.",
    )
    expect(
        "e" not in letters,
        "The node of `d.sum()` passes what it receives to each element. For that it needs the "
        "shape of `d`, but none of its values.",
    )


def answer_for(answer: Callable[[float], Any], at: float) -> Any:
    """What an answer returns for a number; it should work in plain Python."""
    with (
        error_means("'math' is not", "`math` is not imported here, so write √w as `w**0.5`."),
        error_means(
            "Tensor",
            "`x` is a plain number, not a tensor, so write √w as `w**0.5`.",
            TypeError,
        ),
    ):
        return answer(at)


@exercise(
    "00.2",
    "1.6 by hand",
    difficulty=1,
    minutes=8,
    hint="The path through `y` has the factors `1 / y` and `3 * x**2`, and the one through `w` has "
    "two as well. Multiply along each path, and return the sum of the two products.",
    solution="""
        def gradient_by_hand(x):
            y, w = x**3, x**2
            through_y = 1 / y * 3 * x**2
            through_w = 1 / (2 * w**0.5) * 2 * x
            return through_y + through_w
    """,
    right="Multiply along each path and add over the paths: that is all `backward()` does.",
)
def check_gradient_by_hand(gradient_by_hand: Callable[[float], Any]) -> None:
    expect(
        not {"backward", "autograd"} & names_used(gradient_by_hand),
        "You let the library do the work. Multiply the four factors yourself.",
    )
    for at in (5.0, 2.0, 0.5):
        x = torch.tensor(at, dtype=torch.float64, requires_grad=True)
        (torch.log(x**3) + torch.sqrt(x**2)).backward()
        assert x.grad is not None
        wanted, got = x.grad.item(), answer_for(gradient_by_hand, at)
        expect(
            got is not None,
            "Your function returns None. If it prints the result, return that instead.",
        )
        expect(
            isinstance(got, float | int),
            f"The result should be a number, not `{type(got).__name__}`.",
        )
        expect(
            not same(got, 3 / at),
            "Either the path through `w` is missing, or you have multiplied the two paths. "
            "Through `w` the gradient is 1, which you have to add.",
        )
        expect(at == 5.0 or not same(got, 1.6), "1.6 is right at 5, but not for every `x`.")
        expect(
            type(got) is float or float(wanted).is_integer(),
            f"Your function returns the whole number {got}, but the gradient is not a whole "
            "number. Leave out the rounding.",
        )
        expect(
            not same(got, 1.0),
            "That is the path through `w` alone, and the path through `y` is missing.",
        )
        expect_none_of(
            got,
            {
                "You have put `x` in for `w`: `sqrt(w)` multiplies by 1/(2√w).": 3 / at + at**0.5,
                "You have evaluated both rules at `x`. Evaluate each at its own input: `log(y)` "
                "multiplies by 1/y, and `sqrt(w)` by 1/(2√w).": 3 * at + at**0.5,
                "`log(y)` multiplies by 1/y, so evaluate that at `y`, not at `x`.": 3 * at + 1,
                "You have added the factors along a path, but they have to be multiplied.": (
                    1 / at**3 + 3 * at**2 + 1 / (2 * at) + 2 * at
                ),
                "Python reads `1 / 2 * w**0.5` as half of √w, so write `1 / (2 * w**0.5)`.": (
                    3 / at + at**2
                ),
                "The rule of `sqrt(w)` is 1/(2√w), and your factor lacks the 2.": 3 / at + 2,
                "That is the factor of `x**3` alone, one of the four.": 3 * at**2,
                "That is the factor of `log(y)` alone, one of the four.": 1 / at**3,
                "That is the factor of `x**2` alone, one of the four.": 2 * at,
                "That is the factor of `sqrt(w)` alone, one of the four.": 1 / (2 * at),
            },
        )
        expect(
            same(got, wanted),
            f"At {at}, `x.grad` is {wanted:.4f}, and your function returns {got}.",
        )
        expect(
            math.isclose(got, wanted, rel_tol=1e-12),
            "Your number is close, but not exact. That happens if a small step moves `x`, or if a "
            "library computes in float32. Multiply the four factors instead.",
        )


class Held:
    """A leaf for the check of a node: it has a gradient and nothing else."""

    grad: Any = None


def call_backward(node: Any) -> None:
    """Call `node.backward()`; a second call must not miss anything."""
    with error_means(
        "NoneType",
        "Your `backward` adds None to a number. Either `leaf.grad` was None, as it may be before "
        "the first call, or your node has freed something that it needs the second time. It does "
        "not have to save anything.",
        TypeError,
    ):
        node.backward()


@exercise(
    "00.3",
    "The node of a sum",
    difficulty=1,
    minutes=5,
    hint="The gradient of `leaf + k` is 1, so `backward` adds 1.0 to `leaf.grad`, or to 0.0 "
    "if that is None. It does not need `k`, so there is nothing to save.",
    solution="""
        class Plus:
            def __init__(self, leaf, k):
                self.leaf = leaf

            def backward(self):
                self.leaf.grad = (self.leaf.grad or 0.0) + 1.0
    """,
    right="Your node saves nothing, so a second pass cannot miss anything. The same is true of "
    "PyTorch's AddBackward0, which saves no tensor.",
)
def check_plus(plus: type) -> None:
    leaf = Held()
    with error_means(TypeError, "`Plus(leaf, 7.0)` should make a node, so `__init__` takes both."):
        node = plus(leaf, 7.0)
    expect(leaf.grad is None, "Making the node has already changed `leaf.grad`.")
    expect(hasattr(node, "backward"), "`Plus` has no method `backward` yet.")
    saved = 7.0 in vars(node).values()
    call_backward(node)
    expect(leaf.grad is not None, "`leaf.grad` is still None after `backward()`.")
    expect(leaf.grad != 7.0, "You have added `k`, but the gradient of `leaf + k` is 1.")
    expect(
        leaf.grad == 1.0, f"After one call, `leaf.grad` should be 1.0, and yours is {leaf.grad}."
    )
    call_backward(node)
    expect(
        leaf.grad != 1.0,
        "After two calls, `leaf.grad` is still 1.0. Add to what it holds instead of replacing it.",
    )
    expect(leaf.grad == 2.0, f"After two calls, `leaf.grad` should be 2.0, not {leaf.grad}.")
    expect(
        7.0 not in vars(node).values(),
        "The gradients are right, but your node keeps `k`, which its gradient does not need.",
    )
    expect(
        not saved,
        "The gradients are right, but your node saves `k` and frees it again, although nothing "
        "needs it.",
    )
    leaf.grad = 1.6
    call_backward(node)
    expect(
        same(leaf.grad, 2.6),
        "If `leaf.grad` is 1.6 before the call, it should be 2.6 after it. Does your node "
        "count its own calls?",
    )
