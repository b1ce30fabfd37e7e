"""Random programs over everything that a graph can be made of, each from a seed.

A program is a list of lines of Python. While it is made it runs under PyTorch, line by line: so the
next line can be chosen by what is there (an operand that fits, a view to edit, a leaf to hook), and
most lines do something. What a seed gives is always the same.

The names in a line: `torch`, `np`, the tensors `a`, `b`, … and `t00`, `t01`, …, those of `PRELUDE`,
where the user's own Functions and hooks stand, `log`, and `edited`, through which hooks say which
gradient they change in place.
"""

from __future__ import annotations

import itertools
import random
import re
import warnings
from collections.abc import Callable
from typing import Any

import torch

LARGEST = 64  # elements
# In a program with this line `hunt.trace` notes what hooks on saved tensors see; and what is not in
# such programs: what differences.md leaves out of that, and graphs of gradients.
WATCHED = "saved = 'watched'"
UNWATCHED = re.compile(r"create_graph|None, True|argsort|isclose|with_logits")
# Values beyond which a tensor is not computed with any further: a sine of them is rounding alone.
HUGE = {torch.float32: 1e3}
LINES = range(4, 22)

PRELUDE = '''
class Pair(torch.autograd.Function):
    """Two outputs, of which backward needs the input."""
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2, x.sin()
    @staticmethod
    def backward(ctx, first, second):
        x, = ctx.saved_tensors
        log("Pair", first, second)
        return first * 2 + second * x.cos()

class Lazy(torch.autograd.Function):
    """Two outputs, whose missing gradients are None; the second input gets none."""
    @staticmethod
    def forward(ctx, x, y, factor):
        ctx.set_materialize_grads(False)
        ctx.factor = factor
        return x * factor, y.clone()
    @staticmethod
    def backward(ctx, first, second):
        log("Lazy", first, second, ctx.needs_input_grad)
        return None if first is None else first * ctx.factor, None, None

class Square(torch.autograd.Function):
    """Saves its output and its input."""
    @staticmethod
    def forward(ctx, x):
        result = x * x
        ctx.save_for_backward(x, result)
        return result
    @staticmethod
    def backward(ctx, grad):
        x, result = ctx.saved_tensors
        log("Square", result)
        return grad * x * 2

class Doubled(torch.autograd.Function):
    """Changes its input in place."""
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(2)
        return x
    @staticmethod
    def backward(ctx, grad):
        return grad * 2

class WithPlace(torch.autograd.Function):
    """A result, and one that has no gradient."""
    @staticmethod
    def forward(ctx, x):
        places = x.sign()
        ctx.mark_non_differentiable(places)
        return x * 3, places
    @staticmethod
    def backward(ctx, grad, _):
        log("WithPlace", grad, _)
        return grad * 3

class Same(torch.autograd.Function):
    """Returns its input."""
    @staticmethod
    def forward(ctx, x):
        return x
    @staticmethod
    def backward(ctx, grad):
        return -grad

class Scaled(torch.autograd.Function):
    """The other form, with a context of its own; cannot be differentiated twice."""
    @staticmethod
    def forward(x, factor):
        return x * factor
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.factor = inputs[1]
    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, grad):
        return grad * ctx.factor, None

class Nothing(torch.autograd.Function):
    """Gives no gradient."""
    @staticmethod
    def forward(ctx, x, y):
        return x + y
    @staticmethod
    def backward(ctx, grad):
        return None, grad

class Wrong(torch.autograd.Function):
    """Gives a gradient of a wrong shape."""
    @staticmethod
    def forward(ctx, x):
        return x * 1
    @staticmethod
    def backward(ctx, grad):
        return torch.ones(7, 5, dtype=grad.dtype)

class Surplus(torch.autograd.Function):
    """Gives more gradients than there are inputs."""
    @staticmethod
    def forward(ctx, x):
        return x * 1
    @staticmethod
    def backward(ctx, grad):
        return grad, grad

class Broken(torch.autograd.Function):
    """Raises in backward."""
    @staticmethod
    def forward(ctx, x):
        return x.exp()
    @staticmethod
    def backward(ctx, grad):
        raise ValueError("broken")

class Look(torch.autograd.Function):
    """Returns a view of its input."""
    @staticmethod
    def forward(ctx, x):
        return x.view(-1)
    @staticmethod
    def backward(ctx, grad):
        return grad

def halve(grad):
    return grad / 2

def refuse(grad):
    raise KeyError("refused")

def step(leaf):
    with torch.no_grad():
        leaf.sub_(leaf.grad / 4)
    leaf.grad = None
'''

# What a template asks for: {x} a tensor, mostly a late one; {y} one that fits it; {f} a floating
# one; {k} a number of any kind; {d} a dimension; {i} an index; {n} the number of the line.
UNARY = """
-{x}; {x}.abs(); {x}.sin(); {x}.cos(); {x}.tanh(); {x}.sigmoid(); {x}.relu(); {x}.exp()
{x}.square()
{x}.tan(); {x}.atan(); {x}.sinh(); {x}.cosh(); {x}.atan(); {x}.expm1(); {x}.exp(); {x}.erf()
{x}.sign(); {x}.floor(); {x}.ceil(); {x}.trunc(); {x}.round(); {x}.reciprocal(); {x}.rsqrt()
({x} * {x} + 1).sqrt(); ({x} * {x} + 1).log(); ({x} * {x} + 1).log2(); {x}.abs().log1p()
({x} * {x} + 1).log10(); ({x}.tanh() / 2).asin(); ({x}.tanh() / 2).acos(); {x}.nan_to_num(); +{x}
({x} * {x} + 1).rsqrt(); torch.nn.functional.gelu({x}); torch.nn.functional.silu({x})
torch.nn.functional.leaky_relu({x}, 0.1); torch.nn.functional.elu({x})
torch.nn.functional.softplus({x}); torch.nn.functional.hardtanh({x})
{x}.softmax({d}); {x}.log_softmax({d}); {x}.cumsum({d}); {x}.cumprod({d}); {x}.flip({d})
{x}.roll(1, {d}); {x}[..., 1:]; {x}.tril(); {x}.triu(); {x}.clamp(-0.5, 1); {x}.clamp(min={k})
{x}.clamp_max(0.5); {x}.clamp_min(0); {x}.isnan(); {x}.logical_not(); {x}.argsort(stable=True)
{x}.repeat(2, 1)
{x}.tile(2); {x} ** 2; {x} ** 3; {x} ** 0; {x} ** -1; {x} ** 0.5; {x} ** 1; {x}.pow(2.0)
torch.pow({x}, 3); {x} ** True; {x}.pow(-2); {x} ** np.float64(2)
2 ** {x}; 0 ** {x}; {x}.float(); {x}.double(); {x}.to(torch.float64); {x}.long()
{x}.to({y}); {x}.to({x}.dtype); {x}.type_as({y}); {x}.clone(); {x}.contiguous(); {x}.bool()
"""
BINARY = """
{x} + {y}; {x} - {y}; {x} * {y}; {x} / {y}; {x} / ({y} * {y} + 1); {x} ** {y}; {x} + {k}; {k} - {x}
{x} * {k}; {k} / {x}; {x} / {k}; {k} + {x}; {k} * {x}; {x} - {k}; {x} ** 1.5; 1.5 ** {x}; {x} % {k}
{x}.detach() // {k}; {x} // {y}; {x} // {k}; {k} // {x}; torch.clamp_min({x}, {k})
torch.div({x}, {y}, rounding_mode='floor'); torch.div({x}, {k}, rounding_mode='trunc')
torch.clamp({x}, {y}.expand_as({x}), {z}.expand_as({x})); {x}.clamp(max={y})
torch.clamp_max({x}, {y}); {x} ** {k}; {k} ** {x}
{x}.abs() ** {y}; torch.add({x}, {y}, alpha=2); {x}.sub({y}, alpha=0.5)
{x} + {x}; {x} * {x}
torch.maximum({x}, {y}); torch.minimum({x}, {y}); torch.max({x}, {y}); torch.atan2({x}, {y})
torch.hypot({x}, {y}); torch.remainder({x}, 1.5); torch.remainder({x}, {y})
torch.lerp({x}, {y}, 0.25)
torch.lerp({x}, {y}, {x} * 0.5); torch.addcmul({x}, {y}, {z}, value=2); torch.addcdiv({x}, {y}, {z})
torch.where({x} > 0, {x}, {y}); torch.where({x} > {y}, {x}, 0.5); torch.where({x} > 0, {k}, {y})
torch.where({x} > {y}, {y}, {z}); {x} > {y}; {x} == {y}; {x} >= {k}; {x}.masked_fill({y} > 0, {k})
{x}.masked_fill({x} > 0, 2); torch.maximum({x}, {y}); torch.atan2({x}, {y}); {x} & {y}
torch.eq({x}, 0.5); {x}.le(1); {x}.mul(2); {x}.div({y}); {x}.true_divide(0.5); {x} < {k}
torch.nn.functional.mse_loss({x}, {y}); torch.nn.functional.l1_loss({x}, {y}, reduction='sum')
torch.nn.functional.smooth_l1_loss({x}, {y}); torch.nn.functional.huber_loss({x}, {y})
torch.nn.functional.binary_cross_entropy_with_logits({x}, {x}.detach().tanh())
{x}.clamp({x}.detach(), {x} + 1); torch.clamp({x}, {x} * 2, {x}); {x}.dot({y})
torch.outer({x}, {y})
"""
REDUCTIONS = """
{x}.sum(); {x}.mean(); {x}.sum({d}); {x}.mean({d}, keepdim=True); {x}.sum((0, -1)); {x}.prod()
{x}.prod({d}); {x}.max(); {x}.min(); {x}.amax({d}); {x}.amin({d}, keepdim=True); {x}.amax()
{x}.std()
{x}.var({d}); {x}.var({d}, unbiased=False); {x}.var(correction=0); {x}.norm(); {x}.norm(1)
{x}.norm(dim={d}); {x}.logsumexp({d}); {x}.argmax(); {x}.argmin({d}); {x}.any(); {x}.all({d})
{x}.median(); {x}.median(); {x}.sum(dtype=torch.float64); {x}.mean(dtype=torch.float64)
{x}.sum({d}, keepdim=True); {x}.std({d}); {x}.trace(); {x}.sum(()); {x}.norm(3)
"""
PRODUCTS = """
{x} @ {y}; {x}.matmul({y}); {x}.reshape(-1) @ {x}.reshape(-1)
{x}.reshape(-1, 1) @ {x}.reshape(1, -1)
torch.einsum('i,j->ij', {x}.flatten(), {y}.flatten())
torch.mm({x}, {y})
{x} @ {x}.mT; {x}.mT @ {x}; torch.mv({x}, {x}[0])
torch.nn.functional.linear({x}, {x}[:1])
torch.bmm({x}[None], {x}.t()[None])
"""
PICKS = """
{x}[[0, -1]]; {x}[{x} > 0]; {x}[..., [0, 0]]; torch.stack([{x}, {x}]); torch.stack([{x}, {y}], -1)
torch.cat([{x}.reshape(-1), {y}.reshape(-1)]); torch.cat([{x}, {y}], {d}); torch.cat([{x}, {x}])
torch.stack([{x}.sum(), {y}.mean(), {z}.sum()]); {x}[torch.tensor([0, 0])]; {x}[torch.tensor(0)]
{x}[{index}]; {x}[{index}]; {x}.index_select({d}, torch.tensor([0, 0]))
{x}[{x}.argsort(stable=True)]
{x}.gather({d}, torch.zeros_like({x}, dtype=torch.int64)); {x}.masked_select({x} < {y})
{x}[..., None].gather({d}, {x}[..., None].argsort(dim={d}, stable=True))
torch.hstack([{x}, {y}])
torch.vstack([{x}, {y}])
{x}.scatter({d}, torch.zeros_like({x}, dtype=torch.int64), {x}.detach())
{x}.index_add(0, torch.tensor([0]), {x}[:1])
{x}.scatter_add({d}, torch.zeros_like({x}, dtype=torch.int64), {x}); {x}.nonzero()
torch.diag({x}); torch.tril({x}); torch.zeros_like({x}); torch.ones_like({x}, requires_grad=True)
torch.full_like({x}, 0.5); {x}.new_ones(2, 3); {x}.detach().clone().requires_grad_()
"""
VIEWS = """
{x}[{i}]; {x}[{i}:]; {x}[..., ::2]; {x}[None]; {x}[{index}]; {x}[{index}]; {x}[{index}]; {x}[...]
{x}.reshape(-1); {x}.view(-1); {x}.transpose(0, -1); {x}.unsqueeze({d}); {x}.squeeze(); {x}.t()
{x}.squeeze({d}); {x}.flatten(); {x}.T; {x}.mT; {x}.permute(1, 0)
{x}.view_as({x}); {x}.movedim(0, -1); {x}.swapaxes(0, -1); {x}.narrow({d}, 0, 1); {x}.diagonal()
{x}.select({d}, 0); {x}.unbind()[0]; {x}.chunk(2)[-1]; {x}.split(1)[0]; {x}.reshape({x}.shape)
{x}.expand(2, *{x}.shape) * 1; {x}.ravel(); {x}.view(1, -1); {x}.expand(2, *{x}.shape)
{x}.expand(3, *{x}.shape)[..., 0]; {x}.expand_as({y}); {x}.broadcast_to(({x} + {y}).shape)
{x}.detach(); {x}.data; {x}.detach()[{i}]; {x}.reshape(1, -1).t(); {x}.t()[{i}]; {x}[:, None]
"""
# Which of equal elements `topk` names, PyTorch leaves open: no two of these are equal.
SEVERAL = """
{x}.unbind({d}); {x}.split(1, {d}); {x}.chunk(2, {d}); {x}.max({d}); {x}.min({d})
({x}.tanh() / 3 + torch.arange({x}.shape[-1])).topk(1)
{x}.sort(dim={d}, stable=True); {x}.sort(descending=True, stable=True); {x}.median({d})
(torch.var({x}), torch.mean({x})); {x}.split([1, 1])
Pair.apply({x}); Lazy.apply({x}, {y}, 2.0); WithPlace.apply({x})
torch.meshgrid({x}.reshape(-1), {y}.reshape(-1), indexing='ij')
({x}.tanh() / 3 + torch.arange({x}.shape[-1])).topk(2, largest=False); {x}.max({d}, keepdim=True)
(torch.var({x}, {d}), torch.mean({x}, {d})); iter({x})
"""
FUNCTIONS = """
Square.apply({f}); Square.apply({f}); Same.apply({f}); Scaled.apply({f}, 2); Nothing.apply({f}, {y})
Pair.apply({f})[1]; Pair.apply({f})[0]; Lazy.apply({f}, {y}, 0.5)[0]; Lazy.apply({f}, {y}, 0.5)[1]
WithPlace.apply({f})[0]; Wrong.apply({f}); Surplus.apply({f}); Broken.apply({f}); Doubled.apply({f})
Doubled.apply({f} * 1); Doubled.apply({f}.clone()); Square.apply({f}).sum()
"""
CHANGES = """
{x}.mul_({y}); {x}.add_({y}); {x}.sub_({y}); {x}.div_({k}); {x} += {y}; {x} -= {k}; {x} *= {k}
{x} /= {k}
{x} *= {y}; {x}.copy_({y}); {x}.sin_(); {x}.tanh_(); {x}.relu_(); {x}.zero_(); {x}.pow_(2)
{x}.exp_()
{x}.fill_({k}); {x}.sigmoid_(); {x}.neg_(); {x}.abs_(); {x}.clamp_(-1, 1); {x}.clamp_(min=0)
{x}.square_()
{x}.masked_fill_({x} > 0, 0.5); {x}.masked_fill_({y} > 0, {k}); {x}.cumsum_(0); {x}.tril_()
{x}.round_()
{x}[{index}] = {k}; {x}[{index}] = {y}; {x}[{index}] = {k}; {x}[{index}] *= 2; {x}[{index}] += {y}
{x}[{i}] = {y}; {x}[{i}] = {k}; {x}[...] = {y}; {x}[{x} > 0] = {k}; {x}[[0, -1]] = {y}
{x}[{i}:] += {k}
{x}[{x} > 0] *= 2; {x}[torch.tensor([0])] = {y}; {x}[..., 0] = 2; {x}[{i}] *= {k}; {x}[:] = {x} * 2
{x}.t()[{i}].neg_(); {x}.detach().mul_(2); {x}.detach()[..., 0] = 1; {x}.data.copy_({x} + 0)
{x}.data[{i}] = 0
{x}.view(-1)[{i}] = {k}; {x}.reshape(-1)[{i}] = {k}; {x}.unsqueeze(0)[0].mul_(2)
{x}[{i}][...] = {k}
{x}.add_({y}, alpha=2); {x}.sub_({k}, alpha=0.5); {x}.atan2_({y}); {x}.reciprocal_(); {x}.sqrt_()
{x}.scatter_({d}, torch.zeros_like({x}, dtype=torch.int64), 0.5); {x}.floor_(); {x}.clamp_max_(1)
{x}.transpose(0, -1).mul_({k}); {x}.diagonal().fill_({k}); {x}.squeeze().add_({k}); {x} **= 2
"""
MODES = """
{x}.requires_grad_(); {x}.requires_grad_(False); {x}.requires_grad = True; {x}.grad = None
torch.set_grad_enabled(False); torch.set_grad_enabled(True); torch.set_grad_enabled(True)
{x}.grad = torch.zeros_like({x}); {x}.grad.mul_(2); {x}.grad.zero_(); {x}.grad.add_({k})
{x}.grad = {y}; log('seen', {x}.grad); log('flags', {x}); log('flags', {y})
"""
HOOKS = """
{x}.retain_grad(); {x}.retain_grad(); {x}.retain_grad(); {x}.retain_grad(); {x}.mul_(2)
h{n} = {x}.register_hook(lambda grad: log('{n} {x}', grad)); h{n} = {x}.register_hook(halve)
h{n} = {x}.register_hook(lambda grad: log('{n} {x}', grad))
{x}.register_hook(lambda grad: grad * {k})
{x}.register_hook(lambda grad: torch.zeros_like(grad)); {x}.register_hook(lambda grad: {y} * 1)
{x}.register_hook(lambda grad: log('{n} {x}', {x}.grad)); {x}.register_hook(refuse)
{x}.register_hook(lambda grad: grad.sin())
{x}.register_hook(lambda grad: log('{n}', grad)).remove()
{h}.remove(); {h}.remove(); {x}.register_hook(lambda grad: (log('{n} {x}', grad), grad * 2)[1])
{x}.grad_fn.register_prehook(lambda outputs: log('{n} pre', *outputs))
{x}.grad_fn.register_hook(lambda inputs, outputs: log('{n} post', *inputs, *outputs))
{x}.grad_fn.register_hook(lambda inputs, _: tuple(g if g is None else g * 2 for g in inputs))
{x}.grad_fn.register_prehook(lambda outputs: tuple(g if g is None else g * 2 for g in outputs))
{x}.grad_fn.register_hook(lambda inputs, _: inputs[:1]); {x}.grad_fn.register_hook(lambda *_: 1)
{x}.grad_fn.next_functions[0][0].register_hook(lambda inputs, outputs: log('{n} next', *outputs))
{x}.grad_fn.next_functions[-1][0].register_prehook(lambda outputs: log('{n} next pre', *outputs))
"""
LEAF_HOOKS = """
{x}.register_post_accumulate_grad_hook(lambda leaf: log('{n} {x} has', leaf.grad))
{x}.register_post_accumulate_grad_hook(lambda leaf: log('{n} {x} has', leaf.grad))
{x}.register_post_accumulate_grad_hook(lambda leaf: setattr(leaf, 'grad', None))
{x}.register_post_accumulate_grad_hook(step); {x}.register_post_accumulate_grad_hook(lambda leaf: 1)
h{n} = {x}.register_post_accumulate_grad_hook(lambda leaf: log('{n} {x}', leaf.grad))
h{n} = {x}.register_hook(lambda grad: log('{n} {x}', grad)); h{n} = {x}.register_hook(halve)
h{n} = {x}.register_hook(lambda grad: log('{n} {x}', grad, {x}.grad)); {x}.retain_grad()
{h}.remove()
"""
BACKWARDS = """
{x}.sum().backward(); {x}.sum().backward(); {x}.sum().backward(retain_graph=True); {x}.backward()
({x} * {y}).sum().backward(retain_graph=True); {x}.backward(torch.ones_like({x}), retain_graph=True)
{x}.mean().backward(inputs=[{y}], retain_graph=True); {x}.sum().backward(inputs={y})
{x}.backward({y}.detach() * 1)
{x}.square().sum().backward(inputs=[{y}, a]); {x}.sum().backward(inputs=[a], create_graph=True)
torch.autograd.backward([{x}.sum(), {y}.mean()], retain_graph=True)
torch.autograd.backward([{x}, {y}], [torch.ones_like({x}), {y}.detach() * 1])
log('{n}', *torch.autograd.grad({x}.sum(), [{y}, a], retain_graph=True, allow_unused=True))
log('{n}', *torch.autograd.grad([{x}.sum(), {y}.sum()], [{x}, {y}], retain_graph=True))
log('{n}', *torch.autograd.grad(({x} * {x}).sum(), a, allow_unused=True))
log('{n}', *torch.autograd.grad({x}.sum(), [a, {y}]))
log('{n}', *torch.autograd.grad({x}, a, {x}.detach()))
log('{n}', *torch.autograd.grad({x}, {y}, torch.ones_like({x}), None, True, allow_unused=True))
log('{n}', *torch.autograd.grad({x}.sum(), [{y}, a], materialize_grads=True, create_graph=True))
log('{n}', *torch.autograd.grad(({x} * {x}).sum(), {y}, create_graph=True))
t{n}, = torch.autograd.grad(({x} * {x}).sum(), {y}, create_graph=True)
t{n}, = torch.autograd.grad({x}.sum(), a, create_graph=True)
t{n}, = torch.autograd.grad(({x} * {y}).sum(), b, create_graph=True, allow_unused=True)
torch.autograd.grad(({x} * {x}).sum(), {y}, create_graph=True)[0].square().sum().backward()
({x} * {x}).sum().backward(create_graph=True); {x}.sum().backward(create_graph=True)
{y}.grad.square().sum().backward(retain_graph=True); {x}.grad.sum().backward()
({x}.sum() + {y}.sum()).backward(retain_graph=True); ({x}.square().sum() * {y}.sum()).backward()
"""
EDITING_HOOKS = """
{x}.register_hook(lambda grad: edited(grad).mul_(2))
{x}.register_hook(lambda grad: (edited(grad).zero_(), None)[1])
{x}.register_post_accumulate_grad_hook(lambda leaf: setattr(leaf, 'grad', leaf.grad * 2))
{x}.grad_fn.register_prehook(lambda outputs: (edited(outputs[0]).mul_(2), None)[1])
{x}.grad_fn.register_hook(lambda inputs, outputs: (edited(inputs[0]).mul_(2), None)[1])
"""
SAVED_HOOKS = """
with torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x * 2): t{n} = {x} * {x}
with torch.autograd.graph.saved_tensors_hooks(lambda x: x.clone(), lambda x: x): t{n} = {x}.sin()
"""
DETACHING = "{x}.detach_(); {x}.sin().detach_(); {x}.detach_().requires_grad_()"
REVERSED = "{x}.__rsub__({y}); {x}.__rpow__({y}); torch.rsub({x}, {y}); {x}.__rmatmul__({y})"
VIEW_IN_FUNCTION = "Look.apply({x}).mul_(2); Look.apply({x})[0] = 1"

INDICES = """
0; -1; 1; ...; None; :; 1:; :1; ::2; -1:; (0, 0); (..., 0); (0, ...); (None, 0); (slice(None), 0)
(..., None); (slice(None, None, 2), -1); (slice(1, None), slice(0, 1)); [0]; [0, 0]; (0, [0, 0])
torch.tensor([0, -1]); (torch.tensor([0]), 0); (..., [0, -1]); True; False; np.array([0])
np.int64(0)
([0, 1], [0, 0]); (slice(None), [0, 0]); torch.tensor([True, False]); (None, [0]); []
torch.tensor(0)
(torch.tensor([0, 0]), None); 5; (slice(None), None, 0); 0:0; ([[0, 0]],)
"""
SCALAR_INDICES = "...; None; (None, ...); True; (..., None); torch.tensor(True); 0"
NUMBERS = """
2; 2; -1; 0; 3; 0.5; 0.5; 1.5; -2.0; True; False; np.float32(0.5); np.float64(1.5); np.int64(2)
1e-3
torch.tensor(2.0); torch.tensor(0.5, dtype=torch.float64); torch.tensor(3); torch.tensor(True)
np.float16(2); torch.tensor([2.0]); np.int32(-1); np.bool_(True); np.uint8(3); float('inf')
"""
OTHERS = "None; 'text'; [1, 2]; (1.0, 2.0)"
SHAPES = [(), (), (1,), (3,), (3,), (2, 3), (2, 3), (3, 2), (2, 1), (1, 3), (2, 2, 3), (2, 2)]
SHAPES += [(3, 3)]
EMPTY = [(0,), (2, 0), (0, 3)]
LAYOUTS = [*[""] * 5, ".t()", "[::2]", "[..., ::2]", ".transpose(0, -1).detach()", "[None]"]
LAYOUTS += [".movedim(0, -1).detach()", ".mT", ".expand(2, *{s}).clone()"]
MIXED = ["float64", "float64", "float32"]
# Of several dtypes PyTorch computes these two, but its backward then raises, see differences.md.
ALWAYS_STRICT = r"huber|addcdiv"
STRICT = r"loss|\*\* {y}|addc|lerp|clamp|addmm"  # what asks PyTorch for one dtype
OTHER_DTYPES = ["int64", "int64", "int32", "bool", "uint8"]


def parts(text: str) -> list[str]:
    """The templates in a text."""
    return [each for each in re.split(r"; |\n", text) if each]


FAMILIES: dict[str, tuple[int, list[str]]] = {
    "unary": (10, parts(UNARY)),
    "binary": (12, parts(BINARY)),
    "reductions": (5, parts(REDUCTIONS)),
    "products": (3, parts(PRODUCTS)),
    "picks": (5, parts(PICKS)),
    "views": (10, parts(VIEWS)),
    "several": (4, parts(SEVERAL)),
    "functions": (3, parts(FUNCTIONS)),
    "changes": (11, parts(CHANGES)),
    "modes": (2, parts(MODES)),
    "hooks": (5, parts(HOOKS)),
    "leaf hooks": (2, parts(LEAF_HOOKS)),
    "backwards": (6, parts(BACKWARDS)),
    "editing hooks": (2, parts(EDITING_HOOKS)),
    "saved hooks": (1, parts(SAVED_HOOKS)),
    "detaching": (1, parts(DETACHING)),
    "reversed": (1, parts(REVERSED)),
    "views in functions": (1, parts(VIEW_IN_FUNCTION)),
}
RESULTS = ["unary", "binary", "reductions", "products", "picks", "views", "functions", "reversed"]
COMPUTING = ["unary", "binary", "reductions"]  # what inference mode is for
UNRECORDED = [*RESULTS, "several", "changes", "backwards"]


def program(seed: int) -> list[str]:
    """The lines of the program number `seed`."""
    with torch.enable_grad():
        return Maker(seed).lines()


class Maker:
    """Makes one program, running it under PyTorch as it grows."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.names: dict[str, Any] = namespace(torch, lambda *_: None)
        self.tensors: list[str] = []
        self.floats = self.rng.choice([["float64"]] * 6 + [["float32"]] * 2 + [MIXED])
        weights = {k: weight for k, (weight, _) in FAMILIES.items()}
        for kind in self.rng.sample(sorted(weights), 4):  # each program has its own character
            weights[kind] *= self.rng.choice([0, 3])
        self.kinds, self.weights = list(weights), list(weights.values())

    def lines(self) -> list[str]:
        made = [self.leaf(name) for name in "abcd"[: self.rng.choice([2, 3, 3, 4])]]
        failed = [self.attempt(line) for line in made]
        if all(failed):
            made.append("a = torch.ones(3, requires_grad=True)")
            self.attempt(made[-1])
        self.tensors = [name for name in "abcd" if name in self.names]
        if watched := self.rng.random() < 0.15:
            made.append(WATCHED)
        for number in range(self.rng.choice(LINES)):
            line = self.line(number)
            if "detach_(" in line and "create_graph" in "".join(made):
                continue  # what the graph of a gradient saves, see differences.md
            if watched and UNWATCHED.search(line):
                continue
            failed = self.attempt(line)
            if self.accidental:
                continue
            if failed and re.match(r"t\d\d", line) and self.rng.random() < 0.85:
                continue  # computing something failed: that leaves nothing behind
            made.append(line)
            self.tensors += [name for name in self.fresh(number, line) if name not in self.tensors]
        roots = [name for name in self.tensors if self.is_root(name)]
        made.append("torch.set_grad_enabled(True)")
        made.append(f"sum(t.sum() for t in [{', '.join(roots)}] if t.requires_grad).backward()")
        return made

    def leaf(self, name: str) -> str:
        rng = self.rng
        shape = rng.choice(EMPTY if rng.random() < 0.08 else SHAPES)
        constant = rng.random() < 0.2 and name != "a"
        dtype = rng.choice([*OTHER_DTYPES, *self.floats] if constant else self.floats)
        layout = rng.choice(LAYOUTS).format(s=shape)
        count = torch.Size(shape).numel()
        numbers = [rng.choice([-2, -1.5, -1, -0.5, 0, 0.25, 0.5, 0.75, 1, 1, 1.5, 2, 3])
                   for _ in range(count)]  # fmt: skip
        if not dtype.startswith("float"):
            numbers = [abs(int(each)) for each in numbers]
        text = f"{name} = torch.tensor({numbers}, dtype=torch.{dtype}).reshape({shape})"
        needs = dtype.startswith("float") and (name == "a" or rng.random() < 0.75)
        if layout and needs and rng.random() < 0.7:
            layout += ".detach()"  # a leaf that is no view
        return f"{text}{layout}" + ".requires_grad_()" * needs

    def line(self, number: int) -> str:
        rng = self.rng
        kind = rng.choices(self.kinds, self.weights)[0]
        template = rng.choice(FAMILIES[kind][1])
        line = self.filled(template, kind, number)
        if kind in RESULTS:
            line = f"t{number:02} = {line}"
        elif kind == "several":
            line = f"t{number:02}_0, *t{number:02}_rest = {line}"
        asked = line.partition(" = ")[2] or line
        if view := re.match(r"(\w+)\.(register_hook|retain_grad)", asked):
            # If the view's history is out of date PyTorch crashes at the one and passes over the
            # other, see differences.md: whoever reads it renews it.
            stale = view[1] in self.names and self.names[view[1]]._is_view()
            line = f"{view[1]}.grad_fn; {line}" if stale else line
        if kind in UNRECORDED and rng.random() < 0.05:
            inference = ["inference_mode"] * (kind in COMPUTING)
            mode = rng.choice(["no_grad", "no_grad", "enable_grad", *inference])
            line = f"with torch.{mode}(): {line}"
        return line

    def filled(self, template: str, kind: str, number: int) -> str:
        """The template with names, numbers and the like for what it asks for."""
        rng = self.rng
        strict = re.search(STRICT, template) is not None and rng.random() < 0.8
        strict = strict or re.search(ALWAYS_STRICT, template) is not None
        x = rng.choice(self.operands(template, kind, strict))
        handles = [name for name in self.names if re.fullmatch(r"h\d+", name)] or ["h"]
        choices: dict[str, Callable[[], str]] = {
            "x": lambda: x,
            "f": lambda: x,
            "y": lambda: self.fitting(x, kind, strict),
            "z": lambda: self.fitting(x, kind, strict, filled["y"]),
            "k": lambda: self.number(kind),
            "d": lambda: str(rng.choice([0, 0, -1, -1, 1, 5] if rng.random() < 0.2 else [0, -1])),
            "i": lambda: rng.choice(["0", "-1", "1"] if self.names[x].dim() else ["0"]),
            "index": lambda: rng.choice(parts(INDICES if self.names[x].dim() else SCALAR_INDICES)),
            "n": lambda: f"{number:02}",
            "h": lambda: rng.choice(handles),
        }
        filled: dict[str, str] = {}
        for key in dict.fromkeys(re.findall(r"{(\w+)}", template)):
            filled[key] = choices[key]()
            while "k" in filled and (raises(template, filled["k"]) or self.wraps(x, filled["k"])):
                filled["k"] = choices["k"]()
        exponent = {"** {y}": filled.get("y"), "__rpow__": x}
        if any(part in template and self.is_bool(name) for part, name in exponent.items()):
            filled["y"] = x  # as `raises`
        return template.format(**filled)

    def operands(self, template: str, kind: str, strict: bool) -> list[str]:
        """The names of which one can stand for the first operand."""
        rng = self.rng
        late = self.tensors if rng.random() < 0.3 else self.tensors[-4:]
        if rng.random() < 0.9:
            late = [each for each in late if self.names[each].is_floating_point()] or late
        if kind in ("changes", "hooks") and rng.random() < 0.85:  # they refuse leaves
            late = [each for each in late if self.has_history(each)] or late
        if kind == "changes":  # of inference tensors PyTorch refuses some too late: differences.md
            late = [each for each in late if not self.names[each].is_inference()] or ["a"]
        if kind == "changes" or ".median({d})" in template:
            # PyTorch refuses some edits of what `expand` made, and warns of some, see
            # differences.md; and its median of that along a dimension shows memory that nobody has
            # written.
            once = [each for each in self.tensors if not repeats(self.names[each])]
            late = [each for each in late if each in once] or self.editable(once) or late
        for pattern, unfit in UNFIT.items():
            if re.search(pattern, template):
                late = [each for each in late if not unfit(self.names[each])] or ["a"]
        if kind == "leaf hooks" and rng.random() < 0.9:
            late = [each for each in self.tensors if self.is_wanting(each)] or late
        if kind == "backwards" and rng.random() < 0.85:
            late = [each for each in late if self.names[each].requires_grad] or late
        if strict:
            late = [each for each in late if self.names[each].is_floating_point()] or late
        return late

    def is_bool(self, name: str | None) -> bool:
        return name is not None and self.names[name].dtype is torch.bool

    def wraps(self, name: str, number: str) -> bool:
        """Whether C leaves open what becomes of the number: one below 0 with a point, unsigned."""
        return number.startswith("-") and "." in number and self.names[name].dtype is torch.uint8

    def editable(self, names: list[str]) -> list[str]:
        return [each for each in names if not self.names[each].is_inference()]

    def number(self, kind: str) -> str:
        """A number of some kind; now and then what is none."""
        wrong = kind == "binary" and self.rng.random() < 0.02
        return self.rng.choice(parts(OTHERS if wrong else NUMBERS))

    def fitting(self, x: str, kind: str, strict: bool, other: str = "") -> str:
        """A tensor that can be broadcast with `x`, mostly; if `strict` always, and of its dtype."""
        rng = self.rng
        if kind == "backwards" and rng.random() < 0.8:
            wanting = [each for each in self.tensors if self.names[each].requires_grad]
            return rng.choice(wanting or self.tensors)
        wanted = [self.names[each] for each in (x, other) if each]
        if rng.random() < 0.1 and not strict:
            wild = [e for e in self.tensors if not any(clash(self.names[e], w) for w in wanted)]
            return rng.choice(wild or [x])
        fitting = [each for each in self.tensors if all(fit(self.names[each], w) for w in wanted)]
        if kind == "changes":
            fitting = [e for e in fitting if not shows_part(self.names[e], self.names[x])]
        alike = [each for each in fitting if self.names[each].dtype is self.names[x].dtype]
        return rng.choice((fitting if rng.random() < 0.15 and not strict else alike) or [x])

    def attempt(self, line: str) -> bool:
        """Run the line; whether it failed."""
        self.accidental = False
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(line, self.names)
        except Exception as error:
            # PyTorch edits inference tensors before it raises, and what comes before an index that
            # is out of bounds, see differences.md. And whether operands overlap it asks also the
            # strides of single elements, which are what they happen to be.
            text = str(error)
            edits = re.search(r"\] .?.?= ", line) and "out of bounds for dimension" in text
            # What PyTorch itself calls a bug; and an integer tensor that was filled with what
            # requires grad, see differences.md.
            bug = re.search("INTERNAL ASSERT FAILED|Autograd not support dtype", text)
            self.accidental = (
                bug
                or edits
                or text.startswith("Inplace update to inference")
                or (
                    re.search("refer to a single memory location|match the broadcast shape", text)
                    and any(1 in each.shape for each in self.named_in(line))
                )
            )
            return True
        return False

    def named_in(self, line: str) -> list[torch.Tensor]:
        """The tensors that the line names."""
        return [self.names[name] for name in self.tensors if re.search(rf"\b{name}\b", line)]

    def fresh(self, number: int, line: str) -> list[str]:
        """The tensors that the line has made and that others can compute with."""
        names = self.names
        rest = names.get(f"t{number:02}_rest")
        if rest:
            names[f"t{number:02}_1"] = rest[-1]
        made = [f"t{number:02}", f"t{number:02}_0"]
        found = [each for each in made if torch.is_tensor(names.get(each)) and usable(names[each])]
        if ", = torch.autograd.grad" in line:  # how gradients are laid out nobody promises
            found = [each for each in found if names[each].is_contiguous()]
        return found

    def has_history(self, name: str) -> bool:
        try:
            return self.names[name].grad_fn is not None
        except RuntimeError:
            return False

    def is_wanting(self, name: str) -> bool:
        return self.names[name].requires_grad and not self.has_history(name)

    def is_root(self, name: str) -> bool:
        return self.names[name].is_floating_point() and usable(self.names[name])


def usable(tensor: torch.Tensor) -> bool:
    """Whether a tensor is small, in size and in values, and real; and laid out, where `expand` has
    made it, so that PyTorch and NumPy lay out alike what is computed of it, see differences.md.
    """
    if tensor.numel() > LARGEST or tensor.is_complex() or clash(tensor, tensor):
        return False
    largest = HUGE.get(tensor.dtype, 1e6)
    return not tensor.numel() or bool(tensor.detach().double().abs().max() < largest)


def is_infinite(tensor: torch.Tensor) -> bool:
    """Whether some elements are inf or nan: their running mean is PyTorch's, see differences.md."""
    return not tensor.detach().isfinite().all()


def has_both_zeros(tensor: torch.Tensor) -> bool:
    """Whether there are 0 and -0, of which either may be the larger."""
    signs = tensor.detach().double()[tensor.detach() == 0].signbit()
    return bool(signs.any() and not signs.all())


UNFIT = {"var_mean": is_infinite, r"\.a?(max|min)\(": has_both_zeros}


def shows_part(operand: torch.Tensor, edited: torch.Tensor) -> bool:
    """Whether an operand shows some memory of what is edited in place, and PyTorch does not look:
    it then reads what it has already written, see differences.md.
    """
    storages = [each.untyped_storage().data_ptr() for each in (operand, edited)]
    layouts = [(each.data_ptr(), each.shape, each.stride()) for each in (operand, edited)]
    if storages[0] != storages[1] or layouts[0] == layouts[1]:
        return False
    return not (is_dense(operand) and is_dense(edited))


def is_dense(tensor: torch.Tensor) -> bool:
    """Whether a tensor shows all places from its first to its last."""
    steps = zip(tensor.shape, tensor.stride(), strict=True)
    return 1 + sum((length - 1) * step for length, step in steps) == tensor.numel()


def repeats(tensor: torch.Tensor) -> bool:
    """Whether a place in memory is shown several times."""
    steps = zip(tensor.shape, tensor.stride(), strict=True)
    return any(length > 1 and not step for length, step in steps)


def raises(template: str, number: str) -> bool:
    """Whether PyTorch's backward raises because of its own formula for a bool, see differences.md:
    of an exponent it subtracts 1, and of `True ** x` it asks for the logarithm.
    """
    single = re.fullmatch(r"True|False|np\.bool_\(True\)", number) is not None
    return ("** {k}" in template and re.search("True|False", number) is not None) or (
        "{k} **" in template and single
    )


def fit(tensor: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors can be broadcast, and both libraries lay out the result alike."""
    return broadcast(tensor, other) and not clash(tensor, other)


def broadcast(tensor: torch.Tensor, other: torch.Tensor) -> bool:
    try:
        torch.broadcast_shapes(tensor.shape, other.shape)
    except RuntimeError:
        return False
    return True


def clash(tensor: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether PyTorch and NumPy, whose operators compute here, lay out a result differently.

    Of operands that do not agree which dimensions come first in memory PyTorch follows the first,
    and NumPy the one in C order, see differences.md.
    """
    if not broadcast(tensor, other):
        return False
    likes = [torch.empty_strided(each.shape, each.stride()).zero_() for each in (tensor, other)]
    dense = [each + each for each in likes]  # of what `expand` made they are laid out otherwise
    pairs = list(itertools.product([likes[0], dense[0]], [likes[1], dense[1]]))
    for a, b in [*pairs, *(pair[::-1] for pair in pairs)]:
        theirs, ours = a + b, a.numpy() + b.numpy()
        steps = zip(theirs.shape, theirs.stride(), ours.strides, strict=True)
        if theirs.numel() and any(n > 1 and step * 4 != bytes_ for n, step, bytes_ in steps):
            return True
    return False


def namespace(library: Any, log: Callable[..., Any]) -> dict[str, Any]:
    """What a program starts with."""
    import numpy as np

    names = {"torch": library, "np": np, "log": log, "__name__": "__main__"}
    names["edited"] = lambda grad: grad
    exec(compile(PRELUDE, "<prelude>", "exec"), names)
    return names
