"""First values: the spreads that PyTorch's formulas ask for, and their errors."""

import torch
from show import attempt

init, Parameter = torch.nn.init, torch.nn.Parameter
weight = Parameter(torch.zeros(200, 50))


def spread(values):
    """Round so that chance does not show: 10,000 numbers are all over their range."""
    values = values.detach()
    return f"{values.abs().max().item():.2f} {(values * values).mean().item() ** 0.5:.2f}"


torch.manual_seed(0)
print("uniform", spread(init.uniform_(weight)), init.uniform_(weight, -3, -2).mean().item() < -2)
print("kaiming", spread(init.kaiming_uniform_(weight)), weight._version)
print("kaiming tanh", spread(init.kaiming_uniform_(weight, nonlinearity="tanh", mode="fan_out")))
print("kaiming slope", spread(init.kaiming_uniform_(weight, a=5**0.5)))
print("xavier", spread(init.xavier_uniform_(weight)), spread(init.xavier_uniform_(weight, gain=2)))
print(
    init.zeros_(torch.ones(2)),
    init.ones_(torch.zeros(2)),
    init.constant_(Parameter(torch.ones(2)), 3),
)
print(init.kaiming_uniform_(weight) is weight, weight.requires_grad, weight.is_leaf)
print(
    [init.calculate_gain(name) for name in ("linear", "conv2d", "sigmoid", "tanh", "relu", "selu")]
)
print(init.calculate_gain("leaky_relu"), init.calculate_gain("leaky_relu", 0.2))

vector = Parameter(torch.zeros(2))
attempt("xavier of a vector", lambda: init.xavier_uniform_(vector))
attempt("kaiming of a vector", lambda: init.kaiming_uniform_(vector))
attempt("mode", lambda: init.kaiming_uniform_(weight, mode="fan"))
attempt("nonlinearity", lambda: init.kaiming_uniform_(weight, nonlinearity="cube"))
attempt("slope", lambda: init.calculate_gain("leaky_relu", "steep"))
attempt("from > to", lambda: init.uniform_(vector, 2, 1))
attempt("negative std", lambda: init.normal_(vector, std=-1))
attempt("integers", lambda: init.uniform_(torch.tensor([1, 2])))
attempt("integers", lambda: init.normal_(torch.tensor([1, 2])))
attempt("no elements", lambda: init.kaiming_uniform_(torch.zeros(0, 2)))
attempt("a layer without inputs", lambda: torch.nn.Linear(0, 2).weight)

noise = torch.ones(3, requires_grad=True) * 1
print(noise.uniform_().grad_fn, noise.normal_().grad_fn, noise.normal_(2, 0))
attempt("leaf", lambda: torch.ones(1, requires_grad=True).normal_())
