"""What backward computes is v·J, row vector times Jacobian; its rows come from unit vectors."""

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def f(x):
    return torch.stack([x[0] * x[1], x[1] * x[2] + x[0]])


y = f(x)
print("y", y)
rows = [
    torch.autograd.grad(y, x, torch.tensor(unit), retain_graph=True)[0]
    for unit in ([1.0, 0.0], [0.0, 1.0])
]
jacobian = torch.stack(rows)
print("J", jacobian)

v = torch.tensor([10.0, 0.5])
y.backward(v)
print("x.grad", x.grad)
print("v @ J ", v @ jacobian)
print("not J @ v", jacobian.shape, v.shape)

tangent = torch.tensor([1.0, 0.0, 2.0])
dual = torch.zeros(2, requires_grad=True)
(vjp,) = torch.autograd.grad(f(x), x, dual, create_graph=True)
print("J @ t by two backward passes", torch.autograd.grad(vjp, dual, tangent), jacobian @ tangent)
