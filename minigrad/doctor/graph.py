"""What a graph alone says: which tensors a loss leads to, and what each tensor says about itself.

Everything is read through PyTorch's public protocol, so this works for tensors of PyTorch and of
minigrad, and nothing is changed: no node runs, and no value that a hook has packed is unpacked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

from ..viz.protocol import is_accumulator, is_tensor, output_of, variable_of
from .causes import ALIKE, NO_GRAPH, NO_GRAPH_NOR_FLAGS

REACHED = "yes"
Verdict = tuple[str, tuple[str, ...], bool]  # the gradient, causes by key, whether they are certain


class Graph:
    """The nodes and leaves behind a loss.

    Args:
        past_functions: whether to look behind the Functions of a user, whose backward may return
            None instead of a gradient.
    """

    def __init__(self, loss: Any, past_functions: bool = True) -> None:
        self.loss = loss
        self.nodes: dict[int, Any] = {}  # by id, nearest to the loss first
        self.parents: dict[int, Any] = {}  # the node from which each was reached first
        self.edges = {(id(loss.grad_fn), output_of(loss))}  # (id of a node, output number)
        self.leaves: dict[int, Any] = {}
        if loss.grad_fn is None:
            self.leaves = {id(loss): loss} if loss.requires_grad else {}
            return
        self.nodes[id(loss.grad_fn)] = loss.grad_fn
        for node in followed(self.nodes):
            if is_accumulator(node):
                self.leaves[id(variable_of(node))] = variable_of(node)
            for following, number in node.next_functions:
                if following is not None and (past_functions or not is_function(node)):
                    self.edges.add((id(following), number))
                    if id(following) not in self.nodes:
                        self.nodes[id(following)] = following
                        self.parents[id(following)] = node

    @cached_property
    def addresses(self) -> set[tuple[int, ...]]:
        """Where the leaves are in memory."""
        return {address_of(leaf) for leaf in self.leaves.values()} - {()}

    @cached_property
    def certain(self) -> Graph:
        """The part that a gradient reaches whatever the Functions of a user return."""
        return Graph(self.loss, past_functions=False)

    def leads_to(self, tensor: Any) -> bool:
        """Whether there is a path from the loss to `tensor`."""
        if tensor.grad_fn is None:
            return id(tensor) in self.leaves
        return (id(tensor.grad_fn), output_of(tensor)) in self.edges

    @cached_property
    def users(self) -> dict[int, list[Any]]:
        """The nodes that pass a gradient to each node, by its id."""
        users: dict[int, list[Any]] = {}
        for node in self.nodes.values():
            for following, _ in node.next_functions:
                users.setdefault(id(following), []).append(node)
        return users

    def functions_before(self, tensor: Any) -> list[str]:
        """The Functions of a user on the paths to `tensor`, if there is no path without one."""
        if not self.leads_to(tensor) or self.certain.leads_to(tensor):
            return []
        before = {
            id(node): node
            for node in self.nodes.values()
            if node is tensor.grad_fn or (is_accumulator(node) and variable_of(node) is tensor)
        }
        for node in followed(before):
            before.update((id(user), user) for user in self.users.get(id(node), ()))
        return list(dict.fromkeys(name_of(n) for n in before.values() if is_function(n)))

    def trouble(self) -> tuple[str, Any]:
        """Why backward would raise, "freed" or "edited", and at which node; or ("", None)."""
        found = ((error_of(node), node) for node in self.nodes.values())
        return next((each for each in found if each[0]), ("", None))


def followed(nodes: dict[int, Any]) -> Iterator[Any]:
    """The values of `nodes`, with those that are added meanwhile."""
    done = 0
    while done < len(nodes):
        for node in list(nodes.values())[done:]:
            done += 1
            yield node


def name_of(node: Any) -> str:
    """A node's name without its namespace: `ExpBackward0`."""
    return type(node).__name__


def is_function(node: Any) -> bool:
    """Whether a node is a `Function` of a user; others have `_saved_<name>` for what they saved."""
    return hasattr(type(node), "saved_tensors")


def starts_of(tensors: Iterable[Any]) -> list[Any]:
    """Where gradients begin that flow to tensors: a node, or a leaf that requires grad itself."""
    nodes = [history(each) or each for each in tensors]
    return [each for each in nodes if not is_tensor(each) or flows(each)]


def behind(starts: Iterable[Any]) -> set[int]:
    """The ids of the nodes and leaves behind nodes; a tensor among them is a leaf itself."""
    leaves = {id(each) for each in starts if is_tensor(each)}
    nodes = {id(each): each for each in starts if not is_tensor(each)}
    for node in followed(nodes):
        if is_accumulator(node):
            leaves.add(id(variable_of(node)))
        nodes.update((id(n), n) for n, _ in node.next_functions if n is not None)
    return leaves | set(nodes)


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
                hooked = any(getattr(each, "unpack_hook", None) is not None for each in parts)
                if not hooked and not _is_packed(node, attribute):
                    getattr(node, attribute.replace("_raw", "", 1))
            except RuntimeError as error:
                if "already been freed" in str(error):
                    return "freed"
                if "modified by an inplace operation" in str(error):
                    return "edited"
    return ""


def _is_packed(node: Any, attribute: str) -> bool:
    """Whether a node of minigrad has what hooks made of a saved tensor."""
    kept = getattr(node, "_saved", {}).get(attribute.removeprefix("_raw_saved_"))
    return type(kept).__name__ in ("AwaitedResult", "PackedIndices", "PackedTensor")


def is_floating(tensor: Any) -> bool:
    """Whether the elements are floats, or complex numbers."""
    return bool(tensor.dtype.is_floating_point or getattr(tensor.dtype, "is_complex", False))


def address_of(tensor: Any) -> tuple[int, ...]:
    """Where the elements of a tensor begin, and its shape; empty if there are none."""
    try:
        address = int(tensor.data_ptr())
    except (AttributeError, NotImplementedError, RuntimeError):
        return ()
    return (address, *tensor.shape) if address and tensor.numel() else ()


def memory_of(tensor: Any) -> int:
    """A number that two living tensors share if they share memory; 0 if it cannot be told."""
    data = getattr(tensor, "_data", None)
    if data is not None:  # minigrad's
        while getattr(data, "base", None) is not None:
            data = data.base
        return id(data)
    try:
        return int(tensor.untyped_storage().data_ptr())
    except (AttributeError, NotImplementedError, RuntimeError):
        return 0


def judge(tensor: Any, graph: Graph, trouble: str = "") -> Verdict:
    """Whether a gradient reaches `tensor`, and why not, as far as the graph can tell."""
    is_leaf = tensor.grad_fn is None
    cause = _of_itself(tensor, graph) if is_leaf else ""
    if cause:
        return "None", (cause,), True
    of_results = () if is_leaf else ("not a leaf",)
    if not graph.leads_to(tensor):
        gradient, causes, certain = _not_reached(tensor, graph)
        return gradient, (*of_results, *causes), certain
    if trouble:
        return "raises", (trouble,), True
    if of_results and not getattr(tensor, "retains_grad", False):
        return "passes", of_results, True
    return REACHED, (), True


def _of_itself(tensor: Any, graph: Graph) -> str:
    """Why a leaf cannot get a gradient whatever the loss is; empty if it can."""
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
    if address_of(tensor) in graph.addresses:
        return "None", ("memory",), True
    if "CheckpointFunctionBackward" in map(name_of, graph.nodes.values()):
        return "unknown", ("checkpoint", *ALIKE), False
    return "None", ALIKE, False


def judge_loss(loss: Any, given: Iterable[Any]) -> Iterator[tuple[tuple[str, ...], bool]]:
    """What is wrong with the loss itself: causes by key, and whether they are certain."""
    if loss.requires_grad:
        if loss.grad_fn is None:
            yield ("loss is a leaf",), True
        if loss.numel() != 1:
            yield ("shape",), True
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
