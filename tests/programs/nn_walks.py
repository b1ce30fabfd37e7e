"""Names, order and duplicates of what a network is made of; switches that reach all of it."""

import copy

import torch
from show import attempt

nn = torch.nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.act = nn.ReLU()
        self.scale = nn.Parameter(torch.ones(1))
        self.body = nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.1))
        self.register_buffer("count", torch.zeros(()))
        self.register_buffer("scratch", torch.zeros(1), persistent=False)
        self.tied = self.first

    def forward(self, x):
        return self.body(self.act(self.first(x))) * self.scale


def names(pairs):
    return [name for name, _ in pairs]


net = Net()
print(net)
print(names(net.named_parameters()))
print(names(net.named_parameters(remove_duplicate=False)))
print(names(net.named_parameters(recurse=False)), names(net.named_parameters(prefix="net")))
print(names(net.named_modules()), names(net.named_modules(remove_duplicate=False)))
print(names(net.named_modules(prefix="net")), names(net.named_children()))
print(names(net.named_buffers()), len(list(net.buffers(recurse=False))))
print(len(list(net.parameters())), len(list(net.modules())), len(list(net.children())))
print([name in dir(net) for name in ("first", "scale", "count", "forward", "nothing")])

print(net.training, net.eval() is net, [module.training for module in net.modules()])
print(net.train() is net, [module.training for module in net.modules()])
attempt("train(3)", lambda: net.train(3))
print(net.apply(lambda module: print("apply", type(module).__name__)) is net)

weight = net.first.weight
print(
    net.double() is net, weight is net.first.weight, weight.dtype, weight.is_leaf, net.count.dtype
)
net(torch.ones(2, dtype=torch.float64)).sum().backward()
print(net.to(torch.float32) is net, weight.dtype, weight.grad.dtype, weight.grad.shape)
attempt("to int64", lambda: net.to(torch.int64))
print(net.to("cpu") is net, net.to(torch.zeros(1, dtype=torch.float64)).scale.dtype)
print(net.to(dtype=torch.float16).count.dtype, net.float().scale)

net(torch.ones(2)).sum().backward()
net.zero_grad(set_to_none=False)
print(net.scale.grad)
net.zero_grad()
print(net.scale.grad)
print(net.requires_grad_(False) is net, [each.requires_grad for each in net.parameters()])

twin = copy.deepcopy(net)
print(twin.first is twin.tied, twin.first is net.first, twin.scale)
