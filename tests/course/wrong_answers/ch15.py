"""Wrong answers to the exercises of chapter 15."""

from tests.course.wrong_answers import WrongAnswers

TRIED = """\
    try:
        z.backward()
    finally:
        for handle in handles:
            handle.remove()
"""

WRONG: WrongAnswers = {
    "15.1": {
        "after all hooks": {
            '"1 y.grad": 16.0': '"1 y.grad": 5.0',
            '"2 y.grad": 31.0': '"2 y.grad": 10.0',
        },
        "change what its node receives": """
            found = {
                "1 y.grad": 16.0, "1 printed": 10.0, "1 w.grad": 10.0,
                "2 y.grad": 31.0, "2 printed": 10.0, "2 w.grad": 20.0,
            }
        """,
        "of this pass": {'"2 printed": 30.0': '"2 printed": 62.0'},
        "retained gradient": {'"2 y.grad": 31.0': '"2 y.grad": 15.0'},
        "only the hook": """
            found = {
                "1 y.grad": 16.0, "1 printed": 32.0, "1 w.grad": 32.0,
                "2 y.grad": 21.0, "2 printed": 10.0, "2 w.grad": 42.0,
            }
        """,
        "order of registration": """
            found = {
                "1 y.grad": 18.0, "1 printed": 36.0, "1 w.grad": 36.0,
                "2 y.grad": 33.0, "2 printed": 30.0, "2 w.grad": 66.0,
            }
        """,
    },
    "15.2": {
        "still empty after backward": {"return log": "return {}"},
        "can be None": {"if grad is not None:\n                ": ""},
        "only looks": {"grad.abs()": "grad.abs_()"},
        "under the name of the last": """
            def watch(tensors):
                log = {}

                def hook(grad):
                    log[name] = grad.abs().max().item()

                for name, each in tensors.items():
                    each.register_hook(hook)
                return log
        """,
        "returns something": """
            def watch(tensors):
                log = {}
                for name, each in tensors.items():
                    each.register_hook(
                        lambda grad, name=name: log.setdefault(name, grad.abs().max().item())
                    )
                return log
        """,
        "before backward had run": """
            def watch(tensors):
                for each in tensors.values():
                    each.retain_grad()
                return {name: each.grad for name, each in tensors.items()}
        """,
        "as a number": """
            def watch(tensors):
                log = {}
                for name, each in tensors.items():
                    each.register_hook(lambda grad, name=name: log.update({name: grad}))
                return log
        """,
        "largest absolute value": """
            def watch(tensors):
                log = {}
                for name, each in tensors.items():
                    each.register_hook(
                        lambda grad, name=name: log.update({name: grad.max().item()})
                    )
                return log
        """,
        "leaves only": """
            def watch(tensors):
                log = {}
                for name, each in tensors.items():
                    if each.is_leaf:
                        each.register_hook(
                            lambda grad, name=name: log.update({name: grad.abs().max().item()})
                        )
                return log
        """,
        "in that pass": """
            def watch(tensors):
                log = {}
                for name, each in tensors.items():
                    if each.is_leaf:
                        each.register_post_accumulate_grad_hook(
                            lambda leaf, name=name: log.update(
                                {name: leaf.grad.abs().max().item()}
                            )
                        )
                    else:
                        each.register_hook(
                            lambda grad, name=name: log.update({name: grad.abs().max().item()})
                        )
                return log
        """,
    },
    "15.3": {
        "overlooks an inf": {"grad.isfinite().all()": "(grad == grad).all()"},
        "only passed on": """
            def culprit(z):
                guilty = []

                def hook_for(node):
                    def hook(sent, came):
                        if any(g is not None and not g.isfinite().all() for g in sent):
                            guilty.append(node.name())

                    return hook

                nodes = count_dependencies([gradient_edge(z)])
                handles = [node.register_hook(hook_for(node)) for node in nodes]
                z.backward()
                for handle in handles:
                    handle.remove()
                return guilty[-1] if guilty else None
        """,
        "the last node": """
            def culprit(z):
                guilty = []

                def hook(sent, came):
                    if all(g.isfinite().all() for g in came):
                        if any(g is not None and not g.isfinite().all() for g in sent):
                            guilty.append(node.name())

                handles = []
                for node in count_dependencies([gradient_edge(z)]):
                    handles.append(node.register_hook(hook))
                z.backward()
                for handle in handles:
                    handle.remove()
                return guilty[0] if guilty else None
        """,
        "can be None": {"grad is None or ": ""},
        "which ran first": {
            "guilty[0]": "guilty[-1]",
            "if not finite(sent)": "if finite(came) and not finite(sent)",
        },
        "backward raises": {
            TRIED: """
    z.backward()
    for handle in handles:
        handle.remove()
""",
        },
        "swallow": {"finally:": "except ZeroDivisionError:\n        return None\n    finally:"},
        "still there": {TRIED: "    z.backward()\n"},
    },
    "15.4": {
        "each pass": """
            def keep_small(weights, limit):
                for w in weights:
                    w.register_hook(lambda grad: grad.clamp(-limit, limit))
        """,
        "return None": """
            def keep_small(weights, limit):
                for w in weights:
                    w.register_post_accumulate_grad_hook(
                        lambda leaf: leaf.grad.clamp(-limit, limit)
                    )
        """,
        "negative numbers": {"leaf.grad.clamp(-limit, limit)": "leaf.grad.clamp(max=limit)"},
        "not the leaf": {"w.register_post_accumulate_grad_hook(clip)": "w.register_hook(clip)"},
        "it is given": """
            def keep_small(weights, limit):
                for w in weights:
                    def clip(leaf):
                        w.grad = w.grad.clamp(-limit, limit)

                    w.register_post_accumulate_grad_hook(clip)
        """,
        "unclipped": {"grad = leaf.grad.clamp(-limit, limit)": "grad.clamp(-limit, limit)"},
    },
    "15.5": {
        "under the last name": {
            "found[name] = output.detach().clone()\n\n        return hook": (
                "found[names[-1]] = output.detach().clone()\n\n        return hook"
            ),
        },
        "keeps the whole graph": {"output.detach().clone()": "output.clone()"},
        "its output is": {"output.detach().clone()": "inputs[0].detach().clone()"},
        "Store a copy": {".clone()": ""},
        "call `remove()`": """
            def features(model, names, x):
                found = {}

                def hook_for(name):
                    return lambda module, inputs, out: found.update({name: out.detach().clone()})

                for name, module in model.named_modules():
                    if name in names:
                        module.register_forward_hook(hook_for(name))
                model(x)
                return found
        """,
        "model raises an error": """
            def features(model, names, x):
                found = {}

                def hook_for(name):
                    def hook(module, inputs, output):
                        found[name] = output.detach().clone()

                    return hook

                handles = [
                    module.register_forward_hook(hook_for(name))
                    for name, module in model.named_modules()
                    if name in names
                ]
                model(x)
                for handle in handles:
                    handle.remove()
                return found
        """,
    },
    "15.6": {
        "keeps the graph": """
            class MyHooks:
                def __init__(self):
                    self.hooks = {}

                def register(self, tensor, hook):
                    place = gradient_edge(tensor)
                    self.hooks.setdefault(place, []).append(hook)
                    return lambda: self.hooks[place].remove(hook)

                def call(self, node, grads):
                    grads = list(grads)
                    for number in range(len(grads)):
                        for hook in list(self.hooks.get((node, number), [])):
                            new = hook(grads[number])
                            grads[number] = grads[number] if new is None else new
                    return grads
        """,
        "next pass": """
            class MyHooks:
                def register(self, tensor, hook):
                    node, number = gradient_edge(tensor)
                    hooks = node.__dict__.setdefault("my_hooks", {})
                    key = object()
                    hooks[key] = number, hook
                    return lambda: hooks.pop(key, None)

                def call(self, node, grads):
                    grads = list(grads)
                    for number, hook in list(node.__dict__.get("my_hooks", {}).values()):
                        new = hook(grads[number])
                        grads[number] = grads[number] if new is None else new
                    return grads
        """,
        "after one that removes itself": """
            class MyHooks:
                def register(self, tensor, hook):
                    holder = tensor if tensor.grad_fn is None else tensor.grad_fn
                    hooks = holder.__dict__.setdefault("my_hooks", [])
                    entry = tensor._output_nr, hook
                    hooks.append(entry)
                    return lambda: hooks.remove(entry)

                def call(self, node, grads):
                    holder = node.variable if isinstance(node, AccumulateGrad) else node
                    grads = list(grads)
                    for number, hook in holder.__dict__.get("my_hooks", []):
                        new = hook(grads[number])
                        grads[number] = grads[number] if new is None else new
                    return grads
        """,
        "library's `register_hook`": """
            class MyHooks:
                def register(self, tensor, hook):
                    return tensor.register_hook(hook).remove

                def call(self, node, grads):
                    return grads
        """,
        "still in use": {"key = object()": "key = len(hooks)"},
        "the other output": {
            "hooks[key] = tensor._output_nr, hook": "hooks[key] = hook",
            'for number, hook in list(holder.__dict__.get("my_hooks", {}).values()):\n'
            "            new = hook(grads[number])\n"
            "            grads[number] = grads[number] if new is None else new": (
                'for hook in list(holder.__dict__.get("my_hooks", {}).values()):\n'
                "            new = hook(grads[0])\n"
                "            grads[0] = grads[0] if new is None else new"
            ),
        },
        "returns None": {"grads[number] if new is None else new": "new"},
        "returns zeros": {"grads[number] if new is None else new": "new or grads[number]"},
        "in the order of registration": {
            "grads = list(grads)": "grads, arrived = list(grads), list(grads)",
            "new = hook(grads[number])": "new = hook(arrived[number])",
        },
    },
}
