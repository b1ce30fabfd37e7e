"""Wrong answers to the exercises of chapter 13."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "13.1": {
        "a column of J": {
            '"x.grad for v = [1, 0, 0]": [1, 0, 2, 0]': '"x.grad for v = [1, 0, 0]": [1, 0, 5]',
        },
        "as many numbers as there are outputs": {
            '"v for the sum of all rows": [1, 1, 1]': '"v for the sum of all rows": [1, 1, 1, 1]',
        },
        "goes in whole": {
            '"backward passes for one product": 1': '"backward passes for one product": 3',
        },
        "the other way around": {
            '"backward passes for J": 3': '"backward passes for J": 4',
            '"forward runs for J": 4': '"forward runs for J": 3',
        },
        "columns, not rows": {
            '"Ju for u = [1, 1, 0, 0]": [1, 3, 5]': '"Ju for u = [1, 1, 0, 0]": [1, 3, 2, 0]',
        },
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
        "That is row": """
            def column(func, x, j):
                y = func(x)
                return grad(y[j], x)[0]
        """,
        "sum of the column": """
            def column(func, x, j):
                y = func(x)
                return grad(y.sum(), x)[0][j]
        """,
        "`x[j]` in the call": """
            def column(func, x, j):
                y = func(x)
                return stack([grad(y[n], x[j], retain_graph=True)[0] for n in range(y.numel())])
        """,
        "freed": """
            def column(func, x, j):
                y = func(x)
                return stack([grad(y[n], x)[0][j] for n in range(y.numel())])
        """,
        "is a tuple": """
            def column(func, x, j):
                y = func(x)
                return tuple(grad(each, x, retain_graph=True)[0][j] for each in y.unbind())
        """,
        "Return a tensor": """
            def column(func, x, j):
                y = func(x)
                return [grad(each, x, retain_graph=True)[0][j].item() for each in y.unbind()]
        """,
        "from the page above": """
            def column(func, x, j):
                return jacobian(func, x)[:, j]
        """,
        "did not run a backward pass": """
            def column(func, x, j):
                ahead, back = x.detach().clone(), x.detach().clone()
                ahead[j] += 0.5
                back[j] -= 0.5
                return func(ahead) - func(back)
        """,
        "forward mode": """
            def column(func, x, j):
                return jvp(func, x, eye(x.numel())[j])
        """,
        "passes for 2 outputs": """
            def column(func, x, j):
                def row(n):
                    y = func(x)
                    return grad(y[n], x)[0]

                n = func(x).numel()
                return stack([row(n)[j] for n in range(n) if row(n).numel() > j])
        """,
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
        "freed": """
            def jacobian_rows(func, x):
                y = func(x)
                return [grad(y[n], x)[0].tolist() for n in range(y.numel())]
        """,
        "so `grad` raises": """
            def jacobian_rows(func, x):
                y = func(x)
                return [grad(y[n], x, retain_graph=True)[0].tolist() for n in range(y.numel())]
        """,
        "gradient is None": """
            def jacobian_rows(func, x):
                y = func(x)
                options = {"retain_graph": True, "allow_unused": True}
                return [grad(y[n], x, **options)[0].tolist() for n in range(y.numel())]
        """,
        "rows are tensors": """
            def jacobian_rows(func, x):
                y = func(x)
                return [grad(y[n], x, retain_graph=True)[0] for n in range(y.numel())]
        """,
        "another leaf": """
            def jacobian_rows(func, x):
                y, found = func(x), []
                for n in range(y.numel()):
                    x.grad = None
                    y[n].backward(retain_graph=True)
                    found.append([0.0] * x.numel() if x.grad is None else x.grad.tolist())
                x.grad = None
                return found
        """,
        "from the page above": """
            def jacobian_rows(func, x):
                return jacobian(func, x).tolist()
        """,
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
        "returns a tuple": """
            def jacobian_rows(func, x):
                y = func(x)
                return [grad(y[n], x, retain_graph=True) for n in range(y.numel())]
        """,
        "`func` ran 3 times": """
            def jacobian_rows(func, x):
                rows = [vjp(func, x, unit) for unit in eye(func(x).numel())]
                return [row.tolist() for row in rows]
        """,
        "rows and columns": {"return found": "return [list(column) for column in zip(*found)]"},
        "add up": """
            def jacobian_rows(func, x):
                y, found = func(x), []
                for n in range(y.numel()):
                    y[n].backward(inputs=[x], retain_graph=True)
                    found.append(x.grad.tolist())
                x.grad = None
                return found
        """,
    },
    "13.5": {
        "lead elsewhere": """
            def on_the_way(root, target):
                nodes, seen = [root], {root}
                for node in nodes:
                    for following, _ in node.next_functions:
                        if following not in (None, target) and following not in seen:
                            seen.add(following)
                            nodes.append(following)
                return seen
        """,
        "includes the target itself": {
            "nodes = [root]\n    seen = {root}": "nodes, seen = [root], {root}",
            "needed = set()": "needed = {target}",
            "ways = [following for following, _ in node.next_functions]\n"
            "        if any(each is target or each in needed for each in ways):": (
                "if any(following in needed for following, _ in node.next_functions):"
            ),
        },
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
        "from the page above": """
            def on_the_way(root, target):
                return set(leading_to({target}, count_dependencies([(root, 0)]))) - {target}
        """,
        "last edge": {
            "nodes = [root]\n    seen = {root}": "nodes, seen = [root], {root}",
            "for node in sorted(nodes, key=lambda node: node._sequence_nr()):\n"
            "        ways = [following for following, _ in node.next_functions]\n"
            "        if any(each is target or each in needed for each in ways):": (
                "for node in sorted(nodes, key=lambda node: -node._sequence_nr()):\n"
                "        if any(f is target or f in needed for f, _ in node.next_functions):"
            ),
        },
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
