"""What notebook 15_hooks asks: what a hook sees, when it runs, and what it changes."""

import contextlib
import gc
import io
import weakref

from minigrad_course.ask.declare import Mistake, error_means, exercise, expect, prediction, same
from minigrad_course.kernel.reader import yours

prediction(
    "15.a",
    """At the last of twenty layers of `sigmoid`, the largest gradient is 0.03. About how large is
    it at the first?""",
    {
        "0.0015, a twentieth": """The layers do not share it: each multiplies by its slope.""",
        "0.00000006, halved by each": """A sigmoid is flatter: its slope is 1/4 at most.""",
        "below 0.000000000001": """The slope is 1/4 at most, and the weights leave a gradient about
        as large as it is. 0.25¹⁹ is about 4 in a million million.""",
    },
    answer="below 0.000000000001",
    shown="first layer: 2e-15",
)

prediction(
    "15.b",
    """3 arrives at `y`. It has a hook that multiplies by 10, then `retain_grad()` is called, then
    a hook that adds 1 is registered. What is in `y.grad`?""",
    {
        "3.": """That is what arrived. `retain_grad` keeps what goes on.""",
        "30.": """It would be so if everything ran in the order in which it was asked for.""",
        "31.": """All tensor hooks come first, then `retain_grad`.""",
    },
    answer="31.",
    shown="y.grad: tensor(31.)",
)

prediction(
    "15.c",
    """`a + b` starts backward with two ones. A hook on `a` multiplies its gradient by 10, in place.
    What is printed for `a.grad` and `b.grad`?""",
    {
        "[10., 10.] and [1., 1.]": """That is what a hook on `a` is meant to do. But whose memory
        does `mul_` write into?""",
        "[10., 10.] and [10., 10.]": """The addition sends one tensor to both, and `mul_` writes
        into it.""",
        "an error": """It would help. PyTorch does not protect the gradient in a hook.""",
    },
    answer="[10., 10.] and [10., 10.]",
    shown="tensor([10., 10.]) tensor([10., 10.])",
)


@exercise(
    "15.1",
    "Two passes",
    difficulty=1,
    minutes=8,
    hint="""Go with the gradient: what arrives at `y`, what its hooks make of it, what is retained,
    what goes to `w`, what is added to `w.grad`. What is kept in `y.grad` adds up, too
    (chapter 07).""",
    solution="""
        found = {
            "1 y.grad": 16.0, "1 printed": 32.0, "1 w.grad": 32.0,
            "2 y.grad": 31.0, "2 printed": 30.0, "2 w.grad": 62.0,
        }
    """,
    right="Tensor hooks, `retain_grad`, the node, and then the next tensor.",
)
def check_found(found):
    def three(number):
        return tuple(found[f"{number} {what}"] for what in ("y.grad", "printed", "w.grad"))

    first, second = three(1), three(2)
    expect(
        first[0] != 5.0,
        "1: 5 arrives at `y`. But `retain_grad` keeps what is left after all hooks.",
    )
    expect(first[0] != 18.0, "1: hooks run in the order of registration: first times 3, then + 1.")
    expect(first[0] == 16.0, f"1: `y.grad` is 5 · 3 + 1, not {first[0]}.")
    expect(
        first[1] not in (10.0, 2.0),
        "1: the hooks of `y` change what goes on: the node of `y` gets 16, not 5.",
    )
    expect(first == (16.0, 32.0, 32.0), "1: 16 · 2 arrives at `w`, and `w.grad` was empty.")
    expect(
        second[1] != 62.0,
        "2: the hook sees the gradient of this pass, before it is added to `.grad`.",
    )
    expect(
        second[1] != 10.0,
        "2: `handle.remove()` takes away only the hook that it belongs to. 5 · 3 goes on.",
    )
    expect(
        second[0] != 15.0,
        "2: 15 is what this pass brings. A retained gradient adds up, like that of a leaf.",
    )
    expect(second == (31.0, 30.0, 62.0), "2: 15 passes `y`, and 15 · 2 is added to `w.grad`.")


def three_tensors(library):
    """Leaves a and b, their product, and a loss in which the product counts twice."""
    a = library.tensor([1.0, -2.0], requires_grad=True)
    b = library.tensor([3.0, 5.0], requires_grad=True)
    product = a * b
    return {"a": a, "b": b, "product": product}, (product * 4.0 + product).sum()


BEFORE = "Yours read the gradients before backward had run. Hooks must fill the dictionary."


@exercise(
    "15.2",
    "A log by name",
    difficulty=2,
    minutes=10,
    hint="""A function that gets the name and returns the hook. The hook writes a number into the
    dictionary and returns None.""",
    solution="""
        def watch(tensors):
            log = {}

            def hook_for(name):
                def hook(grad):
                    if grad is not None:
                        log[name] = grad.abs().max().item()

                return hook

            for name, each in tensors.items():
                each.register_hook(hook_for(name))
            return log
    """,
    right="Such a log is often the first thing to do when a network does not learn.",
)
def check_watch(watch):
    library = yours()
    tensors, loss = three_tensors(library)
    with error_means("NoneType", BEFORE):
        log = watch(tensors)
    expect(isinstance(log, dict), "Return the dictionary; backward fills it later.")
    try:
        loss.backward(retain_graph=True)
    except (RuntimeError, TypeError) as error:
        expect(
            "hook" not in str(error),
            "A hook of yours returns something, and that takes the place of the gradient. Return "
            "None.",
        )
        raise
    expect(
        set(log) != {"product"} or len(tensors) == 1,
        "Everything was noted under one name, that of the last tensor: the name was looked up "
        "when the hook was called.",
    )
    expect(
        log or not tensors["product"].retains_grad,
        BEFORE,
    )
    expect("product" in log, "Yours watches leaves only; any tensor that requires grad has hooks.")
    expect(set(log) == set(tensors), f"The log has {sorted(log)}.")
    expect(
        None not in log.values(),
        BEFORE,
    )
    expect(
        all(isinstance(value, int | float) for value in log.values()),
        "Note the largest absolute value as a number, with `item()`; a tensor keeps its memory.",
    )
    want = {"a": 25.0, "b": 10.0, "product": 5.0}
    expect(
        log["b"] != 5.0,
        "The gradient of `b` was [5., -10.]: its largest absolute value is 10.",
    )
    expect(log == want, f"The log is {log}, not {want}.")
    expect(
        same(tensors["a"].grad, [15.0, 25.0]) and same(tensors["b"].grad, [5.0, -10.0]),
        "A hook of yours has changed the gradient; `.grad` is another one. Only look.",
    )
    (loss * 2.0).backward()
    expect(
        log["a"] == 50.0,
        f"In a second pass, twice as large, 50 is what comes to `a` in that pass. The log has "
        f"{log['a']}.",
    )
    used, unused = library.tensor([1.0, -2.0], requires_grad=True).unbind()
    log = watch({"used": used, "unused": unused})
    with error_means(
        "NoneType",
        "One of two outputs of `unbind` is used. The hook of the other is called, too: what it "
        "gets can be None.",
    ):
        (used * 3.0).backward()
    expect(log == {"used": 3.0}, f"Of two outputs one is used, with the gradient 3: {log}.")


@exercise(
    "15.3",
    "Who made it?",
    difficulty=3,
    minutes=14,
    hint="""A post-hook of a node gets both: `hook(grad_inputs, grad_outputs)`. Entries can be None.
    Put one on every node, run, take them away, also when backward raises.""",
    solution="""
        def culprit(z):
            def finite(grads):
                return all(grad is None or grad.isfinite().all() for grad in grads)

            def hook_for(node):
                def hook(sent, came):
                    if not finite(sent):
                        guilty.append(node.name())

                return hook

            guilty = []
            nodes = count_dependencies([gradient_edge(z)])
            handles = [node.register_hook(hook_for(node)) for node in nodes]
            try:
                z.backward()
            finally:
                for handle in handles:
                    handle.remove()
            return guilty[0] if guilty else None
    """,
    right="`detect_anomaly` also looks at what every node sends, for NaN alone. It shows the line "
    "of your program that made the node.",
)
def check_culprit(culprit):
    library = yours()

    def named(root):
        with error_means("NoneType", "An entry of `grad_inputs` can be None."):
            return culprit(root)

    def root_of(x, factor):
        return ((x * 1.0).sqrt() * library.tensor([1.0, factor])).sum()

    x = library.tensor([4.0, 0.0], requires_grad=True)
    found = named(root_of(x, 1.0))
    expect(found is not None, "Yours passes an inf: the derivative of `sqrt` at 0.")
    expect(
        found != "torch::autograd::AccumulateGrad",
        "That is the last node on the list: the hook looked up `node` when it was called.",
    )
    expect(
        found != "MulBackward0",
        "inf came out of SqrtBackward0. MulBackward0 took over what was there already.",
    )
    expect(found == "SqrtBackward0", f"inf came out of SqrtBackward0; you return {found}.")
    found = named(root_of(x, 0.0))
    expect(found == "SqrtBackward0", f"0 · inf is NaN, from SqrtBackward0; you return {found}.")
    two = (x * 1.0).sqrt().sum() + (x * 1.0).log().sum()
    found = named(two)
    expect(
        found == "LogBackward0",
        f"`sqrt` and `log` both make an inf. Return LogBackward0, which ran first, not {found}.",
    )
    harmless = library.tensor([4.0, 9.0], requires_grad=True)
    z = root_of(harmless, 1.0)
    node = z.grad_fn
    expect(named(z) is None, "Here everything is finite: return None.")
    expect(same(harmless.grad, [0.25, 1 / 6]), "`backward` must run as usual.")
    expect(not node._post_hooks, "Your hooks are still there. Call `remove()` of each handle.")


@exercise(
    "15.4",
    "Small gradients",
    difficulty=2,
    minutes=8,
    hint="""A tensor hook sees this pass only. Which hook comes when the sum is in `.grad`? It may
    change that one, and returns None.""",
    solution="""
        def keep_small(weights, limit):
            def clip(leaf):
                leaf.grad = leaf.grad.clamp(-limit, limit)

            for w in weights:
                w.register_post_accumulate_grad_hook(clip)
    """,
    right="To limit all gradients together, wait for the end of backward: `clip_grad_norm_`.",
)
def check_keep_small(keep_small):
    library = yours()
    v = library.tensor([1.0, 1.0], requires_grad=True)
    w = library.tensor([1.0, 1.0], requires_grad=True)
    keep_small([v, w], 4.0)

    def passing(factors):
        try:
            (w * library.tensor(factors) + v * 0.5).sum().backward()
        except (RuntimeError, TypeError) as error:
            expect(
                "return None" not in str(error),
                "A post-accumulate hook must return None. Put the clipped gradient into `.grad`.",
            )
            raise
        except AttributeError as error:
            expect(
                not (v._hooks or w._hooks),
                "Your hook asks for `.grad`, but a tensor hook gets the gradient, not the leaf. "
                "Which hook gets the leaf?",
            )
            expect(
                "NoneType" not in str(error),
                "A hook found a `.grad` that is None. At its call the loop's variable is the last "
                "weight: use the leaf that it is given.",
            )
            raise
        return w.grad.tolist()

    first = passing([9.0, -9.0])
    expect(
        first != [9.0, -9.0],
        f"`.grad` is unclipped: {first}. `clamp` returns a new tensor. "
        "And a hook on an AccumulateGrad goes when that node goes.",
    )
    expect(first[1] >= -4.0, f"The limit holds below, too: {first} has {first[1]}.")
    expect(first == [4.0, -4.0], f"The gradient was [9., -9.], the limit 4: `.grad` is {first}.")
    expect(v.grad.tolist() == [0.5, 0.5], f"[0.5, 0.5] is small; yours made it {v.grad.tolist()}.")
    second = passing([3.0, 1.0])
    expect(
        second != [7.0, -3.0],
        "Yours clips what each pass brings: 4 and 3, and `.grad` is their sum, 7.",
    )
    expect(second == [4.0, -3.0], f"After a second pass `.grad` is {second}, not [4.0, -3.0].")


def engine_with(library, hooks):
    """The reader's backward pass, with `hooks` instead of the library's hooks."""

    class WithHooks(library.core.engine.BackwardPass):
        def run_node(self, node, grads):
            changed = hooks.call(node, grads)
            expect(changed is not None, "`call` must return the gradients.")
            return super().run_node(node, list(changed))

    def backward(root):
        WithHooks(retain_graph=True).run([root])

    return backward


@exercise(
    "15.5",
    "Hooks on an empty page",
    difficulty=3,
    minutes=16,
    hint="""Hooks of a result live in its node: the node's `__dict__` takes any attribute. Hooks of
    a leaf live in the leaf, and the AccumulateGrad has it as `variable`. Give each hook a number.
    Run over a copy.""",
    solution="""
        class MyHooks:
            def register(self, tensor, hook):
                holder = tensor if tensor.grad_fn is None else tensor.grad_fn
                hooks = holder.__dict__.setdefault("my_hooks", {})
                key = object()
                hooks[key] = tensor._output_nr, hook
                return lambda: hooks.pop(key, None)

            def call(self, node, grads):
                holder = node.variable if isinstance(node, AccumulateGrad) else node
                grads = list(grads)
                for number, hook in list(holder.__dict__.get("my_hooks", {}).values()):
                    new = hook(grads[number])
                    grads[number] = grads[number] if new is None else new
                return grads
    """,
    right="That is `hooks.py`: where a hook lives, and when it is called.",
)
def check_my_hooks(MyHooks):  # noqa: N803 - it is a class
    expect(isinstance(MyHooks, type), "Give the class itself, not an object of it.")
    library, hooks = yours(), MyHooks()
    backward = engine_with(library, hooks)
    x = library.tensor(2.0, requires_grad=True)
    y = x * 3.0
    seen = []
    hooks.register(y, seen.append)
    expect(
        not y.grad_fn._tensor_hooks,
        "Yours puts the hook where the library's `register_hook` puts it, and the engine calls it, "
        "too. Keep hooks in a place of your own.",
    )
    backward(y * 5.0)
    expect(len(seen) > 0, "A hook that was registered on a result was not called.")
    expect(
        x.grad is not None and same(x.grad, 15.0),
        "A hook that returns None must leave the gradient as it is.",
    )
    expect([float(each) for each in as_numbers(seen)] == [5.0], f"The hook saw {seen}, not one 5.")
    hooks.register(y, lambda grad: grad * 10.0)
    last = hooks.register(y, lambda grad: grad + 1.0)
    x.grad = None
    backward(y * 5.0)
    got = None if x.grad is None else x.grad.item()
    expect(
        got == 153.0,
        "Each hook gets what the one before returned, in its own order: (5 · 10 + 1) · 3 = 153, "
        f"not {got}.",
    )
    expect(callable(last), "`register` must return a function that removes the hook.")
    last()
    x.grad = None
    backward(y * 5.0)
    expect(same(x.grad, 150.0), "A hook that was removed is still called, or another one is gone.")
    y = x * 3.0
    first = hooks.register(y, lambda grad: None)
    hooks.register(y, lambda grad: grad * 10.0)
    first()
    hooks.register(y, lambda grad: None)
    x.grad = None
    backward(y * 5.0)
    expect(
        same(x.grad, 150.0),
        "After one hook was removed, a new one took the place of another: it got a number that "
        "was still in use.",
    )
    y = x * 3.0
    hooks.register(y, lambda grad: grad * 0.0)
    x.grad = None
    backward(y * 5.0)
    expect(same(x.grad, 0.0), "A hook that returns zeros replaces the gradient, too.")
    check_special_cases(library, MyHooks)


def check_special_cases(library, MyHooks):  # noqa: N803
    """A hook that removes itself, several outputs, a leaf over several passes, and memory."""
    hooks = MyHooks()
    backward = engine_with(library, hooks)
    y = library.tensor(2.0, requires_grad=True) * 3.0
    calls = []
    remove = hooks.register(y, lambda grad: (calls.append("once"), remove())[2:] or None)
    hooks.register(y, lambda grad: calls.append("always"))
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            backward(y * 1.0)
        except RuntimeError as error:
            raise Mistake(f"A hook that removes itself breaks the loop: {error}.") from None
    expect(
        calls == ["once", "always"],
        f"Called were {calls}: the hook after one that removes itself must be called, too.",
    )
    left, right = library.tensor([2.0, 3.0], requires_grad=True).unbind()
    seen = []
    hooks.register(right, seen.append)
    backward(left * 7.0 + right * 8.0)
    expect(
        as_numbers(seen) == [8.0],
        f"A hook on the second result of `unbind` saw {as_numbers(seen)}: that is the other "
        "output's gradient. It should see 8.",
    )
    w = library.tensor(2.0, requires_grad=True)
    first, seen = w * 3.0, []
    hooks.register(w, seen.append)  # the handle is dropped
    backward(first)
    del first
    gc.collect()
    backward(w * 4.0)
    expect(len(seen) > 0, "A hook on a leaf was not called.")
    survived = as_numbers(seen) == [3.0, 4.0]
    y = library.tensor(2.0, requires_grad=True) * 3.0
    hooks.register(y, lambda grad: None)
    node = weakref.ref(y.grad_fn)
    del y
    gc.collect()
    expect(
        node() is None, "Yours keeps the graph of a hooked tensor alive when the tensor is gone."
    )
    expect(
        survived,
        "A hook on a leaf is gone in the next pass: its AccumulateGrad went with the graph.",
    )


def as_numbers(seen):
    """The gradients that a hook recorded, as numbers."""
    return [None if each is None else each.item() for each in seen]
