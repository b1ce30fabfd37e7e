"""Wrong answers to the exercises of chapter 18."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "18.1": {
        "by rows": """
            def by_columns(func, x):
                return functional.jacobian(func, x)
        """,
        "anew for each column": """
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
        "no backward pass": """
            def by_columns(func, x):
                steps = [tensor([1e-3, 0.0]), tensor([0.0, 1e-3])]
                return stack([(func(x + step) - func(x)) / 1e-3 for step in steps], 1)
        """,
        "rows and columns": {"stack(columns, 1)": "stack(columns)"},
        "freed": {"v, retain_graph=True": "v"},
        "comes without a graph": {"    x = x.detach().requires_grad_()\n": ""},
        "knows nothing of the tensors": """
            def by_columns(func, x):
                import torch
                return torch.func.jacfwd(func)(torch.tensor(x.tolist()))
        """,
        "stay as it is": {"x = x.detach().requires": "x.requires"},
    },
}
