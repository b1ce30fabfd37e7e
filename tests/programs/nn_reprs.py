"""The reprs of modules, nested and with lines of their own."""

from collections import OrderedDict

import torch

nn = torch.nn


class Named(nn.Module):
    def __init__(self, layer, text):
        super().__init__()
        if layer is not None:
            self.layer = layer
        self.text = text

    def extra_repr(self):
        return self.text


print(nn.Linear(2, 3), nn.Linear(2, 3, bias=False), sep="\n")
print(nn.Conv2d(1, 2, 3), nn.Conv2d(1, 1, 3, padding="same"), sep="\n")
print(nn.Conv2d(4, 2, (3, 5), stride=2, padding=1, dilation=2, groups=2, bias=False))
print(nn.MaxPool2d(2), nn.MaxPool2d((2, 3), stride=1, padding=1, ceil_mode=True), sep="\n")
print(nn.Flatten(), nn.Flatten(0, 2), nn.Dropout(), nn.Dropout(0.2, True), nn.Identity(), sep="\n")
print(nn.ReLU(), nn.ReLU(True), nn.Tanh(), nn.Sigmoid(), nn.LogSigmoid(), sep="\n")
print(nn.Softmax(dim=1), nn.Softmax(), nn.LogSoftmax(-1), nn.SiLU(), nn.SiLU(True), sep="\n")
print(nn.LeakyReLU(), nn.LeakyReLU(0.2, True), nn.ELU(), nn.ELU(2.0, True), sep="\n")
print(nn.Softplus(), nn.Softplus(2, 10), nn.Hardtanh(), nn.Hardtanh(-2, 2, True), sep="\n")
print(nn.MSELoss(), nn.L1Loss(), nn.SmoothL1Loss(beta=0.5), nn.NLLLoss(), sep="\n")
print(nn.CrossEntropyLoss(weight=torch.ones(2)), nn.BCELoss(), nn.BCEWithLogitsLoss(), sep="\n")
print(nn.CrossEntropyLoss(weight=torch.ones(2)).state_dict()["weight"])
print(nn.Sequential(), nn.ModuleList(), nn.Module(), sep="\n")
print(nn.Sequential(nn.Linear(1, 2), nn.Sequential(nn.Tanh(), nn.ReLU()), nn.Linear(2, 1)))
print(nn.Sequential(OrderedDict(first=nn.ReLU(), second=nn.Tanh())))
print(nn.ModuleList([nn.ReLU(), nn.ReLU(), nn.Linear(1, 1), nn.ReLU(), nn.Sequential(nn.Tanh())]))
print(nn.ModuleList(nn.Sequential(nn.Linear(1, 1), nn.ReLU()) for _ in range(3)))
for layer in (None, nn.ReLU()):
    for text in ("", "k=1", "k=1,\nj=2"):
        print(Named(layer, text), nn.Sequential(Named(layer, text)), sep="\n")
