"""The arguments of backward and grad, right and wrong."""

import torch
from show import attempt

grad, backward = torch.autograd.grad, torch.autograd.backward
a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
unused = torch.tensor([1.0, 1.0], requires_grad=True)
y = a * b
z = (y * y).sum()
ones = torch.ones(2)

for inputs in ([], (), None, 5, [None], ["a"], "ab", ones, [a, ones], unused, [a, a, y], {a}, z):
    attempt(f"grad {inputs}", lambda inputs=inputs: grad(z, inputs, retain_graph=True))
for inputs in ([], 5, [None], ["a"], ones, [a, ones], [unused], [a, a], (y,), [z, a]):
    a.grad = None
    attempt(f"backward {inputs}", lambda inputs=inputs: z.backward(None, True, inputs=inputs))
    print(a.grad)
for root in (5, None, [None], "ab", [], [y, None], [z, z], (z, y), [z, ones], ones, a, a.sum()):
    a.grad = None
    attempt(f"root {root}", lambda root=root: backward(root, retain_graph=True))
    print(a.grad)
    attempt(f"grad of {root}", lambda root=root: grad(root, a, retain_graph=True))
COTANGENTS = [None, ones, 2.0, [1.0, 1.0], [ones], (ones,), [None], [ones, ones], [], "x"]
COTANGENTS += [torch.ones(3), torch.ones(1, 2), torch.tensor(1.0), torch.ones(0)]
COTANGENTS += [ones.double(), ones.int()]
for cotangent in COTANGENTS:
    a.grad = None
    attempt(f"for {cotangent}", lambda c=cotangent: grad(y, a, c, retain_graph=True))
    attempt("backward", lambda c=cotangent: backward(y, c, retain_graph=True))
    print(a.grad)
for cotangent in (torch.ones(1), 2.0, torch.tensor(2), torch.tensor(2.0).double()):
    attempt(f"0-d for {cotangent}", lambda c=cotangent: grad(z, a, c, retain_graph=True))
attempt("unused", lambda: grad(z, [a, unused], allow_unused=True, retain_graph=True))
attempt("zeros", lambda: grad(z, unused, materialize_grads=True, retain_graph=True))
attempt("both", lambda: grad(z, unused, allow_unused=False, materialize_grads=True))
attempt("by position", lambda: grad(z, [unused], None, True, False, True, True))
attempt("the old argument", lambda: grad(z, a, retain_graph=True, only_inputs=False))
attempt("too few", lambda: backward([z, y], [None], retain_graph=True))
attempt("more", lambda: backward([z], [None, None], retain_graph=True))

edge = torch.autograd.graph.get_gradient_edge
print(edge(y).node is y.grad_fn, edge(y).output_nr, len(edge(y)), edge(y) == edge(y))
print(grad(z, [edge(y), edge(a)], retain_graph=True), grad(edge(z), a, retain_graph=True))
print(grad([edge(z), edge(y)], a, [None, ones], retain_graph=True))
attempt("edge of several", lambda: grad(edge(y), a, retain_graph=True))
attempt("unused edge", lambda: grad(a.sum(), edge(y), allow_unused=True))
attempt("zeros for an edge", lambda: grad(a.sum(), edge(y), materialize_grads=True))
z.backward(inputs=[edge(b)], retain_graph=True)
print(b.grad)
