"""Wrong answers to the exercises of chapter 04."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "04.1": {
        "contribution of one of the two paths": {'"x.grad": 2.5': '"x.grad": 1.5'},
        "at x = 5": {'"x.grad": 2.5': '"x.grad": 1.6'},
        "only leaves keep theirs": {'"y.grad": None': '"y.grad": 0.125'},
        "has the larger number": {'"Log", "Sqrt"': '"Sqrt", "Log"'},
        "is a node as well": {'"Pow", "AccumulateGrad"': '"Pow"'},
        "as soon as it is ready": {'"Pow", "AccumulateGrad"': '"AccumulateGrad", "Pow"'},
        "runs more than once": {
            '"Sqrt", "Pow", "Pow", "AccumulateGrad"': (
                '"Pow", "AccumulateGrad", "Sqrt", "Pow", "AccumulateGrad"'
            ),
        },
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
        "contains none of the leaves": """
            def allowed(order):
                missing = {node: 0 for node in order}
                for node in order:
                    for following, _ in node.next_functions:
                        missing[following] += 1
                for node in order:
                    if missing[node] > 0:
                        return False
                    for following, _ in node.next_functions:
                        missing[following] -= 1
                return True
        """,
        "compare each node with the next": """
            def allowed(order):
                return all(
                    before not in {node for node, _ in after.next_functions}
                    for before, after in zip(order, order[1:])
                )
        """,
        "every edge of a node": """
            def allowed(order):
                place = {node: index for index, node in enumerate(order)}
                first = {node: node.next_functions[0][0] for node in order}
                return all(place[node] < place.get(first[node], len(order)) for node in order)
        """,
        "one of several allowed orders": """
            def allowed(order):
                numbers = [node._seq for node in order]
                return numbers == sorted(numbers, reverse=True)
        """,
        "yours refuses the order z, a, y": {
            "place[node] < place[following]": "place[following] < place[node]"
        },
        "oldest node cannot run first": """
            def allowed(order):
                return True
        """,
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
        "We want what it receives": """
            def arriving_at(z, y):
                class Noting(BackwardPass):
                    def run_node(self, node, grads):
                        results = super().run_node(node, grads)
                        if node is y.grad_fn:
                            self.noted = results[0]
                        return results

                noting = Noting()
                noting.run([z])
                return noting.noted
        """,
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
        "the gradient at `y` is 1/y": """
            def arriving_at(z, y):
                return 3.0 if y.item() == 9.0 else 0.125
        """,
        "Return what": {"return super().run_node(node, grads)": "super().run_node(node, grads)"},
        "runs the engine twice": {"noting.run([z])": "noting.run([z])\n    noting.run([z])"},
        "list": {"self.noted = grads[number]": "self.noted = grads"},
        "you returned the gradient of output 0": {"grads[number]": "grads[0]"},
    },
    "04.4": {
        "a None adds nothing": {
            "before = arrived.get(following)\n"
            "            if part is not None:\n"
            "                arrived[following] = part if before is None else before + part\n"
            "            arrived.setdefault(following, None)": (
                "arrived[following] = (\n"
                "                arrived[following] + part if following in arrived else part\n"
                "            )"
            ),
        },
        "But the edge still counts": {
            "arrived.setdefault(following, None)\n"
            "            missing[following] -= 1": "missing[following] -= part is not None",
        },
        "nothing has arrived": {"            arrived.setdefault(following, None)\n": ""},
        "engine of this page": """
            def run_backward(root, grad):
                BackwardPass().run([((root, 0), grad)])
        """,
        "`count_dependencies` of this page": {
            "missing, ahead = {root: 0}, [root]\n"
            "    while ahead:\n"
            "        for node, _ in ahead.pop().next_functions:\n"
            "            if node is not None:\n"
            "                if node not in missing:\n"
            "                    missing[node] = 0\n"
            "                    ahead.append(node)\n"
            "                missing[node] += 1": "missing = count_dependencies([(root, 0)])",
        },
        "edge is `(None, 0)`": """
            def run_backward(root, grad):
                missing, ahead = {root: 0}, [root]
                while ahead:
                    for node, _ in ahead.pop().next_functions:
                        if node is not None:
                            if node not in missing:
                                missing[node] = 0
                                ahead.append(node)
                            missing[node] += 1
                ready = [root]
                while ready:
                    for following, _ in ready.pop().next_functions:
                        missing[following] -= 1
                        if missing[following] == 0:
                            ready.append(following)
        """,
        "`backward` of this page": """
            def run_backward(root, grad):
                result = new_tensor(grad._data)
                result._node, result._requires_grad = root, True
                result.backward(grad)
        """,
        "have to be added": {
            "before = arrived.get(following)\n"
            "            if part is not None:\n"
            "                arrived[following] = part if before is None else before + part\n"
            "            arrived.setdefault(following, None)": "arrived[following] = part",
        },
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
        "calls itself": """
            def run_backward(root, grad):
                missing, arrived = {}, {}

                def count(node):
                    for following, _ in node.next_functions:
                        if following is not None:
                            missing[following] = missing.get(following, 0) + 1
                            if missing[following] == 1:
                                count(following)

                def run(node, grad):
                    sent = node.backward(grad)
                    for (following, _), part in zip(node.next_functions, sent, strict=True):
                        if following is not None:
                            before = arrived.get(following)
                            if part is not None:
                                arrived[following] = part if before is None else before + part
                            arrived.setdefault(following, None)
                            missing[following] -= 1
                            if missing[following] == 0:
                                run(following, arrived[following])

                count(root)
                run(root, grad)
        """,
    },
}
