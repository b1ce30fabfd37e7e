"""What a network saves and loads, and what it says when names or shapes do not fit."""

import torch
from show import attempt

nn = torch.nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 2)
        self.body = nn.Sequential(nn.Linear(2, 1, bias=False), nn.ReLU())
        self.register_buffer("count", torch.zeros(()))
        self.register_buffer("scratch", torch.zeros(1), persistent=False)


net = Net()
for number, parameter in enumerate(net.parameters()):
    torch.nn.init.constant_(parameter, number)
state = net.state_dict()
print(list(state.items()))
print(list(net.state_dict(prefix="net.")), type(state).__name__)
print([type(value).__name__ for value in net.state_dict(keep_vars=True).values()])
state["first.bias"].add_(5)
print(net.first.bias, net.first.bias._version)

attempt("all of it", lambda: Net().load_state_dict(state))
del state["count"], state["first.bias"]
state["first.weight"] = torch.ones(5, 5)
for key in ("body.0.bias", "body.7.weight", "extra", "first.more", "scratch", "first"):
    state[key] = torch.ones(1)
attempt("strict", lambda: net.load_state_dict(state))
attempt("not strict", lambda: net.load_state_dict(state, strict=False))
state["first.weight"] = torch.full((2, 2), 7.0)
attempt("shapes fit", lambda: net.load_state_dict(state, strict=False))
print(net.first.weight, net.first.weight._version)
attempt("another dtype", lambda: net.load_state_dict({"count": torch.tensor(3)}, strict=False))
print(net.count)
attempt("a number", lambda: net.load_state_dict(3))
attempt("a list in it", lambda: net.load_state_dict({"first.bias": [1.0, 2.0]}, strict=False))
result = nn.Tanh().load_state_dict({})
print(result, result.missing_keys, result.unexpected_keys)
