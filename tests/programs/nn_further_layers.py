"""Layers of sequences and of indices, and further activations."""

import torch
from show import attempt

nn = torch.nn
torch.manual_seed(0)
x = torch.arange(24.0).reshape(2, 3, 4).sin().requires_grad_()

layer = nn.Conv1d(3, 2, 2, padding=1)
print(layer, [tuple(p.shape) for p in layer.parameters()], layer.weight[0, 0])
y = layer(x)
print(y, y.grad_fn.next_functions)
y.square().sum().backward()
print(x.grad[0, 0], layer.weight.grad[0, 0], layer.bias.grad)
print(nn.Conv1d(4, 4, 3, stride=2, dilation=2, groups=2, bias=False), layer(x[0]).shape)
print(nn.Conv1d(3, 2, 3, padding="same")(x).shape, nn.Conv1d(3, 3, (2,), groups=3)(x).shape)
attempt("strided and the same", lambda: nn.Conv1d(3, 2, 3, stride=2, padding="same"))
attempt("channels", lambda: layer(x[:, :2]))
attempt("images", lambda: layer(torch.ones(1, 3, 4, 4)))

words = nn.Embedding(5, 2, padding_idx=-1)
print(words, words.weight, nn.Embedding(2, 3))
out = words(torch.tensor([[0, 1], [4, 0]]))
print(out)
out.sum().backward()
print(words.weight.grad, words.weight[4].tolist())
attempt("no such word", lambda: words(torch.tensor([5])))
attempt("no such padding", lambda: nn.Embedding(2, 2, padding_idx=2))

for activation in (nn.GELU(), nn.GELU("tanh")):
    print(activation, activation(x[0, 0]))
