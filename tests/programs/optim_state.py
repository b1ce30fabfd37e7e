"""Names of parameters, options, copies of optimizers, and what they share."""

import copy
import pickle

import torch
from show import attempt

nn, optim = torch.nn, torch.optim


def parameter(*values, dtype=torch.float32):
    made = nn.Parameter(torch.tensor(values, dtype=dtype))
    made.grad = torch.ones(len(values), dtype=dtype)
    return made


weight = parameter(1.0, -2.0)
layer = nn.Linear(1, 1)
attempt("by position", lambda: optim.SGD([weight], 0.1, 0.9, 0, 0.1, True))
attempt("options", lambda: optim.SGD([weight], foreach=False, fused=None, differentiable=False))
attempt("named", lambda: optim.SGD([("a", weight), ("b", parameter(1.0))]))
attempt("named", lambda: optim.Adam(layer.named_parameters(), lr=0.1).state_dict())
attempt("named", lambda: optim.SGD([{"params": layer.named_parameters()}]).param_groups[0]["lr"])
attempt("some named", lambda: optim.SGD([("a", weight), parameter(1.0)]))
attempt("unknown", lambda: optim.SGD([weight], rate=1))
attempt("nothing", lambda: optim.SGD())
attempt("a tensor", lambda: optim.SGD([weight], lr=torch.tensor(0.1)))
attempt("two rates", lambda: optim.SGD([weight], lr=torch.tensor([0.1, 0.2])))
attempt("one beta", lambda: optim.Adam([weight], betas=(0.9,)))
attempt("no pair", lambda: optim.Adam([weight], betas=0.9))
attempt("integers", lambda: optim.Adam([weight], betas=(0, 0.9)))
attempt("a view", lambda: optim.SGD([torch.ones(3, requires_grad=True)[1]]))
attempt("no step", lambda: optim.Optimizer([weight], {}).step())
attempt("no options", lambda: optim.Optimizer([weight]))
attempt("closure", lambda: optim.SGD([weight]).step(lambda: 3))

group = {"params": weight, "note": "mine"}
optimizer = optim.SGD([group], lr=0.1, momentum=0.9)
print(optimizer.param_groups[0] is group, group["params"], group["note"], group["lr"])
group["lr"] = 1.0
optimizer.defaults["lr"] = 7.0
optimizer.step()
print(weight, optimizer.state)
for twin in (copy.deepcopy(optimizer), pickle.loads(pickle.dumps(optimizer))):
    other = twin.param_groups[0]["params"][0]
    print(twin, twin.state_dict(), other is weight, other in twin.state)
attempt("a number", lambda: optimizer.load_state_dict(3))
attempt("nothing in it", lambda: optimizer.load_state_dict({}))

first = optim.Adam([weight], lr=0.1)
first.step()
second, wide = (optim.Adam([each], lr=0.2) for each in (weight, parameter(1.0, 1.0)))
wide.param_groups[0]["params"][0].data = torch.ones(2, dtype=torch.float64)
for each in (second, wide):
    each.load_state_dict(first.state_dict())
print("loaded", second.param_groups[0]["lr"], wide.state_dict()["state"])
first.step()
print("shared", second.state_dict()["state"], wide.state_dict()["state"])


class Counting(optim.Optimizer):
    """Keeps numbers, not only tensors."""

    def __init__(self, params):
        super().__init__(params, {"lr": 1.0})

    def step(self):
        for each in self.param_groups[0]["params"]:
            self.state[each]["steps"] = self.state[each].get("steps", 0) + 1


counting, loaded = Counting([weight]), Counting([weight])
counting.step()
loaded.load_state_dict(counting.state_dict())
loaded.step()
print(counting.state_dict(), loaded.state_dict())
(weight**2).sum().backward(create_graph=True)
optim.SGD([weight], lr=0.1).step()
print(weight, weight.is_leaf)
