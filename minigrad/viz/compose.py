"""From a recording to a picture: which boxes there are, and how they are linked."""

import string
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from minigrad.viz import labels, values
from minigrad.viz.gradients import Flow, Gradient
from minigrad.viz.modules import Call
from minigrad.viz.picture import Arrow, ArrowKind, Box, BoxKind, Picture, Row, RowKind
from minigrad.viz.protocol import (
    NodeLike,
    TensorLike,
    data_key,
    is_accumulator,
    is_same_data,
    is_tensor,
    output_of,
    shares_memory,
    variable_of,
)
from minigrad.viz.recording import Recording, reach
from minigrad.viz.saved import Saved, read_saved

CUT = "cut: memory shared, no history"
STRAY = "✗ no graph: its derivative counts as 0"
NO_DERIVATIVE = {"Error", "NotImplemented"}
"""Nodes of PyTorch that stand for an operation without a derivative, and raise when they run."""


def compose(
    recording: Recording,
    flow: Flow | None = None,
    *,
    saved: bool = True,
    values: bool = True,
    hooks: bool = True,
    memory: bool = False,
    lines: Mapping[int, str] = MappingProxyType({}),
    keys: dict[int, str] | None = None,
) -> Picture:
    """Compose the picture of `recording`, with the gradients of `flow` if given.

    `lines` are the lines of code that made tensors and operations, by id, and the other options are
    those of `draw()`. If `keys` is given, it receives the key of each object's box, by its id.
    """
    hidden: set[RowKind] = set()
    hidden.update(() if saved else ("saved", "gone"), () if hooks else ("hook",))
    composer = _Composer(recording, flow, hidden, values, memory)
    for operation in recording.operations:
        composer.add_operation(operation)
    for root in recording.roots:
        composer.tensor_box(root)
    composer.add_cuts()
    composer.add_grads()
    known = composer.keys if keys is None else keys
    known.update(composer.keys)
    made = {known[number]: line for number, line in lines.items() if number in known}
    boxes = (replace(box, line=made.get(box.key, "")) for box in composer.boxes)
    return Picture(tuple(boxes), tuple(composer.arrows), tuple(composer.notes()))


class _Composer:
    """Adds operations one by one, inputs first, with their tensors."""

    def __init__(
        self,
        recording: Recording,
        flow: Flow | None,
        hidden: set[RowKind],
        with_values: bool,
        with_memory: bool,
    ) -> None:
        self.recording = recording
        self.flow = flow or Flow()
        self.flowing = flow is not None and flow.error is None
        self.hidden = hidden
        self.with_values = with_values
        self.memories: list[TensorLike] | None = [] if with_memory else None
        self.orders = _orders(recording)
        self.boxes: list[Box] = []
        self.count: Counter[str] = Counter()  # operations, calls by name, unnamed boxes
        self.arrows: list[Arrow] = []
        self.tensors: dict[str, TensorLike] = {}  # by the key of their box
        self.constants: dict[Hashable, TensorLike] = {}  # that have no name, by their data
        self.forward = {  # constants in the graph of the first result
            values.short(value)
            for node in recording.operations
            if self.orders.get(id(node)) == 1
            for value in read_saved(node).constants()
            if is_tensor(value)
        }
        self.keys: dict[int, str] = {}  # the box of a tensor or an operation, by id
        self.results: dict[int, list[tuple[int, TensorLike]]] = defaultdict(list)
        for (owner, output), tensor in recording.results.items():
            self.results[owner].append((output, tensor))
        self.reached = {id(leaf) for leaf in recording.all_leaves}
        self.drawn = {id(operation) for operation in recording.operations}
        self.parts = self._meeting_parts()
        self.accumulators: dict[int, NodeLike] = {}  # by id of their leaf
        for node in recording.operations:
            for following, _ in node.next_functions:
                if following is not None and is_accumulator(following):
                    self.accumulators[id(variable_of(following))] = following

    def add_operation(self, node: NodeLike) -> None:
        """Add the box of `node`, and those of its inputs and of results that a variable holds."""
        call = self.recording.calls.get(id(node))
        if call and node is not call.operations[-1]:
            return  # a view of a weight, which is part of the box of its call
        saved = read_saved(node)
        inputs = list(self._inputs(node, saved, call))
        key = self._call_box(call) if call else self._operation_box(node, saved)
        self.keys[id(node)] = key
        for slot, tail in inputs:
            self._link_input(node, saved, slot, tail, key)
        for output, tensor in sorted(self.results[id(node)], key=lambda result: result[0]):
            self._link_result(node, output, tensor, key)

    def tensor_box(self, tensor: TensorLike) -> str:
        """Return the key of the box of `tensor`, and make the box on first use."""
        if id(tensor) not in self.keys:
            kind: BoxKind = "leaf" if tensor.is_leaf else "tensor"
            name = self.recording.name_of(tensor)
            flow_rows = [*self._memory_rows(tensor), *self._flow_rows(tensor)]
            rows = labels.tensor_rows(tensor, name, flow_rows, self.with_values)
            key = self._box(kind if tensor.requires_grad else "constant", name, rows)
            self.keys[id(tensor)] = key
            self.tensors[key] = tensor
        return self.keys[id(tensor)]

    def add_cuts(self) -> None:
        """Link leaves to the tensors whose memory they share, because `detach()` cut the graph."""
        sources = [tensor for tensor in self.recording.variables if tensor.requires_grad]
        for key, tensor in list(self.tensors.items()):
            if tensor.is_leaf:
                found = [source for source in sources if _cut_off(tensor, source)]
                if found:  # prefer the tensor itself to a view of it
                    source = max(found, key=lambda source: is_same_data(source, tensor))
                    self.arrows.append(Arrow(self.tensor_box(source), key, "cut", CUT))

    def add_grads(self) -> None:
        """Link leaves to their `.grad` if it has a graph, which leads back to them."""
        for key, tensor in list(self.tensors.items()):
            if tensor.is_leaf and id(tensor.grad) in self.keys:  # a non-leaf would warn
                self.arrows.append(Arrow(key, self.keys[id(tensor.grad)], "grad", ".grad"))

    def notes(self) -> list[str]:
        """Return the notes below the picture, about what no box can say."""
        notes = []
        if self.recording.hidden:
            notes.append(f"{self.recording.hidden} more operations: raise max_nodes to see them")
        if self.orders:
            first, second = self._result(1), self._result(2)
            notes.append(f"{second}, green: what it adds to the graph of {first}")
        if not self.recording.operations:
            notes.append("no graph: no recorded operation made these tensors")
        if self.flow.error:
            notes.append(f"no gradients: {self.flow.error}")
        return notes

    # Boxes ---------------------------------------------------------------------------------------

    def _box(self, kind: BoxKind, ref: str | None, rows: list[Row], order: int = 1) -> str:
        if not ref:
            ref = f"({self._next('unnamed')})"
        key = f"b{len(self.boxes)}"
        shown = tuple(row for row in rows if row.kind not in self.hidden)
        self.boxes.append(Box(key, kind, ref, shown, order))
        return key

    def _next(self, what: str) -> int:
        self.count[what] += 1
        return self.count[what]

    def _operation_box(self, node: NodeLike, saved: Saved) -> str:
        order = self.orders.get(id(node), 1)
        hooks = [
            *labels.result_hook_rows(node, dict(self.results[id(node)])),
            *labels.hook_rows(node, labels.PRE_HOOKS | labels.POST_HOOKS),
        ]
        since = "" if order == 1 else self._result(order)
        rows = labels.operation_rows(node, saved, self.recording.name_of, hooks, since)
        for output in range(len(self.flow.arriving.get(id(node), ()))):
            if (id(node), output) not in self.flow.begins:  # else the box of the result says it
                rows.extend(self._arrival(node, output))
        kind: BoxKind = "wrong" if type(node).__name__ in NO_DERIVATIVE else "operation"
        if kind == "wrong":
            rows.append(Row("wrong", "✗ no derivative"))
        if misfits := labels.misfit_rows(node, self.flow.arriving.get(id(node), ())):
            rows, kind = [*rows, *misfits], "wrong"
        return self._box(kind, f"#{self._next('operations')}", rows, order)

    def _call_box(self, call: Call) -> str:
        number = self._next(f"use of {call.name}")
        title = call.name if number == 1 else f"{call.name} (use {number})"
        return self._box("module", title, labels.call_rows(call, title, self.flow))

    def _more_box(self) -> str:
        """Return the box for all operations beyond the limit."""
        for box in self.boxes:
            if box.kind == "more":
                return box.key
        text = f"… {self.recording.hidden} more operations"
        return self._box("more", "…", [Row("title", text)])

    def _result(self, order: int) -> str:
        """Return the name of one of the results."""
        return self.recording.name_of(self.recording.roots[order - 1]) or f"result {order}"

    def _constant_box(self, value: TensorLike | float | None, node: NodeLike) -> str:
        """Return the box of an input without a gradient; `value` is None if it was not saved.

        A number that a backward pass computed should have a history. If it is a constant in the
        recorded backward, a derivative is missing, so it is drawn as a stray. Whole numbers are
        exempt, because they are exponents or the 1 that the pass began with.
        """
        if value is None:
            rows = [Row("title", "constant"), Row("flags", "value not kept")]
            return self._box("constant", None, rows)
        if isinstance(value, int | float):
            return self._box("constant", None, [Row("title", values.number(value))])
        tensor = self.recording.original(value)
        if self.recording.name_of(tensor) is not None:
            return self.tensor_box(tensor)
        # the same constant may have been saved as several objects
        tensor = self.constants.setdefault(data_key(tensor), tensor)
        computed = any(number % 1 for number in values.numbers(tensor) or ())
        is_stray = self.orders.get(id(node), 1) > 1 and computed
        if is_stray and id(tensor) not in self.keys and values.short(tensor) not in self.forward:
            rows = [*labels.value_rows(None, values.lines(tensor)), Row("wrong", STRAY)]
            self.keys[id(tensor)] = self._box("stray", None, rows)
        return self.tensor_box(tensor)

    def _flow_rows(self, tensor: TensorLike) -> list[Row]:
        """Say what backward does at a tensor: a leaf accumulates, paths meet, a root begins."""
        rows: list[Row] = []
        node = tensor.grad_fn
        if id(tensor) in self.reached:
            total = self.flow.leaves.get(id(tensor))
            accumulator = self.accumulators.get(id(tensor))
            rows += labels.hook_rows(tensor, labels.TENSOR_HOOKS)
            rows.append(Row("node", "AccumulateGrad"))
            rows += labels.hook_rows(accumulator, labels.PRE_HOOKS) if accumulator else []
            if total is not None:
                parts = self.parts[id(tensor), 0]
                rows.append(Row("gradient", f"adds {labels.sum_of(parts, total)}"))
            rows += labels.hook_rows(tensor, labels.ACCUMULATE_HOOKS)
            rows += labels.hook_rows(accumulator, labels.POST_HOOKS) if accumulator else []
        elif node is None:
            hooks = labels.TENSOR_HOOKS | labels.ACCUMULATE_HOOKS
            rows += labels.hook_rows(tensor, hooks) if tensor.requires_grad else []
        else:
            if id(node) in self.recording.calls or id(node) not in self.drawn:
                rows += labels.hook_rows(tensor, labels.TENSOR_HOOKS)
            begins = (id(node), output_of(tensor)) in self.flow.begins
            if begins or id(node) in self.recording.calls:  # else the node's box says it
                rows.extend(self._arrival(node, output_of(tensor)))
            if id(node) not in self.drawn:
                rows.append(Row("node", f"{type(node).__name__} (not drawn)"))
        return rows

    def _arrival(self, node: NodeLike, output: int) -> list[Row]:
        """Say what arrives at an output of `node`: where backward begins, paths meet, or hooks act.

        A gradient that comes from one place and is not changed is not mentioned.
        """
        total, parts = self._arriving(node, output), self.parts[id(node), output]
        begins = (id(node), output) in self.flow.begins
        if total is None or (not begins and [part.text for part in parts] == [total.text]):
            return []
        if begins and len(parts) == 1:
            what = "starts with"
        elif len(parts) > 1 or self.recording.hidden:  # hidden operations may add to the sum
            what = "sum"
        else:
            what = "changed"
        several = len(self.flow.arriving[id(node)]) > 1 and not begins
        where = f"output {output}: " if several else ""
        return [Row("gradient", f"{where}{what} {labels.sum_of(parts, total)}")]

    def _memory_rows(self, tensor: TensorLike) -> list[Row]:
        """Name the memory of `tensor` by a letter, the same for all that share it."""
        nameless = not tensor.requires_grad and self.recording.name_of(tensor) is None
        if self.memories is None or nameless:
            return []
        same = (other is tensor or shares_memory(other, tensor) for other in self.memories)
        index = next((i for i, it_is in enumerate(same) if it_is), len(self.memories))
        if index == len(self.memories):
            self.memories.append(tensor)
        return [Row("memory", f"memory {string.ascii_uppercase[index % 26]}")]

    # Links ---------------------------------------------------------------------------------------

    def _inputs(self, node: NodeLike, saved: Saved, call: Call | None) -> Iterator[tuple[int, str]]:
        """Yield the number of each input and the key of the box that it comes from.

        For a call, skip its own parameters and views of them.
        """
        missing = sum(following is None for following, _ in node.next_functions)
        constants = saved.constants()
        known = iter(constants if len(constants) == missing else [])
        for slot, (following, output) in enumerate(node.next_functions):
            if following is None:
                yield slot, self._constant_box(next(known, None), node)
            elif call is None or not self._is_within(following, call):
                yield slot, self._source(following, output)

    def _is_within(self, node: NodeLike, call: Call) -> bool:
        if is_accumulator(node):
            return any(variable_of(node) is used for used in call.parameters.values())
        return self.recording.calls.get(id(node)) is call

    def _source(self, node: NodeLike, output: int) -> str:
        if is_accumulator(node):
            return self.tensor_box(variable_of(node))
        if id(node) not in self.drawn:
            return self._more_box()
        result = self.recording.results.get((id(node), output))
        return self.keys[id(node)] if result is None else self.tensor_box(result)

    def _link_input(self, node: NodeLike, saved: Saved, slot: int, tail: str, head: str) -> None:
        """Draw the arrow of one input; with gradients the label is what `node` passes to it."""
        following, output = node.next_functions[slot]
        unnamed_output = output if output and tail == self.keys.get(id(following)) else None
        leaving = self.flow.leaving.get(id(node))
        if leaving is not None and following is not None:
            part = leaving[slot] if slot < len(leaving) else None
            arriving = self.flow.arriving.get(id(node), ())
            label = labels.passed_gradient(node, saved, slot, arriving, part)
            if tail in self.tensors and id(following) in self.drawn:  # it bypasses the tensor
                self.arrows.append(Arrow(tail, head))
                tail = self.keys[id(following)]
                unnamed_output = output or None
            self.arrows.append(Arrow(tail, head, "gradient", label, output=unnamed_output))
        else:
            alone = id(node) in self.recording.calls or len(node.next_functions) == 1
            kind: ArrowKind = "constant" if following is None else "data"
            number = None if alone or self.flowing else slot
            self.arrows.append(Arrow(tail, head, kind, slot=number, output=unnamed_output))

    def _link_result(self, node: NodeLike, output: int, tensor: TensorLike, tail: str) -> None:
        head = self.tensor_box(tensor)
        number = output if len(self.results[id(node)]) > 1 or output else None
        begins = (id(node), output) in self.flow.begins  # the box says with what
        self.arrows.append(Arrow(tail, head, "gradient" if begins else "data", output=number))

    # Gradients -----------------------------------------------------------------------------------

    def _arriving(self, node: NodeLike, output: int) -> Gradient | None:
        arriving = self.flow.arriving.get(id(node), ())
        return arriving[output] if output < len(arriving) else None

    def _meeting_parts(self) -> dict[tuple[int, int], list[Gradient]]:
        """Collect the gradients passed to each (node, output), and to each (leaf, 0)."""
        parts: dict[tuple[int, int], list[Gradient]] = defaultdict(list)
        for place, gradient in self.flow.begins.items():
            parts[place].append(gradient)
        for operation in self.recording.operations:
            leaving = self.flow.leaving.get(id(operation), ())
            for (following, output), part in zip(operation.next_functions, leaving, strict=False):
                if following is not None and part is not None:
                    target = variable_of(following) if is_accumulator(following) else following
                    parts[id(target), output].append(part)
        return parts


def _orders(recording: Recording) -> dict[int, int]:
    """Number the operations, by id, by the first of the two results that they are behind.

    It is empty unless there are two results with a leaf in common, and the second adds something.
    """
    orders: dict[int, int] = {}
    behind = [reach([root.grad_fn]) for root in recording.roots]
    for order, (nodes, _) in enumerate(behind, start=1):
        for node in nodes:
            orders.setdefault(id(node), order)
    leaves = [{id(leaf) for leaf in found} for _, found in behind]
    helps = len(leaves) == 2 and leaves[0] & leaves[1] and 2 in orders.values()
    return orders if helps else {}


def _cut_off(leaf: TensorLike, source: TensorLike) -> bool:
    """Tell whether `leaf` is `source` without its history: the same memory, but no link."""
    if leaf is source or not shares_memory(leaf, source):
        return False
    if source.is_leaf:
        return not leaf.requires_grad
    return all(leaf is not ancestor for ancestor in reach([source.grad_fn])[1])
