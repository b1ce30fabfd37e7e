"""load reads what save wrote: state_dicts, tensors, and lists and dictionaries of them."""

import io

import torch


def saved_and_loaded(obj):
    file = io.BytesIO()
    torch.save(obj, file)
    file.seek(0)
    return torch.load(file, map_location="cpu", weights_only=True)


torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
optimizer = torch.optim.AdamW(net.parameters())
net(torch.ones(4, 2)).sum().backward()
optimizer.step()
loaded = saved_and_loaded(
    {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3, 0: float("inf")}
)
print(loaded)
print(net.load_state_dict(loaded["net"]))
optimizer.load_state_dict(loaded["optimizer"])
x = torch.ones(2, requires_grad=True)
parameter = torch.nn.Parameter(torch.arange(6.0).reshape(2, 3).t())
first, second, third = saved_and_loaded([x, x, parameter])
print(first, second is first, third, third.is_contiguous(), third.is_leaf)
for obj in (
    torch.tensor(3), torch.zeros(0, 2), torch.tensor([True]), torch.ones(2).half(), torch.Size([1]),
    None, "text", 1.5, True, (1, [2, (3,)]), {},
):  # fmt: skip
    print(saved_and_loaded(obj))
