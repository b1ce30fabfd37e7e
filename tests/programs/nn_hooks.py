"""Forward hooks see, and may replace, what goes in and what comes out."""

import torch

nn = torch.nn
layer = nn.Linear(2, 2, bias=False)
nn.init.ones_(layer.weight)


def look(module, args, output):
    print("after", type(module).__name__, args, output)


def double(module, args, output):
    return output * 2


def negate(module, args):
    print("before", args)
    return -args[0]


x = torch.tensor([1.0, 2.0])
handles = [layer.register_forward_hook(hook) for hook in (look, double, look)]
handles.append(layer.register_forward_pre_hook(negate))
print(layer(x))
handles[1].remove()
handles[3].remove()
print(layer(x))
with layer.register_forward_pre_hook(lambda module, args: (args[0] * 0,)):
    print(layer(x))
print(layer.forward(x))
