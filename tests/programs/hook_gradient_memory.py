"""Which gradients share memory: `.grad`, what hooks were given, and the cotangent."""

import torch


def leaf():
    return torch.tensor([1.0, 2.0], requires_grad=True)


def share(a, b):
    return a.data_ptr() == b.data_ptr()


def leaf_node(x):
    return (x * 1).grad_fn.next_functions[0][0]


FORMS = {
    "mul": lambda x: x * 3,
    "add": lambda x: x + 0,
    "sum": lambda x: x.sum(),
    "two paths": lambda x: x * 3 + x,
    "exp": lambda x: x.exp(),
    "mean": lambda x: (x * x).mean(),
    "neg": lambda x: -x,
    "clone": lambda x: x.clone(),
}


def add_hundred(x):
    x.grad.add_(100)


for name, form in FORMS.items():
    print("---", name)
    x = leaf()
    node = leaf_node(x)
    kept = []
    node.register_hook(lambda _, out, x=x, kept=kept: kept.append((out[0], share(out[0], x.grad))))
    y = form(x)
    y.backward(torch.ones_like(y), retain_graph=True)
    x.grad.add_(10)
    print("hook of the leaf's node:", kept, x.grad is kept[0][0])
    y.backward(torch.ones_like(y))
    print("and again:", kept, x.grad)

    x = leaf()
    node = leaf_node(x)
    node.register_prehook(lambda out: print("before:", out))
    node.register_hook(lambda _, out: print("after:", out))
    x.register_post_accumulate_grad_hook(add_hundred)
    y = form(x)
    y.backward(torch.ones_like(y))
    print("changed between:", x.grad)

    for which in ("hook of the leaf", "prehook of its node", "hook of the operation"):
        x = leaf()
        x.register_post_accumulate_grad_hook(add_hundred)
        kept = []
        y = form(x)
        if which == "hook of the leaf":
            x.register_hook(kept.append)
        elif which == "prehook of its node":
            node = leaf_node(x)
            node.register_prehook(lambda out, kept=kept: kept.append(out))
        else:
            y.grad_fn.register_hook(lambda *grads, kept=kept: kept.append(grads))
        y.backward(torch.ones_like(y))
        print(f"kept by the {which}:", kept, x.grad)

    x = leaf()
    y = form(x)
    given = []
    x.register_hook(lambda grad, given=given: given.append(grad.data_ptr()))
    cotangent = torch.ones_like(y)
    y.backward(cotangent)
    print("only seen:", x.grad.data_ptr() == given[0], share(x.grad, cotangent))

    if name in ("mul", "add", "exp", "neg", "clone"):
        x = leaf()
        y = form(x)
        y.grad_fn.register_hook(lambda grads, _: print("operation:", grads[0].mul_(5)))
        y.backward(torch.ones_like(y))
        print("changed by the operation's hook:", x.grad)

print("--- replaced")
x = leaf()
other = torch.ones(2) * 7
x.register_hook(lambda grad: other)
(x * 3).sum().backward()
print(share(x.grad, other))
x = leaf()
y = x + 0
same = []
y.grad_fn.register_hook(lambda ins, outs: same.append(ins[0] is outs[0]))
y.backward(torch.ones(2))
print(same)

print("--- two leaves")
x, y = leaf(), leaf()
(x + y).backward(torch.ones(2))
print(share(x.grad, y.grad))
first, second = torch.autograd.grad(x + y, [x, y], torch.ones(2))
print(share(first, second))

print("--- layout")
x = torch.ones(2, 3, requires_grad=True)
(x.t() * torch.ones(3, 2)).sum().backward()
print(x.grad.stride(), x.grad.view(-1))
x = torch.ones(2, 3).t().requires_grad_()
(x * 2).sum().backward()
print(x.grad.stride(), x.grad.is_contiguous())
x = torch.ones(2, 3).t().requires_grad_()
x.register_hook(lambda grad: print("stride", grad.stride()))
(x * 2).sum().backward()
print(x.grad.stride())
