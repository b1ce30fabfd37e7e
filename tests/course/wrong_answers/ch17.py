"""Wrong answers to the exercises of chapter 17."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "17.1": {
        "divide the logits, not the": {
            "(logits / temperature).softmax(0)": "logits.softmax(0) / temperature"
        },
        "Divide by the temperature": {"logits / temperature": "logits * temperature"},
        "without dividing by 0": "return (logits / temperature).softmax(0)",
        "True and False": {
            "tensor(np.eye(len(logits))[logits.argmax().item()])": "logits == logits.max()"
        },
        "which is not a tensor": {"softmax(0)": "softmax(0).numpy()"},
        "those of `softmax`": {"softmax(0)": "log_softmax(0)"},
    },
    "17.2": {
        "leaves out the empty context": {"range(len(context) + 1)": "range(1, len(context) + 1)"},
        "use `counts.get`": {
            "counts.get(context[len(context) - n :])": "counts[context[len(context) - n :]]"
        },
        "because −0 is 0": {"context[len(context) - n :]": "context[-n:]"},
        "at each context": {"extra * p": "extra / 27"},
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
        "makes them longer": {"if norm > limit:": "if True:"},
        "the norm from before": {"return norm": "return min(norm, limit)"},
        "is None": {" if each.grad is not None": ""},
        "a Python number": {"return norm": "return tensor(norm)"},
    },
    "17.4": {
        "sees the future": {" + future": ""},
        "the root of the size, which is 2": {" / size**0.5": ""},
        "Divide them by its root": {"size**0.5": "size"},
        "over the columns": {"softmax(-1)": "softmax(-2)"},
        "exchanged": {"query @ key.transpose": "key @ query.transpose"},
        "from the page": "return attend(query, key, value)",
        "No gradient reaches": {"return scores.softmax": "return scores.detach().softmax"},
        "a whole row of scores": {"np.inf), 1)": "np.inf), 0)"},
        "shows the future": {
            "np.triu(np.full((n, n), -np.inf), 1)": ("np.tril(np.full((n, n), -np.inf), -1)")
        },
        "no longer add up to 1": {
            " + future": "",
            "scores.softmax(-1)": "scores.softmax(-1) * tensor(np.tril(np.ones((n, n))))",
        },
    },
}
