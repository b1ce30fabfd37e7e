"""Threads: each has its modes, its backward and its hooks; leaves may be shared."""

import threading

import torch


def in_thread(function):
    thread = threading.Thread(target=function)
    thread.start()
    thread.join()


x = torch.tensor([1.0, 2.0], requires_grad=True)
with torch.no_grad():
    in_thread(lambda: print("there", torch.is_grad_enabled()))
    in_thread(lambda: torch.set_grad_enabled(True))
    print("here", torch.is_grad_enabled())
here = threading.current_thread()
y = x * 2
y.register_hook(
    lambda gradient: print("hook in the same thread", threading.current_thread() is here)
)
in_thread(lambda: y.sum().backward(retain_graph=True))
y.sum().backward()
hooks = torch.autograd.graph.saved_tensors_hooks(lambda t: (print("packed"), t)[1], lambda t: t)
with hooks:
    in_thread(lambda: print("not packed", x * x))
with torch.autograd.graph.disable_saved_tensors_hooks("only here"):
    in_thread(lambda: hooks.__enter__() or print("allowed there"))


def train():
    for _ in range(20):
        (x * x).sum().backward()


x.grad = None
threads = [threading.Thread(target=train) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(x.grad)
