"""set_grad_enabled acts at once; as a context manager it restores."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
torch.set_grad_enabled(False)
print(torch.is_grad_enabled(), x * 2)
torch.set_grad_enabled(True)
print(torch.is_grad_enabled(), x * 2)
for mode in (True, False):
    with torch.set_grad_enabled(mode):
        print(mode, x * 2)
        with torch.set_grad_enabled(not mode):
            print(not mode, x * 2)
    print(torch.is_grad_enabled())


@torch.set_grad_enabled(False)
def off():
    return x * 2


print(torch.is_grad_enabled(), off(), torch.is_grad_enabled())
