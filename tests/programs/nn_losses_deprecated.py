"""The arguments `size_average` and `reduce`, and a loss that is called where it should be made."""

import torch

nn = torch.nn
output, target = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.5, 2.0, 2.0])
scores, classes = torch.zeros(4, 3), torch.tensor([0, 1, 2, 0])


def shown(make):
    try:
        made = make()
    except Exception as error:
        print(type(error).__name__, error)
    else:
        print(made, made.reduction)


for given in ((True,), (False,), (None, False), (False, False), (None, None, "sum")):
    shown(lambda given=given: nn.MSELoss(*given))
    shown(lambda given=given: nn.SmoothL1Loss(*given))
shown(lambda: nn.L1Loss(size_average=False))
shown(lambda: nn.BCELoss(None, False))
shown(lambda: nn.BCEWithLogitsLoss(reduce=False))
print(nn.L1Loss(size_average=False)(output, target), nn.MSELoss(reduce=False)(output, target))
print(nn.CrossEntropyLoss(None, None, -100, None, "sum", 0.1)(scores, classes))
print(nn.NLLLoss(None, None, 0, None, "sum")(torch.log_softmax(scores, 1), classes))

# The parentheses of `nn.MSELoss()` were forgotten.
shown(lambda: nn.MSELoss(output, target))
shown(lambda: nn.L1Loss(output))
shown(lambda: nn.CrossEntropyLoss(scores, classes))
shown(lambda: nn.NLLLoss(scores, classes))
shown(lambda: nn.BCELoss(output, target))


class Net(nn.Module):
    def forward(self, x):
        return self.fc(x)


try:
    Net()(output)
except AttributeError as error:
    print(error, getattr(error, "__notes__", "no notes"))
