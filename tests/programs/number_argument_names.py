"""Arguments by their names, PyTorch's and NumPy's."""

import torch
from show import attempt

x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]], requires_grad=True)
print(torch.sum(input=x, dim=0), torch.mean(input=x), x.sum(axis=1, keepdims=True))
print(torch.reshape(input=x, shape=(3, 2)), x.view(size=(6,)), x.expand(size=(1, 2, 3)))
print(torch.permute(input=x, dims=(1, 0)), torch.squeeze(input=x[:1], dim=0))
print(torch.cat(tensors=[x, x], dim=1), torch.stack(tensors=(x, x), axis=-1).shape)
print(torch.max(input=x, dim=1), x.min(axis=0).values, torch.argmax(input=x, axis=1))
print(x.std(axis=0), x.var(axis=1, keepdims=True), x.softmax(axis=1), x.logsumexp(axis=0))
print(torch.matmul(input=x, other=x.t()), x.unsqueeze(axis=0).shape, x.cumsum(axis=1))
print(torch.ones(size=(2,)), torch.full(size=(2,), fill_value=7), torch.zeros_like(input=x))
print(x.sum(None), x.sum(dim=None, keepdim=True), x.sum(()), x.mean(dim=None))
attempt("no such name", lambda: x.cumsum(0, axes=1))
attempt("a missing one", lambda: x.softmax())
attempt("too many", lambda: x.flatten(0, 1, 2))
attempt("a wrong type", lambda: torch.flatten([1.0, 2.0]))
attempt("a wrong dimension", lambda: x.unsqueeze("a"))
attempt("a wrong size", lambda: x.reshape(2, 1.5))
attempt("an array", lambda: torch.sum(x.detach().numpy()))
