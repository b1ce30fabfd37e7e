"""Generators: equal seeds give equal numbers."""

import torch
from show import attempt

own = torch.Generator()
print(own.initial_seed(), own.manual_seed(3) is own, own.initial_seed(), own)
print(torch.manual_seed(5) is torch.default_generator, torch.initial_seed(), type(torch.seed()))
for seed in (-1, 2**64 - 1):
    attempt(f"seed {seed}", lambda: own.manual_seed(seed).initial_seed())
attempt("too long", lambda: torch.manual_seed(2**65))
attempt("a float", lambda: own.manual_seed(1.5))
attempt("a word", lambda: torch.manual_seed("a"))

draws = {
    "rand": lambda **kw: torch.rand(2, 2, **kw),
    "randn": lambda **kw: torch.randn(3, **kw),
    "randint": lambda **kw: torch.randint(0, 1000, (3,), **kw),
    "randperm": lambda **kw: torch.randperm(20, **kw),
    "normal": lambda **kw: torch.normal(2.0, 3.0, (4,), **kw),
    "normal_": lambda **kw: torch.zeros(3).normal_(1, 2, **kw),
    "uniform_": lambda **kw: torch.zeros(3).uniform_(-1, 1, **kw),
}
for name, draw in draws.items():
    torch.manual_seed(0)
    first, second = draw(), draw()
    torch.manual_seed(0)
    again = draw()
    one = draw(generator=own.manual_seed(7))
    two = draw(generator=own.manual_seed(7))
    print(name, first.shape, first.dtype)
    print(bool((first == again).all()), bool((first == second).all()), bool((one == two).all()))
