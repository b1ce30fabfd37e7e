"""Hooks of a single saved tensor; what saved-tensor hooks do beside that."""

import torch
from show import attempt

graph = torch.autograd.graph
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([3.0, 4.0], requires_grad=True)


def loud(name):
    return (
        lambda tensor: (print(name, "packs", tensor), tensor)[1],
        lambda packed: (print(name, "unpacks", packed), packed)[1],
    )


z = x * y
saved = z.grad_fn._raw_saved_self
saved.register_hooks(lambda t: (print("pack", t), t + 1)[1], lambda t: (print("unpack", t), t)[1])
print(z.grad_fn._saved_self, z.grad_fn._saved_other)
attempt("twice", lambda: saved.register_hooks(*loud("again")))
z.grad_fn._raw_saved_other.register_hooks(*loud("other"))
z.sum().backward(retain_graph=True)
z.sum().backward()
print(x.grad, y.grad)
attempt("freed", lambda: saved.register_hooks(*loud("late")))
constant = (x * 2).grad_fn
attempt("not saved", lambda: constant._raw_saved_self.register_hooks(*loud("nothing")))
cube = (x.detach().clone().requires_grad_() ** 3).grad_fn
attempt("edits", lambda: cube._raw_saved_self.register_hooks(lambda t: t.mul_(3), lambda t: t))

print("-- only the innermost")
with graph.saved_tensors_hooks(*loud("outer")):
    with graph.saved_tensors_hooks(*loud("inner")):
        z = x * y
    w = 2**x
(z + w).sum().backward()
print("-- in place")
with graph.saved_tensors_hooks(lambda tensor: tensor.clone(), lambda packed: packed):
    z = x * 1
    z.exp_()
    z.mul_(2)
    z.sigmoid_()
    w = z * z
    z.add_(1)
x.grad = None
(z + w).sum().backward()
print(x.grad)
with graph.save_on_cpu(pin_memory=True), graph.save_on_cpu():
    z = (x * y).exp()
print(z.grad_fn._saved_result, torch.autograd.grad(z.sum(), [x, y]))

print("-- disabled")
hooks = graph.saved_tensors_hooks(*loud("disabled"))


@graph.disable_saved_tensors_hooks("not in here")
def disabled():
    with hooks:
        print("unreachable")


attempt("inside", disabled)
attempt("inside again", disabled)
with graph.disable_saved_tensors_hooks("outer"):
    with graph.disable_saved_tensors_hooks("inner"):
        attempt("inner", hooks.__enter__)
    attempt("outer", hooks.__enter__)
with hooks:
    attempt("while in use", disabled)
