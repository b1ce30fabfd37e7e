"""Modes as decorators of everything that can be decorated, and their arguments."""

import asyncio
import warnings

import torch
from show import attempt

enabled = torch.is_grad_enabled


class Plain:
    def __init__(self):
        self.made = enabled()

    def method(self):
        return enabled()


for mode in (torch.no_grad(), torch.no_grad, torch.set_grad_enabled(False)):
    Decorated = mode(Plain)
    instance = Decorated()
    print(type(Decorated).__name__, instance.made, instance.method(), enabled())


class Methods:
    @torch.no_grad()
    def method(self):
        return enabled()

    @classmethod
    @torch.no_grad
    def of_class(cls):
        return enabled()

    @staticmethod
    @torch.set_grad_enabled(False)
    def of_nobody():
        return enabled()


print(Methods().method(), Methods.of_class(), Methods.of_nobody(), enabled())


@torch.no_grad()
def recursive(depth):
    return [enabled(), *(recursive(depth - 1) if depth else [])]


@torch.no_grad()
def steps(log):
    try:
        log.append((yield enabled()))
        try:
            yield enabled()
        except ValueError as error:
            log.append((str(error), enabled()))
            yield "caught"
        return "returned"
    finally:
        log.append(("finally", enabled()))


@torch.no_grad()
def changes_the_mode():
    torch.set_grad_enabled(True)
    yield enabled()
    yield enabled()


@torch.no_grad()
async def coroutine():
    before = enabled()
    await asyncio.sleep(0)
    return before, enabled()


print(recursive(2), list(changes_the_mode()), asyncio.run(coroutine()), enabled())
log = []
generator = steps(log)
first, sent = next(generator), generator.send("sent")
with warnings.catch_warnings():
    # PyTorch passes the error on in a way that Python 3.12 and later warn of.
    warnings.filterwarnings("ignore", "the .* signature of throw", DeprecationWarning)
    thrown = generator.throw(ValueError("thrown"))
print(first, sent, thrown, enabled())
try:
    generator.send(None)
except StopIteration as stop:
    print(stop.value, log)
log.clear()
generator = steps(log)
next(generator)
generator.close()
print(log, enabled())
attempt("starts with a value", lambda: steps(log).send(1))

print(repr(torch.set_grad_enabled(True)), torch.set_grad_enabled(mode=True))
for mode in ("yes", 1, None):
    attempt("mode", lambda mode=mode: torch.set_grad_enabled(mode))
    attempt("anomaly", lambda mode=mode: torch.autograd.set_detect_anomaly(mode))
    attempt("check_nan", lambda mode=mode: torch.autograd.set_detect_anomaly(False, mode))
print(enabled(), torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())
print(torch.autograd.grad_mode.no_grad is torch.no_grad)
old = torch.autograd.Variable(torch.ones(2), requires_grad=True)
(old * old).sum().backward()
print(old, old.grad, isinstance(old, torch.autograd.Variable))
