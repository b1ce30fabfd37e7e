"""Learners ask: why does my loop train badly? Sums, means, shapes, frozen weights, clipping."""

import torch
from show import attempt

print("-- gradients add up")
weight = torch.tensor(1.0, requires_grad=True)
for step in range(3):
    (3 * weight).backward()
    print(step, weight.grad)
weight.grad.zero_()
(3 * weight).backward()
print(weight.grad)
weight.grad = None
print(weight.grad)
attempt("a gradient that is not there", lambda: 0.1 * weight.grad)

print("-- an update that makes a new tensor")
weight = torch.tensor(1.0, requires_grad=True)
(weight**2).backward()
updated = weight - 0.1 * weight.grad
print(updated, updated.is_leaf)
with torch.no_grad():
    updated = weight - 0.1 * weight.grad
print(updated, updated.grad)
attempt("in place, recorded", lambda: weight.sub_(0.1 * weight.grad))
with torch.no_grad():
    weight -= 0.1 * weight.grad
print(weight, weight.grad)

print("-- micro-batches")
samples = torch.tensor([1.0, 2.0, 3.0, 4.0, 10.0])
parts = samples[:2], samples[2:4], samples[4:]


def accumulated(batches, share):
    weight = torch.tensor(0.5, requires_grad=True)
    for batch in batches:
        (((weight * batch - 1) ** 2).mean() * share(batch)).backward()
    return weight.grad


print("all at once:", accumulated([samples], lambda batch: 1))
print("summed:", accumulated(parts, lambda batch: 1))
print("mean of means:", accumulated(parts, lambda batch: 1 / len(parts)))
print("by size:", accumulated(parts, lambda batch: len(batch) / len(samples)))

print("-- shapes that broadcast")
prediction = torch.tensor([[1.0], [2.0], [3.0]], requires_grad=True)
target = torch.tensor([1.0, 2.0, 3.0])
loss = torch.nn.functional.mse_loss(prediction, target)
loss.backward()
print(loss, (prediction - target).shape, prediction.grad)
print(torch.nn.functional.mse_loss(prediction.squeeze(1), target))

print("-- frozen, and moving on")
for to_none in (False, True):
    frozen = torch.tensor([1.0], requires_grad=True)
    head = torch.tensor([1.0], requires_grad=True)
    optimizer = torch.optim.SGD([frozen, head], lr=0.1, momentum=0.9)
    (frozen * head).sum().backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=to_none)
    frozen.requires_grad_(False)
    for _ in range(2):
        (frozen * head).sum().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=to_none)
    print(to_none, frozen, frozen.grad)

print("-- clipping")
pair = [torch.tensor([1.0], requires_grad=True) for _ in range(2)]
print(torch.nn.utils.clip_grad_norm_(pair, 1.0))
(3 * pair[0] + 4 * pair[1]).sum().backward()
print(torch.nn.utils.clip_grad_norm_(pair, max_norm=2.5), pair[0].grad, pair[1].grad)
print(torch.nn.utils.clip_grad_norm_(pair, max_norm=10.0), pair[0].grad, pair[1].grad)

print("-- two networks, one loss each")
maker = torch.tensor([2.0], requires_grad=True)
judge = torch.tensor([3.0], requires_grad=True)
fake = maker * 1.5
(judge * fake.detach()).sum().backward()
print(maker.grad, judge.grad)
judge.grad = None
(1 - judge * fake).sum().backward()
print(maker.grad, judge.grad)

print("-- one weight in several places")
shared = torch.tensor(3.0, requires_grad=True)
(shared * shared + 2 * shared).backward()
print(shared.grad)
layer = torch.nn.Linear(1, 1, bias=False)
torch.nn.init.constant_(layer.weight, 2.0)
layer(layer(torch.ones(1, 1))).sum().backward()
print(layer.weight.grad)
