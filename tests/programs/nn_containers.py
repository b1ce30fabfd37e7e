"""Sequential and ModuleList as lists of modules."""

import torch
from show import attempt

nn = torch.nn
net = nn.Sequential(nn.ReLU(), nn.Sequential(nn.Tanh()), nn.Identity())
print(net[0], net[-1], len(net), list(net), net[1:])
print(net(torch.tensor([-1.0, 0.5])))
attempt("index 9", lambda: net[9])
attempt("index -9", lambda: net[-9])
attempt("append", lambda: net.append(nn.Sigmoid()))
attempt("insert", lambda: net.insert(1, nn.ELU()))
attempt("extend", lambda: net.extend([nn.SiLU(), nn.SiLU()]))
net[0] = nn.LeakyReLU()
del net[2]
print(net)
del net[1:3]
print(net)
attempt("a number", lambda: nn.Sequential(3))
attempt("a list", lambda: nn.Sequential([nn.ReLU()]))
attempt("a number set", lambda: net.__setitem__(0, 3))
attempt("a number appended", lambda: net.append(3))

layers = nn.ModuleList([nn.Linear(1, 2), nn.Linear(2, 1)])
print([name for name, _ in layers.named_parameters()], layers[0], layers[-1], len(layers))
print(layers[:1])
attempt("called", lambda: layers(1))
attempt("append", lambda: layers.append(nn.Tanh()))
attempt("extend", lambda: layers.extend([nn.Tanh()]))
attempt("extend by a number", lambda: layers.extend(3))
attempt("index", lambda: layers[4])
layers.insert(0, nn.ReLU())
del layers[1]
print(layers)
