"""numpy() and item() where they are refused. Ends in an exception."""

import numpy as np
import torch
from show import attempt

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
attempt("numpy", x.numpy)
attempt("np.asarray", lambda: np.asarray(y))
attempt("item", y.item)
attempt("detached", lambda: y.detach().numpy())
attempt("np.asarray of data", lambda: np.asarray(torch.tensor([1, 2])))
attempt("from_numpy of a list", lambda: torch.from_numpy([1.0, 2.0]))
attempt("from_numpy of strings", lambda: torch.from_numpy(np.array(["a"])))
attempt("from_numpy of objects", lambda: torch.from_numpy(np.array([None])))
print(x, y)
y.numpy()
