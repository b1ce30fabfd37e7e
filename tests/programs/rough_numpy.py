"""Tensors and NumPy's arrays: shared memory, conversions, indices, assignment."""

import numpy as np
import torch
from show import attempt

t, g = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0], requires_grad=True)
array = t.numpy()
array[0] = 9
print(t, t._version)
t[1] = 7
print(array)
again = torch.from_numpy(array)
again.add_(1)
print(t, array, again._version, t._version, again.is_leaf)
print(torch.as_tensor(array).data_ptr() == t.data_ptr(), torch.tensor(array))
view = t.numpy()[::2]
view += 1
print(t, np.asarray(t).base is None, np.asarray(t).dtype)
n, n64 = np.array([3.0, 4.0], dtype=np.float32), np.array([3.0, 4.0])


def assigned(target, index, value):
    target[index] = value
    return target


for label, action in {
    "asarray": lambda: (np.asarray(t), np.asarray(t, dtype=np.int32)),
    "asarray of a leaf": lambda: np.asarray(g),
    "numpy of a leaf": lambda: g.numpy(),
    "forced": lambda: (g.numpy(force=True), (g * 2).detach().numpy(), g.tolist(), g[0].item()),
    "array of tensors": lambda: np.array([t.clone(), t.clone()]).shape,
    "0-d": lambda: (np.asarray(torch.tensor(1.5)), np.float64(torch.tensor(1.5))),
    "shape": lambda: (np.shape(t), np.ndim(t), np.isscalar(torch.tensor(1.0))),
    "allclose": lambda: (np.allclose(t, t), np.array_equal(t, n)),
    "testing": lambda: np.testing.assert_allclose(t, t.tolist()),
    "+= tensor": lambda: assigned(n.copy(), slice(None), t),
    "= leaf": lambda: assigned(n.copy(), slice(None), g),
    "= 0-d": lambda: assigned(n.copy(), 0, torch.tensor(5.0)),
    "array[mask]": lambda: n[torch.tensor([True, False])],
    "array[tensor]": lambda: (n[torch.tensor([1, 1])], n[torch.tensor(1)]),
    "tensor[array]": lambda: (t[np.array([1])], t[np.array([True, False])], t[np.int64(1)]),
    "tensor[0] = number": lambda: assigned(t.clone(), 0, np.float64(3)),
    "ints": lambda: torch.from_numpy(np.arange(3)),
    "bools": lambda: torch.from_numpy(np.array([True])),
    "scalars": lambda: (torch.tensor(np.float32(1)), torch.tensor([np.float64(1), 2.0])),
    "from a scalar": lambda: torch.from_numpy(np.float32(1)),
    "from a list": lambda: torch.from_numpy([1]),
    "from strings": lambda: torch.from_numpy(np.array(["a"])),
    "scalar *": lambda: (np.float32(2.0) * g, np.float64(2.0) - t, t / np.float64(2.0)),
    "scalar compared": lambda: (t < np.float64(9), t == np.float32(9)),
}.items():
    attempt(label, action)
