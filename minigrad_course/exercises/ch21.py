"""What notebook 21_faster asks: where time goes, what is written for a row, when the lane ends."""

import math
import weakref
from unittest import mock

import numpy as np

import minigrad as torch
from minigrad_course.ask.declare import exercise, expect, prediction, same, without_collector
from minigrad_course.pictures.watching import calls

prediction(
    "21.a",
    """`chain` runs with the accelerator, then with the row of `mul` and the chapters' engine.
    About how many times as long does it take without the accelerator?""",
    {
        "2": "The arithmetic is the same. But it is a small part of the time.",
        "10": """The arithmetic is the same in both. What stands around it takes most of the time,
        and of that the accelerator has less.""",
        "100": "With the accelerator, too, each operation makes a tensor and a node, in Python.",
    },
    answer="10",
    shown="without the accelerator it takes",
)

prediction(
    "21.b",
    """`z = by_hand(x, y)` is computed with `x = [3]` and `y = [4]`. Then `y` is multiplied by 100
    in place, and `z.backward()` runs. What happens?""",
    {
        "`x.grad` is [4]": """That would be right. But the node has kept the array of `y`
        itself, and no copy.""",
        "`x.grad` is [400]": """The node has kept the array of `y`, and reads what stands there now:
        `[400]`, without an error.""",
        "an error": "Who would raise it? `by_hand` counts no changes.",
    },
    answer="`x.grad` is [400]",
    shown="by hand          tensor([400.])",
)

prediction(
    "21.c",
    """`root` has a hook. Now `loss.backward()` runs. Does the lane run nodes, does a counting pass,
    or both?""",
    {
        "only the lane": "Then the hook would find `v.grad` None. PyTorch has written it by then.",
        "only a counting pass": """Before the node with the hook there is nothing to see, so the
        lane may begin.""",
        "both": """The lane begins. It ends before the node with the hook, and a counting pass goes
        on.""",
    },
    answer="both",
    shown="node 2: turn 4, counting",
)


def check_table(answer, wanted, words):
    """Check a table of True and False; `words` has a message for each line."""
    expect(isinstance(answer, dict) and list(answer) == list(wanted), "Keep the keys 1 to 5.")
    for key, value in answer.items():
        expect(isinstance(value, bool), f"Line {key}: write True or False.")
        expect(value == wanted[key], f"Line {key}: {words[key]}")


@exercise(
    "21.1",
    "To its end",
    difficulty=1,
    minutes=6,
    hint="""Ask: is there code of the user's that could look at a `.grad` during this pass? Each
    line can be tried as one more line of `CASES`.""",
    solution="""
        to_its_end = {1: True, 2: False, 3: True, 4: False, 5: True}
    """,
    right="""The lane ends before code of the user's, which could tell the order. Where something
    has to be stored on the way, as for `retain_grad`, it ends as well.""",
)
def check_to_its_end(answer):
    check_table(
        answer,
        {1: True, 2: False, 3: True, 4: False, 5: True},
        {
            1: "nobody watches here.",
            2: "the lane ends before it writes a leaf that has a hook. That hook could look at "
            "`b.grad`.",
            3: "`c` is not in the graph of `z`. Its hook is never called by this pass.",
            4: "anomaly mode watches from the start.",
            5: "the lane computes with tensors then, and records; still nobody watches.",
        },
    )


@exercise(
    "21.2",
    "Before the hook",
    difficulty=2,
    minutes=10,
    hint="In `toy_lane`, look at the newest node before you run it.",
    solution="""
        @torch.no_grad()
        def ran_before(root, watched):
            arrived, ran = {root.grad_fn: torch.tensor(1.0)}, []
            while operations := [node for node in arrived if node.next_functions]:
                node = max(operations, key=lambda node: node._seq)
                if node is watched:
                    break
                ran.append(node.name())
                grads = node.backward(arrived.pop(node))
                for (following, _), grad in zip(node.next_functions, grads, strict=True):
                    if following is not None:
                        before = arrived.get(following)
                        arrived[following] = grad if before is None else before + grad
            return ran
    """,
    right="""From there on a counting pass runs; it begins with all that has arrived so far. To run
    the whole lane and cut the list gives the same names, but that lane has not ended.""",
)
def check_ran_before(ran_before):
    x = torch.tensor(0.5, requires_grad=True)
    y = x * x
    a, b = y.exp(), y.sin()
    z = a * b
    got = ran_before(z, y.grad_fn)
    expect(isinstance(got, list | tuple), f"Return a list of names, not {got!r}.")
    expect(
        all(isinstance(each, str) for each in got),
        "Yours has nodes in the list: return the names, as `node.name()` gives them.",
    )
    wanted = ["MulBackward0", "SinBackward0", "ExpBackward0"]
    expect(
        list(got) != [] or list(ran_before(z, a.grad_fn)) != [],
        "Yours is an empty list, whatever is watched. The node of z has a gradient from the start, "
        "so the lane runs at least that one before it comes to the node of y.",
    )
    expect(list(got) != [*wanted, "MulBackward0"], "Yours has the watched node itself in the list.")
    expect(
        list(got) != ["MulBackward0", "ExpBackward0"],
        "Yours follows the first edges, or takes the oldest node. The lane takes the newest of all "
        "that has arrived.",
    )
    expect(
        list(got) != [] and list(got) != ["MulBackward0"],
        f"z is y.exp() * y.sin(), and the node of y is watched. Yours is {got!r}: two nodes "
        "are called MulBackward0, so compare nodes, not names.",
    )
    expect(list(got) == wanted, f"For y.exp() * y.sin() it is {wanted}, yours is {got!r}.")
    got = ran_before(z, z.grad_fn)
    expect(list(got) == [], f"If the root is watched nothing runs; yours is {got!r}.")
    got = ran_before(z, a.grad_fn)
    expect(list(got) == wanted[:2], f"Before the node of y.exp() it is {wanted[:2]}, not {got!r}.")
    factor = torch.tensor(2.0, requires_grad=True)
    got = ran_before((y.exp() * factor).sin(), y.grad_fn)
    wanted_too = ["SinBackward0", "MulBackward0", "ExpBackward0"]
    expect(
        list(got) == wanted_too,
        f"For (y.exp() * factor).sin() it is {wanted_too}, not {got!r}. The leaf `factor` waits to "
        "the end, though its number is the largest.",
    )


def check_text_error(my_exp):
    """Expect the row's error if the argument is a string."""
    wanted = "my_exp('2') must raise the TypeError of the row"
    got = error = None
    try:
        got = my_exp("2")
    except Exception as raised:
        error = raised
    expect(error is not None, f"{wanted}; yours is {got!r}. A text is no Tensor: call the row.")
    expect(
        isinstance(error, TypeError) and "must be Tensor" in str(error),
        f"{wanted}; yours raises {type(error).__name__}: {error}. Ask first whether `x` is a "
        "Tensor. What is none goes to the row.",
    )


@exercise(
    "21.3",
    "Unroll exp",
    difficulty=3,
    minutes=20,
    hint="""`by_hand` with one input. The guard asks for a floating-point dtype, too:
    `x.dtype.is_floating_point`. The edge is `gradient_edge(x)`. The node keeps the result's array,
    and its `backward` is `grad._data * result`.""",
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
    right="One call of NumPy, one node, and a guard: that is a written row.",
)
def check_my_exp(my_exp):
    for value, kind in (
        (0.5, torch.float32),
        ([0.5, -1.0, 2.0], torch.float32),
        (2.0, torch.float64),
    ):
        x = torch.tensor(value, dtype=kind, requires_grad=True)
        z = my_exp(my_exp(x))
        wanted = torch.exp(torch.exp(x.detach()))
        expect(isinstance(z, torch.Tensor), f"Return a tensor, not {z!r}.")
        expect(same(z, wanted), f"exp(exp({value})) is {wanted.tolist()}, yours is {z.tolist()}.")
        expect(z.dtype is kind, f"exp of {kind} is {kind}, yours is {z.dtype}.")
        expect(z.grad_fn is not None, "Yours records nothing: the result has no node.")
        expect(z.requires_grad, "The result has a node, but its `_requires_grad` is False.")
        edges = z.grad_fn.next_functions
        expect(
            isinstance(edges, tuple) and all(isinstance(each, tuple) for each in edges),
            "`next_functions` holds an edge for each input, and an edge is a pair: with one input "
            "it is `(edge,)`.",
        )
        expect(len(edges) == 1, f"`exp` has one input, so one edge. Yours has {len(edges)}.")
        sent = z.grad_fn.backward(torch.ones_like(z))
        expect(
            isinstance(sent, list | tuple),
            "Your node's `backward` returns a gradient alone. Return a list, with one for each "
            "input.",
        )
        names = [z.grad_fn.name(), edges[0][0].name()]
        expect(
            names == ["ExpBackward0"] * 2,
            f"The nodes of exp(exp(x)) are called ExpBackward0; yours are {names}.",
        )
        expect(
            getattr(z.grad_fn, "_meta", None),
            "Your node has no `_meta`, the shape and dtype that a gradient must have. Set it as "
            "`by_hand` does.",
        )
        expect(
            hasattr(z.grad_fn, "_seq"),
            "Your node has no `_seq`, its number. Take the next one, as `by_hand` does.",
        )
        expect(
            z.grad_fn._seq > edges[0][0]._seq,
            "The `_seq` of your node is not the next number. The newest node runs first.",
        )
        z.sum().backward()
        grad = wanted * torch.exp(x.detach())
        expect(
            same(x.grad, grad),
            f"The gradient of exp(exp(x)) at {value} is {grad.tolist()}, yours is "
            f"{x.grad.tolist()}. What arrives is multiplied by the result.",
        )
    for kind in (torch.int64, torch.int32, torch.bool):
        ints = my_exp(torch.tensor([1, 1], dtype=kind))
        expect(
            ints.dtype is torch.float32 and ints.numpy().dtype == "float32",
            f"exp of {kind} is float32; yours holds {ints.numpy().dtype} and says "
            f"{ints.dtype}. Leave what is unusual to the row.",
        )
    with torch.no_grad():
        quiet = my_exp(torch.tensor(1.0, requires_grad=True))
    expect(not quiet.requires_grad, "Yours records inside `no_grad`. Ask `mode.recording`.")
    constant = my_exp(torch.tensor(1.0))
    expect(not constant.requires_grad, "If the input wants no gradient, leave no node.")
    leaf = torch.tensor([0.5, 0.25], requires_grad=True)
    base = leaf * 1.0
    view = base[0]
    base.mul_(2.0)
    my_exp(view).backward()
    expect(
        same(leaf.grad, torch.tensor([2 * math.e, 0.0])),
        "After `base = leaf * 1.0; view = base[0]; base.mul_(2.0)` the gradient of my_exp(view) is "
        f"[2e, 0], yours is {leaf.grad.tolist()}. The view's history is another now, its "
        "`_node` is out of date. Ask `gradient_edge`, as the cure of `changed_base` does.",
    )
    y = torch.tensor([1.0], requires_grad=True) + 1
    with torch.autograd.set_detect_anomaly(True):
        seen = my_exp(y).grad_fn.metadata
    expect(
        "traceback_" in seen,
        "Anomaly mode does not see your node. Ask `observers.active`, and leave such calls to the "
        "row.",
    )
    with without_collector():
        node = weakref.ref(my_exp(y).grad_fn)
        gone = node() is None
    expect(
        gone,
        "Your node keeps its result, and the result its node: a cycle, which only the garbage "
        "collector takes away. Keep the array, `out._data`.",
    )
    held = y * 1.0
    array, result = weakref.ref(held._data), my_exp(held)
    del held
    expect(array() is None, "Your node keeps its input. exp needs its result alone.")
    result.sum().backward()
    with mock.patch.object(np, "exp", wraps=np.exp) as numpys:
        my_exp(y).sum().backward()
    expect(
        numpys.call_count < 2,
        f"Yours calls `np.exp` {numpys.call_count} times, forward and backward together. The "
        "result is there already: keep its array.",
    )
    check_text_error(my_exp)
    written = torch.exp.__code__
    expect(
        written not in calls(lambda: my_exp(y)),
        "That is the accelerator's own function. Write out what it does.",
    )
    made = [code.co_name for code in calls(lambda: my_exp(y))]
    expect(
        len(made) <= 5,
        f"Right, but with {len(made)} calls of Python functions; 5 are allowed. Yours calls "
        f"{', '.join(dict.fromkeys(made))}. Write out what they do.",
    )
