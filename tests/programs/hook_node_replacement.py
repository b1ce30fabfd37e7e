"""What hooks of nodes may return: a tuple with as many gradients, of the same dtypes and shapes."""

import torch
from show import attempt


def product():
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([3.0, 4.0], requires_grad=True)
    return a, b, a * b


ones = torch.ones(2)
RETURNED = {
    "None": None,
    "two": (ones * 5, ones * 6),
    "one": (ones * 5,),
    "three": (ones, ones, ones),
    "none of them": (),
    "a tensor": ones,
    "a list": [ones, ones],
    "first None": (None, ones),
    "only None": (None, None),
    "just None": (None,),
    "number": (5, ones),
    "just a number": (5,),
    "longer": (torch.ones(3), ones),
    "just longer": (torch.ones(3),),
    "double": (ones.double(), ones),
    "0-d": (torch.tensor(1.0), ones),
    "text": "text",
}
for label, returned in RETURNED.items():
    a, b, y = product()
    y.grad_fn.register_hook(lambda inputs, outputs, returned=returned: returned)
    attempt(f"post, {label}", lambda: y.sum().backward())
    print(a.grad, b.grad)
    a, b, y = product()
    y.grad_fn.register_prehook(lambda outputs, returned=returned: returned)
    attempt(f"pre, {label}", lambda: y.sum().backward())
    print(a.grad, b.grad)
    a, _, y = product()
    accumulator = y.grad_fn.next_functions[0][0]
    accumulator.register_prehook(lambda outputs, returned=returned: returned)
    attempt(f"pre of the leaf, {label}", lambda: y.sum().backward())
    print(a.grad)
    a, _, y = product()
    accumulator = y.grad_fn.next_functions[0][0]
    accumulator.register_hook(lambda inputs, outputs, returned=returned: returned)
    attempt(f"post of the leaf, {label}", lambda: y.sum().backward())
    print(a.grad)


def longer(outputs):
    return (torch.ones(3),)


class Callable:
    def __call__(self, outputs):
        return (torch.ones(3),)


for hook in (longer, Callable()):
    _, _, y = product()
    y.grad_fn.register_prehook(hook)
    attempt("named", lambda: y.sum().backward())
a, _, y = product()
a.register_post_accumulate_grad_hook(lambda p: p.grad)
attempt("post accumulate", lambda: y.sum().backward())
print(a.grad)
