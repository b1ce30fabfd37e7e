"""Parts of a network under their names; modules that were not made properly."""

import torch
from show import attempt

nn = torch.nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.body = nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.1))
        self.register_buffer("count", torch.zeros(()))
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x, times=1):
        return self.body(self.first(x)) * self.scale * times


net = Net()
attempt("registered", lambda: net.register_module("extra", nn.Tanh()))
attempt("left out", lambda: net.register_module("none", None))
print(net, net.none, repr(net.extra_repr()))
print([name for name in dir(net) if name in ("first", "body", "extra", "scale", "count")])
print([name for name in dir(net.body) if name in ("0", "1", "forward")])

attempt("to", lambda: net.to("cpu", torch.float64).scale.dtype)
attempt("to", lambda: net.to(torch.device("cpu"), dtype=torch.float32).scale.dtype)
attempt("to nothing", lambda: net.to() is net)
attempt("to, by the way", lambda: net.to(torch.float32, non_blocking=True).cpu() is net)
attempt("keyword", lambda: net(torch.ones(1, 2), times=2).shape)
attempt("no argument", lambda: net())
attempt("too many", lambda: net(torch.ones(1, 2), 3, 4))
attempt("Module(3)", lambda: nn.Module(3))
attempt("train(None)", lambda: net.train(None))


class Unmade(nn.Module):
    def __init__(self):
        self.number = 3


attempt("a number", lambda: Unmade().number)
attempt("training", lambda: Unmade().training)
attempt("parameters", lambda: list(Unmade().parameters()))
attempt("repr", lambda: repr(Unmade()))

del net.count, net.scale
attempt("forward", lambda: delattr(net, "forward"))
attempt("scale", lambda: net.scale)
print(hasattr(net, "count"), list(net.state_dict()))
net.scale = 5
print(net.scale, net.__dict__["scale"])
net.scale = nn.Parameter(torch.ones(1))
print(net.scale, "scale" in net.__dict__)
net.layers, net.plain = [nn.Linear(1, 1)], torch.ones(1)
print(len(list(net.parameters())), list(net.buffers()))
net.first = None
print(net, [name for name, _ in net.named_modules()], [name for name, _ in net.named_children()])
