"""Wrong answers to the exercises of chapter 12."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "12.1": {
        "what all its copies get": (
            "one, pair = [1.0], [[1.0], [1.0]]\n"
            "found = {1: one * 3, 2: pair, 3: [one * 5], 4: one * 2, 5: pair, 6: 1.0}"
        ),
        "the shape of `b`": """
            found = {
                1: [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]],
                2: [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]],
                3: [[1.0] * 5] * 4,
                4: [[1.0, 2.0], [3.0, 4.0]],
                5: [[1.0, 2.0], [3.0, 4.0]],
                6: [[1.0, 2.0], [3.0, 4.0]],
            }
        """,
        "down the columns": {
            "4: [4.0, 6.0],\n    5: [[3.0], [7.0]],": ("4: [3.0, 7.0],\n    5: [[4.0], [6.0]],")
        },
        "its brackets have to agree": {
            "2: [[3.0], [3.0]]": "2: [3.0, 3.0]",
            "3: [[4.0, 4.0, 4.0, 4.0, 4.0]]": "3: [4.0, 4.0, 4.0, 4.0, 4.0]",
            "5: [[3.0], [7.0]]": "5: [3.0, 7.0]",
        },
        "both operands are stretched": {"3: [[4.0, 4.0, 4.0, 4.0, 4.0]]": "3: [[1.0] * 5]"},
        "not over one row": {"6: 10.0": "6: 4.0"},
        "count the copies": {
            "1: [2.0, 2.0, 2.0]": "1: [3.0, 3.0, 3.0]",
            "2: [[3.0], [3.0]]": "2: [[2.0], [2.0]]",
        },
    },
    "12.2": {
        "one number for everything": "return grad if grad.shape == shape else grad.sum()",
        "length 1": """
            def reduced(grad, shape):
                while grad.ndim > len(shape):
                    grad = grad.sum(axis=0)
                return grad
        """,
        "one dimension too many": {".reshape(shape)": ""},
        "is on the left": {
            "(1,) * (grad.ndim - len(shape)) + tuple(shape)": (
                "tuple(shape) + (1,) * (grad.ndim - len(shape))"
            )
        },
        "the mean": {"grad.sum(axis=over, keepdims=True).": "grad.mean(axis=over, keepdims=True)."},
        "dimension by dimension": """
            def reduced(grad, shape):
                over = tuple(d for d, length in enumerate(grad.shape) if length not in shape)
                return grad.sum(axis=over).reshape(shape if over else grad.shape)
        """,
        "from the page above": "return sum_to(tensor(grad, dtype=float64), shape)._data",
        "only if both lengths are 1": """
            def reduced(grad, shape):
                lead = grad.ndim - len(shape)
                for _ in range(lead):
                    grad = grad.sum(axis=0)
                for axis, length in enumerate(shape):
                    if length == 1 and grad.shape[axis] > 1:
                        grad = grad.sum(axis=axis, keepdims=True)
                return grad
        """,
    },
    "12.3": {
        "came out transposed": {"lambda grad, x: grad.mT @ x": "lambda grad, x: x.mT @ grad"},
        "multiplies by `weight` itself": {"weight: grad @ weight": "weight: grad @ weight.mT"},
        "the mean over the batch": {"bias=lambda grad: grad": "bias=lambda grad: grad.mean(0)"},
        "not enough for two outputs": {"bias=lambda grad: grad": "bias=lambda grad: grad.sum()"},
        "Each of the three": {"    bias=lambda grad: grad,\n": ""},
        "several operations": """
            def affine(x, weight, bias):
                return x @ weight.mT + bias
        """,
        "make a row of your own": "affine = torch.nn.functional.linear",
    },
    "12.4": {
        "fits only a square matrix": {"matrix.mean(1, keepdim=True)": "matrix.mean(1)"},
        "the mean of each column": "return matrix - matrix.mean(0)",
        "mean of all elements": {"matrix - matrix.mean(1, keepdim=True)": "matrix - matrix.mean()"},
        "changes with the matrix": {"mean(1, keepdim=True)": "mean(1, keepdim=True).detach()"},
        "loses a dimension": "return (matrix - matrix.mean(1, keepdim=True)).flatten()",
    },
    "12.5": {
        "the same number": "return ((p - q) ** 2).sum(1)",
        "(M, N)": "return ((q.unsqueeze(1) - p) ** 2).sum(2)",
        "over the coordinates": "return ((p.unsqueeze(1) - q) ** 2).sum(1)",
        "asks for squared distances": "return ((p.unsqueeze(1) - q) ** 2).sum(2).sqrt()",
        "grows with the coordinates": """
            def distances(p, q):
                total = 0.0
                for d in range(p.shape[1]):
                    total = total + (p[:, d].unsqueeze(1) - q[:, d]) ** 2
                return total
        """,
        "grows with the points": """
            from minigrad_course.after_11 import stack

            def distances(p, q):
                return stack([((a - q) ** 2).sum(1) for a in p])
        """,
        "so there is a loop": """
            from minigrad_course.after_11 import stack

            def distances(p, q):
                rows = [stack([((a - b) ** 2).sum() for b in q]) for a in p]
                return stack(rows)
        """,
    },
}
