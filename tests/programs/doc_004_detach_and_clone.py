"""detach() shares memory, clone() does not, whatever the order of the two."""

import torch
from show import describe

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
source = x * 1
copies = {
    "detach": source.detach(),
    "clone": source.clone(),
    "clone.detach": source.clone().detach(),
    "detach.clone": source.detach().clone(),
}
with torch.no_grad():
    source.zero_()
for name, copy in copies.items():
    describe(name, copy)
    print("    same memory:", copy.data_ptr() == source.data_ptr(), "version:", copy._version)

copies["detach"].fill_(7)
print("through the detached tensor", source)
(copies["clone"] * 2).sum().backward()
print("through the clone", x.grad)
