"""Assignment registers parameters and modules, and nothing else takes their place."""

import torch
from show import attempt

nn = torch.nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(2))
        self.layer = nn.Linear(2, 1)
        self.register_buffer("count", torch.ones(1))
        self.later = None


class Early(nn.Module):
    def __init__(self, value):
        self.part = value


class EarlyBuffer(nn.Module):
    def __init__(self):
        self.register_buffer("part", torch.zeros(1))


attempt("parameter too early", lambda: Early(nn.Parameter(torch.zeros(1))))
attempt("module too early", lambda: Early(nn.Tanh()))
attempt("buffer too early", EarlyBuffer)

net = Net()
print([name for name, _ in net.named_parameters()], [name for name, _ in net.named_children()])
attempt("missing", lambda: net.nothing)
attempt("tensor for parameter", lambda: setattr(net, "weight", torch.zeros(2)))
attempt("number for parameter", lambda: setattr(net, "weight", 2))
attempt("number for module", lambda: setattr(net, "layer", 3))
attempt("tensor for module", lambda: setattr(net, "layer", torch.zeros(1)))
attempt("number for buffer", lambda: setattr(net, "count", 3))
attempt("parameter for buffer", lambda: setattr(net, "count", nn.Parameter(torch.zeros(3))))
print([name for name, _ in net.named_parameters()], list(net.buffers()))
attempt("None for parameter", lambda: setattr(net, "weight", None))
print(net.weight, [name for name, _ in net.named_parameters()])

net.later = nn.Parameter(torch.ones(1))
net.weight = nn.Parameter(torch.ones(2))
print([name for name, _ in net.named_parameters()])
for name in ("a.b", "", "later", "forward", 3):
    attempt(f"parameter {name!r}", lambda: net.register_parameter(name, None))
    attempt(f"buffer {name!r}", lambda: net.register_buffer(name, None))
    attempt(f"module {name!r}", lambda: net.add_module(name, nn.Tanh()))
print(net)
attempt("tensor registered", lambda: net.register_parameter("q", torch.zeros(1)))
attempt("number as buffer", lambda: net.register_buffer("q", 3))
attempt("number as module", lambda: net.add_module("q", 3))
del net.layer
attempt("deleted", lambda: net.layer)
attempt("no such attribute", lambda: delattr(net, "nothing"))
attempt("no forward", lambda: net(1))
