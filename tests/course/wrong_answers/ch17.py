"""Wrong answers to the exercises of chapter 17."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "17.1": {
        "divide the logits, not the": {
            "(logits / temperature).softmax(0)": "logits.softmax(0) / temperature"
        },
        "Divide by the temperature": {"logits / temperature": "logits * temperature"},
        "without dividing by 0": """
            def with_temperature(logits, temperature):
                return (logits / temperature).softmax(0)
        """,
        "True and False": """
            def with_temperature(logits, temperature):
                if temperature == 0:
                    return logits == logits.max()
                return (logits / temperature).softmax(0)
        """,
        "which is not a tensor": {"(logits / temperature).softmax(0)": (
            "(logits / temperature).softmax(0).numpy()"
        )},
        "those of `softmax`": {"(logits / temperature).softmax(0)": (
            "(logits / temperature).log_softmax(0)"
        )},
    },
    "17.2": {
        "leaves out the empty context": {"range(len(context) + 1)": "range(1, len(context) + 1)"},
        "use `counts.get`": {
            "counts.get(context[len(context) - n :])": "counts[context[len(context) - n :]]"
        },
        "because −0 is 0": {"context[len(context) - n :]": "context[-n:]"},
        "at each context": """
            def next_letter(counts, context, extra):
                p = np.full(27, 1 / 27)
                for n in range(len(context) + 1):
                    count = counts.get(context[len(context) - n :])
                    if count is not None:
                        p = (count + extra / 27) / (count.sum() + extra)
                return p
        """,
        "the last letter, and not": {"context[len(context) - n :]": "context[:n]"},
        "the short one has the last word": {
            "range(len(context) + 1)": "reversed(range(len(context) + 1))"
        },
        "do not add up to 1": {"count.sum() + extra": "count.sum() + 1"},
        "27 probabilities": {"return p": "return p.max()"},
    },
    "17.3": {
        "library's `clip_grad_norm_`": """
            from minigrad.nn.utils import clip_grad_norm_ as shorten

            def clip(parameters, limit):
                return shorten(parameters, limit).item()
        """,
        "on its own": """
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
        "a Python number": {"return norm": "return tensor(norm)"},
    },
    "17.4": {
        "sees the future": {" + future": ""},
        "the root of the size, which is 2": {" / size**0.5": ""},
        "Divide them by its root": {"size**0.5": "size"},
        "over the columns": {"softmax(-1)": "softmax(-2)"},
        "exchanged": {"query @ key.transpose": "key @ query.transpose"},
        "from the page": """
            def look_back(query, key, value):
                return attend(query, key, value)
        """,
        "No gradient reaches": {"return scores.softmax": "return scores.detach().softmax"},
        "a whole row of scores": {"np.inf), 1)": "np.inf), 0)"},
        "shows the future": {"np.triu(np.full((n, n), -np.inf), 1)": (
            "np.tril(np.full((n, n), -np.inf), -1)"
        )},
        "no longer add up to 1": """
            def look_back(query, key, value):
                n, size = query.shape[-2:]
                scores = query @ key.transpose(-2, -1) / size**0.5
                return scores.softmax(-1) * tensor(np.tril(np.ones((n, n)))) @ value
        """,
    },
}
