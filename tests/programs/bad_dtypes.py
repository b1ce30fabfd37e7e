"""Things that cannot become tensors, and dtypes that cannot require grad."""

import numpy as np
import torch
from show import attempt

attempt("string", lambda: torch.tensor("5"))
attempt("strings", lambda: torch.tensor(["a", "b"]))
attempt("None", lambda: torch.tensor(None))
attempt("None inside", lambda: torch.tensor([1.0, None]))
attempt("dict", lambda: torch.tensor({"a": 1}))
attempt("type", lambda: torch.tensor([1, int]))
attempt("int", lambda: torch.tensor([1, 2], requires_grad=True))
attempt("bool", lambda: torch.tensor(True, requires_grad=True))
attempt("int32", lambda: torch.ones(2, dtype=torch.int32, requires_grad=True))
attempt("arange", lambda: torch.arange(3, requires_grad=True))
attempt("from float", lambda: torch.tensor([1.5], dtype=torch.int64, requires_grad=True))
attempt("too big", lambda: torch.tensor(2**63))
attempt("Python's float", lambda: torch.tensor([1], dtype=float))
attempt("Python's int", lambda: torch.zeros(2, dtype=int))
attempt("NumPy's float32", lambda: torch.tensor([1.0], dtype=np.float32))
attempt("a name", lambda: torch.tensor([1.0], dtype="float32"))
attempt("a flag of 1", lambda: torch.tensor([1.0], requires_grad=1))
attempt("a flag of None", lambda: torch.ones(2, requires_grad=None))
attempt("an array's element", lambda: torch.from_numpy(np.float64(1)))
torch.tensor([1, 2, 3], requires_grad=True)
