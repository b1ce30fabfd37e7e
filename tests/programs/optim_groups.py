"""Groups of parameters with options of their own; saved and loaded state."""

import torch
from show import attempt

nn, optim = torch.nn, torch.optim


def parameter(*values):
    made = nn.Parameter(torch.tensor(values))
    made.grad = torch.ones(len(values))
    return made


body, head, late = parameter(1.0, 2.0), parameter(3.0), parameter(4.0)
optimizer = optim.SGD([{"params": [body]}, {"params": head, "lr": 0.5}], lr=0.1, momentum=0.9)
optimizer.step()
optimizer.param_groups[0]["lr"] = 1.0
optimizer.step()
print(body, head)
optimizer.add_param_group({"params": (each for each in [late]), "momentum": 0})
optimizer.step()
print(body, head, late)
print(optimizer)
print(optimizer.state_dict())
print([sorted(group) for group in optimizer.param_groups], optimizer.defaults)
print(optimizer.state[head], late in optimizer.state)

copies = [parameter(0.0, 0.0), parameter(0.0), parameter(0.0)]
twin = optim.SGD([{"params": each} for each in copies], lr=9.0)
twin.load_state_dict(optimizer.state_dict())
twin.step()
print(copies, [group["lr"] for group in twin.param_groups])
attempt("one group", lambda: optim.SGD(copies).load_state_dict(optimizer.state_dict()))
twin.param_groups[0]["params"].append(parameter(1.0))
attempt("one more", lambda: twin.load_state_dict(optimizer.state_dict()))
attempt("twice", lambda: optimizer.add_param_group({"params": late}))
attempt("no dict", lambda: optimizer.add_param_group(3))
