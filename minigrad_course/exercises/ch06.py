"""What notebook 06_lifetime asks: what a graph keeps in memory, and what backward frees."""

import gc
import weakref
from collections import Counter
from unittest.mock import patch

import numpy as np

from minigrad_course.ask.declare import (
    error_means,
    exercise,
    expect,
    freed_at_once,
    prediction,
    refuses,
    same,
)
from minigrad_course.kernel.reader import yours

prediction(
    "06.a",
    """`x` is a leaf of 1 MiB, `y = exp(x)` and `z = y * y`. The node of `exp` saves its result, and
    the node of the product saves both factors. How many MiB of arrays has the graph behind `z`
    saved?""",
    {
        "3": "Three values are saved under three names. But how many arrays are behind them?",
        "2": """You count one for the result and one for the factors. But is there any reason why
        they should be two arrays?""",
        "1": "The result and both factors are the array of `y`, and saving does not copy.",
    },
    answer="1",
    shown="MiB saved: 1",
)

prediction(
    "06.b",
    "Which of these survive a second `backward()` in PyTorch: `x + 2`, `-x`, `x.sum()`, `2 * x`, "
    "`x**2`?",
    {
        "None of them.": """The nodes stay, and an addition does not need anything that could have
        been freed.""",
        "All but `x**2`: it alone has saved a tensor.": """That is how your library does it so far.
        But what does PyTorch turn the number 2 into before it multiplies?""",
        "`x + 2`, `-x` and `x.sum()`.": """These have not saved a tensor, but `2 * x` has, because
        PyTorch turns the number into a 0-d tensor.""",
    },
    answer="`x + 2`, `-x` and `x.sum()`.",
    shown="2 * x fails",
)

prediction(
    "06.c",
    """`two` and `five` are constants, `trunk = w**2`, `first = trunk * two`, and `second` is
    `trunk * five`. Backward has run from `first`. How far does backward from `second` get?""",
    {
        "To the leaf: `second` has a graph of its own.": """It has a node of its own. But where does
        the edge of that node lead?""",
        "It fails at once, at the product of `second`.": """That product has not run before, so
        nothing of it has been freed.""",
        "It fails at the node of `trunk`.": """The product runs, and then comes the node that both
        losses share, which `first` has freed.""",
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
        "12 MiB in both.": """That is the common story. But what has `backward()` done before the
        next batch comes?""",
        "Nothing much in training, 12 MiB in evaluation.": """Backward frees the arrays of its
        batch, and in evaluation there is no backward.""",
        "Nothing much in both: a total is one number.": """It is one number, but it has a `grad_fn`,
        which leads to all the losses.""",
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
    first (`__lt__`). If something is freed, `FREED` is among the values of `node._saved`.""",
    solution="""
        def complaining(z):
            for node in sorted(count_dependencies([gradient_edge(z)])):
                if any(value is FREED for value in node._saved.values()):
                    return node
            return None
    """,
    right="Your function names the node, which PyTorch's error message does not.",
)
def check_complaining(complaining):
    library = yours()
    x = library.tensor(0.5, requires_grad=True)
    y = x**2
    z = library.exp(y)
    held = x.grad
    got = complaining(z)
    expect(not isinstance(got, str), "Return the node itself, not its name.")
    expect(
        got is None or isinstance(got, library.core.node.Node),
        f"Return the node that would complain, or None, not {got!r}.",
    )
    expect(
        x.grad is held and not has_freed_value(z.grad_fn),
        "Your function runs a backward pass, which frees what is saved and fills `x.grad`. Look at "
        "the graph without running it.",
    )
    expect(
        got is None,
        "For `z = exp(x**2)`, without any backward so far, nothing is freed, but your function "
        "returns a node.",
    )
    z.backward()
    negated = -z
    got = complaining(negated)
    expect(not isinstance(got, str), "Return the node itself, not its name.")
    expect(
        got is not None,
        "`z = exp(x**2)` has run backward. From `-z`, the node of the negation runs, and then that "
        "of `exp` complains. Your function looks only at the last node, or finds none.",
    )
    expect(
        got is not y.grad_fn,
        "After `z = exp(x**2)` and a backward pass, your function returns the node of `x**2`. But "
        "the node of `exp` is newer, so it runs before and complains.",
    )
    expect(got is z.grad_fn, "From `-z`, with `z = exp(x**2)` freed, the node of `exp` complains.")
    older = library.exp(x)
    newer = library.tanh(x)
    (older + newer).backward()
    for last, shown in ((older + newer, "a + b"), (newer + older, "b + a")):
        expect(
            complaining(last) is newer.grad_fn,
            f"`a = exp(x)`, `b = tanh(x)`, and `{shown}`. Two nodes are freed, and the engine "
            "reaches the newer one first, but your function returns the older one.",
        )
    first = library.tensor(2.0, requires_grad=True)
    result = first + 2
    result.backward()
    expect(complaining(result) is None, "`x + 2` has not saved anything, so return None.")


@exercise(
    "06.2",
    "What ten steps keep",
    difficulty=2,
    minutes=6,
    hint="""The product saves the batch for the gradient of `w`. `tanh` and `exp` save their
    results. How many arrays does that make in a step? And which of them does backward leave?""",
    solution="""
        mib = {
            "train, kept.append(loss)": 0,
            "evaluate, kept.append(loss)": 30,
            "evaluate, kept.append(loss.item())": 0,
            "evaluate, kept = loss": 3,
        }
    """,
    right="The same sum, with your own shapes, tells you what a network needs for a batch.",
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
        "The product would save `w` only for the gradient of the batch, which nobody needs.",
    )
    expect(
        same(listed, 30),
        "A step saves 3 arrays, the batch and the results of `tanh` and `exp`, and each step has "
        "arrays of its own.",
    )
    expect(same(number, 0), "`loss.item()` is a Python number, which leads nowhere.")
    expect(
        same(last, 3),
        "`kept = loss` holds only the last loss, so count the arrays of a single step.",
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
            kinds = Counter(map(type, gc.get_objects()))  # much faster than a look at each object
            self.nodes.append(
                sum(kinds[kind] for kind in kinds if issubclass(kind, self.node_class))
            )
            yield batch


@exercise(
    "06.3",
    "Fix the loop",
    difficulty=2,
    minutes=12,
    hint="""Two things lead back to earlier steps: `state`, when the next step uses it, and `total`.
    For `state`, look at `cut` above.""",
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
    right="Now each step costs the same, however many there are.",
)
def check_train(train):
    library = yours()
    values = (0.5, -0.3, 0.8)
    w = library.tensor(0.5, requires_grad=True)
    batches = NodeCountingBatches(map(library.tensor, values), library.core.node.Node)
    engine, kept = library.core.engine.BackwardPass, []
    run = engine.run

    def noting(self, *args, **options):
        kept.append(self.keeps())  # and not the pass, which would keep its nodes alive
        return run(self, *args, **options)

    with (
        patch.object(engine, "run", noting),
        error_means(
            "no attribute 'detach'",
            "`detach` comes in chapter 10. Until then, use `cut` from above.",
        ),
        error_means(
            "second time",
            "The state of your loop carries its history along, so the second backward reaches into "
            "the first step, which is freed.",
        ),
        error_means(
            "does not require grad",
            "You cut too early, because the loss must still lead to `w`. Cut the state after "
            "`backward`, or at the start of the next step.",
        ),
    ):
        total = train(w, batches)
    expect(
        not any(kept),
        "Your loop still passes `retain_graph=True`. Once the state is cut, each backward has its "
        "own graph, and nobody needs what it frees.",
    )
    states, alone = last_step(0.5, values)
    expect(
        not hasattr(total, "grad_fn"),
        "Your total is a tensor, which leads to the nodes of all steps. Add numbers instead.",
    )
    wanted = sum(state**2 for state in states)
    forgotten = sum(float(np.tanh(value)) ** 2 for value in values)
    expect(
        abs(total - forgotten) > 1e-4,
        "Your function forgets the state, so each step begins at 0. Keep the value of the state, "
        "and cut its history.",
    )
    expect(abs(total - wanted) < 1e-4, f"The losses should add up to {wanted:.4f}, not {total:g}.")
    expect(w.grad is not None, "Each step should call `backward`, but `w.grad` is still None.")
    expect(
        abs(w.grad.item() - alone) < 1e-4,
        "The total is right, but `w.grad` is not what the last step alone contributes. Either a "
        "backward walks through earlier steps as well, or there is not one for each step.",
    )
    expect(
        batches.nodes[-1:] <= batches.nodes[-2:-1],
        "The total becomes a number too late. While your loop runs, there are more nodes in memory "
        "with every batch, because a tensor leads to all losses so far. Add `loss.item()`.",
    )


@exercise(
    "06.4",
    "A node that lets go, on an empty page",
    difficulty=3,
    minutes=15,
    hint="""The class needs `backward(self, grad)`, which returns a list with one gradient, and
    `release_variables(self)`. The function computes with `np.exp`, creates the node, gives it the
    array in an attribute of your own (`_saved` cannot be written to), and calls
    `node.record([gradient_edge(x)], [out])`.""",
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
    right="Chapter 08 has a form for such nodes: `Function`, with `save_for_backward`.",
)
def check_my_exp(my_exp):
    library = yours()
    x = library.tensor([0.0, 1.0], requires_grad=True)
    y = my_exp(x)
    expect(
        isinstance(y.grad_fn, library.core.node.Node)
        and not isinstance(y.grad_fn, library.core.operation.OperationNode),
        "The `grad_fn` of the result should be a node of a class of your own, based on `Node`.",
    )
    edges = y.grad_fn.next_functions
    expect(
        len(edges) == 1 and isinstance(edges[0], tuple),
        "An edge is a pair, the node and the number of its output. `record` gets a list of one "
        "edge: `[gradient_edge(x)]`.",
    )
    wanted = np.exp([0.0, 1.0])
    expect(same(y, wanted), "The values are not those of `np.exp`.")
    try:
        y.sum().backward(retain_graph=True)
    except Exception:
        sent = y.grad_fn.backward(library.tensor([1.0, 1.0]))
        expect(
            isinstance(sent, list | tuple),
            "`backward` returns a list with one gradient for each edge.",
        )
        expect(
            all(isinstance(each, library.Tensor) for each in sent),
            "`backward` returns an array. The engine passes tensors from node to node, so wrap it "
            "in `new_tensor`.",
        )
        raise
    expect(
        x.grad is not None and same(x.grad, wanted),
        "The gradient should be `grad` times the result.",
    )
    with error_means(
        Exception,
        "After `backward(retain_graph=True)`, a second backward fails with your node. Only the "
        "engine knows whether the values are needed again, so let go of them in "
        "`release_variables`.",
    ):
        y.sum().backward()
    try:
        y.sum().backward()
        told = ""
    except Exception as error:
        told = str(error)
    expect(
        told,
        "Your node never lets go: a second backward runs as if nothing had been freed. Write "
        "`release_variables`.",
    )
    expect(
        "second time" in told,
        "After the engine has freed it, a node should raise `freed_graph()`.",
    )
    expect(
        freed_at_once(lambda: my_exp(x)),
        "The node holds the tensor, and the tensor its node, so each keeps the other alive. Keep "
        "the array instead.",
    )
    before = x * library.tensor(1.0)
    given = weakref.ref(before._data)
    y = my_exp(before)
    del before
    expect(
        given() is None,
        "Your node holds its input. Keep the result instead: whoever called `my_exp` holds that "
        "anyway, while the input could be gone by now.",
    )
    y = my_exp(x)
    array = weakref.ref(y._data)
    z = y.sum()
    del y
    expect(
        array() is not None,
        "Your node keeps a copy of the result, so the memory is taken twice. Keep the array.",
    )
    z.backward()
    expect(array() is None, "After backward the array is still in memory, so something keeps it.")
    constant = my_exp(library.tensor(1.0))
    expect(
        constant.grad_fn is None and not constant.requires_grad,
        "Your function records although `x` is a constant. In that case, the result should be a "
        "leaf.",
    )
