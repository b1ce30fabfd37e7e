"""Views and detached tensors share memory and version; .data shares only the memory."""

import torch

base = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
shares = {
    "row": base[0],
    "transposed": base.T,
    "viewed": base.view(4),
    "reshaped": base.reshape(4),
    "unsqueezed": base.unsqueeze(0),
    "expanded": base.expand(2, 2, 2),
    "detached": base.detach(),
    "data": base.data,
    "copied": base.clone(),
    "picked": base[[0]],
}


def show(moment):
    print(moment, "base", base._version, {name: t._version for name, t in shares.items()})


show("at first")
base.add_(1)
show("base.add_")
shares["row"].zero_()
show("row.zero_")
shares["data"].mul_(2)
show("data.mul_")
shares["detached"][1, 1] = 100.0
show("detached[1, 1] =")
base += 1
show("base +=")
base = base + 1
print("rebound", base._version)
for name, tensor in shares.items():
    print(name, tensor)
