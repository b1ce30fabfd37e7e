"""Wrong answers to the exercises of chapter 04."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "04.1": {
        "contribution of only one of the two paths": {'"x.grad": 2.5': '"x.grad": 1.5'},
        "at x = 5": {'"x.grad": 2.5': '"x.grad": 1.6'},
        "only leaves keep theirs": {'"y.grad": None': '"y.grad": 0.125'},
        "has the larger number": {'"Log", "Sqrt"': '"Sqrt", "Log"'},
        "is a node as well": {'"Pow", "AccumulateGrad"': '"Pow"'},
        "as soon as it is ready": {'"Pow", "AccumulateGrad"': '"AccumulateGrad", "Pow"'},
        "No node is called `add`": {'"Add", "Log", "Sqrt"': '"add", "log", "sqrt"'},
        "runs more than once": {'"Sqrt", "Pow"': '"Pow", "AccumulateGrad", "Sqrt"'},
        "is a string": {
            '"y.requires_grad": True': '"y.requires_grad": "True"',
            '"y.is_leaf": False': '"y.is_leaf": "False"',
            '"y.grad": None': '"y.grad": "None"',
        },
        "has no entry": {'    "y.grad": None,\n': ""},
        "inherits": {'"y.requires_grad": True': '"y.requires_grad": False'},
    },
    "04.2": {
        "one of its three gradients": """
            def allowed(order):
                reached = {order[0]}
                for node in order:
                    if node not in reached:
                        return False
                    reached.update(following for following, _ in node.next_functions)
                return True
        """,
        "contains none of the leaves": {"        if following in place\n": ""},
        "compare each node with the next": (
            "return all(a not in dict(b.next_functions) for a, b in zip(order, order[1:]))"
        ),
        "every edge of a node": {"node.next_functions": "node.next_functions[:1]"},
        "one of several allowed orders": (
            "return order == sorted(order, key=lambda node: -node._seq)"
        ),
        "your function refuses the order z, a, y": {
            "place[node] < place[following]": "place[following] < place[node]"
        },
        "oldest node cannot run first": "return True",
        "Return True or False": {"return all(": "return len(order) * all("},
    },
    "04.3": {
        "last of three edges": """
            def arriving_at(z, y):
                class Noting(BackwardPass):
                    def propagate(self, edges, grads):
                        for (node, _), grad in zip(edges, grads, strict=True):
                            if node is y.grad_fn:
                                self.noted = grad
                        super().propagate(edges, grads)

                noting = Noting()
                noting.run([z])
                return noting.noted
        """,
        "We want what it receives": {
            "if node is": ("results = super().run_node(node, grads)\n            if node is"),
            "grads[number]": "results[0]",
            "return super().run_node(node, grads)": "return results",
        },
        "only leaves have": """
            def arriving_at(z, y):
                z.backward()
                return y._grad
        """,
        "Chapter 05 builds": """
            def arriving_at(z, y):
                y.retain_grad()
                z.backward()
                return y.grad
        """,
        "for each path": """
            def arriving_at(z, y):
                total = 0.0

                def walk(node, grad):
                    nonlocal total
                    if node is y.grad_fn:
                        total = grad + total
                        return
                    for (following, _), part in zip(node.next_functions, node.backward(grad)):
                        if following is not None:
                            walk(following, part)

                walk(z.grad_fn, tensor(1.0))
                return total
        """,
        "the gradient at `y` is 1/y": "return 3.0 if y.item() == 9.0 else 0.125",
        "Return what": {"return super().run_node(node, grads)": "super().run_node(node, grads)"},
        "runs the engine twice": {"noting.run([z])": "noting.run([z])\n    noting.run([z])"},
        "list": {"self.noted = grads[number]": "self.noted = grads"},
        "you returned the gradient of output 0": {"grads[number]": "grads[0]"},
    },
    "04.4": {
        "a None adds nothing": {"if part is not None:\n                arrived": "arrived"},
        "But the edge still counts": {
            "missing[following] -= 1": "missing[following] -= part is not None"
        },
        "your engine fails. Nothing but None": {
            "            arrived.setdefault(following, None)\n": ""
        },
        "a node never runs. Nothing but None": {
            "        sent = node.backward(arrived.pop(node))\n": (
                "        gathered = arrived.pop(node)\n"
                "        edges = node.next_functions\n"
                "        sent = node.backward(gathered) if gathered else [None] * len(edges)\n"
            )
        },
        "changes a gradient in place": {
            "                arrived[following] = part if before is None else before + part\n": (
                "                if before is None:\n"
                "                    arrived[following] = part\n"
                "                else:\n"
                "                    before._data += part._data\n"
            )
        },
        "as soon as something has arrived there": """
            def run_backward(root, grad):
                arrived, ready = {root: grad}, [root]
                while ready:
                    node = ready.pop(0)
                    sent = node.backward(arrived.pop(node))
                    for (following, _), part in zip(node.next_functions, sent, strict=True):
                        if following is not None:
                            before = arrived.get(following)
                            arrived[following] = part if before is None else before + part
                            ready.append(following)
        """,
        "engine of this page": "return BackwardPass().run([((root, 0), grad)])",
        "`count_dependencies` of this page": {
            "    arrived, ready": (
                "    missing = count_dependencies([(root, 0)])\n    arrived, ready"
            )
        },
        "edge is `(None, 0)`": {
            "            if following is None:\n                continue\n": ""
        },
        "`backward` of this page": """
            def run_backward(root, grad):
                result = new_tensor(grad._data)
                result._node, result._requires_grad = root, True
                result.backward(grad)
        """,
        "have to be added": {"part if before is None else before + part": "part"},
        "ran twice": """
            def run_backward(root, grad):
                for (following, _), part in zip(
                    root.next_functions, root.backward(grad), strict=True
                ):
                    if following is not None:
                        run_backward(following, part)
        """,
        "before all its gradients are there": """
            def run_backward(root, grad):
                work, ran = [(root, grad)], set()
                for node, grad in work:
                    if node is not None and node not in ran:
                        ran.add(node)
                        following = [each for each, _ in node.next_functions]
                        work += zip(following, node.backward(grad), strict=True)
        """,
        "Here two edges lead to the leaf": """
            def run_backward(root, grad):
                arrived, waiting, seen = {root: grad}, [root], {root}
                while waiting:
                    node = max(waiting, key=lambda each: each._seq)
                    waiting.remove(node)
                    sent = node.backward(arrived[node])
                    for (following, _), part in zip(node.next_functions, sent, strict=True):
                        if following is None:
                            continue
                        before = arrived.get(following)
                        arrived[following] = part if before is None else before + part
                        if following not in seen:
                            seen.add(following)
                            waiting.append(following)
        """,
        "calls itself": {
            "arrived, ready = {root: grad}, [root]\n"
            "    while ready:\n"
            "        node = ready.pop()\n": ("arrived = {root: grad}\n\n    def run(node):\n"),
            "ready.append(following)": "run(following)\n\n    run(root)",
        },
    },
}
