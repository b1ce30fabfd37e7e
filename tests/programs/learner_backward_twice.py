"""Learners ask: why can I not go backward a second time? Graphs that are used again."""

import torch
from show import attempt

weight = torch.tensor(3.0, requires_grad=True)


def two_losses():
    trunk = weight**2
    return trunk * 2, trunk * 5


print("-- two losses on one trunk")
first, second = two_losses()
(first + second).backward()
print(weight.grad)
first, second = two_losses()
torch.autograd.backward([first, second])
print(weight.grad)
first, second = two_losses()
first.backward(retain_graph=True)
second.backward()
print(weight.grad)
first, second = two_losses()
first.backward()
attempt("second", second.backward)
print(weight.grad)

print("-- a part that was computed before the loop")
weight.grad = None
scale = weight**2
for step in range(2):
    loss = (scale - 1) ** 2
    attempt(f"step {step}", loss.backward)
    print(weight.grad)
    weight.grad = None

print("-- a graph that saved nothing")
shifted = weight + 1
shifted.backward()
shifted.backward()
print(weight.grad)
scaled = 2 * weight
scaled.backward()
attempt("a constant was saved", scaled.backward)

print("-- a hidden state that is carried on")
for cut in (True, False):
    recurrent = torch.tensor(0.5, requires_grad=True)
    hidden = torch.tensor(1.0)
    for step in range(3):
        hidden = hidden.detach() if cut else hidden
        hidden = hidden * recurrent + hidden * hidden * recurrent
        attempt(f"cut {cut}, step {step}", ((hidden - 2) ** 2).backward)
        print(recurrent.grad)


def nodes_of(node):
    found, waiting = set(), [node]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in found:
            found.add(node)
            waiting += [following for following, _ in node.next_functions]
    return found


print("-- and what retain_graph costs then")
for cut in (True, False):
    recurrent, hidden, sizes = torch.tensor(0.5, requires_grad=True), torch.tensor(1.0), []
    for _ in range(4):
        hidden = torch.tanh(recurrent * (hidden.detach() if cut else hidden))
        loss = hidden**2
        loss.backward(retain_graph=True)
        sizes.append(len(nodes_of(loss.grad_fn)))
    print(f"cut {cut}:", sizes)

print("-- a step between two backwards")
weight = torch.tensor([3.0], requires_grad=True)
optimizer = torch.optim.SGD([weight], lr=0.1)
trunk = weight**2
(trunk * 2).sum().backward(retain_graph=True)
optimizer.step()
attempt("the second, after the step", (trunk * 5).sum().backward)
print(weight)

print("-- no scalar")
vector = torch.tensor([1.0, 2.0], requires_grad=True)
matrix = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
attempt("without gradient", (vector**2).backward)
attempt("a wrong shape", lambda: (vector**2).sum().backward(torch.ones(1)))
for rows in ([1.0, 0.0], [0.0, 1.0], [10.0, 1.0]):
    (matrix @ vector).backward(torch.tensor(rows))
    print(rows, vector.grad)
    vector.grad = None
