"""Five attributes of tensors that do not require grad."""

import torch
from show import FLAGS, describe

tensors = {"x": torch.tensor(5.0)}
tensors["cubed"] = tensors["x"] ** 3
tensors["result"] = torch.log(tensors["cubed"])

for name, tensor in tensors.items():
    describe(name, tensor)
    print([getattr(tensor, flag) for flag in FLAGS], tensor.grad_fn, tensor.grad)
