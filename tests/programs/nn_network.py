"""A convolutional network, its loss and its graph, with weights set by hand."""

import torch
from show import attempt

nn = torch.nn
net = nn.Sequential(
    nn.Conv2d(1, 2, 3, padding=1),
    nn.ReLU(inplace=True),
    nn.MaxPool2d(2),
    nn.Flatten(),
    nn.Dropout(0.5),
    nn.Linear(8, 3),
)
with torch.no_grad():
    for parameter in net.parameters():
        parameter.copy_(torch.cos(torch.arange(parameter.numel()).reshape(parameter.shape) * 1.0))
net.eval()
images = torch.sin(torch.arange(32.0).reshape(2, 1, 4, 4))
target = torch.tensor([2, 0])
scores = net(images)
print(net)
print(scores)

node, names = scores.grad_fn, []
while node is not None:
    names.append(type(node).__name__)
    following = [each for each, _ in node.next_functions if each is not None]
    node = next((each for each in following if type(each).__name__ != "AccumulateGrad"), None)
print(names)

for loss in (
    nn.CrossEntropyLoss(),
    nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 3.0]), reduction="sum"),
    nn.CrossEntropyLoss(label_smoothing=0.1, reduction="none"),
    nn.CrossEntropyLoss(ignore_index=0),
):
    value = loss(scores, target)
    print(loss, value)
    net.zero_grad()
    value.sum().backward(retain_graph=True)
    for name, parameter in net.named_parameters():
        print(name, parameter.grad)
with torch.no_grad():
    print(nn.NLLLoss()(nn.LogSoftmax(dim=1)(scores), target), nn.Softmax(dim=1)(scores))
    print(nn.MSELoss()(scores, scores * 0), nn.L1Loss(reduction="sum")(scores, scores * 0))
    print(nn.SmoothL1Loss(beta=2.0)(scores, scores * 0))
    yes = (scores > 0).float()
    print(nn.BCEWithLogitsLoss()(scores, yes), nn.BCELoss()(nn.Sigmoid()(scores), yes))
attempt("reduction", lambda: nn.MSELoss(reduction="most")(scores, scores))
attempt("shapes", lambda: nn.CrossEntropyLoss()(scores, torch.tensor([1])))
attempt("groups", lambda: nn.Conv2d(3, 4, 3, groups=2))
attempt("groups", lambda: nn.Conv2d(4, 3, 3, groups=2))
attempt("groups", lambda: nn.Conv2d(4, 4, 3, groups=0))
attempt("padding", lambda: nn.Conv2d(1, 1, 3, stride=2, padding="same"))
attempt("probability", lambda: nn.Dropout(2))
attempt("channels", lambda: net(torch.ones(2, 3, 4, 4)))
