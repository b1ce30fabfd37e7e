"""Wrong answers to the exercises of chapter 17."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "17.1": {
        "divide the scores, not the": {
            "(scores / temperature).softmax(0)": "scores.softmax(0) / temperature"
        },
        "divide by the temperature": {"scores / temperature": "scores * temperature"},
        "nothing is divided by 0": """
            def with_temperature(scores, temperature):
                return (scores / temperature).softmax(0)
        """,
        "which is not a tensor": {"(scores / temperature).softmax(0)": (
            "(scores / temperature).softmax(0).numpy()"
        )},
        "those of `softmax`": {"(scores / temperature).softmax(0)": (
            "(scores / temperature).log_softmax(0)"
        )},
    },
    "17.2": {
        "only fill up a row": {
            "            if following == 0:\n                break\n": "",
        },
        "how often": {"+= 1": "= 1"},
        "the two letters exchanged": {"[letter, following]": "[following, letter]"},
        "which letters begin one": {"zip(row, row[1:])": "zip(row[1:], row[2:])"},
        "where it ends": """
            def pairs(rows):
                counts = np.zeros((28, 28))
                for row in rows:
                    for letter, following in zip(row, row[1:]):
                        if following == 0:
                            break
                        counts[letter, following] += 1
                return counts
        """,
        "The shape is": {"np.zeros((28, 28))": "np.zeros((6, 6))"},
    },
    "17.3": {
        "library's `clip_grad_norm_`": """
            from minigrad.nn.utils import clip_grad_norm_ as shorten

            def clip(parameters, limit):
                return shorten(parameters, limit).item()
        """,
        "each gradient alone": """
            def clip(parameters, limit):
                norms = []
                for each in parameters:
                    if each.grad is not None:
                        norms.append((each.grad**2).sum().item() ** 0.5)
                        if norms[-1] > limit:
                            each.grad *= limit / norms[-1]
                return sum(norm**2 for norm in norms) ** 0.5
        """,
        "makes them longer": """
            def clip(parameters, limit):
                gradients = [each.grad for each in parameters if each.grad is not None]
                norm = sum((gradient**2).sum().item() for gradient in gradients) ** 0.5
                for gradient in gradients:
                    gradient *= limit / norm
                return norm
        """,
        "the norm from before": {"return norm": "return min(norm, limit)"},
        "is None": """
            def clip(parameters, limit):
                norm = sum((each.grad**2).sum().item() for each in parameters) ** 0.5
                if norm > limit:
                    for each in parameters:
                        each.grad *= limit / norm
                return norm
        """,
    },
}
