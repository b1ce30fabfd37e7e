"""What chapter 00, start here, asks: the five-line puzzle, and one exercise to try the tools on."""

from course.declare import exercise, expect, prediction

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
    "The same call once more: what does `z.backward()` do now?",
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


@exercise(
    "00.1",
    "Read a drawing",
    difficulty=1,
    minutes=2,
    hint="Count how often `p` stands on the right of the last line. Each use is an arrow.",
    solution="arrows = 2",
    wrong={
        "An arrow is a use": "arrows = 1",
        "the arrow of `q`": "arrows = 3",
        "a whole number": "arrows = 2.0",
    },
    right="One arrow for each use, and along each of them a gradient will come back.",
)
def check_arrows(arrows: object) -> None:
    expect(type(arrows) is int, "The answer is a whole number, such as `arrows = 7`.")
    expect(arrows != 1, "You counted the box. An arrow is a use, and `p` is used more than once.")
    expect(arrows != 3, "You counted the arrow of `q` or the one between the operations as well.")
    expect(arrows == 2, "Look for `p` on the right of `r = p * q + p`; each use is an arrow.")
