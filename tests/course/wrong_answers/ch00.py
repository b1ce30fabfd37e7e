"""Wrong answers to the exercises of chapter 00."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "00.1": {
        "a string of the letters": "saving = 2",
        "multiplies by the other factor": 'saving = "b"',
        "is `exp(a)` again": 'saving = "c"',
        "just as that of `x + 1` does": 'saving = "bcd"',
        "changes the sign": 'saving = "abc"',
        "needs the shape of `d`": 'saving = "bce"',
    },
    "00.2": {
        "for every `x`": "return 1.6",
        "the path through `w` is missing": "return 1 / x**3 * 3 * x**2",
        "the path through `y` is missing": "return 2 * x / (2 * (x**2) ** 0.5)",
        "at `y`, not at `x`": "return 1 / x * 3 * x**2 + 1",
        "have added the factors along a path": {
            "1 / y * 3": "1 / y + 3",
            "w**0.5) * 2": "w**0.5) + 2",
        },
        "evaluated both rules at `x`": "return 1 / x * 3 * x**2 + 1 / (2 * x**0.5) * 2 * x",
        "a small step moves `x`": """
            def gradient_by_hand(x, h=1e-6):
                def z(x):
                    return math.log(x**3) + (x**2) ** 0.5

                import math

                return (z(x + h) - z(x - h)) / (2 * h)
        """,
        "put `x` in for `w`": {"w**0.5": "x**0.5"},
        "`math` is not imported": "return 3 / x + 2 * x / (2 * math.sqrt(x**2))",
        "a plain number, not a tensor": "return 3 / x + 2 * x / (2 * torch.sqrt(x**2))",
        "Leave out the rounding": "return int(3 / x + 1)",
        "as half of √w": {"(2 * w**0.5)": "2 * w**0.5"},
        "lacks the 2": {"(2 * w**0.5)": "w**0.5"},
        "the factor of `x**3` alone": "return 3 * x**2",
        "return that instead": {"return through_y + through_w": "print(through_y + through_w)"},
        "should be a number, not": "return torch.tensor(3 / x + 1)",
        "let the library do the work": """
            def gradient_by_hand(x):
                t = torch.tensor(float(x), requires_grad=True)
                (torch.log(t**3) + torch.sqrt(t**2)).backward()
                return t.grad.item()
        """,
    },
    "00.3": {
        "added `k`": {"+ 1.0": "+ self.k", "self.leaf = leaf": "self.leaf, self.k = leaf, k"},
        "Add to what it holds": {"(self.leaf.grad or 0.0) + 1.0": "1.0"},
        "adds None to a number": {"(self.leaf.grad or 0.0)": "self.leaf.grad"},
        "keeps `k`": {"self.leaf = leaf": "self.leaf, self.k = leaf, k"},
        "frees it again": {
            "self.leaf = leaf": "self.leaf, self.saved = leaf, k",
            "+ 1.0": "+ 1.0\n        self.saved = None",
        },
        "count its own calls": {
            "self.leaf = leaf": "self.leaf, self.calls = leaf, 0",
            "self.leaf.grad = (self.leaf.grad or 0.0) + 1.0": (
                "self.calls += 1\n        self.leaf.grad = float(self.calls)"
            ),
        },
    },
}
