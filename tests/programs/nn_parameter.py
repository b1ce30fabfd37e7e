"""A parameter is a leaf that shares memory with what it was made of; results are plain tensors."""

import copy

import torch
from show import attempt, describe

nn = torch.nn
source = torch.ones(2)
parameter = nn.Parameter(source)
with torch.no_grad():
    parameter.add_(1)
print("shared", source, source._version, parameter._version)
describe("parameter", parameter)
for label, result in {
    "product": parameter * 1,
    "detached": parameter.detach(),
    "data": parameter.data,
    "clone": parameter.clone(),
    "part": parameter[0],
    "deep copy": copy.deepcopy(parameter),
    "parameter": nn.Parameter(parameter),
}.items():
    print(label, isinstance(result, nn.Parameter), result)
print("of a result", nn.Parameter(parameter * 2))
print("frozen", nn.Parameter(source, requires_grad=False))
print("0-d", nn.Parameter(torch.tensor(1.0)), nn.Parameter())
attempt("integers", lambda: nn.Parameter(torch.tensor([1, 2])))
attempt("integers, frozen", lambda: nn.Parameter(torch.tensor([1, 2]), requires_grad=False))
attempt("a list", lambda: nn.Parameter([1.0]))
