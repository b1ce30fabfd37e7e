"""The mode belongs to the thread: another one starts with gradients enabled."""

import threading

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
found = []


def work():
    found.append((torch.is_grad_enabled(), (x * 2).requires_grad))
    torch.set_grad_enabled(False)
    found.append((torch.is_grad_enabled(), (x * 2).requires_grad))


with torch.no_grad():
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    print(found, torch.is_grad_enabled())
print(torch.is_grad_enabled())
