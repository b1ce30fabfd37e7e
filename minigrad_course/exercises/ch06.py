"""What notebook 06_lifetime asks: what a graph keeps in memory, and what backward frees."""

import gc
import weakref

import numpy as np

from minigrad_course.ask.declare import (
    Mistake,
    error_means,
    exercise,
    expect,
    prediction,
    refuses,
    same,
    without_collector,
)
from minigrad_course.kernel.reader import yours

prediction(
    "06.a",
    """`x` is a leaf of 1 MiB, `y = exp(x)` and `z = y * y`. The node of `exp` saves its result, the
    node of the product both factors. How many MiB of arrays has the graph behind `z` saved?""",
    {
        "3": "Three values are saved under three names. Which arrays are behind them?",
        "2": "One for the result and one for the factors? Who says that they are two arrays?",
        "1": "The result and both factors are the array of `y`, and saving is no copy.",
    },
    answer="1",
    shown="MiB saved: 1",
)

prediction(
    "06.b",
    "Which of these survive a second `backward()` in PyTorch: `x + 2`, `-x`, `x.sum()`, `2 * x`, "
    "`x**2`?",
    {
        "None of them.": "You have seen `x + 2` run three times. Nodes stay.",
        "All but `x**2`: it alone has saved a tensor.": "That is how your library does it so far. "
        "But what is a number for PyTorch, when it multiplies?",
        "`x + 2`, `-x` and `x.sum()`.": "They have saved no tensor. `2 * x` has: PyTorch makes a "
        "0-d tensor of the number.",
    },
    answer="`x + 2`, `-x` and `x.sum()`.",
    shown="2 * x fails",
)

prediction(
    "06.c",
    """`two` and `five` are constants, `trunk = w**2`, `first = trunk * two`, and `second` is
    `trunk * five`. Backward has run from `first`. How far does backward from `second` get?""",
    {
        "To the leaf: `second` has a graph of its own.": "It has a node of its own. Where does the "
        "edge of that node lead?",
        "It fails at once, at the product of `second`.": "That product has not run before, so "
        "nothing of it is freed.",
        "It fails at the node of `trunk`.": "The product runs. Then comes the node that both "
        "losses share, and `first` has freed it.",
    },
    answer="It fails at the node of `trunk`.",
    shown="it got as far as ['MulBackward0', 'PowBackward0']",
)

prediction(
    "06.d",
    """Each batch is 1 MiB, and so is the result of its `tanh`. The graph of a loss saves both.
    Training calls `loss.backward()` before `total += loss`. After six batches, what has
    `total += loss` added to the memory in training, and what in evaluation?""",
    {
        "12 MiB in both.": "That is the common story. What has `backward` done before the next "
        "batch comes?",
        "Nothing much in training, 12 MiB in evaluation.": "Backward frees the arrays of its "
        "batch. Nobody does that in evaluation.",
        "Nothing much in both: a total is one number.": "It is one number with a `grad_fn`, and "
        "that leads to all the losses.",
    },
    answer="Nothing much in training, 12 MiB in evaluation.",
    shown="evaluation total += loss [2, 4, 6, 8, 10, 12]",
)


def has_freed_value(node):
    """Whether a saved value of this node has been freed."""
    return any(refuses(lambda need=need: node._unpack(need)) for need in node._saved)


@exercise(
    "06.1",
    "Who would complain?",
    difficulty=2,
    minutes=8,
    hint="""`count_dependencies([gradient_edge(z)])` finds the nodes, and `sorted` puts the newest
    first (`__lt__`). `FREED` stands among the values of `node._saved` if something is freed.""",
    solution="""
        def complaining(z):
            for node in sorted(count_dependencies([gradient_edge(z)])):
                if any(value is FREED for value in node._saved.values()):
                    return node
            return None
    """,
    right="Your function points at the place that the error does not name.",
)
def check_complaining(complaining):
    library = yours()
    x = library.tensor(0.5, requires_grad=True)
    y = x**2
    z = library.exp(y)
    held = x.grad
    got = complaining(z)
    expect(
        x.grad is held and not has_freed_value(z.grad_fn),
        "A backward pass would free what is saved and fill `x.grad`. Yours runs it; look only.",
    )
    expect(
        got is None,
        "With `z = exp(x**2)` and no backward so far, nothing is freed. Yours returns a node.",
    )
    z.backward()
    negated = -z
    got = complaining(negated)
    expect(
        got is not None,
        "`z = exp(x**2)` has run backward. From `-z`, the node of the negation runs, and the node "
        "of `exp` complains. Yours looks at the last node only, or finds none.",
    )
    expect(
        got is not y.grad_fn,
        "After `z = exp(x**2)` and a backward pass, yours names the node of `x**2`. There is a "
        "newer one that complains before it runs: that of `exp`.",
    )
    expect(got is z.grad_fn, "From `-z`, with `z = exp(x**2)` freed, the node of `exp` complains.")
    older = library.exp(x)
    newer = library.tanh(x)
    (older + newer).backward()
    for last, shown in ((older + newer, "a + b"), (newer + older, "b + a")):
        expect(
            complaining(last) is newer.grad_fn,
            f"`a = exp(x)`, `b = tanh(x)`, and `{shown}`. Two nodes are freed. The engine reaches "
            "the newer one first; yours names the older.",
        )
    first = library.tensor(2.0, requires_grad=True)
    result = first + 2
    result.backward()
    expect(complaining(result) is None, "`x + 2` has saved nothing. Return None.")


@exercise(
    "06.2",
    "What ten steps keep",
    difficulty=2,
    minutes=6,
    hint="""The product saves the batch for the gradient of `w`. `tanh` and `exp` save their
    results. How many arrays are that in a step? Which of them does backward leave?""",
    solution="""
        mib = {
            "train, kept.append(loss)": 0,
            "evaluate, kept.append(loss)": 30,
            "evaluate, kept.append(loss.item())": 0,
            "evaluate, kept = loss": 3,
        }
    """,
    right="The same sum, with your own shapes, tells what a network needs for a batch.",
)
def check_mib(mib):
    train = mib["train, kept.append(loss)"]
    listed = mib["evaluate, kept.append(loss)"]
    number = mib["evaluate, kept.append(loss.item())"]
    last = mib["evaluate, kept = loss"]
    expect(same(train, 0), "In training, `backward` frees the arrays before you keep the loss.")
    expect(
        not same(listed, 20),
        "In a step, `tanh` and `exp` save their results, and the product saves the batch as well.",
    )
    expect(
        not (same(listed, 31) or same(listed, 40)),
        "The batch needs no gradient, so `w` itself is not saved: its value would serve only that.",
    )
    expect(
        same(listed, 30),
        "A step saves 3 arrays, the batch and the results of `tanh` and `exp`; each step has its "
        "own.",
    )
    expect(same(number, 0), "`loss.item()` is a Python number. It leads nowhere.")
    expect(
        same(last, 3),
        "`kept = loss` holds only the last loss, and so the 3 MiB of one step.",
    )


def last_step(weight, batches):
    """The states of the loop, and the weight's gradient from the last step alone."""
    states = [0.0]
    for batch in batches:
        states.append(float(np.tanh(weight * states[-1] + batch)))
    before, state = states[-2:]
    return states, 2 * state * (1 - state**2) * before


class NodeCountingBatches(list):
    """A list of batches that counts the nodes in memory before it yields each batch."""

    def __init__(self, batches, node_class):
        super().__init__(batches)
        self.node_class, self.nodes = node_class, []

    def __iter__(self):
        for batch in super().__iter__():
            found = (each for each in gc.get_objects() if issubclass(type(each), self.node_class))
            self.nodes.append(sum(1 for _ in found))
            yield batch


@exercise(
    "06.3",
    "Mend the loop",
    difficulty=2,
    minutes=12,
    hint="""Two things lead back to earlier steps: `state` when the next step uses it, and `total`.
    For `state`, see `cut` above.""",
    solution="""
        def train(w, batches):
            state, total = tensor(0.0), 0.0
            for batch in batches:
                state = tanh(w * new_tensor(state._data) + batch)
                loss = state * state
                loss.backward()
                total += loss.item()
            return total
    """,
    right="Each step now costs the same, however many there are.",
)
def check_train(train):
    library = yours()
    values = (0.5, -0.3, 0.8)
    w = library.tensor(0.5, requires_grad=True)
    batches = NodeCountingBatches(map(library.tensor, values), library.core.node.Node)
    with (
        error_means(
            "no attribute 'detach'", "`detach` comes in chapter 10. Until then: `cut` above."
        ),
        error_means(
            "second time",
            "The state of your loop carries its history: the second backward reaches into the "
            "first step, which is freed.",
        ),
        error_means(
            "does not require grad",
            "You cut too early: the loss must still lead to `w`. Cut the state that you hand "
            "on, after `backward` or at the start of the next step.",
        ),
    ):
        total = train(w, batches)
    states, alone = last_step(0.5, values)
    expect(
        not hasattr(total, "grad_fn"),
        "Your total is a tensor, and leads to the nodes of all steps. Add numbers.",
    )
    wanted = sum(state**2 for state in states)
    forgotten = sum(float(np.tanh(value)) ** 2 for value in values)
    expect(
        abs(total - forgotten) > 1e-4,
        "Yours forgets the state: each step begins at 0. Keep the value, and cut the history.",
    )
    expect(abs(total - wanted) < 1e-4, f"The losses should add up to {wanted:.4f}, not {total:g}.")
    expect(w.grad is not None, "Each step should call `backward`: nothing arrives in `w.grad`.")
    expect(
        abs(w.grad.item() - alone) < 1e-4,
        "The total is right, but each backward walks through all earlier steps: `w.grad` is not "
        "what the last step alone brings.",
    )
    expect(
        batches.nodes[-1:] <= batches.nodes[-2:-1],
        "The number comes too late: while your loop runs, the nodes in memory grow with every "
        "batch, because a tensor leads to all losses so far. Is it `total`? Add `loss.item()`.",
    )


@exercise(
    "06.4",
    "A node that lets go, on an empty page",
    difficulty=3,
    minutes=15,
    hint="""The class needs `backward(self, grad)`, which returns a list with one gradient, and
    `release_variables(self)`. The function computes with `np.exp`, makes the node, gives it the
    array, and calls `node.record([gradient_edge(x)], [out])`.""",
    solution="""
        class MyExp(Node):
            def backward(self, grad):
                if self.result is None:
                    raise freed_graph()
                return [grad * new_tensor(self.result)]

            def release_variables(self):
                self.result = None

        def my_exp(x):
            out = new_tensor(np.asarray(np.exp(x._data)))
            if x.requires_grad:
                node = MyExp()
                node.result = out._data
                node.record([gradient_edge(x)], [out])
            return out
    """,
    right="Chapter 08 gives such nodes a form: `Function`, with `save_for_backward`.",
)
def check_my_exp(my_exp):
    library = yours()
    x = library.tensor([0.0, 1.0], requires_grad=True)
    y = my_exp(x)
    expect(
        isinstance(y.grad_fn, library.core.node.Node)
        and not isinstance(y.grad_fn, library.core.operation.OperationNode),
        "The result should have a node of a class of your own, based on `Node`, as `grad_fn`.",
    )
    edges = y.grad_fn.next_functions
    expect(
        len(edges) == 1 and isinstance(edges[0], tuple),
        "An edge is a pair, the node and the number of its output. `record` gets a list of one "
        "edge: `[gradient_edge(x)]`.",
    )
    wanted = np.exp([0.0, 1.0])
    expect(np.allclose(y._data, wanted), "The values are not those of `np.exp`.")
    try:
        y.sum().backward(retain_graph=True)
    except Exception:
        expect(
            isinstance(y.grad_fn.backward(library.tensor([1.0, 1.0])), list | tuple),
            "`backward` returns a list with one gradient for each edge.",
        )
        raise
    expect(
        x.grad is not None and np.allclose(x.grad._data, wanted),
        "The gradient should be `grad` times the result.",
    )
    try:
        y.sum().backward()
    except Exception:
        raise Mistake(
            "After `backward(retain_graph=True)`, a second backward fails with yours. Whether the "
            "values are needed again, only the engine knows: let go in `release_variables`."
        ) from None
    try:
        y.sum().backward()
    except RuntimeError as error:
        told = "second time" in str(error)
    except Exception:
        told = False
    else:
        raise Mistake(
            "Yours never lets go: a second backward runs as if nothing were freed. See "
            "`release_variables`."
        )
    expect(told, "After the engine has freed it, a node should raise `freed_graph()`.")
    with without_collector():
        y = my_exp(x)
        held = weakref.ref(y)
        del y
        cyclic = held() is not None
    expect(
        not cyclic,
        "The node holds the tensor, and the tensor its node: each keeps the other. Keep the array.",
    )
    y = my_exp(x)
    array = weakref.ref(y._data)
    z = y.sum()
    del y
    z.backward()
    expect(array() is None, "After backward the array is still in memory: something keeps it.")
    constant = my_exp(library.tensor(1.0))
    expect(
        constant.grad_fn is None and not constant.requires_grad,
        "Yours records although `x` is a constant. Then the result is to be a leaf.",
    )
