"""Wrong answers to the exercises of chapter 19."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "19.1": {
        "requires grad": (
            "return [name for name, leaf in parameters.items() if not leaf.requires_grad]"
        ),
        "ran backward": {"seen, ahead": "loss.backward()\n    seen, ahead"},
        "does the walk for you": """
            def unreached(loss, parameters):
                nodes = count_dependencies([(loss.grad_fn, 0)])
                reached = {id(node.variable) for node in nodes if hasattr(node, "variable")}
                return [name for name, leaf in parameters.items() if id(leaf) not in reached]
        """,
        "from an earlier pass": (
            "return [name for name, leaf in parameters.items() if leaf.grad is None]"
        ),
        "compare values": {
            "reached = set(), [loss.grad_fn], set()": "reached = set(), [loss.grad_fn], []",
            "reached.add(id(node.variable))": "reached.append(node.variable)",
            "leaf in parameters.items() if id(leaf) not": "leaf in parameters.items() if leaf not",
        },
        "the wrong way around": {"not in reached]": "in reached]"},
        "Return a list of names": {"return [name": "return {name", "reached]": "reached}"},
        "A loss without a graph": {
            "node is None or node in seen": "node in seen",
            "in node.next_functions]": "in node.next_functions if each is not None]",
        },
        "No pass is needed": """
            def unreached(loss, parameters):
                import minigrad as torch

                leaves = list(parameters.values())
                grads = torch.autograd.grad(loss, leaves, allow_unused=True)
                pairs = zip(parameters, grads)
                return [name for name, grad in pairs if grad is None]
        """,
    },
    "19.2": {
        "take away what is excluded": {" - excluded": ""},
        "taken away last": {"(carried | included) - excluded": "(carried - excluded) | included"},
        "includes Python": {"(carried | included)": "carried"},
        "follow `ORDER`": {"for key in ORDER": "for key in table"},
        "ends there": {'if entry == "composite":\n                break': "pass"},
        "also reaches CPU": {'if entry == "composite":\n                break': "break"},
        "has no entry at ADInplaceOrView": {' and entry != "falls through"': ""},
        "Three functions run": {
            "if key in keys and entry": 'if key in keys - {"ADInplaceOrView"} and entry'
        },
        "changes what it was given": {
            "keys, found = (carried | included) - excluded, []": (
                "carried |= included\n    keys, found = carried - excluded, []"
            )
        },
        "Return a list of keys": {"return found": "return {*found}"},
    },
    "19.3": {
        "in front of a colon": {
            '{"result"}': '{"self", "result"}',
            '"sign": set(),\n    "sum": set(),': '"sign": {"self"},\n    "sum": {"self"},',
        },
        "only its input's shape": {'"sum": set()': '"sum": {"self"}'},
        "`grad` is not saved": {
            '"sign": set()': '"sign": {"grad"}',
            '"sum": set()': '"sum": {"grad"}',
        },
        "Give a set of names": {'"sin": {"self"}': '"sin": "self"'},
        "the empty set": {'"sign": set()': '"sign": {}', '"sum": set()': '"sum": {}'},
        "both formulas": {'"hypot": {"self", "other", "result"}': '"hypot": {"self", "result"}'},
    },
    "19.4": {
        "Make a new sum": {
            "arrived[after] = arrived[after] + part if after in arrived else part": (
                "if after in arrived:\n"
                "                    arrived[after] += part\n"
                "                else:\n"
                "                    arrived[after] = part"
            ),
        },
        "more than once": """
            def gradients(root, grad):
                found, ahead = {}, [(root, grad)]
                while ahead:
                    node, grad = ahead.pop()
                    if hasattr(node, "variable"):
                        found[node.variable] = found.get(node.variable, 0) + grad
                        continue
                    results = node(grad)
                    results = results if isinstance(results, tuple) else (results,)
                    for (after, _), part in zip(node.next_functions, results):
                        if after is not None:
                            ahead.append((after, part))
                return found
        """,
        "leaves themselves": {"found[node.variable]": "found[id(node.variable)]"},
        "one of the paths": {"arrived[after] + part if after in arrived else part": "part"},
        "called the AccumulateGrad": {
            "found[node.variable]": "node(grad)\n            found[node.variable]"
        },
        "reads a leaf's `.grad`": {
            "found[node.variable] = grad": "found[node.variable] = node.variable.grad"
        },
        "is empty": "return {}",
        "Each thread numbers": """
            def gradients(root, grad):
                arrived, found = {root: grad}, {}
                while arrived:
                    inner = [each for each in arrived if not hasattr(each, "variable")]
                    node = max(inner or arrived, key=lambda each: each._sequence_nr())
                    grad = arrived.pop(node)
                    if hasattr(node, "variable"):
                        found[node.variable] = grad
                        continue
                    results = node(grad)
                    results = results if isinstance(results, tuple) else (results,)
                    for (after, _), part in zip(node.next_functions, results):
                        if after is not None:
                            arrived[after] = part + arrived.get(after, 0)
                return found
        """,
        "called no node": """
            def gradients(root, grad):
                found, ahead = {}, [root]
                while ahead:
                    node = ahead.pop()
                    if hasattr(node, "variable"):
                        import minigrad as torch

                        found[node.variable] = torch.autograd.grad(root, node.variable, grad)
                    ahead += [each for each, _ in node.next_functions if each is not None]
                return found
        """,
        "tuple": {"        results = results if isinstance(results, tuple) else (results,)\n": ""},
    },
}
