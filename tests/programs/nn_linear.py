"""A layer, its graph and its gradients, with weights set by hand."""

import torch
from show import attempt, describe

nn = torch.nn
layer = nn.Linear(2, 2)
layer.load_state_dict({"weight": torch.tensor([[1.0, 2.0], [3.0, 4.0]]), "bias": torch.ones(2)})
for x in (torch.tensor([1.0, -1.0]), torch.ones(3, 2), torch.ones(2, 1, 2)):
    y = layer(x)
    print(y, y.grad_fn.name(), [type(node).__name__ for node, _ in y.grad_fn.next_functions])
    layer.zero_grad()
    y.sum().backward()
    print(layer.weight.grad, layer.bias.grad)
describe("weight", layer.weight)
plain = nn.Linear(2, 1, bias=False, dtype=torch.float64)
nn.init.ones_(plain.weight)
print(plain.bias, plain(torch.ones(2, 2, dtype=torch.float64)))
attempt("wrong width", lambda: layer(torch.ones(3, 5)))
attempt("wrong dtype", lambda: layer(torch.ones(3, 2, dtype=torch.float64)))
hidden = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
for number, parameter in enumerate(hidden.parameters()):
    nn.init.constant_(parameter, 0.1 * (number + 1))
out = hidden(torch.tensor([[1.0, 2.0], [-1.0, 0.5]]))
out.mean().backward()
print(out)
for name, parameter in hidden.named_parameters():
    print(name, parameter.grad)
