"""What a graph alone says: which tensors a loss leads to, and what each tensor says about itself.

Everything is read through PyTorch's public protocol, so this works for tensors of PyTorch and of
minigrad, and nothing is changed: no node runs, and no value that a hook has packed is unpacked.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from ..viz.protocol import is_accumulator, is_tensor, output_of, variable_of
from ..viz.recording import reach
from .causes import ALIKE, NO_GRAPH, NO_GRAPH_NOR_FLAGS

REACHED = "yes"
RAISED = {"already been freed": "freed", "modified by an inplace operation": "edited"}
Verdict = tuple[str, tuple[str, ...], bool]  # the gradient, causes by key, whether they are certain


class Graph:
    """The nodes and leaves behind a loss.

    What is reached around the Functions of a user is reached first, because their backward may
    return None instead of a gradient.
    """

    def __init__(self, loss: Any) -> None:
        self.loss = loss
        self.nodes: dict[int, Any] = {}  # by id, nearest to the loss first
        self.parents: dict[int, Any] = {}  # the node from which each was reached first
        self.edges = {(id(loss.grad_fn), output_of(loss))}  # (id of a node, output number)
        self.leaves = {id(loss): loss} if loss.grad_fn is None and loss.requires_grad else {}
        self.accumulators: dict[int, Any] = {}  # by id of their leaves
        self.functions: dict[int, Any] = {}  # the last Function of a user on the way to each node
        ahead, behind_functions = deque([(loss.grad_fn, None)]), deque[Any]()
        while ahead or behind_functions:
            node, parent = (ahead or behind_functions).popleft()
            if node is None or id(node) in self.nodes:
                continue
            self.nodes[id(node)], self.parents[id(node)] = node, parent
            if parent is not None:
                last = parent if is_function(parent) else self.functions.get(id(parent))
                self.functions[id(node)] = last
            if is_accumulator(node):
                leaf = variable_of(node)
                self.leaves[id(leaf)], self.accumulators[id(leaf)] = leaf, node
            for following, number in node.next_functions:
                self.edges.add((id(following), number))
                (behind_functions if is_function(node) else ahead).append((following, node))

    @cached_property
    def addresses(self) -> set[tuple[int, ...]]:
        """Where the leaves are in memory."""
        return {memory_of(leaf)[1] for leaf in self.leaves.values()} - {()}

    def leads_to(self, tensor: Any) -> bool:
        """Whether there is a path from the loss to `tensor`."""
        if tensor.grad_fn is None:
            return id(tensor) in self.leaves
        return (id(tensor.grad_fn), output_of(tensor)) in self.edges

    def path(self, node: Any) -> Iterator[Any]:
        """A node and those between it and the loss."""
        while node is not None:
            yield node
            node = self.parents[id(node)]

    def functions_before(self, tensor: Any) -> list[str]:
        """The Functions of a user on the way to `tensor`; none if there is a way around them."""
        node = tensor.grad_fn or self.accumulators.get(id(tensor))
        names = []
        while (node := self.functions.get(id(node))) is not None:
            names.append(name_of(node))
        return list(dict.fromkeys(names))

    def trouble(self) -> tuple[str, Any]:
        """Why backward would raise, "freed" or "edited", and at which node; or ("", None)."""
        found = ((error_of(node), node) for node in self.nodes.values())
        return next((each for each in found if each[0]), ("", None))


def name_of(node: Any) -> str:
    """A node's name without its namespace: `ExpBackward0`."""
    return type(node).__name__


def is_function(node: Any) -> bool:
    """Whether a node is a `Function` of a user; others have `_saved_<name>` for what they saved."""
    return hasattr(type(node), "saved_tensors")


def starts_of(tensors: Iterable[Any]) -> list[Any]:
    """Where gradients begin that flow to tensors: a node, or a leaf that requires grad itself."""
    return [history(each) or each for each in tensors if flows(each)]


def behind(starts: Iterable[Any]) -> set[int]:
    """The ids of the nodes and leaves behind nodes; a tensor among them is a leaf itself."""
    starts = list(starts)
    found = reach(each for each in starts if not is_tensor(each))
    return {id(each) for each in chain(starts, *found)}


def flows(tensor: Any) -> bool:
    """Whether a gradient finds a path from `tensor`. A view made under no_grad only claims it."""
    if history(tensor) is not None:
        return True
    return bool(tensor.requires_grad) and not made_under_no_grad(tensor)


def history(tensor: Any) -> Any:
    """The `grad_fn` of a tensor; None also for a view whose history PyTorch refuses to show."""
    try:
        return tensor.grad_fn
    except RuntimeError:
        return None


def made_under_no_grad(tensor: Any) -> bool:
    """Whether a leaf is a view of a tensor that requires grad, which only no_grad can make."""
    base = getattr(tensor, "_base", None)
    return base is not None and history(tensor) is None and bool(base.requires_grad)


def error_of(node: Any) -> str:
    """Why the node cannot read what it saved, "freed" or "edited"; empty if it can.

    The `Function` of a user is left out, because only its backward knows whether it reads anything.
    """
    for attribute in () if is_function(node) else dir(node):
        if attribute.startswith("_raw_saved_"):
            try:
                raw = getattr(node, attribute)
                parts = raw if isinstance(raw, list | tuple) else (raw,)
                if all(getattr(each, "unpack_hook", None) is None for each in parts):
                    getattr(node, attribute.replace("_raw", "", 1))
            except RuntimeError as error:
                for words in RAISED:
                    if words in str(error):
                        return RAISED[words]
    return ""


def is_floating(tensor: Any) -> bool:
    """Whether the elements are floats, or complex numbers."""
    return bool(tensor.dtype.is_floating_point or getattr(tensor.dtype, "is_complex", False))


def memory_of(tensor: Any) -> tuple[int, tuple[int, ...]]:
    """A number for the memory of a tensor, and where in it the elements begin, with the shape.

    Living tensors that share memory have the same number. (0, ()) if it cannot be told.
    """
    try:
        address = int(tensor.data_ptr())
        data: Any = getattr(tensor, "_data", None)  # minigrad's
        while getattr(data, "base", None) is not None:
            data = data.base
        memory = int(tensor.untyped_storage().data_ptr()) if data is None else id(data)
    except (AttributeError, NotImplementedError, RuntimeError):
        return 0, ()
    return (memory, (address, *tensor.shape)) if address and tensor.numel() else (0, ())


def judge(tensor: Any, graph: Graph, trouble: str = "") -> Verdict:
    """Whether a gradient reaches `tensor`, and why not, as far as the graph can tell."""
    cause = of_itself(tensor, graph)
    if cause:
        return "None", (cause,), True
    of_results = () if keeps_grad(tensor) else ("not a leaf",)
    if not graph.leads_to(tensor):
        gradient, causes, certain = _not_reached(tensor, graph)
        return gradient, (*of_results, *causes), certain
    if trouble:
        return "raises", (trouble,), True
    return "passes" if of_results else REACHED, of_results, True


def keeps_grad(tensor: Any) -> bool:
    """Whether backward stores a gradient in `tensor.grad`, if it gets there."""
    return tensor.grad_fn is None or getattr(tensor, "retains_grad", False)


def of_itself(tensor: Any, graph: Graph) -> str:
    """Why a leaf cannot get a gradient whatever the loss is; empty if it can."""
    if tensor.grad_fn is not None:
        return ""
    if made_under_no_grad(tensor):
        return "view"
    if tensor.requires_grad:
        return ""
    if not is_floating(tensor):
        return "whole numbers"
    if id(tensor) in graph.leaves:
        return "off since"
    return "frozen" if type(tensor).__name__ == "Parameter" else "flag"


def _not_reached(tensor: Any, graph: Graph) -> Verdict:
    """What can be said about a tensor that the loss does not lead to."""
    if not graph.loss.requires_grad:
        return "None", ("no graph",), True
    if graph.loss.grad_fn is None:
        return "None", ("loss is a leaf",), True
    if memory_of(tensor)[1] in graph.addresses:
        return "None", ("memory",), True
    if "CheckpointFunctionBackward" in map(name_of, graph.nodes.values()):
        return "unknown", ("checkpoint", *ALIKE), False
    return "None", ALIKE, False


def judge_loss(loss: Any, given: Iterable[Any]) -> Iterator[tuple[tuple[str, ...], bool]]:
    """What is wrong with the loss itself: causes by key, and whether they are certain."""
    if loss.requires_grad:
        if loss.grad_fn is None:
            yield ("loss is a leaf",), True
    elif not is_floating(loss):
        yield ("integer",), True
    else:
        wanted = any(each.requires_grad for each in given)
        yield NO_GRAPH if wanted else NO_GRAPH_NOR_FLAGS, False
    if kind_of(loss) in ("nan", "inf"):
        yield ("loss is nan",), True


def kind_of(tensor: Any) -> str:
    """ "nan" or "inf" if there is one among the elements, "zeros" if all are 0, "" otherwise."""
    try:
        if not is_floating(tensor) or not tensor.numel():
            return ""
        data = getattr(tensor, "_data", None)  # minigrad's, so that no operation runs
        largest = float(tensor.detach().abs().max() if data is None else np.abs(data).max())
    except (NotImplementedError, RuntimeError):  # sparse, or on the device "meta"
        return ""
    if largest != largest:
        return "nan"
    return "inf" if largest == float("inf") else "" if largest else "zeros"


def begins(kind: str, before: set[str]) -> bool:
    """Whether nan or inf begins in a result, given the kinds of what it was computed from."""
    return kind in ("nan", "inf") and not before & {kind, "nan"}
