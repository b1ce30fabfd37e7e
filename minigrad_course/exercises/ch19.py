"""What notebook 19_inside_pytorch asks: a model's graph, the dispatcher, the table, the engine."""

import sys

from minigrad_course.ask.declare import error_means, exercise, expect, names_used, prediction, same
from minigrad_course.kernel.reader import yours

prediction(
    "19.a",
    """The model has 12 layers of 12 parameters each. In layer 4 the hook detaches the `x` that
    `linear1` gets, so `x + linear2(linear1(x.detach()).relu())` is computed. Six parameters of
    that layer come before `x`, and two are in `linear1`. How many of the 144 gradients of the
    first step are wrong?""",
    {
        "none, since each parameter has a gradient": """A gradient is a sum over paths. Through the
        first `x` one path still leads to everything before it, but its share is not the sum.""",
        "2": """The two of `linear1` are on the side of the loss: the gradient reaches `linear1`
        from behind, and is right. What does not get through is its gradient with respect to
        `x`.""",
        "54": """Layers 0 to 3 have 48 parameters, and 6 of layer 4 come before `x`. They all miss
        what should have come through `linear1`.""",
        "144": """The hook changes no value in the forward pass, so from the loss back to layer 4
        every gradient is what it was.""",
    },
    answer="54",
    shown="54 of 144 are wrong",
)

prediction(
    "19.b",
    """`x` is a plain tensor that requires grad. Which functions run for `x.mm(w)` under
    `no_grad`?""",
    {
        "the one at CPU alone": """That is what `inference_mode` does, by excluding AutogradCPU.
        `no_grad` only turns grad mode off, and the function at AutogradCPU looks it up.""",
        "those at AutogradCPU and CPU": """`no_grad` excludes nothing, and AutocastCPU is excluded
        anyway, so AutogradCPU is the highest. Its function makes no node, and dispatches again.""",
        "those at AutocastCPU, AutogradCPU and CPU": """The tensor does carry AutocastCPU, but the
        key is excluded outside of `torch.autocast`.""",
        "those at AutogradCPU, ADInplaceOrView and CPU": """`mm` writes to no tensor and returns no
        view, so it falls through at ADInplaceOrView.""",
    },
    answer="those at AutogradCPU and CPU",
    shown="AutogradCPU | VariableType | VariableType | excluded",
)

prediction(
    "19.c",
    """Now ADInplaceOrView is excluded while `write_between` runs. The gradient of `w` with the old
    `h` would be [18, 36]. What is printed?""",
    {
        "version 1, and an error": """The version is counted by the function at ADInplaceOrView,
        and that function is not called.""",
        "version 0, and [18, 36]": """The node has saved `h` itself, not a copy of its values, and
        they are ten times as large when backward reads them.""",
        "version 0, and [180, 360]": """Nobody has counted, so the saved tensor finds the version
        that it remembers, and the new values with it.""",
        "version 0, and None": """The graph was recorded before the write, and it is complete.""",
    },
    answer="version 0, and [180, 360]",
    shown="version 0\ntensor([180., 360.])",
)

prediction(
    "19.d",
    """`segment` computes `(x * x).sin()`. Its nodes save three tensors: `x` twice, and the square.
    How many times does `by_hand` run `segment`, forward and backward together?""",
    {
        "once": """In the forward the nodes got numbers instead of tensors, so nobody could give
        them back to backward.""",
        "twice": """Once in the forward, and once when backward asks for its first tensor. The
        others are in `again` by then.""",
        "four times": """That would be once more for each of the three tensors. But the first
        request fills `again`, and the other two find it filled.""",
    },
    answer="twice",
    shown="the segment runs\n  backward:\n    the segment runs\n  tensor",
)

prediction(
    "19.e",
    """`y = x**3` and `z = y.log() + y.sqrt() + x**2`, so three paths lead to `x`. How many times
    does `walk` call the AccumulateGrad of `x`?""",
    {
        "once": """For that it would have to wait for the second edge. But its number is the
        largest, so it counts as the newest as soon as something has arrived.""",
        "twice": """Two edges lead to it, and it runs whenever something arrives along one of
        them. Each call adds its part to `.grad`.""",
        "three times": """The paths through `log` and `sqrt` meet earlier, at the node of `y`, which
        is older than both and waits for them.""",
    },
    answer="twice",
    shown="= LogBackward0\n  = PowBackward0\n  = torch::autograd::AccumulateGrad",
)


def expect_own_walk(function):
    expect(
        "count_dependencies" not in names_used(function),
        "`count_dependencies` does the walk for you. Write it yourself, with a list of the nodes "
        "ahead and a set of those that you have seen.",
    )


@exercise(
    "19.1",
    "Which parameters are not reached?",
    difficulty=2,
    minutes=12,
    hint="""A leaf is reached if some path from `loss.grad_fn` leads to its AccumulateGrad, whose
    `variable` is the leaf. Keep a set of nodes that you have seen, and compare leaves by `id`.""",
    solution="""
        def unreached(loss, parameters):
            seen, ahead, reached = set(), [loss.grad_fn], set()
            while ahead:
                node = ahead.pop()
                if node is None or node in seen:
                    continue
                seen.add(node)
                if hasattr(node, "variable"):
                    reached.add(id(node.variable))
                ahead += [each for each, _ in node.next_functions]
            return [name for name, leaf in parameters.items() if id(leaf) not in reached]
    """,
    right="""You can ask this of any model before the first step of training. Being reached and
    having a gradient are different things: a leaf that is reached may still get 0, or half of
    its gradient.""",
)
def check_unreached(unreached):
    expect_own_walk(unreached)
    tensor = yours().tensor
    used, other = tensor(2.0, requires_grad=True), tensor(2.0, requires_grad=True)
    lost, frozen = tensor(3.0, requires_grad=True), tensor(1.0)
    lost.grad = tensor(7.0)  # left over from an earlier pass
    parameters = {"used": used, "lost": lost, "frozen": frozen}
    loss = (used * lost.detach()) * used + frozen
    with error_means(
        (AssertionError, RuntimeError, TypeError),
        "No pass is needed, neither `backward` nor `torch.autograd.grad`, and on this page `torch` "
        "is the finished library, which does not know your tensors. Follow `next_functions` from "
        "`loss.grad_fn`. Your function raised: {error}",
    ):
        found = unreached(loss, parameters)
    expect(
        used.grad is None,
        "Your function ran backward, because `used.grad` is filled now. Look only at the graph.",
    )
    expect(
        found != ["frozen"],
        "`lost` requires grad, but `detach` cuts it off, so look where the graph leads.",
    )
    expect(
        found != ["used"],
        "`used` is reached and the other two are not, so your answer is the wrong way around. If "
        "you look at `.grad`, remember that it is None before any pass, whatever the graph.",
    )
    expect(
        not (isinstance(found, list) and "used" in found),
        "`used` is reached. A `.grad` may be None before the first pass, or left over from an "
        "earlier pass, so it says nothing about this graph.",
    )
    expect(isinstance(found, list), f"Return a list of names, not a {type(found).__name__}.")
    expect(
        found == ["lost", "frozen"], f"`lost` and `frozen` are not reached, but you return {found}."
    )
    without = "A loss without a graph has None as `grad_fn`: then no parameter is reached."
    with error_means(AttributeError, without):
        found = unreached((used * 2).detach(), {"used": used})
    expect(found == ["used"], f"{without} You return {found}.")
    ladder, visits = other, []
    for _ in range(12):
        ladder = ladder + ladder

    class Counted(tuple):
        def __iter__(self):
            visits.append(self)
            return super().__iter__()

    node = ladder.grad_fn
    while node.next_functions:
        node.next_functions = Counted(node.next_functions)
        node = node.next_functions[0][0]
    expect(
        unreached(ladder, {"used": used}) == ["used"],
        "A leaf that is not reached has the value of one that is, and your function took one for "
        "the other: `in` and `==` compare values. Compare with `is`, or by `id`.",
    )
    expect(
        len(visits) < 100,
        "Your function visits a node once for each path, which never ends in a large model. "
        "Remember the nodes that you have seen.",
    )


@exercise(
    "19.2",
    "Which functions run?",
    difficulty=2,
    minutes=12,
    hint="""First find the keys that are set, by the rule of the dispatcher. Then go through
    `ORDER`, and look up each of these keys in the table.""",
    solution="""
        def route(table, carried, included, excluded):
            keys, found = (carried | included) - excluded, []
            for key in ORDER:
                entry = table.get(key, "falls through")
                if key in keys and entry != "falls through":
                    found.append(key)
                    if entry == "composite":
                        break
            return found
    """,
    right="""With this rule you can predict what `no_grad`, `inference_mode`, autocast and a mode do
    to any operation whose table you have seen.""",
)
def check_route(route):
    plain = {"CPU", "ADInplaceOrView", "AutogradCPU", "AutocastCPU"}
    off = {"AutocastCPU"}
    mm = {"CPU": "kernel", "AutogradCPU": "kernel", "Python": "kernel", "AutocastCPU": "kernel"}
    mul_ = {**mm, "AutocastCPU": "falls through", "ADInplaceOrView": "kernel"}
    matmul = dict.fromkeys(("CPU", "AutogradCPU"), "composite") | {"AutocastCPU": "kernel"}

    def ask(table, carried, included, excluded):
        given = [dict(table), set(carried), set(included), set(excluded)]
        found = route(*given)
        expect(
            given == [table, carried, included, excluded],
            "Your function changes what it was given. PyTorch computes a new set for each call, "
            "and the tensor keeps its keys: use `|` and `-` rather than `|=` and `-=`.",
        )
        expect(
            isinstance(found, list),
            f"Return a list of keys, in the order of the calls, not a {type(found).__name__}.",
        )
        return found

    found = ask(mm, plain, set(), off)
    expect(
        "AutocastCPU" not in found,
        "A plain tensor carries AutocastCPU, but here it is excluded: take away what is excluded.",
    )
    expect(
        "ADInplaceOrView" not in found, "`mm` has no entry at ADInplaceOrView, so it falls through."
    )
    expect("Python" not in found, "No mode has included Python, so its function does not run.")
    expect(
        found != ["CPU", "AutogradCPU"],
        "The highest key comes first, so follow `ORDER`, and not the order of the table.",
    )
    expect(
        found != ["AutogradCPU"],
        'A `"kernel"` dispatches again below itself, so the call of `mm` also reaches CPU.',
    )
    expect(
        found == ["AutogradCPU", "CPU"],
        f"A plain `mm` runs at AutogradCPU and then at CPU, but you return {found}.",
    )
    found = ask(mul_, plain, set(), off)
    expect(
        found == ["AutogradCPU", "ADInplaceOrView", "CPU"],
        'Three functions run for `mul_`, since AutocastCPU "falls through", but you return '
        f"{found}.",
    )
    found = ask(mm, plain, {"Python"}, off)
    expect(
        found == ["AutogradCPU", "Python", "CPU"],
        "A mode that includes Python also sees the call, below AutogradCPU, but you return "
        f"{found}.",
    )
    found = ask(mm, plain - off, {"AutocastCPU"}, off)
    expect(
        found == ["AutogradCPU", "CPU"],
        "A key that is included and excluded stays out: what is excluded is taken away last.",
    )
    found = ask(matmul, plain, set(), off)
    expect(
        found == ["AutogradCPU"],
        "A composite function calls other operations, so the call of `matmul` ends there, but you "
        f"return {found}.",
    )
    found = ask(matmul, plain, set(), set())
    expect(
        found == ["AutocastCPU", "AutogradCPU"],
        "Inside autocast, `matmul` runs at AutocastCPU, and then at AutogradCPU, but you return "
        f"{found}.",
    )


@exercise(
    "19.3",
    "Read the table",
    difficulty=2,
    minutes=10,
    hint="""Which names are in the formulas, apart from `grad`? The `self` in front of a colon only
    says whose gradient this is, and saves nothing. A shape is not a tensor.""",
    solution="""
        saved = {
            "reciprocal": {"result"},
            "sin": {"self"},
            "hypot": {"self", "other", "result"},
            "sign": set(),
            "sum": set(),
        }
    """,
    right="""So `reciprocal` can let go of its input at once, and `sin` has to keep it. This also
    decides what you may change in place before backward (chapter 11).""",
)
def check_saved(saved):
    table = {
        "reciprocal": {"result"},
        "sin": {"self"},
        "hypot": {"self", "other", "result"},
        "sign": set(),
        "sum": set(),
    }
    expect(
        isinstance(saved, dict) and set(saved) == set(table),
        f"There should be five names: {', '.join(table)}.",
    )
    expect(
        {} not in saved.values(),
        "`{}` is an empty dictionary, while the empty set is `set()`.",
    )
    expect(
        all(isinstance(names, set | frozenset) for names in saved.values()),
        'Give a set of names, such as `{"self"}`, even if it is a single name.',
    )
    given = {name: set(names) for name, names in saved.items()}
    expect(
        not any("grad" in names for names in given.values()),
        "`grad` is not saved, because it arrives in backward, and only what forward knows can be "
        "saved.",
    )
    expect(
        "self" not in given["sign"] | given["reciprocal"],
        "The name in front of a colon says whose gradient this is. Only names in the formula are "
        "saved, and `sign` and `reciprocal` do without `self`.",
    )
    expect(
        given["hypot"] == table["hypot"],
        "Both inputs of `hypot` require grad, so both formulas count.",
    )
    expect(
        given["sum"] == set(),
        "`self.sym_sizes()` is the shape, so `sum` saves only its input's shape, and no tensor.",
    )
    for name, names in table.items():
        expect(given[name] == names, f"`{name}` saves {names or 'nothing'}, not {given[name]}.")


class Played:
    """A stand-in for PyTorch's nodes, without `backward` and with fixed attributes."""

    __slots__ = ("called", "edges", "factors", "number")

    def __init__(self, number, factors, edges):
        self.number, self.factors, self.edges, self.called = number, factors, edges, 0

    @property
    def next_functions(self):
        return tuple((node, 0) for node in self.edges)

    def name(self):
        return f"{type(self).__name__}Backward{self.number}"

    def _sequence_nr(self):
        return self.number

    def __call__(self, grad):
        self.called += 1
        results = tuple(grad * factor for factor in self.factors)
        return results[0] if len(results) == 1 else results


class PlayedLeaf(Played):
    """A stand-in for AccumulateGrad, which has a `variable`."""

    __slots__ = ("variable",)

    def __init__(self, variable):
        super().__init__(2**64 - 1, (), ())
        self.variable = variable

    def name(self):
        return "torch::autograd::AccumulateGrad"


def _diamond(numbers=(0, 1, 2, 3)):
    """x → a → b, a → c, b and c → root; a's second input is a number."""
    leaf = PlayedLeaf("x")
    first, second, third, last = numbers
    a = Played(first, (3.0, 1.0), (leaf, None))
    b, c = Played(second, (10.0,), (a,)), Played(third, (100.0,), (a,))
    root = Played(last, (1.0, 1.0), (b, c))
    return root, (leaf, a, b, c)


@exercise(
    "19.4",
    "An engine for both libraries",
    difficulty=3,
    minutes=20,
    hint="""Count the edges to each node first (chapter 04). At a node with `variable`, keep what
    has arrived and call nothing. A node returns a single gradient, or a tuple of several.""",
    solution="""
        def gradients(root, grad):
            missing, ahead = {}, [root]
            while ahead:
                for node, _ in ahead.pop().next_functions:
                    if node is not None:
                        missing[node] = missing.get(node, 0) + 1
                        if missing[node] == 1:
                            ahead.append(node)
            found, arrived, ready = {}, {root: grad}, [root]
            while ready:
                node = max(ready, key=lambda each: each._sequence_nr())
                ready.remove(node)
                grad = arrived.pop(node)
                if hasattr(node, "variable"):
                    found[node.variable] = grad
                    continue
                results = node(grad)
                results = results if isinstance(results, tuple) else (results,)
                for (after, _), part in zip(node.next_functions, results):
                    if after is not None:
                        arrived[after] = arrived[after] + part if after in arrived else part
                        missing[after] -= 1
                        if missing[after] == 0:
                            ready.append(after)
            return found
    """,
    right="""This engine depends on no class, neither yours nor PyTorch's. Inside `no_grad`,
    `gradients(z.grad_fn, torch.tensor(1.0))` computes the gradients of a graph of PyTorch's.""",
)
def check_gradients(gradients):
    root, (leaf, *others) = _diamond()
    try:
        found = gradients(root, 1.0)
    except (AssertionError, AttributeError, RuntimeError, TypeError) as error:
        expect(
            not (isinstance(error, AttributeError) and "Played" in str(error)),
            "Ask a node only for `name()`, `next_functions`, `_sequence_nr()` and, where it has "
            f"one, `variable`. Your engine raised: {error}",
        )
        expect(
            not leaf.called,
            "Your engine called the AccumulateGrad, which would add to `.grad`. Keep what has "
            "arrived there instead.",
        )
        expect(
            not (isinstance(error, AttributeError) and error.name in ("grad", "_grad")),
            "Your engine reads a leaf's `.grad`, or writes to it, but no `.grad` may change. Put "
            "what has arrived at the AccumulateGrad into the dictionary.",
        )
        # The stand-in's own error says nothing about the answer.
        told = "" if "Played" in str(error) else f" Your engine raised: {error}"
        expect(
            root.called,
            "Your engine called no node. Call them one by one: `torch.autograd.grad` and "
            f"`backward` are engines, and you write one here.{told}",
        )
        expect(
            not isinstance(error, TypeError),
            "A node with one input returns a bare gradient, not a tuple. Your engine raised: "
            f"{error}",
        )
        raise
    expect(isinstance(found, dict), "Return a dictionary: each leaf and its gradient.")
    expect(
        found or leaf.called,
        "Your dictionary is empty. At an AccumulateGrad, put what has arrived into it, under the "
        "leaf, `node.variable`.",
    )
    expect(
        leaf.called == 0,
        "Your engine called the AccumulateGrad, which adds to `.grad`. Keep what has arrived "
        "instead.",
    )
    expect(
        all(node.called <= 1 for node in (root, *others)),
        "A node that two paths lead to was called more than once. It has to wait for both "
        "gradients.",
    )
    expect(
        not found or "x" in found,
        "The keys should be the leaves themselves, that is, `node.variable` rather than its `id`.",
    )
    expect(
        found in ({"x": 330.0}, {"x": 330}),
        f"10 and 100 meet, and (10 + 100) · 3 is 330, but your engine has {found.get('x')}. Did "
        "only one of the paths arrive?",
    )
    root, (_, *others) = _diamond(numbers=(5, 1, 9, 3))  # another thread made the first and third
    found = gradients(root, 1.0)
    expect(
        all(node.called <= 1 for node in (root, *others)),
        "Each thread numbers its own nodes, so the newest need not be ready: in a graph of two "
        "threads, your engine called a node twice. Count the edges to each node.",
    )
    expect(
        found == {"x": 330.0},
        f"In a graph that two threads made, `x` gets 330, not {found.get('x')}.",
    )
    library = yours()
    x, y = library.tensor(5.0, requires_grad=True), library.tensor(4.0, requires_grad=True)
    z = (x**3).log() * y + (x**2).sqrt() * 2
    expect(
        callable(z.grad_fn),
        "This is right for the nodes of this check, but your library's nodes cannot be called yet. "
        "Run the cell with `__call__` in *Station 5: the engine*, and then this one again.",
    )

    def ask(z):
        switch = sys.modules[f"{library.__name__}.core.grad_mode"]
        before = switch.set_mode(False)
        try:
            found = gradients(z.grad_fn, library.tensor(1.0))
        finally:
            switch.set_mode(before)
        return {id(leaf): grad.item() for leaf, grad in found.items()}

    by_leaf = ask(z)
    expect(same(by_leaf.get(id(x)), 4.4), f"In your library, `x` gets 4.4, not {by_leaf}.")
    expect(same(round(by_leaf.get(id(y)), 4), 4.8283), f"`y` gets 4.8283, not {by_leaf}.")
    expect(x.grad is None and y.grad is None, "A `.grad` has changed.")
    a, b = library.tensor(2.0, requires_grad=True), library.tensor(2.0, requires_grad=True)
    t, z = a * 3, a + b
    found = ask(t + z)
    expect(
        same(found.get(id(a)), 4.0) and same(found.get(id(b)), 1.0),
        "`z = a + b` and `w = a * 3 + z`: `a` gets 4 and `b` gets 1, but your engine gives "
        f"{found.get(id(a))} and {found.get(id(b))}. A `+` hands one and the same gradient to both "
        "inputs, so `+=` at one of them changes the other as well (chapter 07). Make a new sum.",
    )
