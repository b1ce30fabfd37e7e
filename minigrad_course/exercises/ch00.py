"""What chapter 00 asks: the five-line puzzle, a drawing to read, and a gradient by hand."""

import math
from collections.abc import Callable
from typing import Any

import minigrad as torch
from minigrad_course.ask.declare import Mistake, exercise, expect, prediction, same

prediction(
    "00.a",
    "`x` is 5. What is `x.grad` now?",
    {
        "tensor(0.6000)": "That is the gradient of `log(x³)` alone; `√(x²)` depends on `x`, too.",
        "tensor(1.)": "That is the gradient of `√(x²)` alone; `log(x³)` depends on `x`, too.",
        "tensor(1.6000)": "At 5, `log(x³)` has the gradient 0.6 and `√(x²)` has 1; `z` is "
        "their sum.",
    },
    answer="tensor(1.6000)",
)

prediction(
    "00.b",
    "`y` is 125, and `z` contains `log(y)`, whose gradient there is 1/125. What is `y.grad`?",
    {
        "tensor(0.0080)": "The number is right: `backward()` computed it and used it, but did "
        "not keep it.",
        "None": "The gradient was computed on the way to `x`, and not kept. A tensor that an "
        "operation made keeps its gradient only if you ask for it before.",
        "tensor(0.)": "A zero would say that `z` does not depend on `y`.",
    },
    answer="None",
)

prediction(
    "00.c",
    "You call `z.backward()` a second time. What does it do?",
    {
        "nothing: `x.grad` is 1.6 already": "`backward()` does not look at what `x.grad` holds; "
        "it would add to it.",
        "it adds 1.6, and `x.grad` is 3.2": "It would, if the first call had not freed what the "
        "operations had saved.",
        "it raises an error": "The operations have freed what they need to compute gradients.",
    },
    answer="it raises an error",
    shown="RuntimeError",
)

prediction(
    "00.d",
    "`x.grad` is still 1.6. Now `u = x + 1`, then `u.backward()` twice. What is `x.grad` then?",
    {
        "there is an error, as before": "The error comes when something saved is gone. For the "
        "gradient of `x + 1` nothing has to be saved.",
        "tensor(1.)": "That is the gradient of `x + 1`. `backward()` adds it to what is there.",
        "tensor(2.6000)": "Both calls add, the second one as well.",
        "tensor(3.6000)": "Each call adds the gradient 1 to the 1.6 that was there.",
    },
    answer="tensor(3.6000)",
)

prediction(
    "00.e",
    "`weight` is a tensor with `requires_grad=True` times 0.1. After `weight.sum().backward()`, "
    "what is `weight.grad`?",
    {
        "tensor([1., 1.])": "That is the gradient with respect to `weight`. It is passed on, but "
        "not kept.",
        "tensor([0.1000, 0.1000])": "That is the gradient of the tensor that `* 0.1` multiplies, "
        "and no variable holds that one.",
        "None": "`weight` is the product, and not the tensor that asked for gradients.",
    },
    answer="None",
    shown="True None",
)


@exercise(
    "00.1",
    "Read a drawing",
    difficulty=1,
    minutes=2,
    hint="Count how often `p` stands on the right of the last line. Each use is an arrow.",
    solution="arrows = 2",
    right="One arrow for each use, and along each of them a gradient will come back.",
)
def check_arrows(arrows: object) -> None:
    expect(type(arrows) is int, "The answer is a whole number, such as `arrows = 7`.")
    expect(arrows != 1, "You counted the box. An arrow is a use, and `p` is used more than once.")
    expect(arrows != 3, "You counted the arrow of `q` or the one between the operations as well.")
    expect(arrows == 2, "Look for `p` on the right of `r = p * q + p`; each use is an arrow.")


def answer_for(answer: Callable[[float], Any], at: float) -> Any:
    """What an answer returns for a number; it should work in plain Python."""
    try:
        return answer(at)
    except NameError as error:
        if error.name != "math":
            raise
        raise Mistake("`math` is not imported here. Write √w as `w**0.5`.") from None
    except TypeError as error:
        if "Tensor" not in str(error):
            raise
        raise Mistake("`x` is a plain number, and no tensor. Write √w as `w**0.5`.") from None


@exercise(
    "00.2",
    "1.6 by hand",
    difficulty=1,
    minutes=8,
    hint="Two factors on the path through `y`: `1 / y` and `3 * x**2`. Two on the one through `w`. "
    "Multiply along each path, and return the sum of the two.",
    solution="""
        def gradient_by_hand(x):
            y, w = x**3, x**2
            through_y = 1 / y * 3 * x**2
            through_w = 1 / (2 * w**0.5) * 2 * x
            return through_y + through_w
    """,
    right="Multiply along a path, add over paths: `backward()` does no more than that.",
)
def check_gradient_by_hand(gradient_by_hand: Callable[[float], Any]) -> None:
    names = getattr(getattr(gradient_by_hand, "__code__", None), "co_names", ())
    expect(
        not {"backward", "autograd"} & {*names},
        "You let the library do it. Multiply the four factors.",
    )
    for at in (5.0, 2.0, 0.5):
        x = torch.tensor(at, dtype=torch.float64, requires_grad=True)
        (torch.log(x**3) + torch.sqrt(x**2)).backward()
        assert x.grad is not None
        wanted, got = x.grad.item(), answer_for(gradient_by_hand, at)
        expect(got is not None, "Your function gives None. Do not print the result: return it.")
        expect(isinstance(got, float | int), f"Return a number, not `{type(got).__name__}`.")
        expect(
            not same(got, 3 / at),
            "That is one path: the path through `w` is missing, or you multiplied the two paths. "
            "The path through `w` brings 1. Add it.",
        )
        expect(at == 5.0 or not same(got, 1.6), "1.6 is right at 5, and not for every `x`.")
        expect(not same(got, 1.0), "That is one path; the path through `y` is missing.")
        slips = {
            3 / at + at**0.5: "You read `w` as `x`: `sqrt(w)` multiplies by 1/(2√w), at `w`.",
            3 * at + at**0.5: "Take each rule at its own input: `log(y)` multiplies by 1/y, and "
            "`sqrt(w)` by 1/(2√w). You took both at `x`.",
            3 * at + 1: "`log(y)` multiplies by 1/y: take it at `y`, not at `x`.",
            1 / at**3 + 3 * at**2 + 1 / (2 * at) + 2 * at: "You added the factors of a path.",
        }
        for slip, message in slips.items():
            expect(not same(got, slip), message)
        expect(same(got, wanted), f"At {at} `x.grad` is {wanted:.4f}, and yours is {got}.")
        expect(
            math.isclose(got, wanted, rel_tol=1e-12),
            "Nearly, but not to the last digits. That happens if a small step moves `x`, or if a "
            "library computes in float32. Multiply the four factors.",
        )
