"""Watches one forward pass and one backward pass, and notes where gradients are lost.

In the forward pass every operation is seen: PyTorch shows them to a `TorchFunctionMode`, minigrad
to its observers, and the methods that turn a tensor into a number are wrapped meanwhile. We note
for each result which cuts its values have passed. In the backward pass hooks at the nodes see what
each node receives and returns.
"""

from __future__ import annotations

import copy
import itertools
import linecache
import os
import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property, wraps
from math import isfinite
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from ..autograd.grad_mode import set_grad_enabled
from ..core.grad_mode import is_grad_enabled
from ..core.tensor import Tensor
from ..nn import functional
from ..support import observers
from ..support.random import default_generator
from ..viz.engines import hooked, replaced
from ..viz.protocol import is_module, is_tensor
from .graph import (
    Graph,
    begins,
    behind,
    flows,
    history,
    is_floating,
    is_function,
    keeps_grad,
    kind_of,
    memory_of,
    name_of,
    starts_of,
)

REASONS = {
    "detach": "detach", "detach_": "detach", "data": "data", "grad": "create_graph",
    "tensor": "rebuilt", "as_tensor": "rebuilt", "asarray": "rebuilt", "new_tensor": "rebuilt",
    "__deepcopy__": "rebuilt",
}  # fmt: skip
IN_PLACE = re.compile(r"__(setitem|i(?!n|ter)\w+)__|\w*[^_]_")
WRITES_NOTHING = ("detach_", "requires_grad_", "share_memory_")
SEVERAL = ("broadcast_tensors", "meshgrid")  # each result depends on one operand
WHOLE = ("__getitem__", "__setitem__", "detach_")  # methods of minigrad that are noted as a whole
NUMBERS = ("item", "tolist", "numpy", "__array__", "__float__", "__int__", "__index__", "backward")
STATIONS = {  # functions of the libraries: their file or folder, and why nothing is recorded inside
    "apply": ("function.py", "inside a Function"),
    "execute": ("engine.py", "create_graph"),
    "forward": ("checkpoint.py", "checkpoint"),
    "sample": ("distributions", "sampled"),
}
PUBLIC = {name for name in (*dir(Tensor), *dir(functional)) if not name.startswith("_")}
INSTALLED = os.sep + "site-packages" + os.sep
OURS = os.path.dirname(os.path.dirname(__file__)) + os.sep
HIDDEN = (OURS, os.path.dirname(os.__file__) + os.sep, "<frozen", "<written by minigrad")


@dataclass(frozen=True, eq=False)
class Cut:
    """An operation through which values went on and gradients do not come back."""

    reason: str  # a key of CAUSES
    place: str
    starts: Sequence[Any]  # the nodes and leaves that gradients would have reached from here
    before: frozenset[Cut]  # the cuts that its operands had passed already
    number: int = field(default_factory=itertools.count().__next__)

    @cached_property
    def behind(self) -> set[int]:
        """The ids of the nodes and leaves behind the operands."""
        return behind(self.starts)


@dataclass(frozen=True, eq=False)
class Event:
    """A node that returned "None", "zeros", "nan" or "inf" along an edge to `following`."""

    kind: str
    node: Any
    following: Any

    @cached_property
    def behind(self) -> set[int]:
        """The ids of the nodes and leaves that the edge leads to."""
        return behind([self.following])


class Forward:
    """What was seen of the forward pass."""

    def __init__(self) -> None:
        self.cuts: dict[int, frozenset[Cut]] = {}  # by id of a tensor
        self.spoiled: dict[int, tuple[str, set[int]]] = {}  # "nan", "inf" or "", and since when
        self.began: list[str] = []  # where nan or inf began, in the order of the program
        self.places: dict[int, tuple[Any, str]] = {}  # nodes, and where they were made
        self.uses: dict[int, str] = {}  # the last operation on each tensor
        self.numbers: list[Cut] = []  # what became a number or an array
        self.ran: list[str] = []  # where the function has called backward() itself
        self.sharing: dict[int, list[Any]] = {}  # all tensors, by their memory; so no id comes back

    def meet(self, tensor: Any, place: str) -> None:
        """Note a tensor that no operation before made."""
        if id(tensor) in self.cuts:
            return
        memory, address = memory_of(tensor)
        shared = self.sharing.get(memory, ()) if memory else ()
        before = [each for each in shared if memory_of(each)[1] == address]
        self.keep(tensor)
        if history(tensor) is not None:
            self.places.setdefault(id(tensor.grad_fn), (tensor.grad_fn, ""))  # it was there before
        else:
            lost = self.passed(before)
            starts = starts_of(before)
            cut = Cut("memory", f"first used at {place}", starts, lost)
            self.cuts[id(tensor)] = frozenset({cut}) if starts else lost
        self.look_at(tensor, f"a tensor from outside, first used at {place}", [], True)

    def look_at(
        self, result: Any, place: str, operands: Sequence[Any], meant: bool, values: Any = None
    ) -> None:
        """Note where the nan and inf in `result` began, also those that it no longer shows.

        A value that is infinite on purpose, such as a mask, is forgotten where it is gone. `values`
        has what is about to be written to `result`, if so.
        """
        kind = kind_of(result if values is None else values)
        before = [self.spoiled[id(each)] for each in operands if id(each) in self.spoiled]
        since = set[int]().union(*(numbers for _, numbers in before))
        if begins(kind, {each for each, _ in before}):
            self.began.append(place)
            since.add(-len(self.began) if meant else len(self.began))
        elif kind not in ("nan", "inf"):
            kind, since = "", {number for number in since if number > 0}
        self.spoiled[id(result)] = kind, since

    def origins(self, tensor: Any) -> tuple[str, ...]:
        """Where the nan and inf began that a tensor depends on, the first one first."""
        _, since = self.spoiled.get(id(tensor), ("", set()))
        return in_turn([self.began[number - 1] for number in sorted(map(abs, since))])

    def keep(self, tensor: Any) -> None:
        """Know a tensor from now on."""
        self.cuts.setdefault(id(tensor), frozenset())
        self.sharing.setdefault(memory_of(tensor)[0], []).append(tensor)

    def passed(self, tensors: Sequence[Any]) -> frozenset[Cut]:
        """The last cuts that the values of tensors have passed."""
        return frozenset[Cut]().union(*(self.cuts[id(each)] for each in tensors))

    def call(self, name: str, function: Any, args: Any, kwargs: Any) -> Any:
        """Call a function or method of a library, and note what it did."""
        operands = operands_of(name, list(tensors_in([args, kwargs])))
        starts = starts_of(operands)
        if name in NUMBERS and operands:
            self.number(name, operands[0])
        result = function(*args, **kwargs)
        changed = kwargs.get("out")
        if IN_PLACE.fullmatch(name) and operands:
            changed = operands[0]
        results = list(tensors_in([result, changed]))
        if (results and operands) or changed is not None:
            given = [*args, *kwargs.values()]
            self.operation(name, given, operands, starts, results, changed)
        return result

    def operation(
        self,
        name: str,
        args: Any,
        operands: Sequence[Any],
        starts: Sequence[Any],
        results: Sequence[Any],
        changed: Any = None,
        values: Any = None,
    ) -> None:
        """Note an operation that has run.

        Args:
            name: what it is called.
            args: its arguments.
            operands: the tensors among them.
            starts: the nodes and leaves that gradients reached from them before it ran.
            results: the tensors that it made.
            changed: the tensor that it changed in place, or None.
            values: what is about to be written there, if that is still to come.
        """
        line, reason = place_of(sys._getframe(1))
        place = f"{name} at {line}"
        for each in operands:
            self.meet(each, line)
            self.uses[id(each)] = place
        lost = self.passed(operands)
        meant = not operands or any(isinstance(each, float) and not isfinite(each) for each in args)
        for each in results:
            old = any(each is operand for operand in operands)
            if old and each is not changed:
                continue
            self.keep(each)
            self.cuts[id(each)] |= lost
            node = history(each)
            if starts and not (flows(each) if old else node) and name not in SEVERAL:
                why = reason_for(name, each, reason)
                self.cuts[id(each)] = frozenset({Cut(why, place, starts, lost)})
            elif node is not None:
                self.places.setdefault(id(node), (node, place))
            self.look_at(each, place, operands, meant, values)
        if changed is not None and name not in WRITES_NOTHING:
            self.write(place, changed, starts)

    def write(self, place: str, changed: Any, starts: Sequence[Any]) -> None:
        """Let everything that shares memory with `changed` know what was written to it."""
        memory, _ = memory_of(changed)
        for each in self.sharing.get(memory, ()) if memory else ():
            if each is not changed and self.spoiled[id(changed)][1]:
                self.look_at(each, place, [each, changed], False)
            bases = {id(each), id(getattr(each, "_base", None))} - {id(None)}
            if bases & {id(changed), id(getattr(changed, "_base", None))} or not starts:
                self.cuts[id(each)] |= self.cuts[id(changed)]
            else:
                cut = Cut("written past", place, starts, self.cuts[id(changed)])
                self.cuts[id(each)] |= {cut}

    def number(self, name: str, tensor: Any) -> None:
        """Note that a tensor became a number or an array, or that backward began there."""
        line, _ = place_of(sys._getframe(1))
        if name == "backward":
            self.ran.append(f"backward at {line}")
            return
        self.meet(tensor, line)
        self.uses[id(tensor)] = f"{name} at {line}"
        cut = Cut("number", f"{name} at {line}", starts_of([tensor]), self.cuts[id(tensor)])
        if cut.starts or cut.before:
            self.numbers.append(cut)

    def place_of_node(self, node: Any, graph: Graph) -> str:
        """A node, and where it was made, or the one after it that an operation made with it."""
        known = (self.places[id(each)][1] for each in graph.path(node) if id(each) in self.places)
        place = next(known, "")
        return f"{name_of(node)}, {place}" if place else name_of(node)

    def made(self, node: Any) -> bool:
        """Whether the function that we watch has made a node."""
        return bool(self.places.get(id(node), (node, ""))[1])

    def applied(self, node: Any) -> None:
        """Note where the `Function` of a user was applied."""
        name = name_of(node).removesuffix("Backward")
        self.places[id(node)] = node, f"{name}.apply at {place_of(sys._getframe(1))[0]}"


class Backward:
    """What was seen of the backward pass."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.running: Any = None  # the node that has begun last
        self.reached: set[int] = set()  # the ids of the nodes that received a gradient
        self.sent: set[int] = set()  # the ids of the nodes that were sent more than zeros
        self.cancelled: list[Any] = []  # the nodes that received zeros all the same
        self.error: Exception | None = None

    @cached_property
    def behind_cancelled(self) -> set[int]:
        """The ids of the nodes and leaves behind a cancellation, once the pass is over."""
        return behind(self.cancelled)

    def before(self, node: Any, gradients: Any) -> None:
        self.running = node

    def after(self, node: Any, returned: Sequence[Any], received: Sequence[Any]) -> None:
        """Note what a node made of the gradients that it received."""
        kinds = {kind_of(each) for each in received if each is not None}
        if not kinds:
            return
        self.reached.add(id(node))
        if kinds == {"zeros"} and id(node) in self.sent:
            self.cancelled.append(node)
        for (following, _), gradient in zip(node.next_functions, returned, strict=False):
            kind = "None" if gradient is None else kind_of(gradient)
            if kind not in ("None", "zeros"):
                self.sent.add(id(following))
            if following is not None and (
                kind == "None" or begins(kind, kinds) or (kind == "zeros" and kinds != {"zeros"})
            ):
                self.events.append(Event(kind, node, following))


def in_turn(places: Sequence[str]) -> tuple[str, ...]:
    """Where something began, and where anew: the first place and the last two."""
    places = list(dict.fromkeys(places))
    if len(places) < 2:
        return tuple(places)
    return (f"first {places[0]}", *(f"then {each}" for each in places[1:][-2:]))


def public(name: str, frame: FrameType | None, in_place: bool) -> str:
    """What users call the running operation of minigrad: the function or method that they called.

    PyTorch shows that one to its mode, so `clamp` instead of `clamp_numbers`, and `linear`.
    """
    while frame is not None and name not in REASONS and frame.f_code.co_filename.startswith(HIDDEN):
        called = frame.f_code.co_name
        name = called if called in PUBLIC else name
        frame = frame.f_back
    if name.startswith("__") or (name in REASONS and not in_place):
        return name
    return name.removesuffix("_") + "_" * in_place  # `pow_` is also a function of the library


def operands_of(name: str, tensors: list[Any]) -> list[Any]:
    """Those of `tensors` on whose values the results of an operation depend."""
    if name.endswith("_like") or (name.startswith("new_") and name != "new_tensor"):
        return []
    return tensors[:1] if name == "to" or name.endswith("_as") else tensors


def reason_for(name: str, result: Any, mode: str) -> str:
    """Why gradients do not flow through an operation. `mode` says where it ran."""
    if name in REASONS:
        return REASONS[name]
    if mode == "create_graph":
        return mode
    return "integer" if not is_floating(result) else mode or "no derivative"


def place_of(frame: FrameType | None) -> tuple[str, str]:
    """The line of the user's code that is running, and why nothing is recorded there, if so.

    Files of the libraries and of Python itself are passed over.
    """
    place, mode = "an unknown line", "" if is_recording() else "no_grad"
    torch = getattr(sys.modules.get("torch"), "__file__", None)
    hidden = (*HIDDEN, *([os.path.dirname(torch) + os.sep] if torch else []))
    users = None
    while frame is not None:
        file = frame.f_code.co_filename
        if users is None and not file.startswith(hidden) and INSTALLED not in file:
            users = frame
        part, station = STATIONS.get(frame.f_code.co_name, ("", ""))
        if mode == "no_grad" and part in Path(file).parts[-2:]:
            mode = station
        frame = frame.f_back
    if users is not None:
        file, line = users.f_code.co_filename, users.f_lineno
        text = linecache.getline(file, line).strip()
        cell = "" if "ipykernel" in file else f"{Path(file).name}, "
        place = f"{cell}line {line}" + (f": {text}" if text else "")
    return place, mode


def is_recording() -> bool:
    """Whether the library that runs at present records operations."""
    torch = complete_torch()
    return is_grad_enabled() and (torch is None or bool(torch.is_grad_enabled()))


def tensors_in(values: Any, depth: int = 4) -> Iterator[Any]:
    """The tensors in arguments or results, also those in lists, tuples, dictionaries and slices."""
    if is_tensor(values):
        yield values
    elif isinstance(values, slice):
        yield from tensors_in([values.start, values.stop, values.step])
    elif isinstance(values, list | tuple | dict) and depth:
        for each in values.values() if isinstance(values, dict) else values:
            yield from tensors_in(each, depth - 1)


@contextmanager
def watching(forward: Forward) -> Iterator[None]:
    """Show `forward` every operation of this thread, in each library that is imported."""
    with ExitStack() as stack:
        stack.enter_context(_Minigrad(forward).watching())
        torch = complete_torch()
        if torch is not None:
            stack.enter_context(_mode(torch.overrides.TorchFunctionMode, forward))
            base = torch.autograd.Function.__mro__[1]  # whose method `Square.apply` calls
            stack.enter_context(replaced(base, {"apply": _noting_apply(base, forward)}))
        yield


def _noting_apply(base: Any, forward: Forward) -> Any:
    """PyTorch's `Function.apply`, which no mode sees, such that `forward` notes where it ran."""

    def apply(function: Any, *args: Any, **kwargs: Any) -> Any:
        results = super(base, function).apply(*args, **kwargs)
        for node in map(history, tensors_in(results)):
            if node is not None and is_function(node):
                forward.applied(node)
        return results

    return classmethod(apply)


def _mode(base: Any, forward: Forward) -> Any:
    """A mode of PyTorch that shows `forward` every call of a function or method."""

    class Mode(base):  # type: ignore[misc]
        def __torch_function__(
            self, function: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            name = called = getattr(function, "__name__", "")
            if called in ("__get__", "__set__"):
                name = getattr(getattr(function, "__self__", None), "__name__", called)
            if called == "__set__" or (called == "__get__" and name in ("grad", "_base")):
                return function(*args, **(kwargs or {}))
            return forward.call(name, function, args, kwargs or {})

    return Mode()


class _Minigrad:
    """The same for minigrad: its observers see operations, and wrapped methods see the rest.

    That is which tensors become numbers, and what observers are not shown: the tensors in an index,
    and `detach_`.
    """

    def __init__(self, forward: Forward) -> None:
        self.forward = forward
        self.busy = False  # whether something is being noted, so that its parts are not
        self.read: list[Any] = []  # tensors whose numbers a function of minigrad has read

    @contextmanager
    def _noting(self) -> Iterator[None]:
        self.busy = True
        try:
            yield
        finally:
            self.busy = False

    def made(self, name: str, args: Sequence[Any], result: Any) -> Any:
        """Note an operation that has a result."""
        if not self.busy:
            with self._noting():
                operands = list(tensors_in(list(args)))
                if not operands and REASONS.get(name) == "rebuilt":
                    operands = self.read
                self.read = []
                target = observers.edited()
                name = public(name, sys._getframe(1), target is not None)
                if target is not None:
                    operands = [target, *operands]
                results = [result if target is None else target]
                starts = starts_of(operands)
                self.forward.operation(name, args, operands, starts, results, target, result)
        return result

    def recorded(self, node: Any, outputs: Sequence[Any]) -> None:
        """Note a `Function`. While this is there, in-place methods say which tensor they change."""
        if is_function(node):
            self.forward.applied(node)

    def wrapped(self, name: str) -> Callable[..., Any]:
        """A method of Tensor that is noted as a whole, without the operations that it runs."""
        method = getattr(Tensor, name)

        @wraps(method)
        def call(*args: Any, **kwargs: Any) -> Any:
            if self.busy:
                return method(*args, **kwargs)
            with self._noting():
                if name in NUMBERS and sys._getframe(1).f_code.co_filename.startswith(OURS):
                    self.read.append(args[0])
                    return method(*args, **kwargs)
                self.read = []
                return self.forward.call(name, method, args, kwargs)

        return call

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Listen, and wrap the methods."""
        observers.add(self.recorded)
        observers.add_to_results(self.made)
        try:
            with replaced(Tensor, {name: self.wrapped(name) for name in (*NUMBERS, *WHOLE)}):
                yield
        finally:
            observers.remove_from_results(self.made)
            observers.remove(self.recorded)


def run_backward(graph: Graph) -> Backward:
    """Run backward from the loss, if it has a graph, with hooks at every node; nothing is freed."""
    seen = Backward()
    if graph.loss.requires_grad:
        try:
            with hooked(graph.nodes.values(), seen.before, seen.after):
                graph.loss.backward(retain_graph=True)
        except Exception as error:
            seen.error = error
    return seen


def leave_as_it_is(stack: ExitStack, parts: Iterable[Any], tensors: Iterable[Any]) -> None:
    """Let `stack` restore, in the end, modules, optimizers, values, gradients and modes."""
    _keep_modes(stack)
    changeable = list(tensors)
    for part in parts:
        if not is_module(part):  # an optimizer, whose steps change its state in place
            state = {key: copy.deepcopy(each) for key, each in part.state.items()}
            stack.callback(_refill, part.state, state)
            for group in part.param_groups:
                stack.callback(_refill, group, dict(group))
            continue
        for module in part.modules():  # type: ignore[attr-defined]
            changeable.extend(module._buffers.values())
            for living in (vars(module), module._parameters, module._buffers, module._modules):
                stack.callback(_refill, living, dict(living))
    for tensor in tensors:
        if keeps_grad(tensor):
            changeable.append(tensor.grad)
            stack.callback(setattr, tensor, "grad", tensor.grad)
    for tensor in changeable:
        if tensor is not None:
            stack.callback(_restore, tensor, tensor.detach().clone())


def _keep_modes(stack: ExitStack) -> None:
    """Keep what random generators draw next, and whether operations are recorded."""
    own = vars(default_generator)
    stack.callback(_refill, own, copy.deepcopy(own))
    stack.callback(random.setstate, random.getstate())
    stack.callback(np.random.set_state, np.random.get_state())  # noqa: NPY002 - programs use it
    stack.enter_context(set_grad_enabled(is_grad_enabled()))
    torch = complete_torch()
    if torch is not None:
        devices = torch.cuda.device_count() if torch.cuda.is_initialized() else 0
        stack.enter_context(torch.random.fork_rng(range(devices)))
        stack.enter_context(torch.set_grad_enabled(torch.is_grad_enabled()))


def put_gradients_aside(stack: ExitStack, tensors: Iterable[Any]) -> None:
    """Take away `.grad` and the hooks that run after it, until `stack` restores both."""
    for tensor in {id(each): each for each in tensors}.values():
        if keeps_grad(tensor):
            theirs = getattr(tensor, "_post_accumulate_grad_hooks", None)  # PyTorch's
            hooks = theirs or getattr(tensor, "_after_hooks", None) or {}
            stack.callback(setattr, tensor, "grad", tensor.grad)
            stack.callback(hooks.update, dict(hooks))
            tensor.grad = None
            hooks.clear()


def _refill(living: dict[Any, Any], before: dict[Any, Any]) -> None:
    living.clear()
    living.update(before)


def _restore(tensor: Any, values: Any) -> None:
    if bool((tensor.detach() != values).any()):
        tensor.data.copy_(values)  # `.data`, so that no version counter moves


def complete_torch() -> Any:
    """PyTorch if the program has imported it, and None otherwise."""
    torch = sys.modules.get("torch")
    return torch if hasattr(torch, "overrides") else None
