"""Programs that the hunt has found to differ once, shrunk, and their like: now they do not.

Each stands for a cause that was mended. `tests.parity.wider.hunt` compares all that can be seen of
them: errors, warnings, values, flags, versions, layouts, graphs, gradients.
"""

from __future__ import annotations

import contextlib
import sys

import pytest

import minigrad  # noqa: F401 - so that its accelerator is there
from tests.parity.wider import hunt

# Arrays of an index: which of them broadcast, what they name, and what is asked before.
INDICES = """
a = torch.arange(6.0).reshape(2, 3); a[[0, 7], [5, 0]]
a = torch.arange(6.0).reshape(2, 3); a[[0, 7], [2, 5, 1]]
a = torch.arange(6.0).reshape(2, 3); a[torch.tensor([True, False, True]), [5, 7]]
a = torch.arange(6.0).reshape(2, 3); a[[9], 5]
a = torch.arange(6.0).reshape(2, 3); a[torch.tensor([[0, 7], [3, 0]]).t()]
a = torch.ones(0, 3, requires_grad=True); b = a[:, [5]]; b.sum().backward()
a = torch.ones(2, 3, requires_grad=True); b = a[[], [5]]; b.sum().backward()
a = torch.ones(2, 0); a[[0, 1], [0, 1]]
a = torch.ones(2, 3); a[[0, 7], [5, 0]] = torch.ones(7)
a = torch.ones(2, 3); a[[0, 7], [5, 0]] = torch.ones(2).double()
a = torch.ones(2, 3); a[[0, 7], [5, 0]] = 1.0
a = torch.ones(2, 3); a[[], [5]] = 1.0
a = torch.ones(0); a[torch.tensor([0])] = a
a = torch.ones(0, 2, requires_grad=True); a[torch.tensor(0)] = 0.5
a = torch.ones(2, 3); a[torch.tensor([True]), 9] = 1.0
a = torch.ones(2, 3, requires_grad=True); a[[5]] = 1.0
"""

# What PyTorch's kernels do not do with bools, and in which order it says what is wrong.
ERRORS = """
b = torch.tensor([True, False]); b % b
b = torch.tensor([True, False]); b // False
b = torch.tensor([True, False]); torch.fmod(b, True)
b = torch.tensor([True, False]); torch.fmod(2, b)
b = torch.tensor([True, False]); torch.div(b, b, rounding_mode='trunc')
b = torch.tensor([True, False]); b.clamp(True, False)
b = torch.tensor([True, False]); b.clamp(b, b)
b = torch.tensor([True, False]); b.clamp_min(True)
b = torch.tensor([True, False]); b.clamp_max(True)
b = torch.tensor([True, False]); b.clamp_(min=0)
b = torch.tensor([1, 2]); b.clamp_max_(0.5)
b = torch.tensor([True, False]); b.relu()
b = torch.tensor([True, False]); b.cumsum_(0)
b = torch.ones(0).bool(); b.cumsum_(0)
b = torch.tensor([True, False]); b.sub(2, alpha=0.5)
b = torch.tensor([True, False]); torch.rsub(b, 2, alpha=0.5)
b = torch.tensor([True, False]); b.add_(2, alpha=0.5)
b = torch.tensor([1, 2]); b.sub_(0.5, alpha=0.5)
a = torch.ones(3, requires_grad=True); torch.div(a, (1.0, 2.0), rounding_mode='floor')
a = torch.ones(3, requires_grad=True); torch.div(a, None, rounding_mode='bad')
a = torch.tensor([3, 5]); a.div_(2, rounding_mode='floor')
a = torch.ones(2); b = torch.ones(2).double(); torch.lerp(a, b, 0.5)
a = torch.ones(2); torch.lerp(a, 2, 0.5)
a = torch.tensor(1.0); a.unbind(1)
a = torch.tensor(1.0); a.select(5, 0)
b = torch.tensor([True, False]); torch.nn.functional.l1_loss(b, torch.ones(2))
a = torch.ones(2, 2).bool(); a.expand(1)
a = torch.ones(2, 3, 4); b = torch.ones(3, 4, 5).double(); torch.bmm(a, b)
a = torch.ones(2, 3); a.scatter(5, torch.zeros(2, 3).long(), torch.ones(2, 3).double())
a = torch.ones(2, 3); a.scatter(0, torch.zeros(2, 3), torch.ones(2, 3).double())
a = torch.ones(2, 3); a.scatter_add(0, torch.zeros(2, 3).long(), torch.ones(2, 3, 1))
"""

# Views that cannot follow a change of their base, and edges that nobody asked for.
HISTORIES = """
a = torch.ones(2, requires_grad=True); t = a * 1; p, q = t.split(1); t.mul_(2); \
torch.set_grad_enabled(False); u = Square.apply(p)
a = torch.ones(2, requires_grad=True); t = a * 1; p, q = t.split(1); t.mul_(2); \
u = Square.apply(p)
a = torch.ones(2, requires_grad=True); t = a * 1; p, q = t.unbind(0); t.mul_(2); t[[0, -1]] = p
a = torch.ones(2, requires_grad=True); t = a * 1; p, q = t.unbind(0); t.mul_(2); t.add_(p)
a = torch.ones(1, requires_grad=True); c = torch.zeros(6).reshape(2, 3); c[0] = a; g = c.grad_fn; \
c.retain_grad(); (c * 2).sum().backward()
a = torch.ones(2, requires_grad=True); b = torch.ones(2); c = torch.ones(2, requires_grad=True); \
t = torch.stack([b, a, c]); t.grad_fn.register_hook(lambda i, o: log('stack', *i)); \
log('grad', *torch.autograd.grad(t.sum(), [a]))
a = torch.ones(2, requires_grad=True); c = torch.ones(2, requires_grad=True); \
t = Nothing.apply(a, c); t.grad_fn.register_hook(lambda i, o: log('node', *i)); \
t.sum().backward(inputs=[a])
a = torch.ones(1, requires_grad=True); b = torch.ones(1).reshape(()); \
t = b.reshape(-1); t.mul_(a); b.backward()
a = torch.ones(1, requires_grad=True); b = torch.ones(1).reshape(()); \
t = b.reshape(-1); t.mul_(a); log("grad", *torch.autograd.grad(b, [a]))
a = torch.ones(2, requires_grad=True); b = torch.ones(2, requires_grad=True); \
t = a * b; t.grad_fn.register_hook(lambda i, o: log('mul', *i)); t.sum().backward(inputs=[b])
a = torch.ones(3, requires_grad=True); t = a * 1; p = t.split(1)[0]; t.mul_(2); p.var(0)
a = torch.ones(3, requires_grad=True); t = a * 1; p = t.split(1)[0]; t.mul_(2); p.var(5)
a = torch.ones(3, requires_grad=True); t = a * 1; p = t.split(1)[0]; t.mul_(2); p @ torch.ones(3, 3)
d = torch.ones(2, requires_grad=True); c = torch.ones(2, requires_grad=True); \
(d // 0.5 + c).sum().backward()
d = torch.ones(2, requires_grad=True); c = torch.ones(2, requires_grad=True); \
(c + d // 0.5).sum().backward()
a = torch.ones(2, requires_grad=True); torch.set_grad_enabled(False); \
c = torch.inference_mode()(torch.ones)(3); torch.set_grad_enabled(True); a * c
"""


# Values, and which leaves have their gradients when something happens.
VALUES = """
c = torch.ones(2).long(); c[True] = float('inf')
c = torch.ones(2).int(); c[0, 0, 0] = float('nan')
c = torch.ones(2).int(); c.fill_(2**40)
c = torch.ones(2).long(); c.masked_fill_(c > 0, 1e30)
c = torch.ones(2).half(); c.fill_(1e30)
c = torch.ones(2).byte(); c.clamp_(-1, 1)
c = torch.ones(3).bool(); t00 = c.expand(2, 3) * 1
a = torch.ones(1, 3, requires_grad=True); t00 = a.cumprod(0); \
t01, = torch.autograd.grad(t00.sum(), a, create_graph=True)
c = torch.ones(2).byte(); c.clamp_max(300)
b = torch.ones(0); t00 = torch.cat([b, b], 5)
a = torch.ones(2, requires_grad=True); t = a * 1; h = t.register_hook(lambda g: g > 0); \
t.sum().backward()
c = torch.ones(2).half(); c[0] = 1e30
c = torch.ones(2).byte(); c.scatter_(0, torch.tensor([0]), -1)
c = torch.ones(2).byte(); c.index_fill_(0, torch.tensor([0]), 300)
c = torch.ones(2).byte(); t00 = torch.full_like(c, -1)
t00 = torch.full((2,), float('inf'), dtype=torch.int32)
x = torch.tensor([-1.0, -0.5, 1.0, 2.0], requires_grad=True); \
g, = torch.autograd.grad(torch.nn.functional.huber_loss(x, x.detach() * 0), x, create_graph=True); \
g.sum().backward()
c = torch.ones(2, requires_grad=True); x = torch.ones(2, requires_grad=True); e = x.sin().exp(); \
y = (e * 3 + c * 2).sum(); e.detach().add_(1); torch.autograd.grad(y, [c, x])
c = torch.ones(2, requires_grad=True); x = torch.ones(2, requires_grad=True); e = x.sin().exp(); \
y = (e * 3 + c * 2).sum(); e.detach().add_(1); y.backward(inputs=[c, x])
ls = [torch.ones(2, requires_grad=True) for _ in range(7)]; y = sum((l * l).sum() for l in ls); \
h = ls[0].register_hook(lambda g: log('seen', *[str(l.grad) for l in ls])); y.backward()
ls = [torch.ones(2, requires_grad=True) for _ in range(7)]; z = ls[5] // 2; \
y = sum((l * l).sum() for l in ls[:5]) + z.sum() + ls[6].sum(); y.backward(); \
log('seen', *[str(l.grad) for l in ls])
a = torch.ones(3, requires_grad=True); t = a.squeeze(); u = t.permute(0); \
u.sum().backward(retain_graph=True); (t * 2).sum().backward()
a = torch.ones(3, requires_grad=True); torch.set_grad_enabled(False); p, q, r = a.split(1); \
torch.set_grad_enabled(True); y = p.sin().sum(); y.backward(inputs=p); y.backward()
a = torch.ones(2, 1, requires_grad=True); b = a * 1; torch.set_grad_enabled(False); \
c = b.squeeze(); torch.set_grad_enabled(True); t00 = c // torch.tensor(0.5).double()
"""


def programs(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


@pytest.mark.parametrize("lane", ["accelerated", "plain"])
@pytest.mark.parametrize("program", programs(INDICES + ERRORS + HISTORIES + VALUES))
def test_a_program_that_once_differed(program: str, lane: str) -> None:
    fast = sys.modules.get("minigrad.fast")  # not there with MINIGRAD_FAST=0
    with fast.off() if fast and lane == "plain" else contextlib.nullcontext():
        assert hunt.differences(program.split("; ")) == []
