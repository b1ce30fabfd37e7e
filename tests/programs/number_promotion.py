"""Which dtype comes out: numbers and 0-d tensors do not widen, other tensors do."""

import torch
from show import attempt

operands = {
    "bool": torch.tensor([True, False]),
    "int32": torch.tensor([1, 2], dtype=torch.int32),
    "int64": torch.tensor([1, 2]),
    "float32": torch.tensor([1.0, 2.0]),
    "float64": torch.tensor([1.0, 2.0], dtype=torch.float64),
    "int64 0-d": torch.tensor(3),
    "float32 0-d": torch.tensor(3.0),
    "float64 0-d": torch.tensor(3.0, dtype=torch.float64),
    "True": True,
    "2": 2,
    "2.5": 2.5,
}
tensors = {name: value for name, value in operands.items() if isinstance(value, torch.Tensor)}
for name, tensor in tensors.items():
    for other_name, other in operands.items():
        dtypes = [(tensor + other).dtype, (tensor * other).dtype, (tensor / other).dtype]
        print(f"{name}, {other_name}: {dtypes}")
for name, tensor in tensors.items():
    print(name, tensor.sum().dtype, tensor.sum(), tensor.exp().dtype, torch.sqrt(tensor).dtype)
    attempt(f"mean of {name}", tensor.mean)
    attempt(f"minus {name}", lambda: -tensor)
