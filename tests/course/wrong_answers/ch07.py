"""Wrong answers to the exercises of chapter 07."""

from tests.course.wrong_answers import WrongAnswers

WRONG: WrongAnswers = {
    "07.1": {
        "adds to what is there": "after = {1: 4.0, 2: 4.0, 3: 4.0, 4: None, 5: None, 6: 5.0}",
        "Two paths lead to": "after = {1: 4.0, 2: 8.0, 3: 11.0, 4: None, 5: None, 6: 5.0}",
        "None, not 0": "after = {1: 4.0, 2: 8.0, 3: 12.0, 4: 0.0, 5: 0.0, 6: 5.0}",
        "only records": "after = {1: 4.0, 2: 8.0, 3: 12.0, 4: None, 5: 5.0, 6: 5.0}",
        "a new sum": "after = {1: 4.0, 2: 8.0, 3: 12.0, 4: None, 5: None, 6: 17.0}",
    },
    "07.2": {
        "not divided": {
            "    count = sum(len(part) for part in parts)\n": "",
            "(loss(w, part) * (len(part) / count)).backward()": "loss(w, part).backward()",
        },
        "all parts alike": {
            "    count = sum(len(part) for part in parts)\n": "",
            "loss(w, part) * (len(part) / count)": "loss(w, part) / len(parts)",
        },
        "`w.grad` held before the call.": {"    w.grad = None\n": ""},
        "of only the last part": {
            "    w.grad = None\n": "",
            "for part in parts:": "for part in parts:\n        w.grad = None",
        },
        "only one backward at the end": """
            def in_parts(w, parts, loss):
                count = sum(len(part) for part in parts)
                w.grad = None
                total = 0.0
                for part in parts:
                    total = loss(w, part) * (len(part) / count) + total
                total.backward()
        """,
        "should be one backward for each part": """
            def in_parts(w, parts, loss):
                w.grad = None
                loss(w, [sample for part in parts for sample in part]).backward()
        """,
    },
    "07.3": {
        "sums of all samples so far": {
            "before = w.grad": "before = w.grad\n    w.grad = None",
            "        w.grad = None\n": "",
        },
        "must be what it was before": {"    before = w.grad\n": "", "    w.grad = before\n": ""},
        "into the tensor that `w.grad` held": {
            "found = []": ("found = []\n    last = 0.0 if before is None else before.item()"),
            "        w.grad = None\n": "",
            "(w.grad.item())": "(w.grad.item() - last)\n        last = w.grad.item()",
        },
        "one and the same tensor": {
            "before = w.grad": "before = w.grad\n    w.grad = None",
            "        w.grad = None\n": "",
            "found.append(w.grad.item())": "found.append(w.grad)",
        },
        "does not know your library's tensors": """
            def for_each(w, samples, loss):
                import minigrad as torch

                return [torch.autograd.grad(loss(w, [sample]), w)[0].item() for sample in samples]
        """,
        "from finite differences": """
            def for_each(w, samples, loss):
                value, step = w.item(), 1e-3

                def at(value, sample):
                    return loss(tensor(value), [sample]).item()

                return [(at(value + step, each) - at(value, each)) / step for each in samples]
        """,
        "Put back the object that was there": {
            "before = w.grad": "before = None if w.grad is None else tensor(w.grad.item())"
        },
        "written the formula of the loss yourself": """
            def for_each(w, samples, loss):
                value = w.item()
                return [2 * sample * (value * sample - 1) for sample in samples]
        """,
        "`w.grad` may also be None": {
            "before = w.grad": "before, number = w.grad, w.grad.item()",
            "w.grad = None": "w.grad = tensor(number)",
            "found.append(w.grad.item())": "found.append(w.grad.item() - number)",
        },
    },
    "07.4": {
        "Return two lists": {"return new_weights, new_velocities": "return new_weights"},
        "as if it were 0": {
            "if gradient is not None:": "if True:",
            "v + gradient": "v + (gradient or 0.0)",
        },
        "skips a gradient of 0": {"if gradient is not None:": "if gradient:"},
        "the old velocity": {
            "            v = momentum * v + gradient\n            w = w - rate * v\n": (
                "            w = w - rate * v\n            v = momentum * v + gradient\n"
            )
        },
        "instead of their default values": {
            "v = momentum * v + gradient\n            w = w - rate * v": (
                "v = 0.9 * v + gradient\n            w = w - 0.1 * v"
            )
        },
        "the lists that it was given": """
            def momentum_step(weights, velocities, gradients, rate=0.1, momentum=0.9):
                for i, gradient in enumerate(gradients):
                    if gradient is not None:
                        velocities[i] = momentum * velocities[i] + gradient
                        weights[i] -= rate * velocities[i]
                return weights, velocities
        """,
    },
    "07.5": {
        "overwrites": "return new_tensor(grad._data.copy())",
        "it is a new tensor": (
            "return new_tensor(grad._data.copy()) if held is None else held + grad"
        ),
        "shares its memory": {"return new_tensor(grad._data.copy())": "return grad"},
        "a third array": {
            "np.add(held._data, grad._data, out=as_array(held))": (
                "held._data[...] = held._data + grad._data"
            )
        },
        "a new array": {
            "np.add(held._data, grad._data, out=as_array(held))": (
                "held._data = held._data + grad._data"
            ),
        },
        "returns None": {"    return held": ""},
        "changed the gradient": {
            "as_array(held))\n    return held": "grad._data)\n    return grad"
        },
        "of the library, directly": (
            "return AccumulateGrad.new_sum(AccumulateGrad(grad), held, grad)"
        ),
    },
}
