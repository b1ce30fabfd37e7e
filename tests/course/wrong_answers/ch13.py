"""Wrong answers to the exercises of chapter 13."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "13.1": {
        "a column of J": {"1, 0, 2, 0": "1, 0, 5"},
        "as many numbers as there are outputs": {"[1, 1, 1]": "[1, 1, 1, 1]"},
        "goes in whole": {
            '"backward passes for one product": 1': '"backward passes for one product": 3',
        },
        "the other way around": {
            '"backward passes for J": 3': '"backward passes for J": 4',
            '"forward runs for J": 4': '"forward runs for J": 3',
        },
        "columns, not rows": {"[1, 3, 5]": "[1, 3, 2, 0]"},
    },
    "13.2": {
        "adds up their derivatives": {'"x @ M": False': '"x @ M": True'},
        "sum over the batch": {'"x.softmax(0)[:, 0]": False': '"x.softmax(0)[:, 0]": True'},
        "over the three numbers": {'"x.softmax(1)[:, 0]": True': '"x.softmax(1)[:, 0]": False'},
        "taken over the batch": {'"(x - x.mean(0)) @ w": False': '"(x - x.mean(0)) @ w": True'},
        "a mean of its own": {
            '"(x - x.mean(1, keepdim=True)) @ w": True': (
                '"(x - x.mean(1, keepdim=True)) @ w": False'
            ),
        },
    },
    "13.3": {
        "That is row": "return grad(func(x)[j], x)[0]",
        "sum of the column": "return grad(func(x).sum(), x)[0][j]",
        "`x[j]` in the call": {
            "each, x, retain_graph=True)[0][j]": "each, x[j], retain_graph=True)[0]"
        },
        "freed": {", retain_graph=True": ""},
        "is a tuple": {"return stack(": "return tuple("},
        "Return a tensor": {"stack(": "list(", "[0][j]": "[0][j].item()"},
        "from the page above": "return jacobian(func, x)[:, j]",
        "did not run a backward pass": """
            def column(func, x, j):
                ahead, back = x.detach().clone(), x.detach().clone()
                ahead[j] += 0.5
                back[j] -= 0.5
                return func(ahead) - func(back)
        """,
        "forward mode": "return jvp(func, x, eye(x.numel())[j])",
        "passes for 2 outputs": {
            "in y.unbind()": "in y.unbind() if grad(each, x, retain_graph=True)"
        },
        "changed `x.grad`": """
            def column(func, x, j):
                y = func(x)
                found = []
                for n in range(y.numel()):
                    x.grad = None
                    y[n].backward(retain_graph=True)
                    found.append(x.grad[j].item())
                x.grad = None
                return tensor(found)
        """,
    },
    "13.4": {
        "freed": {"retain_graph=True, ": ""},
        "so `grad` raises": {", allow_unused=True": ""},
        "gradient is None": {"[0.0] * x.numel() if row is None else row.tolist()": "row.tolist()"},
        "rows are tensors": {"row.tolist()": "row"},
        "another leaf": {
            "(row,) = grad(y[n], x, retain_graph=True, allow_unused=True)": (
                "y[n].backward(retain_graph=True)\n        row, x.grad = x.grad, None"
            )
        },
        "from the page above": "return jacobian(func, x).tolist()",
        "did not run a backward pass": """
            def jacobian_rows(func, x):
                columns = []
                for j in range(x.numel()):
                    ahead, back = x.detach().clone(), x.detach().clone()
                    ahead[j] += 0.5
                    back[j] -= 0.5
                    columns.append((func(ahead) - func(back)).tolist())
                return [list(row) for row in zip(*columns)]
        """,
        "returns a tuple": {
            "(row,) = grad": "row = grad",
            "[0.0] * x.numel() if row is None else row.tolist()": "row",
        },
        "`func` ran 3 times": """
            def jacobian_rows(func, x):
                rows = [vjp(func, x, unit) for unit in eye(func(x).numel())]
                return [row.tolist() for row in rows]
        """,
        "rows and columns": {"return found": "return [list(column) for column in zip(*found)]"},
        "add up": {
            "(row,) = grad(y[n], x, retain_graph=True, allow_unused=True)": (
                "y[n].backward(inputs=[x], retain_graph=True)\n        row = x.grad"
            ),
            "return found": "x.grad = None\n    return found",
        },
    },
    "13.5": {
        "lead elsewhere": {"needed = set()": "return seen - {target}"},
        "includes the target itself": {"needed = set()": "needed = {target}"},
        "calls itself for each node": """
            def on_the_way(root, target):
                if root is target:
                    return set()
                needed = set()
                for following, _ in root.next_functions:
                    if following is not None:
                        behind = on_the_way(following, target)
                        needed |= behind
                        if following is target or behind:
                            needed.add(root)
                return needed
        """,
        "from the page above": (
            "return set(leading_to({target}, count_dependencies([(root, 0)]))) - {target}"
        ),
        "last edge": {"node: node._sequence_nr()": "node: -node._sequence_nr()"},
        "one path": """
            def on_the_way(root, target):
                seen, path = {root}, [root]
                while path:
                    for following, _ in path[-1].next_functions:
                        if following is target:
                            return set(path)
                        if following is not None and following not in seen:
                            seen.add(following)
                            path.append(following)
                            break
                    else:
                        path.pop()
                return set()
        """,
    },
}
