"""Wrong answers to the exercises of chapter 00."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "00.1": {
        "An arrow is a use": "arrows = 1",
        "the arrow of `q`": "arrows = 3",
        "a whole number": "arrows = 2.0",
    },
    "00.2": {
        "for every `x`": """
            def gradient_by_hand(x):
                return 1.6
        """,
        "the path through `w` is missing": """
            def gradient_by_hand(x):
                return 1 / x**3 * 3 * x**2
        """,
        "the path through `y` is missing": """
            def gradient_by_hand(x):
                return 2 * x / (2 * (x**2) ** 0.5)
        """,
        "at `y`, not at `x`": """
            def gradient_by_hand(x):
                return 1 / x * 3 * x**2 + 1
        """,
        "added the factors of a path": """
            def gradient_by_hand(x):
                y, w = x**3, x**2
                return (1 / y + 3 * x**2) + (1 / (2 * w**0.5) + 2 * x)
        """,
        "Take each rule at its own input": """
            def gradient_by_hand(x):
                return 1 / x * 3 * x**2 + 1 / (2 * x**0.5) * 2 * x
        """,
        "a small step moves `x`": """
            def gradient_by_hand(x, h=1e-6):
                def z(x):
                    return math.log(x**3) + (x**2) ** 0.5

                import math

                return (z(x + h) - z(x - h)) / (2 * h)
        """,
        "read `w` as `x`": """
            def gradient_by_hand(x):
                y, w = x**3, x**2
                return 1 / y * 3 * x**2 + 1 / (2 * x**0.5) * 2 * x
        """,
        "`math` is not imported": """
            def gradient_by_hand(x):
                return 3 / x + 2 * x / (2 * math.sqrt(x**2))
        """,
        "a plain number, and no tensor": """
            def gradient_by_hand(x):
                return 3 / x + 2 * x / (2 * torch.sqrt(x**2))
        """,
        "return it": """
            def gradient_by_hand(x):
                print(3 / x + 1)
        """,
        "Return a number": """
            def gradient_by_hand(x):
                return torch.tensor(3 / x + 1)
        """,
        "let the library do it": """
            def gradient_by_hand(x):
                t = torch.tensor(float(x), requires_grad=True)
                (torch.log(t**3) + torch.sqrt(t**2)).backward()
                return t.grad.item()
        """,
    },
}
