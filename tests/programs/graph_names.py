"""The node that each operation leaves behind says which overload ran."""

import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)
m = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
power = torch.tensor(2.0)


def chain(tensor):
    """List the names from the root along the first inputs that lead on."""
    names, node = [], tensor.grad_fn
    while node is not None:
        names.append(type(node).__name__)
        node = next((n for n, _ in node.next_functions if n is not None), None)
    return " > ".join(names)


for name, result in {
    "a + 1": a + 1,
    "1 + a": 1 + a,
    "a - 1": a - 1,
    "1 - a": 1 - a,
    "-a": -a,
    "a * 2": a * 2,
    "a / 2": a / 2,
    "1 / a": 1 / a,
    "a / a": a / a,
    "a ** 2": a**2,
    "a ** power": a**power,
    "2 ** a": 2**a,
    "exp": a.exp(),
    "log": a.log(),
    "sqrt": a.sqrt(),
    "sin": a.sin(),
    "cos": a.cos(),
    "tanh": a.tanh(),
    "sigmoid": a.sigmoid(),
    "relu": a.relu(),
    "abs": a.abs(),
    "sum": a.sum(),
    "sum(0)": a.sum(0),
    "sum(dim, keepdim)": m.sum(dim=(0, 1), keepdim=True),
    "mean": a.mean(),
    "mean(0)": m.mean(0),
    "vector @ vector": a @ a,
    "matrix @ vector": m @ a,
    "vector @ matrix": a @ m,
    "matrix @ matrix": m @ m,
    "dot": a.dot(a),
    "reshape": m.reshape(4),
    "view": m.view(4),
    "transpose": m.transpose(0, 1),
    "T": m.T,
    "expand": a.expand(3, 2),
    "unsqueeze": a.unsqueeze(0),
    "squeeze": a.unsqueeze(0).squeeze(),
    "squeeze(0)": a.unsqueeze(0).squeeze(0),
    "m[0]": m[0],
    "m[0, 1]": m[0, 1],
    "m[:, 1:]": m[:, 1:],
    "m[None]": m[None],
    "m[..., 0]": m[..., 0],
    "m[[0, 0]]": m[[0, 0]],
    "m[m > 2]": m[m > 2],
    "stack": torch.stack([a, a]),
    "cat": torch.cat([a, a]),
    "clone": a.clone(),
    "a * True": a * True,
}.items():
    print(f"{name}: {chain(result)}")
