"""What notebook 15_hooks asks: what a hook sees, when it runs, and what it changes."""

import contextlib
import gc
import io
import weakref

import minigrad as torch
from minigrad import nn
from minigrad_course.ask.declare import error_means, exercise, expect, prediction, refuses, same
from minigrad_course.kernel.reader import yours

prediction(
    "15.a",
    """At the last of twenty layers of `sigmoid`, the largest gradient is 0.02. About how large is
    it at the first?""",
    {
        "0.001, a twentieth": """The gradient is not divided among the layers. Instead, each one
        multiplies it by a factor.""",
        "0.00000004, because each layer halves it": """The idea is right, but a sigmoid is flatter
        than that: its slope is 1/4 at most.""",
        "below 0.000000000001": """The slope is 1/4 at most, and the weights barely change the size
        of a gradient. 0.25¹⁹ is about 4 · 10⁻¹².""",
    },
    answer="below 0.000000000001",
    shown="first layer: 2e-15",
)

prediction(
    "15.b",
    """`y` gets a hook that multiplies by 10, then `retain_grad()` is called, and then a hook that
    adds 1 is registered. In backward, 3 arrives at `y`. What is in `y.grad`?""",
    {
        "3.": """That is what arrived, but `retain_grad` stores what the hooks have turned it
        into.""",
        "30.": """That would be right if everything ran in the order of registration.""",
        "31.": """All tensor hooks come first, and then `retain_grad`.""",
    },
    answer="31.",
    shown="y.grad: tensor(31.)",
)

prediction(
    "15.c",
    """There are eight weights of 1 MiB, and each steps and drops its gradient inside backward. How
    much memory do the gradients take up when the last one arrives?""",
    {
        "8 MiB": """That is what they take without the hook. Which of the other seven would still
        be there?""",
        "7 MiB": """Seven gradients have arrived before, but where are they now?""",
        "1 MiB": """Each of the others has been used and dropped, so only the one that has just
        arrived is there.""",
        "0 MiB": """When this gradient arrives, it exists, because it is dropped only after its
        weight has taken its step.""",
    },
    answer="1 MiB",
    shown="inside backward: [1, 1, 1, 1, 1, 1, 1, 1]",
)

prediction(
    "15.d",
    """`a + b` starts backward with two ones. A hook on `a` multiplies its gradient by 10, in place.
    What is printed for `a.grad` and `b.grad`?""",
    {
        "[10., 10.] and [1., 1.]": """That is what a hook on `a` is meant to do. But whose memory
        does `mul_` write to?""",
        "[10., 10.] and [10., 10.]": """The addition sends one tensor to both, and `mul_` writes to
        its memory before `b.grad` is there.""",
        "an error": """That would help, but PyTorch does not protect the gradient that a hook
        gets.""",
    },
    answer="[10., 10.] and [10., 10.]",
    shown="a.grad: tensor([10., 10.])  b.grad: tensor([10., 10.])",
)


@exercise(
    "15.1",
    "Two passes",
    difficulty=1,
    minutes=8,
    hint="""Follow the gradient: what arrives at `y`, what its hooks turn it into, what is retained,
    what is passed to `w`, and what is added to `w.grad`. A retained `y.grad` adds up, too
    (chapter 07).""",
    solution="""
        found = {
            "1 y.grad": 16.0, "1 printed": 32.0, "1 w.grad": 32.0,
            "2 y.grad": 31.0, "2 printed": 30.0, "2 w.grad": 62.0,
        }
    """,
    right="That is the order: tensor hooks, `retain_grad`, the node, and then the next tensor.",
)
def check_found(found):
    def three(number):
        return tuple(found[f"{number} {what}"] for what in ("y.grad", "printed", "w.grad"))

    first, second = three(1), three(2)
    expect(
        first[0] != 5.0,
        "1: 5 arrives at `y`, but `retain_grad` stores what is left after all hooks.",
    )
    expect(first[0] != 18.0, "1: hooks run in the order of registration: times 3, and then + 1.")
    expect(first[0] == 16.0, f"1: `y.grad` is 5 · 3 + 1, not {first[0]}.")
    expect(
        first[1] not in (10.0, 2.0),
        "1: the hooks of `y` change what its node receives, which is 16, not 5.",
    )
    expect(first == (16.0, 32.0, 32.0), "1: 16 · 2 arrives at `w`, and `w.grad` was empty.")
    expect(
        second[1] != 62.0,
        "2: the hook sees the gradient of this pass, before it is added to `.grad`.",
    )
    expect(
        second[1] != 10.0,
        "2: `handle.remove()` removes only the hook that it belongs to. The other one still "
        "multiplies 5 by 3.",
    )
    expect(
        second[0] != 15.0,
        "2: 15 is the gradient of this pass. A retained gradient adds up, like that of a leaf.",
    )
    expect(
        second == (31.0, 30.0, 62.0),
        "2: 15 is left after the hook of `y`, and 15 · 2 is added to `w.grad`.",
    )


def three_tensors(library):
    """Leaves a and b, their product, and a loss in which the product counts twice."""
    a = library.tensor([1.0, -2.0], requires_grad=True)
    b = library.tensor([3.0, 5.0], requires_grad=True)
    product = a * b
    return {"a": a, "b": b, "product": product}, (product * 4.0 + product).sum()


BEFORE = "Your function read the gradients before backward had run. Let hooks fill the dictionary."


@exercise(
    "15.2",
    "A log by name",
    difficulty=2,
    minutes=10,
    hint="""Write a function that takes the name and returns the hook. The hook puts a number in the
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
    right="When a network does not learn, such a log is often the first thing to look at.",
)
def check_watch(watch):
    library = yours()
    tensors, loss = three_tensors(library)
    with error_means("NoneType", BEFORE):
        log = watch(tensors)
    expect(isinstance(log, dict), "Return the dictionary, which backward fills later.")
    with error_means(
        "hook",
        "One of your hooks returns something, which replaces the gradient. Let it return None.",
        (RuntimeError, TypeError),
    ):
        loss.backward(retain_graph=True)
    expect(
        set(log) != {"product"} or len(tensors) == 1,
        "Everything was noted under the name of the last tensor, because the name was looked up "
        "only when the hook was called.",
    )
    expect(
        log or not tensors["product"].retains_grad,
        BEFORE,
    )
    expect(
        log,
        "The dictionary is still empty after backward. Return the one that your hooks write to.",
    )
    expect(
        "product" in log,
        "Your function watches leaves only, but any tensor that requires grad can have hooks.",
    )
    expect(set(log) == set(tensors), f"The log has the names {sorted(log)}.")
    expect(
        None not in log.values(),
        BEFORE,
    )
    expect(
        all(isinstance(value, int | float) for value in log.values()),
        "Note the largest absolute value as a number, with `item()`, because a tensor would keep "
        "its memory.",
    )
    want = {"a": 25.0, "b": 10.0, "product": 5.0}
    expect(
        log["b"] != 5.0,
        "The gradient of `b` was [5., -10.], and its largest absolute value is 10.",
    )
    expect(log == want, f"The log is {log}, not {want}.")
    expect(
        same(tensors["a"].grad, [15.0, 25.0]) and same(tensors["b"].grad, [5.0, -10.0]),
        "One of your hooks has changed the gradient, so `.grad` is wrong now. A hook that only "
        "looks must not write.",
    )
    (loss * 2.0).backward()
    expect(
        log["a"] == 50.0,
        f"In a second pass, twice as large, `a` gets the gradient 50 in that pass. The log has "
        f"{log['a']}.",
    )
    used, unused = library.tensor([1.0, -2.0], requires_grad=True).unbind()
    log = watch({"used": used, "unused": unused})
    with error_means(
        "NoneType",
        "Only one of two outputs of `unbind` is used. The hook of the other is called, too, and "
        "what it gets can be None.",
    ):
        (used * 3.0).backward()
    expect(log == {"used": 3.0}, f"Only `used` has a gradient, 3, but the log is {log}.")


@exercise(
    "15.3",
    "Who made it?",
    difficulty=3,
    minutes=14,
    hint="""Put a post-hook on every node. It is called with what the node sends and what it has
    received, and entries can be None. Remove the hooks in a `finally`, because backward may raise
    an error.""",
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
    right="`detect_anomaly` looks at what every node sends, too, but only for NaN. It also shows "
    "the line of your program that created the node.",
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
    expect(found is not None, "Your function overlooks an inf, the derivative of `sqrt` at 0.")
    expect(
        found != "torch::autograd::AccumulateGrad",
        "That is the last node on the list, because the hook looked up `node` only when it was "
        "called.",
    )
    expect(
        found != "MulBackward0",
        "inf came out of SqrtBackward0, and MulBackward0 only passed on what was there already.",
    )
    expect(found == "SqrtBackward0", f"inf came out of SqrtBackward0, but you return {found}.")
    found = named(root_of(x, 0.0))
    expect(
        found == "SqrtBackward0",
        f"0 · inf is NaN, and SqrtBackward0 computed it, but you return {found}.",
    )
    two = (x * 1.0).sqrt().sum() + (x * 1.0).log().sum()
    found = named(two)
    expect(
        found == "LogBackward0",
        f"`sqrt` and `log` both produce an inf. Return LogBackward0, which ran first, not {found}.",
    )
    harmless = library.tensor([4.0, 9.0], requires_grad=True)
    z = root_of(harmless, 1.0)
    node = z.grad_fn
    expect(named(z) is None, "Here everything is finite: return None.")
    expect(same(harmless.grad, [0.25, 1 / 6]), "`backward` must still compute the gradients.")
    expect(not node._post_hooks, "Your hooks are still there, so call `remove()` on each handle.")
    x = library.tensor([4.0, 9.0], requires_grad=True)
    y = x * 1.0
    z = y.sum()

    def broken(grad):
        raise ZeroDivisionError

    y.register_hook(broken)
    with contextlib.suppress(ZeroDivisionError):
        culprit(z)
    expect(
        not (z.grad_fn._post_hooks or y.grad_fn._post_hooks),
        "When backward raises an error, your hooks stay, so remove them in a `finally`.",
    )
    expect(
        refuses(lambda: culprit(z), (ZeroDivisionError, RuntimeError)),
        "If backward raises an error, do not swallow that error.",
    )


@exercise(
    "15.4",
    "Small gradients",
    difficulty=2,
    minutes=8,
    hint="""A tensor hook sees this pass only. Which hook is called when the sum is in `.grad`? It
    may assign another `.grad`, and it has to return None.""",
    solution="""
        def keep_small(weights, limit):
            def clip(leaf):
                leaf.grad = leaf.grad.clamp(-limit, limit)

            for w in weights:
                w.register_post_accumulate_grad_hook(clip)
    """,
    right="""If only None arrives at a leaf, `leaf.grad` may be None, so a hook for any program asks
    for that first. If you want to limit all gradients together, use `clip_grad_norm_` after
    backward.""",
)
def check_keep_small(keep_small):
    library = yours()
    v = library.tensor([1.0, 1.0], requires_grad=True)
    w = library.tensor([1.0, 1.0], requires_grad=True)
    keep_small([v, w], 4.0)

    def passing(factors):
        found_none = (
            "Your hook reads `.grad`, but a tensor hook gets the gradient, not the leaf. Which "
            "hook gets the leaf?"
            if v._hooks or w._hooks
            else "A hook found a `.grad` that is None. When it is called, the loop's variable is "
            "the last weight, so use the leaf that it is given."
        )
        with (
            error_means(
                "return None",
                "A post-accumulate hook must return None, so assign the clipped gradient to "
                "`.grad`.",
            ),
            error_means("NoneType", found_none, AttributeError),
        ):
            (w * library.tensor(factors) + v * 0.5).sum().backward()
        return w.grad.tolist()

    first = passing([9.0, -9.0])
    expect(
        first != [9.0, -9.0],
        f"`.grad` is unclipped: {first}. Note that `clamp` returns a new tensor, and that a hook "
        "on an AccumulateGrad is freed together with that node.",
    )
    expect(
        first[1] >= -4.0,
        f"The limit holds for negative numbers, too, but {first} has {first[1]}.",
    )
    expect(
        first == [4.0, -4.0],
        f"The gradient was [9., -9.] and the limit is 4, but `.grad` is {first}.",
    )
    expect(
        v.grad.tolist() == [0.5, 0.5],
        f"[0.5, 0.5] is within the limit, but your hook turned it into {v.grad.tolist()}.",
    )
    second = passing([3.0, 1.0])
    expect(
        second != [7.0, -3.0],
        "Your hook clips the gradient of each pass, 4 and 3, and `.grad` is their sum, 7.",
    )
    expect(second == [4.0, -3.0], f"After a second pass `.grad` is {second}, not [4.0, -3.0].")


@exercise(
    "15.5",
    "What a layer computes",
    difficulty=2,
    minutes=8,
    hint="""`module.register_forward_hook(hook)` calls `hook(module, inputs, output)`. Bind the name
    for each hook, store `output.detach().clone()`, because a later layer may work in place, and
    remove the handles in a `finally`.""",
    solution="""
        def features(model, names, x):
            def hook_for(name):
                def hook(module, inputs, output):
                    found[name] = output.detach().clone()

                return hook

            found, modules = {}, dict(model.named_modules())
            handles = [modules[name].register_forward_hook(hook_for(name)) for name in names]
            try:
                model(x)
            finally:
                for handle in handles:
                    handle.remove()
            return found
    """,
    right="The features of a trained model are usually read like this, without touching its code.",
)
def check_features(features):
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Sequential(nn.Tanh(), nn.Linear(3, 1)))
    x = torch.tensor([[1.0, -2.0]])
    names = ["0", "1", "2.0"]
    found = features(model, names, x)
    expect(isinstance(found, dict), "Return a dictionary.")
    expect(
        set(found) != {"2.0"},
        "Everything was stored under the last name, because the name was looked up only when the "
        "hook was called.",
    )
    expect(set(found) == set(names), f"The names are {sorted(found)}, not {names}.")
    first = model[0](x)
    want = {"0": first, "1": first.relu(), "2.0": first.relu().tanh()}
    for name in names:
        expect(
            isinstance(found[name], torch.Tensor),
            f"{name}: return tensors, not {type(found[name]).__name__}.",
        )
        expect(
            same(found[name], want[name].detach()),
            f"{name}: its output is {want[name].tolist()}, not {found[name].tolist()}.",
        )
        expect(
            not found[name].requires_grad,
            f"{name}: the output has a history, so it keeps the whole graph. Store "
            "`output.detach().clone()`.",
        )
    in_place = nn.Sequential(nn.Linear(2, 3), nn.ReLU(inplace=True))
    with torch.no_grad():
        in_place[0].weight.copy_(-torch.ones(3, 2))
        in_place[0].bias.zero_()
    expect(
        same(features(in_place, ["0"], torch.ones(1, 2))["0"], [[-2.0, -2.0, -2.0]]),
        "Behind a layer, `ReLU(inplace=True)` wrote to what you had stored, because `detach()` "
        "shares its memory. Store a copy: `output.detach().clone()`.",
    )
    expect(
        not any(each._forward_hooks for each in model.modules()),
        "The model still has your hooks, so call `remove()` on each handle.",
    )
    with contextlib.suppress(RuntimeError):
        features(model, names, torch.ones(1, 5))
    expect(
        not any(each._forward_hooks for each in model.modules()),
        "When the model raises an error, your hooks stay, so remove them in a `finally`.",
    )


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
    "15.6",
    "Hooks on an empty page",
    difficulty=3,
    minutes=16,
    hint="""Let the node of a result keep its hooks, because its `__dict__` takes any attribute. The
    hooks of a leaf belong to the leaf, which the AccumulateGrad has as `variable`. Give each hook a
    key of its own, and loop over a copy.""",
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
    right="That is the heart of `hooks.py`: who keeps a hook, and when it is called.",
)
def check_my_hooks(MyHooks):  # noqa: N803 - it is a class
    expect(isinstance(MyHooks, type), "Hand in the class itself, not an instance.")
    library, hooks = yours(), MyHooks()
    backward = engine_with(library, hooks)
    x = library.tensor(2.0, requires_grad=True)
    y = x * 3.0
    seen = []
    hooks.register(y, seen.append)
    expect(
        not y.grad_fn._tensor_hooks,
        "Your class puts the hook where the library's `register_hook` puts it, so the engine calls "
        "it, too. Keep the hooks somewhere else.",
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
        "Each hook gets what the one before returned, in the order of registration: "
        "(5 · 10 + 1) · 3 = 153, "
        f"not {got}.",
    )
    expect(callable(last), "`register` must return a function that removes the hook.")
    last()
    x.grad = None
    backward(y * 5.0)
    expect(
        same(x.grad, 150.0),
        "A hook that was removed is still called, or the wrong one was removed.",
    )
    y = x * 3.0
    first = hooks.register(y, lambda grad: None)
    hooks.register(y, lambda grad: grad * 10.0)
    first()
    hooks.register(y, lambda grad: None)
    x.grad = None
    backward(y * 5.0)
    expect(
        same(x.grad, 150.0),
        "After one hook was removed, a new one replaced another, because it got a number that was "
        "still in use.",
    )
    y = x * 3.0
    hooks.register(y, lambda grad: grad * 0.0)
    x.grad = None
    backward(y * 5.0)
    expect(same(x.grad, 0.0), "A hook that returns zeros replaces the gradient like any other.")
    check_special_cases(library, MyHooks)


def check_special_cases(library, MyHooks):  # noqa: N803
    """A hook that removes itself, several outputs, a leaf over several passes, and memory."""
    hooks = MyHooks()
    backward = engine_with(library, hooks)
    y = library.tensor(2.0, requires_grad=True) * 3.0
    calls = []
    remove = hooks.register(y, lambda grad: (calls.append("once"), remove())[2:] or None)
    hooks.register(y, lambda grad: calls.append("always"))
    with (
        contextlib.redirect_stdout(io.StringIO()),
        error_means(RuntimeError, "A hook that removes itself breaks the loop: {error}."),
    ):
        backward(y * 1.0)
    expect(
        calls == ["once", "always"],
        f"Only {calls} were called, but the hook after one that removes itself must be called, "
        "too.",
    )
    left, right = library.tensor([2.0, 3.0], requires_grad=True).unbind()
    seen = []
    hooks.register(right, seen.append)
    backward(left * 7.0 + right * 8.0)
    expect(
        as_numbers(seen) == [8.0],
        f"A hook on the second result of `unbind` saw {as_numbers(seen)}, the gradient of the "
        "other output, but it should see 8.",
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
        node() is None,
        "Your class keeps the graph of a hooked tensor alive when the tensor is gone.",
    )
    expect(
        survived,
        "A hook on a leaf is gone in the next pass, because its AccumulateGrad was freed with the "
        "graph.",
    )


def as_numbers(seen):
    """The gradients that a hook recorded, as numbers."""
    return [None if each is None else each.item() for each in seen]
