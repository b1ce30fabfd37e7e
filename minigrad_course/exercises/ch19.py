"""What notebook 19_inside_pytorch asks: the graph of a model, PyTorch's table, its engine."""

import sys

from minigrad_course.ask.declare import Mistake, exercise, expect, names_used, prediction, same
from minigrad_course.kernel.machine import DEEP
from minigrad_course.kernel.reader import yours

prediction(
    "19.a",
    """The model has 12 layers, numbered from 0, of 12 parameters each. In layer 4 the input of
    `linear1` is detached, so `x + linear2(linear1(x.detach()).relu())` is computed. Six parameters
    of the layer lie before `x`. How many parameters of the model does the loss not reach?""",
    {
        "54": """Those are the six, and the 48 of layers 0 to 3: all that lies before the cut. But
        the first `x` of the sum is not detached, and leads to all of them.""",
        "6": """These six have made `x`. The first `x` of the sum is not detached, so it leads to
        them.""",
        "2": """The two of `linear1` lie behind the cut, on the side of the loss, so they are
        reached.""",
        "0": """The first `x` of the sum leads to everything before the cut, and `linear1` itself
        lies behind it.""",
    },
    answer="0",
    shown="cut at 4.linear1: 0",
)

prediction(
    "19.b",
    """`segment` computes `(x * x).sin()`. Its nodes save three values: `x` twice, and the square.
    How often does `by_hand` run `segment`, forward and backward together?""",
    {
        "once": """In the forward the nodes got numbers in place of values. Nobody could give the
        values to backward.""",
        "twice": """Once in the forward, and once when backward asks for its first value. The
        others are then in `again`.""",
        "four times": """That would be once more for each of the three values. But the first request
        fills `again`, and the others find it filled.""",
    },
    answer="twice",
    shown="the segment runs\n  backward:\n    the segment runs\n  tensor",
)

prediction(
    "19.c",
    """`y = x**3` and `z = y.log() + y.sqrt() + x**2`: three paths lead to `x`. How often does
    `walk` call the AccumulateGrad of `x`?""",
    {
        "once": """That needs a counter: the node would have to wait for the second edge. Here it
        has the largest number, so it is the newest at once.""",
        "twice": """Two edges lead to it. It runs as soon as something has arrived, and again for
        the second edge. Each call adds its part.""",
        "three times": """The paths over `log` and `sqrt` meet before, at the node of `y`. It is
        older than both, so it waits for them.""",
    },
    answer="twice",
    shown="= LogBackward0\n  = PowBackward0\n  = torch::autograd::AccumulateGrad",
)


def _leaf(value=2.0):
    return yours().tensor(value, requires_grad=True)


def _ladder(steps):
    h = _leaf()
    for _ in range(steps):
        h = h + h
    return h


def _call_answer(call, about, pair=""):
    """Call the answer; turn an AttributeError into a Mistake with the message `about`.

    `pair` is the message if the answer takes a pair of an edge for a node.
    """
    try:
        return call()
    except AttributeError as error:
        raise Mistake(pair if pair and "'tuple'" in str(error) else about) from error


def expect_own_walk(function):
    expect(
        "count_dependencies" not in names_used(function),
        "`count_dependencies` does the walk for you. Write it yourself: a list of the nodes ahead, "
        "and a set of those that were seen.",
    )


@exercise(
    "19.1",
    "Take an inventory",
    difficulty=1,
    minutes=8,
    hint="""A set of the nodes that you have seen, and a list of those whose edges are still to be
    followed. Skip None.""",
    solution="""
        def inventory(root):
            seen, ahead = {root}, [root]
            while ahead:
                for node, _ in ahead.pop().next_functions:
                    if node is not None and node not in seen:
                        seen.add(node)
                        ahead.append(node)
            names = [node.name() for node in seen]
            return {name: names.count(name) for name in names}
    """,
    right="In a model of millions of numbers, this list is the first thing to look at.",
)
def check_inventory(inventory):
    expect_own_walk(inventory)
    leaf = "torch::autograd::AccumulateGrad"
    x = _leaf()
    none = "An entry of `next_functions` may be `(None, 0)`: a number has no node."
    pair = "An entry of `next_functions` is a pair, of a node and a number: take it apart."
    found = _call_answer(lambda: inventory((x * 3).grad_fn), none, pair)
    expect(
        isinstance(found, dict),
        "Return a dictionary, from each name to the number of its nodes; yours is a "
        f"{type(found).__name__}.",
    )
    expect("MulBackward0" in found, "The root is missing; it is a node as well.")
    expect(
        "AccumulateGrad" not in found,
        f"Take the name that `name()` gives, and not that of the class: the leaf's is `{leaf}`.",
    )
    expect(
        found == {"MulBackward0": 1, leaf: 1},
        f"`x * 3` has one MulBackward0 and one {leaf}. Yours found {found}.",
    )
    found = inventory(_ladder(3).grad_fn)
    once = "Yours counts a node once for each path that leads to it; remember what you have seen."
    expect(found == {"AddBackward0": 3, leaf: 1}, f"{once} Three sums gave {found}.")
    h = _leaf()
    for _ in range(DEEP):
        h = h + 1
    try:
        found = inventory(h.grad_fn)
    except RecursionError as error:
        about = f"A chain of {DEEP:,} sums exceeds the depth that Python allows to calls: loop."
        raise Mistake(about) from error
    expect(found == {"AddBackward0": DEEP, leaf: 1}, f"A chain of {DEEP:,} sums is counted wrong.")


@exercise(
    "19.2",
    "Which parameters are not reached?",
    difficulty=2,
    minutes=12,
    hint="""A leaf is reached if its AccumulateGrad is behind `loss.grad_fn`. That node's
    `variable` is the leaf. Compare with `is`, or by `id`.""",
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
    right="""You can ask that of any model before the first step of training. `reached` and a
    gradient of zero are different things: a leaf that is reached may get 0.""",
)
def check_unreached(unreached):
    expect_own_walk(unreached)
    used, lost, frozen = _leaf(), _leaf(3.0), yours().tensor(1.0)
    lost.grad = yours().tensor(7.0)  # left over from an earlier pass
    parameters = {"used": used, "lost": lost, "frozen": frozen}
    loss = (used * lost.detach()) * used + frozen
    try:
        found = unreached(loss, parameters)
    except (AssertionError, RuntimeError, TypeError) as error:
        about = "No pass is needed, neither `backward` nor `torch.autograd.grad`, and on this page "
        about += "`torch` is the finished library, which knows no tensors of yours. Follow "
        about += "`next_functions` from `loss.grad_fn`. Yours raised: "
        raise Mistake(about + " ".join(str(error).split())) from error
    expect(
        used.grad is None, "Yours ran backward: `used.grad` is filled now. Only look at the graph."
    )
    expect(
        found != ["frozen"],
        "`lost` has `requires_grad`, and is cut off by `detach`. Look where the graph leads.",
    )
    expect(
        found != ["used"],
        "`used` is reached, and the other two are not: yours says it the other way round. If it "
        "looks at `.grad`: that is None before any pass, and says nothing about this graph.",
    )
    expect(
        not (isinstance(found, list) and "used" in found),
        "`used` is reached. A `.grad` may be None before the first pass, or be left "
        "from an earlier pass: it says nothing about this graph.",
    )
    expect(isinstance(found, list), f"Return a list of names; yours is a {type(found).__name__}.")
    expect(found == ["lost", "frozen"], f"Not reached are `lost` and `frozen`, not {found}.")
    without = "A loss without a graph has None as `grad_fn`: then no parameter is reached."
    found = _call_answer(lambda: unreached((used * 2).detach(), {"used": used}), without)
    expect(found == ["used"], f"{without} Yours returned {found}.")
    ladder, visits = _ladder(12), []

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
        "A leaf that is not reached has the value of one that is, and yours took one for the "
        "other: `in` and `==` compare values. Compare with `is`, or by `id`.",
    )
    expect(
        len(visits) < 100,
        "Yours visits a node once for each path, and in a large model that never ends. Remember "
        "what you have seen.",
    )


@exercise(
    "19.3",
    "Read the table",
    difficulty=2,
    minutes=10,
    hint="""Which names are in the formulas, apart from `grad`? `self` in front of the colon is the
    input that is differentiated; that alone saves nothing. A shape is no tensor.""",
    solution="""
        saved = {
            "reciprocal": {"result"},
            "sin": {"self"},
            "hypot": {"self", "other", "result"},
            "sign": set(),
            "sum": set(),
        }
    """,
    right="""So `reciprocal` can lose its input at once, and `sin` must keep it. That is also what
    a change in place may and may not touch (chapter 11).""",
)
def check_saved(saved):
    table = {
        "reciprocal": {"result"},
        "sin": {"self"},
        "hypot": {"self", "other", "result"},
        "sign": set(),
        "sum": set(),
    }
    expect(isinstance(saved, dict) and set(saved) == set(table), f"Five names: {', '.join(table)}.")
    expect(
        {} not in saved.values(),
        "`{}` is an empty dictionary. The empty set is `set()`.",
    )
    expect(
        all(isinstance(names, set | frozenset) for names in saved.values()),
        'Give a set of names, such as `{"self"}`, also where it is one name.',
    )
    given = {name: set(names) for name, names in saved.items()}
    expect(
        not any("grad" in names for names in given.values()),
        "`grad` is not saved: it arrives in backward. What is saved is known in forward.",
    )
    expect(
        "self" not in given["sign"] | given["reciprocal"],
        "A name in front of the colon says whose gradient this is. Only names in the formula are "
        "saved: `sign` and `reciprocal` do without `self`.",
    )
    expect(
        given["hypot"] == table["hypot"],
        "`hypot` has two inputs that ask for gradients, so both formulas count.",
    )
    expect(
        given["sum"] == set(),
        "`sum` asks its input only for its shape, by `self.sym_sizes()`: only its shape is saved, "
        "and no tensor.",
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
    has arrived and call nothing. Results may be one gradient or a tuple.""",
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
    right="""This engine knows no class of yours and none of PyTorch's. With
    `gradients(z.grad_fn, torch.tensor(1.0))`, inside `no_grad`, it walks PyTorch's graph.""",
)
def check_gradients(gradients):
    root, (leaf, *others) = _diamond()
    try:
        found = gradients(root, 1.0)
    except (AssertionError, AttributeError, RuntimeError, TypeError) as error:
        if isinstance(error, AttributeError) and "Played" in str(error):
            about = (
                "Ask a node only for `name()`, `next_functions`, `_sequence_nr()` and, where it "
            )
            about += f"has one, `variable`. Yours raised: {error}"
            raise Mistake(about) from error
        if leaf.called:
            about = "Yours called the AccumulateGrad, which would add to `.grad`. Keep what has "
            raise Mistake(about + "arrived there instead.") from error
        if isinstance(error, AttributeError) and "'str'" in str(error) and "grad" in str(error):
            about = "Yours reads a leaf's `.grad`, or writes into it, and no `.grad` may change. "
            about += "Put what has arrived at the AccumulateGrad into the dictionary."
            raise Mistake(about) from error
        if not root.called:
            about = "Yours called no node. Call them one by one: `torch.autograd.grad` and "
            about += "`backward` are engines, and you write one here."
            if "Played" not in str(error):  # the stand-in's own error says nothing about the answer
                about += f" What came: {error}"
            raise Mistake(about) from error
        if not isinstance(error, TypeError):
            raise
        about = "A node with one input returns its gradient alone, not in a tuple; yours raised: "
        raise Mistake(about + str(error)) from error
    expect(isinstance(found, dict), "Return a dictionary: each leaf and its gradient.")
    expect(
        found or leaf.called,
        "Your dictionary is empty. At an AccumulateGrad put its leaf, `node.variable`, and what "
        "has arrived there into it.",
    )
    expect(
        leaf.called == 0,
        "Yours called the AccumulateGrad: that adds to `.grad`. Keep what has arrived instead.",
    )
    expect(
        all(node.called <= 1 for node in (root, *others)),
        "A node that two paths lead to was called more than once: let it wait for both.",
    )
    expect(
        not found or "x" in found,
        "The keys are the leaves themselves: what `node.variable` gives, and not its `id`.",
    )
    expect(
        found in ({"x": 330.0}, {"x": 330}),
        f"10 and 100 meet, and then come times 3: 330, not {found.get('x')}. "
        "Did only one of the paths arrive?",
    )
    root, (_, *others) = _diamond(numbers=(5, 1, 9, 3))  # another thread made the first and third
    found = gradients(root, 1.0)
    expect(
        all(node.called <= 1 for node in (root, *others)),
        "Each thread numbers its own nodes, so the newest need not be ready: in a graph of two "
        "threads yours called a node twice. Count the edges to each node.",
    )
    expect(found == {"x": 330.0}, f"In a graph that two threads made: 330, not {found.get('x')}.")
    x, y = _leaf(5.0), _leaf(4.0)
    z = (x**3).log() * y + (x**2).sqrt() * 2
    expect(
        callable(z.grad_fn),
        "Right for the nodes of this check. Your library's cannot be called yet: run the cell with "
        "`__call__`, in *Station 5: the engine*, and then this one again.",
    )

    def ask(z):
        switch = sys.modules[f"{yours().__name__}.core.grad_mode"]
        before = switch.set_mode(False)
        try:
            found = gradients(z.grad_fn, yours().tensor(1.0))
        finally:
            switch.set_mode(before)
        return {id(leaf): grad.item() for leaf, grad in found.items()}

    by_leaf = ask(z)
    expect(same(by_leaf.get(id(x)), 4.4), f"In your library: `x` gets 4.4, not {by_leaf}.")
    expect(same(round(by_leaf.get(id(y)), 4), 4.8283), f"`y` gets 4.8283, not {by_leaf}.")
    expect(x.grad is None and y.grad is None, "A `.grad` has changed.")
    a, b = _leaf(), _leaf()
    t, z = a * 3, a + b
    found = ask(t + z)
    expect(
        same(found.get(id(a)), 4.0) and same(found.get(id(b)), 1.0),
        "`z = a + b` and `w = a * 3 + z`: `a` gets 4 and `b` gets 1, and yours gives "
        f"{found.get(id(a))} and {found.get(id(b))}. A `+` hands one and the same gradient to both "
        "inputs, so `+=` at one writes into the other's (chapter 07). Make a new sum.",
    )
