"""Programs that once differed under the two libraries, reduced to a line each, and variants.

Random programs found most of them, and each has its own cause, which is fixed or is listed in
`differences.toml`. `test_found_programs` runs them.
"""

# Arrays in an index: which of them broadcast, what they select, and what is checked first.
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

# What PyTorch does not compute for bools, and in which order it checks its arguments.
ERRORS = """
b = torch.tensor([True, False]); b % b
b = torch.tensor([True, False]); b // False
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
b = torch.tensor([[True, False]]); b @ b.mT
b = torch.tensor([[True, False]]); b @ b[0]
b = torch.tensor([[True, False]]); b[None] @ b.mT[None]
b = torch.ones(3, 20, 20).bool(); b @ b
b = torch.ones(2, 0).bool(); b @ b.mT
b = torch.tensor([True, False]); torch.nn.functional.linear(b, b[:1])
a = torch.ones(1, 2, 0, requires_grad=True); b = torch.ones(2, 2).bool(); b @ a
a = torch.ones(1, 2, 1); b = torch.ones(2, 2).bool(); b @ a
b = torch.ones(3, 3).bool(); b.trace()
a = torch.ones(2, 2); a.masked_fill_(torch.ones(3, 2) > 0, 0)
a = torch.ones(3, requires_grad=True); b = torch.ones(3); \
(a * a).sum().backward(inputs=[b], create_graph=True)
b = torch.tensor([True]); +b
a = torch.ones(3); a['x']
a = torch.tensor(1.0); a['x']
a = torch.tensor(1.0); a[0, 1.5]
b = torch.ones(3, requires_grad=True); torch.set_grad_enabled(False); t01 = b[0:1]; t01.mul_(2); \
torch.set_grad_enabled(True); t01 & t01
b = torch.tensor(3.0, requires_grad=True) * 1; torch.set_grad_enabled(False); t01 = b.view(()); \
torch.set_grad_enabled(True); b.mul_(2); t01[0:]
a = torch.ones(2, 2); a.masked_fill_(torch.ones(3, 2) > 0, torch.ones(1))
a = torch.ones(2, 2); a.masked_fill_(torch.ones(3, 2), 1)
a = torch.ones(2, 2); a.masked_fill(torch.ones(3, 2), torch.ones(1))
a = torch.ones(2, requires_grad=True); torch.set_grad_enabled(False); b = a[:]; \
torch.set_grad_enabled(True); a.detach()[0] = 2; b.argmin(5)
a = torch.ones(2, requires_grad=True); i = torch.inference_mode(); i.__enter__(); \
b = torch.ones(2).sigmoid(); i.__exit__(None, None, None); a * b.data
a = torch.ones(2); a.addcmul_(a, 'x')
b = torch.tensor([True]); b.median(0)
b = torch.tensor([True]); b.median()
b = torch.tensor([True, False]); torch.lerp(b, b, b)
b = torch.tensor([1, 2]); torch.lerp(b, b, b[0] > 0)
a = torch.ones(1, 2, 3, requires_grad=True); t01, *_ = a.unbind(-1); \
torch.set_grad_enabled(False); t01.t()[-1].neg_(); torch.set_grad_enabled(True); t01.exp_()
a = torch.tensor(2.0, requires_grad=True); b = torch.tensor(0); b.fill_(a); b.backward()
b = torch.tensor([True]); b.trace()
b = torch.tensor([0, 1], dtype=torch.uint8); torch.nn.functional.hardtanh(b)
b = torch.tensor([0, 1], dtype=torch.uint8); 300 ** b; b ** 2; b ** 300
b = torch.tensor([0, 1], dtype=torch.uint8); torch.where(b > 0, b, 300)
"""

# Views that cannot follow a change of their base, and edges that nobody needs.
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
a = torch.ones(3, requires_grad=True); torch.set_grad_enabled(False); b = a[:]; \
torch.set_grad_enabled(True); t01 = (a * 1) // b; t02 = b // 2; t03 = b // b
a = torch.ones(2, requires_grad=True); torch.set_grad_enabled(False); b = a[:]; \
torch.set_grad_enabled(True); t01 = torch.hypot(b, b); t01[0] = 2; t01.sum().backward()
a = torch.ones(3, requires_grad=True); t = a * 1; torch.set_grad_enabled(False); b = t[:2]; \
torch.set_grad_enabled(True); b.clone().sum().backward()
a = torch.ones(4, 2); t = a[:, 0]; t[1:].add_(t[:-1])
a = torch.ones(2, requires_grad=True); torch.set_grad_enabled(False); b = a[:]; \
torch.set_grad_enabled(True); t01 = b / b; log('saved', t01.grad_fn._saved_other)
a = torch.ones(2, requires_grad=True); torch.set_grad_enabled(False); b = a[:]; \
torch.set_grad_enabled(True); Doubled.apply(b)
b = torch.ones(2); t01 = b[:]; b.requires_grad_(); Doubled.apply(t01)
a = torch.ones(2, requires_grad=True); b = a * 1; b.grad = torch.ones(2); t01 = Doubled.apply(b)
a = torch.ones(2, requires_grad=True); b = a.view(1, 2); t01 = b[0]; \
b.register_hook(lambda grad: b); log('grads', *torch.autograd.grad(t01.tanh().sum(), [a, t01]))
a = torch.ones(2, requires_grad=True); b = a.view(1, 2); t01 = b[0]; \
b.register_hook(lambda grad: b); a.register_hook(lambda grad: log('a', grad)); \
t01.tanh().sum().backward()
a = torch.ones(2, 3, requires_grad=True); b = a[0:0] * 1; t01 = b[:]; t01.zero_(); \
(t01 * t01).sum().backward(create_graph=True)
a = torch.ones(3, requires_grad=True); \
b = torch.full((3,), 0.1, dtype=torch.float64, requires_grad=True); t01 = a * 1; t01.mul_(b); \
t01.grad_fn.register_hook(lambda inputs, outputs: log('post', *outputs)); (t01 * b).sum().backward()
a = torch.ones(3, requires_grad=True); \
b = torch.full((3,), 0.1, dtype=torch.float64, requires_grad=True); t01 = a * 1; \
t01.sub_(b, alpha=2); (t01 * b).sum().backward()
a = torch.ones(3, requires_grad=True); \
b = torch.full((3,), 0.1, dtype=torch.float64, requires_grad=True); t01 = a * 1; \
t01[:2].mul_(b[:2]); (t01 * b).sum().backward(create_graph=True)
a = torch.ones((), requires_grad=True); \
b = torch.tensor(0.1, dtype=torch.float64, requires_grad=True); t01 = a * 1; t01.mul_(b); \
t01.grad_fn.register_prehook(lambda outputs: log('pre', *outputs)); (t01 * b).backward()
a = torch.ones(2, requires_grad=True); t01 = Scaled.apply(a, 2).sigmoid(); \
t02, = torch.autograd.grad(t01.sum(), a, create_graph=True); t03 = t02.to(torch.float32); \
log('edges', len(t03.grad_fn.next_functions))
b = torch.tensor(-1.5, requires_grad=True); c = torch.ones(2, requires_grad=True); \
t00 = c // 0.5; t00.add_(b, alpha=2); (b.sum() + t00.sum()).backward()
a = torch.ones(2, requires_grad=True); b = torch.ones(2, requires_grad=True); a.grad = b; \
t01 = b.exp().mul(2); (a.sum() + t01.sum()).backward()
a = torch.ones(2, requires_grad=True); b = torch.ones(2); a.grad = b; t01 = (a * b).sum(); \
(a.sum() + t01).backward()
a = torch.ones(0, requires_grad=True); b = a.sum(-1, keepdim=True).prod(0); \
log('grads', *torch.autograd.grad(b.sum(), [b, a], create_graph=True))
b = torch.ones(4); a = b[:].requires_grad_(); t01 = a[:2]; t01.detach().mul_(2); \
t01.grad_fn.register_hook(lambda inputs, outputs: log('post', *inputs, *outputs)); \
(t01 * 3).sum().backward()
a = torch.ones(2, requires_grad=True); b = torch.ones(4); b[:2].mul_(a); \
b.grad_fn.register_hook(lambda inputs, outputs: log('post', *inputs, *outputs)); b.sum().backward()
a = torch.tensor(3.0, requires_grad=True); b = a * 2; t01 = b.prod(0); \
t01.grad_fn.register_hook(lambda inputs, outputs: (edited(inputs[0]).mul_(2), None)[1]); \
(b.sum() + t01.sum()).backward()
a = torch.ones(1, 3, requires_grad=True); t01 = a.cumsum(0); \
t01.grad_fn.register_hook(lambda inputs, outputs: (edited(inputs[0]).mul_(2), None)[1]); \
t01.sum().backward()
a = torch.tensor(-0.5, requires_grad=True); t00 = a.expand(2); t01 = t00 - 2; \
torch.set_grad_enabled(False); t03 = t01.expand(2); torch.set_grad_enabled(True); \
t05 = t03.view(1, -1); t05.register_hook(lambda grad: log('hook', grad)); \
log('grads', *torch.autograd.grad(t00.sum() + t05.sum(), a))
a = torch.ones(2, requires_grad=True); b = torch.ones(2); t01 = torch.addcdiv(a, b, b); \
b.mul_(2); t01.sum().backward()
a = torch.ones(2, requires_grad=True); t01 = torch.addcmul(a, a, a, value=2); \
log('saved', t01.grad_fn._saved_value); t01.sum().backward()
a = torch.tensor(-1.5, requires_grad=True); c = torch.tensor(1.0, requires_grad=True); \
a.register_post_accumulate_grad_hook(lambda leaf: log('00 a has', leaf.grad)); \
(c.sum() + a.sum()).backward(); (c.sum() + a.sum()).backward()
a = torch.ones(2, requires_grad=True); t01 = a * 2; t02 = t01.sin(); \
log('held', t02.grad_fn._saved_self is t01); t03 = t01.exp(); \
log('a result', t03.grad_fn._saved_result is t03)
a = torch.tensor(2.0, requires_grad=True); b = torch.tensor(3.0); t01 = a * 2; t02 = t01 * b; \
log('held', t02.grad_fn._saved_self is t01, t02.grad_fn._saved_other is b)
a = torch.ones(2, requires_grad=True); t01 = a * 2; t02 = t01.detach(); t03 = t02 * a; \
t04 = t01.data * a; \
log('held', t03.grad_fn._saved_self is t02, t03.grad_fn._saved_other is a); \
log('other history', t04.grad_fn._saved_self is t01)
a = torch.ones(2, requires_grad=True); t01 = a.reshape(-1); t02 = t01.cos(); \
log('a view', t02.grad_fn._saved_self is t01); t03 = (a * 2).cos(); \
log('nobody holds it', t03.grad_fn._saved_self)
a = torch.ones(2, requires_grad=True); b = torch.ones(2, requires_grad=True); \
g = torch.autograd.grad((a + b).sum(), [a, b]); log('one tensor', g[0] is g[1])
a = torch.tensor(2.0, requires_grad=True); b = torch.tensor(3.0, requires_grad=True); \
g = torch.autograd.grad(a + b, [a, b]); log('one tensor', g[0] is g[1])
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
b = torch.ones(3, 3).to(torch.uint8); b.trace()
b = torch.tensor([0, 1, 2], dtype=torch.uint8); b % -1; b % np.int64(300)
b = torch.tensor([0, 1, 2], dtype=torch.uint8); b % 256
a = torch.tensor([0.0, -2.0], requires_grad=True); b = a.reshape(-1, 1) @ a.reshape(1, -1); \
(1 / b).sum().backward()
a = torch.tensor([0.0, -2.0]); b = 1 / (a.reshape(1, -1)[:, :1] @ a.reshape(1, -1))
a = torch.tensor([0.0, -2.0]); \
b = 1 / torch.addmm(-torch.zeros(2), a.reshape(-1, 1), a.reshape(1, -1))
a = torch.arange(2.0).reshape(1, 2, 1).movedim(0, -1); b = a[:, [0, 0]]
a = torch.arange(4.0).reshape(2, 1, 2).movedim(0, -1); b = a[:, [0, 0]]
a = torch.arange(6.0).reshape(2, 3).t() > 1; b = a.expand(2, 3, 2) * 1
c = torch.tensor([[0.25, 3.0, 0.0], [1.0, 2.0, 3.0]], requires_grad=True); t01 = c.cumprod(-1); \
torch.hypot(t01, t01).sum().backward()
c = torch.tensor([0.25, 0.0, 3.0, 2.0, 0.0, 5.0, 7.0], requires_grad=True); t01 = c.cumprod(0); \
(t01 * torch.arange(7)).sum().backward()
c = torch.tensor([[0.0, 2.0], [3.0, 0.0]], requires_grad=True); t01 = c.cumprod(0); \
(t01 * t01 + t01).sum().backward(create_graph=True)
c = torch.tensor([[1.5, 1.0], [0.0, -0.5]], requires_grad=True); t01 = c.cumprod(-1); \
t01.data[0] = 0; t01.sum().backward()
b = torch.tensor(True); b.cumsum_(0)
a = torch.ones(3, requires_grad=True); \
b = torch.tensor(0.25, dtype=torch.float64, requires_grad=True); \
torch.lerp(a, a * 3, b).sum().backward()
b = torch.tensor([True, False]); t01 = torch.lerp(b, b, torch.tensor(0.5, dtype=torch.float64))
a = torch.ones(2, 3); b = torch.ones(3, 2).t(); c = torch.ones(2, 1); torch.addcmul(b, c, a[0]); \
torch.lerp(b, a, 0.5)
b = torch.ones(3, 3).bool().t(); t01 = b.sign()
a = torch.tensor([[0.75, 0, 1.5], [-1.5, 0, 0]]).t().contiguous().t()[..., None]; \
b = a[a.argsort(stable=True)]
b = torch.tensor([1, 2], dtype=torch.uint8); t01 = -1 ** b; t02 = 300 ** b; t03 = 7 % b
b = torch.ones(2, 0).int(); b // 0; b % 0; \
torch.div(b, False, rounding_mode='trunc')
a = torch.tensor([-0.0, 1.0]); b = 1 / a.cumsum(0); t01 = 1 / a[0].cumsum(0)
a = torch.ones(2, 3).t(); b = torch.clamp(a, a * 0, torch.ones(3, 2))
a = torch.tensor([2.0, 0.0, 0.0], requires_grad=True); b = a.prod(); (b ** 0.5).backward()
a = torch.tensor([2.0, 0.0, 3.0], requires_grad=True); \
b, = torch.autograd.grad(a.prod(), a, create_graph=True); b.sqrt().sum().backward()
"""


def programs() -> list[str]:
    """Every program, as a line of statements."""
    groups = (INDICES, ERRORS, HISTORIES, VALUES)
    return [line for text in groups for line in text.split("\n") if line]
