"""What notebook 21_faster asks: where time goes, and which guard is missing."""

import math
import weakref
from unittest import mock

import numpy as np

import minigrad as torch
from minigrad_course.ask.declare import exercise, expect, freed_at_once, prediction, same

prediction(
    "21.a",
    """The first layer of the wide network needs 256 times as many multiplications as that of the
    narrow one. How much longer does the training step take?""",
    {
        "about 250 times": """That would be right if the step consisted of multiplications. It
        consists of some twenty operations, and on arrays this small each takes nearly the same
        time.""",
        "about 16 times": """The network is 16 times as wide. But on arrays this small, most of the
        time goes to what happens around each operation, and that does not depend on the width.""",
        "less than twice": """The number of operations is the same, and on arrays this small each of
        them takes nearly the same time, whatever its size.""",
    },
    answer="less than twice",
    shown="times as long",
)

prediction(
    "21.b",
    """In `change`, `z = by_hand(x, y)` is computed with `x = [3]` and `y = [4]`. Then `y` is
    multiplied by 100 in place, and `z.backward()` runs. What happens?""",
    {
        "an error": "Nobody would raise it, because `by_hand` does not look at any version "
        "counter.",
        "`x.grad` is [400]": """The node kept the array of `y` itself and not a copy, so it reads
        what is in it now: `[400]`, without an error.""",
        "`x.grad` is [4]": """That is the gradient at the old `y`, but the node did not keep a copy
        of it, only the array, which was overwritten.""",
    },
    answer="`x.grad` is [400]",
    shown="by hand  tensor([400.])",
)


@exercise(
    "21.1",
    "Wrong, or only slower?",
    difficulty=1,
    minutes=6,
    hint="""For each condition, ask which calls it keeps away from `by_hand`, and whether `by_hand`
    would be right for them. You can try each one: edit `usual`, and write a program like those in
    `who_computes`.""",
    solution="""
        wrong = {1: True, 2: False, 3: True, 4: False, 5: True}
    """,
    right="""One condition too many sends a few more calls to the row, which is always right. One
    too few lets in a case that `by_hand` was not written for.""",
)
def check_wrong_or_slower(answer):
    wanted = {1: True, 2: False, 3: True, 4: False, 5: True}
    words = {
        1: "for float32 times float64 the result says float32, but its array is float64.",
        2: "more calls go to the row, and the row is always right.",
        3: "anomaly mode and saved-tensor hooks would not see the node of `by_hand`.",
        4: "products that broadcast go to the row, and the row is always right.",
        5: "a subclass of Tensor would pass, too, but its products have its own class, while "
        "`by_hand` always makes a plain Tensor.",
    }
    for key, value in answer.items():
        expect(isinstance(value, bool), f"Line {key}: write True or False.")
        expect(value == wanted[key], f"Line {key}: {words[key]}")


@exercise(
    "21.2",
    "A small torch.compile",
    difficulty=2,
    minutes=10,
    hint="""A dictionary will do. Its keys are tuples of everything that is guarded, and its values
    are the specializations.""",
    solution="""
        def specializing(make, fallback, limit):
            made = {}

            def run(x):
                key = x.dtype, tuple(x.shape), x.requires_grad, torch.is_grad_enabled()
                if key not in made:
                    if len(made) == limit:
                        return fallback(x)
                    made[key] = make(x)
                return made[key](x)

            return run
    """,
    right="""`torch.compile` checks its guards one after the other, in generated C++, instead of
    looking up a key, so that a guard can say "any length", too.""",
)
def check_specializing(specializing):
    log, made_for = [], []

    def make(x):
        number = log.count("make")
        log.append("make")
        made_for.append(x)
        return lambda x: (number, x)

    def fallback(x):
        log.append("fallback")
        return "fallback", x

    run = specializing(make, fallback, 7)
    expect(callable(run), f"Return a function, not {run!r}.")
    expect(not log, "Your function calls `make` or `fallback` before there is a tensor.")
    one = torch.tensor([1.0, 2.0], requires_grad=True)
    first = run(one)
    expect(
        not callable(first),
        "Your function returns the specialization that `make` returned. Call that with `x`.",
    )
    expect(
        isinstance(first, tuple) and first[0] == 0 and first[1] is one,
        f"The first call must return what the specialization returns, not {first!r}.",
    )
    other = torch.tensor([5.0, 6.0], requires_grad=True)
    again = run(other)
    expect(log == ["make"], "Two tensors that differ only in their values need one specialization.")
    expect(
        made_for[0] is one,
        f"Your function calls `make` with {made_for[0]!r}. Pass it the tensor, `x`, so that it "
        "knows the case.",
    )
    expect(
        isinstance(again, tuple) and again[1] is other,
        "At the second call, your function does not call the specialization with the new tensor.",
    )
    for alike in one * 1.0, torch.ones(4, requires_grad=True)[::2]:
        run(alike)
        expect(
            log == ["make"],
            "Your function compares more than dtype, shape, `requires_grad` and the grad mode, so "
            "it makes a specialization for a tensor that an existing one fits: "
            f"`is_leaf` is {alike.is_leaf}, `stride()` is {alike.stride()}.",
        )
    differing = [
        ("dtype", one.detach().double().requires_grad_()),
        ("shape", torch.tensor([1.0, 2.0, 3.0], requires_grad=True)),
        ("shape", torch.tensor([[1.0, 2.0]], requires_grad=True)),
        ("shape", torch.tensor([[1.0], [2.0]], requires_grad=True)),
        ("requires_grad", one.detach()),
    ]
    for count, (what, x) in enumerate(differing, 2):
        run(x)
        expect(
            log == ["make"] * count,
            f"A tensor with another `{what}` needs a specialization of its own.",
        )
    with torch.no_grad():
        run(one)
    expect(log == ["make"] * 7, "Inside `no_grad` the same tensor needs another specialization.")
    beyond = torch.tensor(3.0)
    got = run(beyond)
    expect(
        log != ["make"] * 8,
        "There are `limit` specializations already, but your function makes one more.",
    )
    expect(
        log == ["make"] * 7 + ["fallback"] and got == ("fallback", beyond),
        f"Beyond the limit, a call must return `fallback(x)`, not {got!r}.",
    )
    kept = run(one)
    expect(
        isinstance(kept, tuple) and kept[0] == 0 and log.count("fallback") == 1,
        "After the limit was reached, the specializations that were made must still be used.",
    )
    second = specializing(make, fallback, 1)
    before = log.count("make")
    second(one)
    expect(
        log.count("make") == before + 1,
        "Two functions share their specializations, so keep them in a variable inside "
        "`specializing`.",
    )


def check_text_error(my_exp):
    """Expect the row's error if the argument is a string."""
    wanted = "my_exp('2') must raise the TypeError of the row"
    got = error = None
    try:
        got = my_exp("2")
    except Exception as raised:
        error = raised
    expect(
        error is not None,
        f"{wanted}, but your function returns {got!r}. A string is not a Tensor, so call the row.",
    )
    expect(
        isinstance(error, TypeError) and "must be Tensor" in str(error),
        f"{wanted}, but your function raises {type(error).__name__}: {error}. Ask first whether "
        "`x` is a Tensor, and leave everything else to the row.",
    )


@exercise(
    "21.3",
    "Specialize exp",
    difficulty=3,
    minutes=20,
    hint="""`by_hand` with one input. The guard also asks for a floating-point dtype,
    `x.dtype.is_floating_point`. The edge is `gradient_edge(x)`, which updates a view that is out of
    date. The node keeps the array of the result, and its `backward` multiplies `grad._data` by
    it.""",
    solution="""
        class ExpBackward0(Node):
            def backward(self, grad):
                return [new_tensor(grad._data * self.result)]

        def my_exp(x):
            usual = x.__class__ is Tensor and x.dtype.is_floating_point
            if observers.active or not usual or not mode.recording:
                return torch.exp.row(x)
            out = object.__new__(Tensor)
            out._data, out.dtype = np.exp(x._data), x.dtype
            edge = gradient_edge(x)
            if edge[0]:
                node = out._node = ExpBackward0()
                out._output_nr, out._requires_grad = 0, True
                node.next_functions, node._seq = (edge,), next(sequence_numbers)
                node._meta = [(out._data.shape, out.dtype)]
                node.result = out._data
            return out
    """,
    right="""One call of NumPy, one node, and a guard: this is what the accelerator writes for each
    row, with a few guards more.""",
)
def check_my_exp(my_exp):
    from minigrad_course.pictures.watching import calls  # here, because it imports matplotlib

    for value, kind in (
        (0.5, torch.float32),
        ([0.5, -1.0, 2.0], torch.float32),
        (2.0, torch.float64),
    ):
        x = torch.tensor(value, dtype=kind, requires_grad=True)
        z = my_exp(my_exp(x))
        wanted = torch.exp(torch.exp(x.detach()))
        expect(isinstance(z, torch.Tensor), f"Return a tensor, not {z!r}.")
        expect(same(z, wanted), f"exp(exp({value})) is {wanted.tolist()}, not {z.tolist()}.")
        expect(z.dtype is kind, f"exp of {kind} is {kind}, not {z.dtype}.")
        expect(z.grad_fn is not None, "Your function records nothing: the result has no node.")
        expect(z.requires_grad, "The result has a node, but its `_requires_grad` is False.")
        edges = z.grad_fn.next_functions
        expect(
            isinstance(edges, tuple) and all(isinstance(each, tuple) for each in edges),
            "`next_functions` holds an edge for each input, and an edge is a pair: with one input "
            "it is `(edge,)`.",
        )
        expect(len(edges) == 1, f"`exp` has one input, so it has one edge, not {len(edges)}.")
        sent = z.grad_fn.backward(torch.ones_like(z))
        expect(
            isinstance(sent, list | tuple),
            "Your node's `backward` returns a gradient alone. Return a list, with one for each "
            "input.",
        )
        names = [z.grad_fn.name(), edges[0][0].name()]
        expect(
            names == ["ExpBackward0"] * 2,
            f"The nodes of exp(exp(x)) are called ExpBackward0, but yours are called {names}.",
        )
        expect(
            getattr(z.grad_fn, "_meta", None),
            "Your node has no `_meta`, the shape and dtype that a gradient must have, so set it as "
            "`by_hand` does.",
        )
        expect(
            hasattr(z.grad_fn, "_seq"),
            "Your node has no `_seq`, its number, so take the next one, as `by_hand` does.",
        )
        expect(
            z.grad_fn._seq > edges[0][0]._seq,
            "The `_seq` of your node is not the next number, which it has to be, because the "
            "newest node runs first.",
        )
        z.sum().backward()
        grad = wanted * torch.exp(x.detach())
        expect(
            same(x.grad, grad),
            f"The gradient of exp(exp(x)) at {value} is {grad.tolist()}, not {x.grad.tolist()}. "
            "Multiply the incoming gradient by the result.",
        )
    for kind in (torch.int64, torch.int32, torch.bool):
        ints = my_exp(torch.tensor([1, 1], dtype=kind))
        expect(
            ints.dtype is torch.float32 and ints.numpy().dtype == "float32",
            f"exp of {kind} is float32, but your result holds {ints.numpy().dtype} and says "
            f"{ints.dtype}. Leave what is unusual to the row.",
        )
    with torch.no_grad():
        quiet = my_exp(torch.tensor(1.0, requires_grad=True))
    expect(not quiet.requires_grad, "Your function records inside `no_grad`. Ask `mode.recording`.")
    constant = my_exp(torch.tensor(1.0))
    expect(
        not constant.requires_grad,
        "If the input requires no gradient, the result must not have a node.",
    )
    leaf = torch.tensor([0.5, 0.25], requires_grad=True)
    base = leaf * 1.0
    view = base[0]
    base.mul_(2.0)
    my_exp(view).backward()
    expect(
        same(leaf.grad, torch.tensor([2 * math.e, 0.0])),
        "After `base = leaf * 1.0; view = base[0]; base.mul_(2.0)` the gradient of my_exp(view) "
        f"is [2e, 0], but yours is {leaf.grad.tolist()}. The view has a new history, and its "
        "`_node` is out of date. `gradient_edge` updates it.",
    )
    y = torch.tensor([1.0], requires_grad=True) + 1
    with torch.autograd.set_detect_anomaly(True):
        seen = my_exp(y).grad_fn.metadata
    expect(
        "traceback_" in seen,
        "Anomaly mode does not see your node, so ask `observers.active`, and leave such calls to "
        "the row.",
    )
    expect(
        freed_at_once(lambda: my_exp(y).grad_fn),
        "Your node keeps its result, and the result its node: a cycle, which only the garbage "
        "collector takes away. Keep the array, `out._data`.",
    )
    held = y * 1.0
    array, result = weakref.ref(held._data), my_exp(held)
    del held
    expect(array() is None, "Your node keeps its input, although `exp` needs only its result.")
    result.sum().backward()
    with mock.patch.object(np, "exp", wraps=np.exp) as numpys:
        my_exp(y).sum().backward()
    expect(
        numpys.call_count < 2,
        f"Your function calls `np.exp` {numpys.call_count} times, forward and backward together. "
        "The result is there already, so keep its array.",
    )
    check_text_error(my_exp)

    class Subclass(torch.Tensor):
        pass

    sub = torch.tensor([0.5], requires_grad=True).as_subclass(Subclass)
    expect(
        type(my_exp(sub)) is Subclass,
        "The row's `exp` of a subclass of Tensor is a tensor of that subclass, but yours is "
        f"a {type(my_exp(sub)).__name__}. `isinstance` lets subclasses pass, so compare the class.",
    )
    written = torch.exp.__code__
    expect(
        written not in calls(lambda: my_exp(y)),
        "That is the library's own function. Write out what it does.",
    )
    made = [code.co_name for code in calls(lambda: my_exp(y))]
    expect(
        len(made) <= 5,
        f"The results are right, but they take {len(made)} calls of Python functions, and 5 are "
        f"allowed. Your code calls {', '.join(dict.fromkeys(made))}. Write out what they do.",
    )
