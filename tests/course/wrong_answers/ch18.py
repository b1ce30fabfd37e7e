"""Wrong answers to the exercises of chapter 18."""

from tests.course.wrong_answers import WrongAnswers

GRADIENT = "    gradient = grad(loss(weights), weights, create_graph=True)\n"

WRONG: WrongAnswers = {
    "18.1": {
        "a length does not have a sign": {"return inner(vectors, times(vectors))": "return length"},
        "Take its square root": {"vectors, times": "times(vectors), times"},
        "by its own length": {"each / length for each": "e / inner([e], [e]) ** 0.5 for e"},
        "a huge number": {"vectors = [each / length for each in vectors]": "pass"},
        "was not recorded": {", create_graph=True": ""},
        "have the shape of its weight": {"(w.shape)": "(w.numel())"},
        "at most 22": {"for _ in range(rounds)": "for _ in range(2 * rounds)"},
        "freed the graph of the gradient": {", retain_graph=True": ""},
        "calls `loss` 21 times": {
            GRADIENT: "",
            "        return grad(gradient": f"    {GRADIENT}        return grad(gradient",
        },
        "calls `loss` 42 times": {
            GRADIENT: """
    def slope(vectors, step):
        moved = [(w + step * v).detach().requires_grad_() for w, v in zip(weights, vectors)]
        return grad(loss(moved), moved)
""",
            "        return grad(gradient, weights, vectors, retain_graph=True)": """
        before, after = slope(vectors, -1e-5), slope(vectors, 1e-5)
        return [(high - low) / 2e-5 for low, high in zip(before, after)]
""",
        },
        "not a float": {"return inner(vectors, times(vectors))": "return vectors[0].sum()"},
        "a `return` is missing": {"return inner(vectors, times": "inner(vectors, times"},
        "from the page": """
            def largest(loss, weights, rounds):
                ones = [w.new_zeros(w.shape) + 1.0 for w in weights]
                return sharpest(loss, weights, ones, rounds)[0]
        """,
        "knows nothing of your library": "return torch.autograd.functional.hessian(loss, weights)",
        "eigenvalues 2, 1 and 6": {"vectors = times(vectors)": "times(vectors)"},
        "has filled the `.grad`": {"return inner": "loss(weights).backward(); return inner"},
    },
    "18.2": {
        "as it would without a shift": {"a + shift * v": "a"},
        "not of H": {"return dot(vectors, product(loss, weights, vectors))": "return length"},
        "your function returns": {"shift * v": "shift"},
        "a `return` is missing": {"return dot": "dot"},
    },
    "18.3": {
        "by rows": "return functional.jacobian(func, x)",
        "again for each column": """
            def by_columns(func, x):
                columns = []
                for j in range(x.numel()):
                    unit = [0.0] * x.numel()
                    unit[j] = 1.0
                    columns.append(functional.jvp(func, x, tensor(unit))[1])
                return stack(columns, 1)
        """,
        "returns nothing": """
            def by_columns(func, x):
                functional.jvp(func, x, x)
        """,
        "runs no backward pass": """
            def by_columns(func, x):
                steps = [tensor([1e-3, 0.0]), tensor([0.0, 1e-3])]
                return stack([(func(x + step) - func(x)) / 1e-3 for step in steps], 1)
        """,
        "rows and columns are swapped": {"stack(columns, 1)": "stack(columns)"},
        "freed by the first": {"v, retain_graph=True": "v"},
        "does not have a graph, so": {"    x = x.detach().requires_grad_()\n": ""},
        "cannot differentiate with": """
            def by_columns(func, x):
                import torch
                return torch.func.jacfwd(func)(torch.tensor(x.tolist()))
        """,
        "Leave it as it was": {"x = x.detach().requires": "x.requires"},
    },
}
