"""Schedules of learning rates: every step, both groups, and what goes wrong."""

import math

import torch
from show import attempt

nn, optim = torch.nn, torch.optim
schedulers = torch.optim.lr_scheduler


def optimizer():
    first, second = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(1))
    return optim.SGD([{"params": [first]}, {"params": [second], "lr": 0.5}], lr=0.1)


def run(label, make):
    stepped = optimizer()
    scheduler = make(stepped)
    print(label, scheduler.get_last_lr(), scheduler.base_lrs, scheduler.last_epoch)
    for _ in range(12):
        stepped.step()
        scheduler.step()
        print("  ", [group["lr"] for group in stepped.param_groups], scheduler.get_last_lr())


run("steps of 3", lambda opt: schedulers.StepLR(opt, 3))
run("steps of 2", lambda opt: schedulers.StepLR(opt, step_size=2, gamma=0.5))
run("exponential", lambda opt: schedulers.ExponentialLR(opt, gamma=0.9))
run("lambda", lambda opt: schedulers.LambdaLR(opt, lr_lambda=lambda epoch: 0.95**epoch))
both = [lambda epoch: 1 / (epoch + 1), lambda epoch: math.cos(epoch)]
run("two lambdas", lambda opt: schedulers.LambdaLR(opt, both))
run("cosine", lambda opt: schedulers.CosineAnnealingLR(opt, T_max=5))
run("cosine", lambda opt: schedulers.CosineAnnealingLR(opt, 4, eta_min=0.01))

stepped = optimizer()
scheduler = schedulers.StepLR(stepped, 2)
print(stepped, scheduler.optimizer is stepped, isinstance(scheduler, schedulers.LRScheduler))
for epoch in range(5):
    stepped.step()
    scheduler.step()
    if epoch == 2:
        stepped.param_groups[0]["lr"] = 7.0
    print([group["lr"] for group in stepped.param_groups])
again = schedulers.StepLR(optimizer(), 9)
again.load_state_dict(scheduler.state_dict())
print(again.step_size, again.gamma, again.last_epoch, again.get_last_lr(), again.base_lrs)
resumed = schedulers.StepLR(stepped, 2, last_epoch=3)
print(resumed.last_epoch, resumed.get_last_lr())

attempt("too early", lambda: schedulers.StepLR(optimizer(), 1).step())
attempt("no optimizer", lambda: schedulers.StepLR(3, 1))
attempt("one lambda", lambda: schedulers.LambdaLR(optimizer(), [lambda epoch: 1]))
attempt("never started", lambda: schedulers.StepLR(optimizer(), 1, last_epoch=3))


class Own(optim.Optimizer):
    """A user's optimizer: its steps are noticed too."""

    def __init__(self, params):
        super().__init__(params, {"lr": 1.0})

    def step(self):
        print("step of", self.param_groups[0]["lr"])


own = Own([nn.Parameter(torch.ones(1))])
scheduler = schedulers.ExponentialLR(own, 0.5)
for _ in range(3):
    own.step()
    scheduler.step()
