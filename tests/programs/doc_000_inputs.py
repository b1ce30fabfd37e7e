"""inputs= limits what backward accumulates into, and may name non-leaf tensors."""

import torch
from show import describe_all

a = torch.tensor([2.0, 3.0], requires_grad=True)
b = torch.tensor([6.0, 4.0], requires_grad=True)
product = a * b
out = product.sum() + a.sum()

out.backward(inputs=[a], retain_graph=True)
describe_all("inputs=[a]", a=a, b=b, product=product)
out.backward(inputs=[product], retain_graph=True)
describe_all("inputs=[product]", a=a, b=b, product=product)
out.backward(inputs=b)
describe_all("inputs=b", a=a, b=b, product=product)
