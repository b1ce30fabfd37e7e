"""Batch normalization: by the batch while training, by running statistics afterwards."""

import torch
from show import attempt

nn = torch.nn
x = torch.tensor([[1.0, 2.0], [3.0, 5.0], [8.0, 4.0]], requires_grad=True)


def state(layer):
    return dict(layer.state_dict())


layer = nn.BatchNorm1d(2)
print(layer, [(name, type(value).__name__) for name, value in layer.named_parameters()])
print(state(layer), [name for name, _ in layer.named_buffers()])
y = layer(x)
print(y, y.grad_fn.next_functions)
(y * y.detach().cumsum(0)).sum().backward()
print(x.grad, layer.weight.grad, layer.bias.grad)
print(state(layer))
layer(x * 2)
print(state(layer))
layer.eval()
x.grad = None
y = layer(x)
print(y)
y.square().sum().backward()
print(x.grad, layer.weight.grad, layer.bias.grad)
print(state(layer)["num_batches_tracked"], layer.running_mean.requires_grad)

cumulative = nn.BatchNorm1d(2, momentum=None, affine=False)
print(cumulative, list(cumulative.parameters()))
for factor in (1, 2, 3):
    cumulative(x * factor)
print(state(cumulative))
cumulative.reset_running_stats()
print(state(cumulative))

untracked = nn.BatchNorm1d(2, track_running_stats=False, eps=0.5)
print(untracked, list(untracked.state_dict()))
print(untracked(x), untracked.eval()(x))
print(nn.BatchNorm1d(2, bias=False), nn.BatchNorm2d(3, momentum=0.5, dtype=torch.float64))

images = torch.arange(24.0).reshape(2, 3, 2, 2).sin()
layer = nn.BatchNorm2d(3)
print(layer(images).sum((0, 2, 3)).abs().max() < 1e-5)
print(layer.running_mean, layer.running_var, layer.num_batches_tracked)
print(nn.BatchNorm1d(2)(torch.arange(12.0).view(2, 2, 3)).shape)

attempt("one value a channel", lambda: nn.BatchNorm1d(2)(x[:1]))
attempt("one value, evaluating", lambda: nn.BatchNorm1d(2).eval()(x[:1]))
attempt("too many channels", lambda: nn.BatchNorm1d(3)(x))
attempt("images to 1d", lambda: nn.BatchNorm1d(3)(images))
attempt("vectors to 2d", lambda: nn.BatchNorm2d(2)(x))
attempt("float64 input", lambda: nn.BatchNorm1d(2)(x.double()))
attempt("a missing key", lambda: nn.BatchNorm1d(2).load_state_dict(untracked.state_dict()))
attempt("all keys", lambda: nn.BatchNorm1d(2).load_state_dict(nn.BatchNorm1d(2).state_dict()))

net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.ReLU(), nn.Linear(3, 1))
print(net, list(net.state_dict()))
print(net.train().training, net[1].training, net.eval()[1].training)
frozen = nn.BatchNorm1d(2).eval().requires_grad_(False)
print(frozen(x).grad_fn.next_functions)
z = frozen(x)
frozen.train()(x)  # moves the running statistics, unseen by what was saved
z.sum().backward()
print(x.grad)

print(nn.LayerNorm(2), nn.LayerNorm((3, 2), eps=0.1, bias=False), nn.LayerNorm(2)(x))
print(nn.LayerNorm([3, 2], elementwise_affine=False)(x), list(nn.LayerNorm(2).state_dict()))
print(nn.HuberLoss(delta=0.5), nn.HuberLoss(delta=0.5)(x, x - 3))
