"""Views that were made while nothing was recorded, or before their base required grad.

They require grad as their base does, but no graph leads from them: what is computed of them has a
node and gives them no gradient.
"""

import torch
from show import attempt, state


def leaf():
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def early():
    base = torch.tensor([1.0, 2.0, 3.0])
    view = base[:2]
    base.requires_grad_()
    return base, view


def unrecorded():
    base = leaf()
    with torch.no_grad():
        return base, base[:2]


def unrecorded_of_result():
    base = leaf() * 2
    with torch.no_grad():
        return base, base.t()[:2]


def unbound():
    base = leaf()
    with torch.no_grad():
        return base, base.split(2)[0]


for make in (early, unrecorded, unrecorded_of_result, unbound):
    print(make.__name__)
    base, view = make()
    state("the view", view)
    print(repr(view), view.is_leaf, view._base is base, view.grad_fn)
    for compute in (torch.sin, lambda x: x * 2, lambda x: 2 / x, lambda x: x * leaf()[1:]):
        result = compute(view)
        print(result, result.grad_fn.next_functions)
        result.sum().backward()
        print(view.grad, base.grad if base.is_leaf else None)
    for part in (view[0], view.unbind()[0], torch.stack([view, view])):
        print(part, part.grad_fn.next_functions, part.requires_grad)
    largest, where = view.max(0)
    print(largest, where)
    attempt("backward", lambda view=view: view.sum().backward())
    attempt("backward from it", lambda view=view: view.backward(torch.ones(2)))
    attempt("changed", lambda view=view: view.mul_(2))
    base, view = make()
    with torch.no_grad():
        view.mul_(2)
    attempt("asked after an unrecorded change", lambda view=view: print(view.grad_fn))
    base, view = make()
    view.requires_grad_()
    (view * 3).sum().backward()
    print("made a leaf by hand", view.grad, view.is_leaf)
    base, view = make()
    attempt("refuses to require none", lambda view=view: view.requires_grad_(False).requires_grad)
    print(view.requires_grad)

for make in (unrecorded, unrecorded_of_result):
    for change in ("itself", "its base", "another"):
        base, view = make()
        part = view[:1]
        changed = {"itself": part, "its base": base, "another": base[1:]}[change]
        attempt(f"a view of the view: {change}", lambda changed=changed: changed.mul_(2))
        attempt("its node", lambda part=part: print(type(part.grad_fn).__name__))

# A view of such a view has a history of its own, and cannot follow either.
for derive in (lambda view: view.view(-1), lambda view: view[0]):
    base, view = unrecorded_of_result()
    part = derive(view)
    attempt("changed", lambda part=part: part.mul_(2))
    base.mul_(2)
    attempt("its base changed", lambda part=part: part.grad_fn)

# What is computed of such a view alone saves what its gradient would need, and looks at it.
for compute in (torch.sin, torch.exp, lambda x: x.amin(0), lambda x: x**2, lambda x: x * x):
    base, view = unrecorded()
    result = compute(view)
    result.sum().backward()
    attempt("twice", lambda result=result: result.sum().backward())
    result = compute(view)
    with torch.no_grad():
        result.mul_(2)
    attempt("its result changed", lambda result=result: result.sum().backward())
    result = compute(view)
    with torch.no_grad():
        view.mul_(2)
    attempt("itself changed", lambda result=result: result.sum().backward())
