"""Programs that end in a drawing or a replay, and lines that its text has to have.

The unit tests run them in minigrad and look for the lines; tests/parity runs them in both libraries
and compares all that is shown.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from minigrad.viz import draw, replay

# What a program starts with. The parameters of a module are the same in both libraries.
PRELUDE = """
def leaf(value=2.0):
    return torch.tensor(value, requires_grad=True)

class Stop(torch.autograd.Function):
    forward = staticmethod(lambda ctx, x: x * 1)
    backward = staticmethod(lambda ctx, grad: None)

class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x, x * 1.5, x * 2.5, x * 3.5)
        return x * 2

    backward = staticmethod(lambda ctx, grad: grad * 2)

class Both(torch.autograd.Function):
    forward = staticmethod(lambda ctx, x: (x * 2, x * 3))
    backward = staticmethod(lambda ctx, first, second: first * 2 + second * 3)

class Broken(torch.autograd.Function):
    forward = staticmethod(lambda ctx, x: x * 2)
    backward = staticmethod(lambda ctx, grad: 1 / 0)

class Watcher:
    def __call__(self, *gradients):
        pass

def clip(gradient):
    return gradient.clamp(-1.0, 1.0)

def after(*gradients):
    pass

after.__name__ = "post-hook of x"
torch.manual_seed(0)
"""


def picture(program: str, library: Any, **options: Any) -> Any:
    """The drawing or the replay that `program` ends in, its statements on a line each."""
    *statements, last = program.split("; ")
    scope = {"torch": library, "draw": partial(draw, **options), "replay": replay}
    exec(PRELUDE, scope)
    exec("\n".join([*statements, f"shown = {last}"]), scope)
    return scope["shown"]


CODE_9 = "x = leaf(5.0); y = x**3; w = x**2; z = torch.log(y) + torch.sqrt(w)"
ELEMENTS = (
    "a, b = leaf([1.0, 2.0, 3.0]), leaf([3.0, 3.0, 3.0]); start = torch.tensor([4.0, 6.0, 10.0])"
)
# Lines in any order; a text after "never" is in no line.
DRAWINGS = [
    # Tensors and arrows.
    (f"{CODE_9}; draw(z)", "#2 → #5 (input 0)", "#4 → #5 (input 1)", "y → #2", "w = 25"),
    ("x = leaf(3.0); y = x * x; draw(y)", "x → #1 (input 0)", "x → #1 (input 1)", "#1 → y"),
    ("x = leaf(3.0); y = (x.exp() + 1).sin(); draw(y)", "#1 → #2 (input 0)", "#2 → #3",
     "#1: exp | ExpBackward0 | saved result = 20.0855"),
    ("nothing = torch.zeros(0, 3, requires_grad=True); total = nothing.sum(); draw(total)",
     "nothing: shape (0, 3) | leaf | AccumulateGrad | grad = None"),
    ("x = leaf([1.0, 1.0]); draw(x)", "x = [1, 1] | leaf | grad = None",
     "note: no graph: no recorded operation made these tensors"),
    ("count = torch.tensor(3); draw(count)", "count = 3 | constant | int64"),
    ("x = leaf(2.0); shared = x.exp(); one, two = shared * 2, shared + 1; draw(one, two, one)",
     "#1 → shared", "#2 → one", "#3 → two", "never #4"),
    ("x = leaf([1.0, 2.0, 3.0]); both = torch.stack([x, x[0].expand(3)]);"
     " out = torch.cat([both, both.reshape(3, 2).transpose(0, 1)]).sum(0).mean(); draw(out)",
     "#2 → #3 (input 1)", "both → #4", "both → #6 (input 0)"),
    ("w = leaf([[1.0, 2.0], [3.0, 4.0]]).double(); v = torch.tensor([[1.0, -1.0]]).double();"
     " z = (v @ w).tanh() @ w.T; draw(z)", "w: [[1, 2], [3, 4]] | float64",
     "#2: @ | MmBackward0 | saved self = v"),
    ("shapes = [(), (1,), (2, 2), (2, 1, 2), (1, 2, 1, 2), (0,), (2, 3, 4, 5)];"
     " ys = [torch.ones(each, requires_grad=True) * 2 for each in shapes];"
     " draw(*ys, gradients=[torch.ones_like(y) for y in ys])", "ys[0] = 2 | starts with 1",
     "ys[5]: shape (0,) | starts with shape (0,)",
     "(5): [[1, 1], [1, 1]] | leaf | AccumulateGrad | adds [[2, 2], [2, 2]] | grad = None"),
    ("x = leaf(3.0); two, three = Both.apply(x); out = two * three; draw(out)",
     "#1 (output 0) → two", "#1 (output 1) → three"),
    ("x = leaf(3.0); two, three = Both.apply(x); out = two * three; del two, three; draw(out)",
     "#1 → #2 (input 0)", "#1 (output 1) → #2 (input 1)"),
    ("y = x = leaf(1.0); for _ in range(300): y = y * 1.0; draw(y, x)", "… 240 more operations",
     "note: 240 more operations: raise max_nodes to see them", "… → #1 (input 0)", "never #61"),
    ("y = x = leaf(1.0); for _ in range(300): y = y * 1.0; draw(y, gradients=True)", "#1 → …: 1"),
    ("x = leaf([1.0, 2.0]); y = (x.exp() * 2).sum(); draw(y, values=False)",
     "x: shape (2,) | leaf | AccumulateGrad | grad = None", "(1): shape () | constant"),
    # Constants.
    ("x, c = leaf([1.0, 2.0]), torch.tensor([3.0, 4.0]); y = x * 2.0 * c + 5; draw(y)",
     "(1): 2 | constant", "c = [3, 4] | constant", "(2): constant | value not kept",
     "(1) → #1 (input 1)"),
    ("x, c = leaf([1.0, 2.0]), torch.tensor([3.0, 4.0]); y = x * c * c; draw(y)",
     "c → #1 (input 1)", "c → #2 (input 1)", "never (1)"),
    ("x, c = leaf([1.0, 2.0]), torch.tensor([3.0, 4.0]); y = c / x; draw(y)",
     "c → #1 (input 0)", "x → #1 (input 1)"),
    ("a, c = leaf([1.0, 2.0]), torch.tensor([3.0, 4.0]);"
     " y = (a * 2 - c) / 3.0 + c / a - 5 + (1 - a) * c; draw(y)",
     "#3: ÷ | DivBackward0 | saved other = 3", "#7: rsub | RsubBackward1", "a → #7"),
    ("conv, img = torch.nn.Conv2d(1, 2, 2), torch.ones(1, 1, 3, 3); out = conv(img); draw(out)",
     "img → #1 (input 0)", "never not kept"),
    ("x, target = leaf([1.0, 1.0]), torch.zeros(2); y = torch.nn.functional.mse_loss(x, target);"
     " draw(y)", "x → #1 (input 0)", "target → #1 (input 1)"),
    # What nodes have saved.
    ("x = leaf(3.0); y = 2**x; draw(y)",
     "#1: 2 ** | PowBackward2 | saved exponent = x | saved result = y"),
    ("q, x = leaf(3.0), leaf(5.0); y = x**q; draw(y)",
     "#1: ** | PowBackward1 | saved self = x | saved exponent = q | saved result = y"),
    ("q, x = leaf(3.0), leaf(5.0); y = x**q; draw(y, saved=False)", "#1: ** | PowBackward1"),
    ("x = leaf(3.0); y = Twice.apply(x); draw(y)",
     "#1: Twice | TwiceBackward | saved tensors[0] = x | saved tensors[1] = 4.5"
     " | saved tensors[2] = 7.5 | saved tensors[3] = 10.5"),
    ("x = leaf(3.0); y = Twice.apply(x); y.backward(); draw(y)",
     "#1: Twice | TwiceBackward | saved tensors: freed"),
    ("x, hooks = leaf(), torch.autograd.graph.saved_tensors_hooks(clip, lambda packed: 1 / 0);"
     " with hooks: y = x**2; draw(y)",
     "#1: ** 2 | PowBackward0 | ✗ saved self: cannot be read (ZeroDivisionError)"),
    (f"{CODE_9}; z.backward(); draw(z)", "x = 5 | leaf | AccumulateGrad | grad = 1.6",
     "#2: log | LogBackward0 | saved tensors: freed", "#5: + | AddBackward0"),
    ("x = leaf([1.0, 2.0]); y = x * 2; z = y.exp() * y; y.add_(1); draw(z, y)",
     "#3: × | MulBackward0 | saved self = [7.3891, 54.5981]"
     " | ✗ saved other: edited in place (version 0 → 1)", "y = [3, 5] | version 1"),
    (f"{CODE_9}; y.retain_grad(); draw(z)", "y = 125 | retains_grad | grad = None"),
    (f"{CODE_9}; y.retain_grad(); z.backward(); draw(z)",
     "y = 125 | retains_grad | grad = 0.008", "w = 25"),
    # Memory, and where a history is cut off.
    ("a = leaf([1.0, 2.0]); c = a * 2; e = c.detach() * a; draw(e)",
     "c → (1): cut: memory shared, no history", "c = [2, 4] | MulBackward0 (not drawn)"),
    ("a = leaf([1.0, 2.0]); c = a * 2; e = c.detach() * a; draw(e, c)", "c = [2, 4]",
     "c → (1): cut: memory shared, no history"),
    ("x = leaf(3.0); w = x.detach(); draw(w)", "x → w: cut: memory shared, no history"),
    ("a = leaf([1.0, 2.0]); c = a * 2; fresh = c.detach().requires_grad_(); out = fresh.sum();"
     " draw(out)", "c → fresh: cut: memory shared, no history"),
    # Two leaves: it is unknown which one was made from the other.
    ("x = leaf([1.0, 2.0]); twin = x.detach().requires_grad_(); draw(twin, x)", "never →"),
    ("base = leaf([1.0, 2.0]); view = base.reshape(2, 1); out = view.sum(); draw(out)",
     "never cut"),
    ("x = leaf([1.0, 2.0]); detached, cloned, both = x.detach(), x.clone(), x.clone().detach();"
     " view = cloned[:1]; draw(x, detached, view, both, memory=True)",
     "x = [1, 2] | leaf | memory A | AccumulateGrad | grad = None", "cloned = [1, 2] | memory B",
     "view = [1] | memory B", "detached = [1, 2] | constant | memory A",
     "both = [1, 2] | constant | memory C"),
    ("x = leaf([1.0, 2.0]); y = x * 2.0; draw(y, memory=True)", "(1): 2 | constant"),
    ("x = leaf([1.0, 2.0]); y = x * 2.0; draw(x, y)", "never memory"),
    ("x = leaf(); y = x * 3; w = y.detach(); z = w * x; draw(z)",
     "y → w: cut: memory shared, no history", "y = 6 | MulBackward0 (not drawn)"),
    ("x = leaf([1.0, 2.0]); detached, data = x.detach(), x.data; detached[0] = 7.0;"
     " draw(x, detached, data, memory=True)", "data = [7, 2] | constant | memory A",
     "detached = [7, 2] | constant | version 1 | memory A"),
    ("x = leaf([1.0, 2.0, 3.0]); y = x * 2; z = (y**2).sum(); view = y[:2]; view.mul_(10);"
     " draw(z, y, view, memory=True)", "view = [20, 40] | version 1 | memory C",
     "#4: write through a view | CopySlices | on the part: × | saved other = 10"),
    # Gradients.
    (f"{CODE_9}; draw(z, gradients=True)",
     "x = 5 | leaf | AccumulateGrad | adds 0.6 + 1 = 1.6 | grad = None",
     "z = 9.8283 | starts with 1", "#1 → x: 0.008 × 75 = 0.6", "#3 → x: 0.1 × 10 = 1",
     "#1 → y", "y → #2", "#2 → #1: 1 × 0.008 = 0.008",  # from node to node, beside y
     "#5 → #2: 1", "z → #5"),  # where the box says it
    ("x = leaf([1.0, 2.0]); y = x * 3; draw(y, gradients=True)",
     "note: no gradients: a result is not a scalar;"
     " pass the gradient to begin with (gradients=tensor)"),
    ("x = leaf([1.0, 2.0]); y = x * 3; draw(y, gradients=torch.tensor([1.0, 10.0]))",
     "x = [1, 2] | leaf | AccumulateGrad | adds [3, 30] | grad = None"),
    ("x = leaf(2.0); one, two = x * 3, x * 5; draw(one, two, gradients=True)",
     "x = 2 | leaf | AccumulateGrad | adds 3 + 5 = 8 | grad = None"),
    ("x = leaf(2.0); one, two = x * 3, x * 5; draw(one, two, gradients=[None, torch.tensor(2.0)])",
     "x = 2 | leaf | AccumulateGrad | adds 3 + 10 = 13 | grad = None"),
    ("x = leaf(2.0); y = x * 3; z = y * 5 - y; draw(z, gradients=True)",
     "#1: × | MulBackward0 | saved other = 3 | sum 5 − 1 = 4"),
    ("x = leaf(2.0); y = x * 3; z = y * 5 - y; del y; draw(z, gradients=True)",
     "#1: × | MulBackward0 | saved other = 3 | sum 5 − 1 = 4"),
    ("x = leaf(2.0); y = x * 3; z = y * 5; draw(z, y, gradients=True)", "y = 6 | sum 1 + 5 = 6"),
    ("x = leaf(2.0); x.requires_grad_(False); draw(x, gradients=True)",
     "note: no gradients: there is no graph to go back through"),
    ("x, y = leaf(2.0), leaf(3.0); z = x * y; x.requires_grad_(False); draw(z, gradients=True)",
     "y = 3 | leaf | AccumulateGrad | adds 2 | grad = None"),
    ("x = leaf(2.0); y = Stop.apply(x); draw(y, gradients=True)", "#1 → x: None"),
    ("a, d = leaf([1.0, 2.0]), leaf([3.0, 4.0]); c = a * 2; total = (c.detach() * d).sum();"
     " draw(total, c, gradients=[None, False])", "#3 → c",
     "c → (1): cut: memory shared, no history",
     "d = [3, 4] | leaf | AccumulateGrad | adds [2, 4] | grad = None"),
    ("x = leaf(3.0); x.grad = x * 2; draw(x.grad)", "x → x.grad: .grad"),
    ("x = leaf(0.5); z = torch.sin(x).exp(); (g,) = torch.autograd.grad(z, x, create_graph=True);"
     " draw(z, g)", "#4: cos | CosBackward0 · g | saved self = x",
     "note: g, green: what it adds to the graph of z"),
    ("x = leaf(); y = x * 1.0; far = y * 3; for _ in range(5): far = far * 1.0; z = y * 2 + far;"
     " draw(z, max_nodes=4, gradients=True)",  # a hidden operation adds to the sum
     "#1: × | MulBackward0 | saved other = 1 | sum 2 → 5"),
    ("x = leaf(1.5); z = sum(x * (n + 0.25) for n in range(1, 12)); draw(z, gradients=True)",
     "x = 1.5 | leaf | AccumulateGrad | adds 68.75 (sum of 11) | grad = None"),
    # Hooks change gradients, or raise.
    ("x = leaf(); y = x * 3; z = y**2; x.register_hook(clip); x.register_hook(Watcher());"
     " x.register_post_accumulate_grad_hook(Watcher()); y.register_hook(lambda gradient: None);"
     " z.grad_fn.register_prehook(Watcher()); z.grad_fn.register_hook(Watcher());"
     " node = y.grad_fn.next_functions[0][0]; node.register_prehook(Watcher());"
     " node.register_hook(after); draw(z)",
     "x = 2 | leaf | tensor hook: clip, Watcher | AccumulateGrad | pre-hook: Watcher"
     " | post-accumulate hook: Watcher | post-hook of x | grad = None", "y = 6",
     "#1: × | MulBackward0 | tensor hook: lambda | saved other = 3",
     "#2: ** 2 | PowBackward0 | pre-hook: Watcher | post-hook: Watcher | saved self = y"),
    ("x = leaf(); y = x * 3; x.register_hook(clip).remove(); y.register_hook(clip).remove();"
     " y.add_(1); draw(y)", "never hook"),
    ("x = leaf(2.0); x.register_hook(lambda grad: grad * 10); z = x * 3 + x * 4;"
     " draw(z, gradients=True)",
     "x = 2 | leaf | tensor hook: lambda | AccumulateGrad | adds 3 + 4 → 70 | grad = None"),
    ("x = leaf(2.0); y = x * 3; z = y * 5; y.register_hook(lambda grad: grad * 10);"
     " draw(z, gradients=True)", "#1 → x: 50 × 3 = 150",
     "#1: × | MulBackward0 | tensor hook: lambda | saved other = 3 | changed 5 → 50"),
    ("x = leaf(2.0); z = x * 3; z.register_hook(lambda grad: grad * 10); draw(z, gradients=True)",
     "z = 6 | starts with 1 → 10"),
    ("x = leaf(2.0); y = x * 3; y.register_hook(lambda grad: 1 / 0); draw(y, gradients=True)",
     "note: no gradients: ZeroDivisionError: division by zero"),
    # A factor or rule that does not hold, or has lost digits, is left out.
    ("x = leaf(0.0); z = x.log() * 2; draw(z, gradients=True)", "#1 → x: inf"),
    ("x = leaf(0.0); z = x.log() * 0.0; draw(z, gradients=True)", "#1 → x: nan"),
    ("x = leaf(0.0); z = x.log() - x.log(); draw(z, gradients=True)",
     "x = 0 | leaf | AccumulateGrad | adds inf − inf = nan | grad = None"),
    ("big = leaf(1e30); z = big * 1e20 * 1e30; draw(z, gradients=True)", "#1 → big: inf"),
    ("big = leaf(1e30); z = big * 3; draw(z, gradients=torch.tensor(torch.inf))", "#1 → big: inf"),
    ("tiny = leaf(1.0); z = tiny * 0.3; draw(z, gradients=torch.tensor(4.2e-45))",
     "#1 → tiny: 1.401e−45"),
    ("half = leaf(torch.tensor(3.0).half()); z = half * torch.tensor(0.1).half();"
     " draw(z, gradients=torch.tensor(0.3).half())", "#1 → half: 0.03"),
    ("x = leaf(5.0); y = torch.add(torch.ones(2), x, alpha=2);"
     " draw(y, gradients=torch.tensor([4.0, 7.0]))", "#1 → x: sum over dim 0: (2,) → () = 22"),
    ("x = leaf(5.0); y = x * torch.tensor([2.0, 3.0]);"
     " y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] * 10, None));"
     " draw(y, gradients=torch.tensor([4.0, 7.0]))", "#1 → x: sum over dim 0: (2,) → () = 290"),
    ("x = leaf(5.0); y = x * torch.tensor([2.0, torch.inf]);"
     " draw(y, gradients=torch.tensor([4.0, 7.0]))", "#1 → x: sum over dim 0: (2,) → () = inf"),
    # Rules of vectors, and sums over dimensions that were broadcast.
    ("x = leaf(5.0); y = x * torch.tensor([2.0, 3.0, 5.0]); z = y @ torch.tensor([4.0, 7.0, 9.0]);"
     " draw(z, gradients=True)", "#2 → #1: 1 × [4, 7, 9] = [4, 7, 9]",
     "#1 → x: [4, 7, 9] × [2, 3, 5] = [8, 21, 45], then sum over dim 0: (3,) → () = 74"),
    ("x = leaf(5.0); y = torch.tensor([2.0, 3.0, 5.0]) * x;"
     " draw(y, gradients=torch.tensor([4.0, 7.0, 9.0]))",
     "#1 → x: [4, 7, 9] × [2, 3, 5] = [8, 21, 45], then sum over dim 0: (3,) → () = 74"),
    ("x = leaf(5.0); y = x + torch.ones(3); draw(y, gradients=torch.tensor([4.0, -7.0, 9.0]))",
     "#1 → x: [4, −7, 9], then sum over dim 0: (3,) → () = 6"),
    ("x, w = leaf(torch.ones(2, 3, 1)), leaf(torch.ones(3, 4)); z = (x * w).sum();"
     " draw(z, gradients=True)", "#1 → w: sum over dim 0: (2, 3, 4) → (3, 4)",
     "#1 → x: sum over dim 2: (2, 3, 4) → (2, 3, 1) = [[[4], [4], [4]], [[4], [4], [4]]]"),
    ("b = leaf(torch.ones(4)); z = (torch.ones(2, 3, 4) + b).sum(); draw(z, gradients=True)",
     "#1 → b: sum over dims 0, 1: (2, 3, 4) → (4,) = [6, 6, 6, 6]"),
    # One factor for all elements, a factor each, or elements that are mixed.
    (f"{ELEMENTS}; c = a * b; draw(c, gradients=start)", "#1 → a: [4, 6, 10] × 3 = [12, 18, 30]",
     "#1 → b: [4, 6, 10] × [1, 2, 3] = [4, 12, 30]"),
    (f"{ELEMENTS}; c = a.cumsum(0); draw(c, gradients=start)", "#1 → a: [20, 16, 10]"),
    (f"{ELEMENTS}; c = a.flip(0); draw(c, gradients=start)", "#1 → a: [10, 6, 4]"),
    ("long = leaf([1.2345, 2.3456, 3.4567, 4.5678]); c = long * long;"
     " draw(c, gradients=torch.ones(4))", "#1 → long: [1.2345, 2.3456, 3.4567, 4.5678]"),
    ("x, v = leaf(5.0), leaf([1.0, 2.0, 3.0]); y = (x + v * x).relu() / v - v.cumsum(0);"
     " z = y @ torch.tensor([4.0, -7.0, 9.0]); draw(z, gradients=True)",
     "#4 → #3: [4, −7, 9] × [1, 0.5, 0.3333] = [4, −3.5, 3]"),
    # Calls of modules.
    ("net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1));"
     " x = torch.ones(4, 2); loss = net(x).mean(); draw(loss, modules=net)",
     "net.0: Linear 2 → 3 | TBackward0, AddmmBackward0 | weight (3, 2) · grad = None"
     " | bias (3,) · grad = None", "x → net.0", "net.0 → #1", "#2: mean | MeanBackward0",
     "never leaf"),
    ("conv, img, zeros = torch.nn.Conv2d(1, 4, 3), torch.ones(1, 1, 4, 4), torch.zeros(1, 4, 2, 2);"
     " loss = torch.nn.functional.mse_loss(conv(img), zeros); draw(loss, modules=[conv])",
     "conv: Conv2d 1 → 4 | ConvolutionBackward0 | weight (4, 1, 3, 3) · grad = None"
     " | bias (4,) · grad = None", "zeros → #1 (input 1)"),
    ("net = torch.nn.Linear(2, 1); y = net(torch.ones(1, 2)); draw(y)", "never version"),
    ("x = leaf([1.0, 2.0]); with torch.no_grad(): x.add_(1); draw(x)",
     "x = [2, 3] | leaf | version 1 | grad = None"),
    ("net = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.Linear(1, 10));"
     " net[0].weight.data.fill_(1); net[1].weight.data.fill_(2);"
     " loss = net(torch.ones(1, 2)).sum(); draw(loss, modules=net, gradients=True)",
     "net.0: Linear 2 → 1 | TBackward0, AddmmBackward0 | weight (1, 2) · adds [[20, 20]]"
     " | bias (1,) · adds [20]",
     "net.1: Linear 1 → 10 | TBackward0, AddmmBackward0 | weight (10, 1) · gets a gradient"
     " | bias (10,) · gets a gradient"),
    ("net = torch.nn.Linear(1, 10); loss = net(torch.ones(1, 1)).sum(); loss.backward();"
     " draw(loss, modules=[net])",
     "net: Linear 1 → 10 | TBackward0, AddmmBackward0 | weight (10, 1) · has a gradient"
     " | bias (10,) · has a gradient | saved tensors: freed"),
    ("cell, state = torch.nn.Linear(2, 2), torch.ones(1, 2);"
     " for _ in range(3): state = cell(state).tanh(); draw(state, modules=[cell])",
     "cell → #1", "#1 → cell (use 2)", "#2 → cell (use 3)", "#3 → state"),
    ("one, two = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2); first = one(torch.ones(3, 2));"
     " out = two(first.relu()) + first; draw(out, modules=[one, two])",  # no cycle
     "(1) → one", "one → first", "first → #1", "#1 → two", "two → #2 (input 0)",
     "first → #2 (input 1)", "#2 → out"),
    # A weight that two operations use has a box of its own, and a penalty on one is no call.
    ("net, x = torch.nn.Linear(2, 2), torch.ones(1, 2); t = net.weight.T; out = x @ t + x @ t;"
     " draw(out, modules=[net])", "#1: permute | PermuteBackward0", "t → net", "t → net (use 2)"),
    ("net = torch.nn.Sequential(torch.nn.Linear(2, 1));"
     " loss = net(torch.ones(1, 2)).sum() + (net[0].weight ** 2).sum(); draw(loss, modules=net)",
     "net.0 → #1", "net.0.weight → #2", "never net.0 (use 2)"),
    ("net = torch.nn.Sequential(*[torch.nn.Linear(1, 1) for _ in range(20)]);"
     " out = net(torch.ones(1, 1)); draw(out, modules=net, max_nodes=5)",
     "… 30 more operations", "… → net.15", "net.19 → out"),
    ("one, two = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2); a = one(torch.ones(1, 2));"
     " loss = two(a.detach()).mean(); loss.backward();"
     " draw(loss, a, modules=[one, two], values=False)", "one → a", "(1) → two"),
    # Names.
    ("weights, heads, x = {'a': leaf()}, [torch.nn.Linear(1, 1)], leaf(3.0); x.grad = x * 2;"
     " out = weights['a'] * x.grad + heads[0].bias; draw(out)", "weights['a'] → #2 (input 0)",
     "x.grad → #2 (input 1)", "heads[0].bias → #3 (input 1)"),
]  # fmt: skip

# Lines in the order in which they are there.
REPLAYS = [
    ("x = leaf(3.0); y = x * x; y.retain_grad(); z = y + y; replay(z)",
     "Step 2 of 4: #1 MulBackward0 runs", "Receives 1 + 1 = 2",
     "y retains its gradient: y.grad = 2", "Step 3 of 4: AccumulateGrad of x runs"),
    ("left, right = leaf([2.0, 3.0]).unbind(); right.retain_grad(); z = left * right; replay(z)",
     "Receives output 0: 3; output 1: 2", "right retains its gradient: right.grad = 2",
     "Passes [3, 2] to AccumulateGrad of leaf2, which is now ready"),
    ("a, b, d = leaf([1.0, 2.0, 3.0]), leaf([3.0, 3.0, 3.0]), leaf([4.0, 6.0, 10.0]);"
     " c = a * b; e = c * d; ans = torch.sum(e); replay(ans)",
     "Step 1 of 7: #3 SumBackward0 runs", "Step 2 of 7: #2 MulBackward0 runs",
     "Step 3 of 7: AccumulateGrad of d runs", "Of 2 ready nodes, an AccumulateGrad runs first",
     "Step 4 of 7: #1 MulBackward0 runs", "Step 5 of 7: AccumulateGrad of a runs",
     "Step 6 of 7: AccumulateGrad of b runs", "a.grad = [12, 18, 30]", "b.grad = [4, 12, 30]",
     "d.grad = [3, 6, 9]"),
    ("x = leaf([1.0, 2.0]); y = x * 3; replay(y, torch.tensor([1.0, 10.0]))",
     "Receives [1, 10]", "x.grad = [3, 30]"),
    ("x = leaf([1.0, 2.0, 3.0]); a, b, _ = x.unbind(); b.register_hook(lambda grad: grad * 10);"
     " z = a * b; replay(z)", "Receives output 0: 2; output 1: 1",
     "A hook changes it to output 0: 2; output 1: 10", "x.grad = [2, 10, 0]"),
    ("x, k = leaf(2.0), leaf(1.0); z = Stop.apply((k * 2).exp()) + x; replay(z)",
     "Step 3 of 4: #3 StopBackward runs", "Passes None to #2 ExpBackward0",
     "Skips #2 ExpBackward0, which gets no gradient",
     "Skips #1 MulBackward0, which gets no gradient",
     "Skips AccumulateGrad of k, which gets no gradient", "k.grad = None", "x.grad = 1"),
    ("x = leaf(torch.ones(4, 5)); y = x * 2 + x; replay(y, torch.ones(4, 5))",
     "Step 3 of 4: AccumulateGrad of x runs", "Receives shape (4, 5) (sum of 2)"),
    ("x = leaf(2.0); y = x * 3; y.register_hook(lambda grad: grad * 10); z = y + x; replay(z)",
     "Receives 1", "A hook changes it to 10",
     "Passes 10 × 3 = 30 to AccumulateGrad of x, which is now ready (2 of 2 arrived)"),
    ("a, d = leaf([1.0, 2.0, 3.0]), leaf([4.0, 6.0, 10.0]); c = a * 2; e = c.detach() * d;"
     " ans = torch.sum(e); replay(ans)", "d.grad = [2, 4, 6]"),
    ("x = leaf(); y = x * 3; z = y * y + y.exp() + y; replay(z, retain_graph=True)",
     "Waiting: #1 MulBackward0 (1 of 4), 1 other", "Receives 1 + 403.4288 + 6 + 6 = 416.4288"),
    ("x = leaf(); z = (x * 3).exp(); z.backward(retain_graph=True); replay(z)",
     "Adds it to .grad: 1210.2864 → 2420.5728"),
    ("x = leaf(); z = (x * 3).exp() + x; z.backward(); replay(z)",
     "Passes 1 to AccumulateGrad of x, which waits (1 of 2 arrived)",
     "Step 2 of 2: #2 ExpBackward0 raises"),
    ("w, b = leaf(torch.full((3, 4), 0.5)), leaf(torch.zeros(3));"
     " out = torch.relu(torch.arange(8.0).reshape(2, 4) @ w.T + b); replay(out, torch.ones(2, 3))",
     "b.grad = [2, 2, 2]"),
    ("x = leaf(); y = x * 3; y.register_hook(lambda grad: grad * 10);"
     " y.grad_fn.register_prehook(lambda grads: (grads[0] + 1,)); x.register_hook(clip);"
     " z = y.sin() + x; replay(z)", "x.grad = 1"),
    ("x = leaf(); y = x.exp(); y.grad_fn.register_hook(lambda *_: 1 / 0); z = y * 2 + x; replay(z)",
     "✗ ZeroDivisionError: division by zero"),
    ("x = leaf(); z = Twice.apply(x.exp()) + x; replay(z)",
     "Frees what it saved: tensors[0], tensors[1], 2 more"),
    ("x = leaf(); z = Broken.apply(x * 1) + x.sin(); replay(z)",
     "✗ ZeroDivisionError: division by zero"),
    ("x = leaf([1.0, 2.0]); y = x * 2; y.mul_(3); y[0] = 0.0; z = y.sum(); replay(z)",
     "x.grad = [0, 6]"),
    ("y = x = leaf(1.0); for _ in range(12): y = y * 0.5 + y.sin(); replay(y)",
     "Receives 5.423e−08 + 5.019e−08 = 1.044e−07"),
]  # fmt: skip
