"""Wrong answers to the exercises of chapter 15."""

from tests.course.wrong_answers import WrongAnswers

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
        "only the hook": {
            '31.0, "2 printed": 30.0, "2 w.grad": 62': '21.0, "2 printed": 10.0, "2 w.grad": 42'
        },
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
        "under the name of the last": {"def hook_for(name):": "def hook_for(_):"},
        "returns something": {".item()": ".item()\n                return log[name]"},
        "before backward had run": """
            def watch(tensors):
                for each in tensors.values():
                    each.retain_grad()
                return {name: each.grad for name, each in tensors.items()}
        """,
        "as a number": {"grad.abs().max().item()": "grad"},
        "largest absolute value": {"grad.abs().max()": "grad.max()"},
        "leaves only": {"each.register_hook": "if each.is_leaf: each.register_hook"},
        "in that pass": {
            "log[name] = grad": "log[name] = (grad if grad.grad is None else grad.grad)",
            "each.register_hook": (
                "register = each.register_hook\n"
                "        if each.is_leaf:\n"
                "            register = each.register_post_accumulate_grad_hook\n"
                "        register"
            ),
        },
    },
    "15.3": {
        "overlooks an inf": {"grad.isfinite().all()": "(grad == grad).all()"},
        "only passed on": {"guilty[0] if": "guilty[-1] if"},
        "the last node": {
            "def hook_for(node):": "def hook_for(_):",
            "handles = [node.register_hook(hook_for(node)) for node in nodes]": (
                "handles = []\n"
                "    for node in nodes:\n"
                "        handles.append(node.register_hook(hook_for(node)))"
            ),
        },
        "can be None": {"grad is None or ": ""},
        "which ran first": {"not finite": "finite(came) and not finite", "guilty[0]": "guilty[-1]"},
        "backward raises": {"try:": "if True:", "finally:": "if True:"},
        "swallow": {"finally:": "except ZeroDivisionError:\n        return None\n    finally:"},
        "still there": {"handle.remove()": "pass"},
    },
    "15.4": {
        "each pass": """
            def keep_small(weights, limit):
                for w in weights:
                    w.register_hook(lambda grad: grad.clamp(-limit, limit))
        """,
        "return None": {"leaf.grad = leaf": "return leaf"},
        "negative numbers": {"leaf.grad.clamp(-limit, limit)": "leaf.grad.clamp(max=limit)"},
        "not the leaf": {"w.register_post_accumulate_grad_hook(clip)": "w.register_hook(clip)"},
        "it is given": {
            "def clip(leaf):": "def clip(_):",
            "leaf.grad = leaf.grad": "w.grad = w.grad",
        },
        "unclipped": {"grad = leaf.grad.clamp(-limit, limit)": "grad.clamp(-limit, limit)"},
    },
    "15.5": {
        "under the last name": {"[name] =": "[names[-1]] ="},
        "keeps the whole graph": {"output.detach().clone()": "output.clone()"},
        "its output is": {"output.detach().clone()": "inputs[0].detach().clone()"},
        "Store a copy": {".clone()": ""},
        "call `remove()`": {"handle.remove()": "pass"},
        "model raises an error": {"try:": "if True:", "finally:": "if True:"},
    },
    "15.6": {
        "keeps the graph": {
            "class MyHooks:": "class MyHooks:\n    kept = {}\n",
            'holder.__dict__.setdefault("my_hooks", {})': "self.kept.setdefault(holder, {})",
            'holder.__dict__.get("my_hooks", {})': "self.kept.get(holder, {})",
        },
        "next pass": {
            "tensor if tensor.grad_fn is None else tensor.grad_fn": "gradient_edge(tensor)[0]",
            "node.variable if isinstance(node, AccumulateGrad) else node": "node",
        },
        "after one that removes itself": {
            '("my_hooks", {})\n'
            "        key = object()\n"
            "        hooks[key] = tensor._output_nr, hook": (
                '("my_hooks", [])\n'
                "        entry = tensor._output_nr, hook\n"
                "        hooks.append(entry)"
            ),
            "hooks.pop(key, None)": "hooks.remove(entry)",
            'list(holder.__dict__.get("my_hooks", {}).values())': (
                'holder.__dict__.get("my_hooks", [])'
            ),
        },
        "library's `register_hook`": """
            class MyHooks:
                def register(self, tensor, hook):
                    return tensor.register_hook(hook).remove

                def call(self, node, grads):
                    return grads
        """,
        "still in use": {"key = object()": "key = len(hooks)"},
        "the other output": {"tensor._output_nr, hook": "0, hook"},
        "returns None": {"grads[number] if new is None else new": "new"},
        "returns zeros": {"grads[number] if new is None else new": "new or grads[number]"},
        "in the order of registration": {
            "grads = list(grads)": "grads, arrived = list(grads), list(grads)",
            "new = hook(grads[number])": "new = hook(arrived[number])",
        },
    },
}
