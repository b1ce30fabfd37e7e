"""detach() cuts the graph between x and the result. Ends in an exception."""

import torch
from show import describe_all

x = torch.tensor(5.0, requires_grad=True)
scaled = x * torch.tensor([2.0, 3.0, 5.0])
cut = scaled.detach()
result = cut @ torch.tensor([4.0, 7.0, 9.0])

describe_all("before", x=x, scaled=scaled, cut=cut, result=result)
result.backward()
describe_all("after", x=x, scaled=scaled, cut=cut, result=result)
