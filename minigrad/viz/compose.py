"""From a recording to a picture: which boxes there are, and how they are linked."""

from collections import defaultdict

from minigrad.viz import labels, values
from minigrad.viz.gradients import Flow, Gradient
from minigrad.viz.picture import Arrow, ArrowKind, Box, BoxKind, Picture, Row
from minigrad.viz.protocol import (
    NodeLike,
    TensorLike,
    is_accumulator,
    is_same_data,
    output_of,
    shares_memory,
    variable_of,
)
from minigrad.viz.recording import Recording, reach
from minigrad.viz.saved import Saved, read_saved

CUT = "cut: memory shared, no history"


def compose(recording: Recording, flow: Flow | None = None, *, saved: bool = True) -> Picture:
    """Compose the picture of `recording`, with the gradients of `flow` if given.

    `saved=False` leaves out what the nodes have saved.
    """
    composer = _Composer(recording, flow, saved)
    for operation in recording.operations:
        composer.add_operation(operation)
    for root in recording.roots:
        composer.tensor_box(root)
    composer.add_cuts()
    return Picture(tuple(composer.boxes), tuple(composer.arrows), tuple(composer.notes()))


class _Composer:
    """Adds operations one by one, inputs first, with the tensors around them."""

    def __init__(self, recording: Recording, flow: Flow | None, saved: bool) -> None:
        self.recording = recording
        self.flow = flow or Flow()
        self.flowing = flow is not None and flow.error is None
        self.saved = saved
        self.boxes: list[Box] = []
        self.arrows: list[Arrow] = []
        self.tensors: dict[str, TensorLike] = {}  # by the key of their box
        self.keys: dict[int, str] = {}  # the box of a tensor or an operation, by its id
        self.results: dict[int, list[tuple[int, TensorLike]]] = defaultdict(list)
        for (owner, output), tensor in recording.results.items():
            self.results[owner].append((output, tensor))
        self.reached = {id(leaf) for leaf in recording.all_leaves}
        self.drawn = {id(operation) for operation in recording.operations}
        self.parts = self._meeting_parts()

    def add_operation(self, node: NodeLike) -> None:
        """Add the box of `node`, of inputs that have none yet, and of the results held."""
        saved = read_saved(node)
        tails = self._inputs(node, saved)
        rows = labels.operation_rows(node, saved, self.recording.name_of if self.saved else None)
        total = self._arriving(node, 0)
        if total is not None and not self.results[id(node)] and len(self.parts[id(node), 0]) > 1:
            rows.append(Row("gradient", f"sum {labels.sum_of(self.parts[id(node), 0], total)}"))
        count = sum(box.kind == "operation" for box in self.boxes)
        key = self.keys[id(node)] = self._box("operation", f"#{count + 1}", rows)
        for slot, tail in enumerate(tails):
            self._link_input(node, slot, tail, key)
        for output, tensor in sorted(self.results[id(node)], key=lambda result: result[0]):
            self._link_result(node, output, tensor, key)

    def tensor_box(self, tensor: TensorLike) -> str:
        """Return the key of the box of `tensor`, which is made on first use."""
        if id(tensor) not in self.keys:
            kind: BoxKind = "leaf" if tensor.is_leaf else "tensor"
            name = self.recording.name_of(tensor)
            rows = labels.tensor_rows(tensor, name, self._flow_rows(tensor))
            key = self._box(kind if tensor.requires_grad else "constant", name, rows)
            self.keys[id(tensor)] = key
            self.tensors[key] = tensor
        return self.keys[id(tensor)]

    def add_cuts(self) -> None:
        """Link leaves to the tensors whose memory they share: `detach()` cuts the graph there."""
        sources = [tensor for tensor in self.recording.variables if tensor.requires_grad]
        for key, tensor in list(self.tensors.items()):
            if tensor.is_leaf:
                found = [source for source in sources if _cut_off(tensor, source)]
                if found:  # the tensor itself, rather than a view of it
                    source = max(found, key=lambda source: is_same_data(source, tensor))
                    self.arrows.append(Arrow(self.tensor_box(source), key, "cut", CUT))

    def notes(self) -> list[str]:
        """Return what the reader should know and no box can say."""
        notes = []
        if self.recording.hidden:
            notes.append(f"{self.recording.hidden} more operations: raise max_nodes to see them")
        if not self.recording.operations:
            notes.append("no graph: no recorded operation made these tensors")
        if self.flow.error:
            notes.append(f"no gradients: {self.flow.error}")
        return notes

    # Boxes ---------------------------------------------------------------------------------------

    def _box(self, kind: BoxKind, ref: str | None, rows: list[Row]) -> str:
        unnamed = sum(box.ref.startswith("(") for box in self.boxes)
        key = f"b{len(self.boxes)}"
        self.boxes.append(Box(key, kind, ref or f"({unnamed + 1})", tuple(rows)))
        return key

    def _more_box(self) -> str:
        """Return the box that stands for all operations beyond the limit."""
        for box in self.boxes:
            if box.kind == "more":
                return box.key
        text = f"… {self.recording.hidden} more operations"
        return self._box("more", "…", [Row("title", text)])

    def _constant_box(self, value: TensorLike | float | None) -> str:
        """Return the box of an input that needs no gradient; None if the node did not save it."""
        if value is None:
            rows = [Row("title", "constant"), Row("flags", "value not kept")]
            return self._box("constant", None, rows)
        if isinstance(value, int | float):
            rows = [Row("title", values.plain(value)), Row("flags", "constant")]
            return self._box("constant", None, rows)
        return self.tensor_box(self.recording.held(value))

    def _flow_rows(self, tensor: TensorLike) -> list[Row]:
        """Say what backward does at a tensor: leaves accumulate, paths meet, roots begin."""
        rows: list[Row] = []
        node, output = tensor.grad_fn, output_of(tensor)
        if id(tensor) in self.reached:
            total = self.flow.leaves.get(id(tensor))
            parts = self.parts[id(tensor), 0]
            rows.append(Row("node", "AccumulateGrad"))
            if total is not None:
                rows.append(Row("gradient", f"adds {labels.sum_of(parts, total)}"))
        elif node is not None and (total := self._arriving(node, output)) is not None:
            parts = self.parts[id(node), output]
            if not parts:
                rows.append(Row("gradient", f"backward starts with {total.text}"))
            elif len(parts) > 1:
                rows.append(Row("gradient", f"sum {labels.sum_of(parts, total)}"))
        if node is not None and id(node) not in self.drawn:
            rows.append(Row("node", f"{type(node).__name__} (not drawn)"))
        return rows

    # Links ---------------------------------------------------------------------------------------

    def _inputs(self, node: NodeLike, saved: Saved) -> list[str]:
        """Return the key of the box that each input comes from."""
        missing = sum(following is None for following, _ in node.next_functions)
        constants = saved.constants()
        known = iter(constants if len(constants) == missing else [])
        return [
            self._constant_box(next(known, None))
            if following is None
            else self._source(following, output)
            for following, output in node.next_functions
        ]

    def _source(self, node: NodeLike, output: int) -> str:
        if is_accumulator(node):
            return self.tensor_box(variable_of(node))
        if id(node) not in self.drawn:
            return self._more_box()
        result = self.recording.results.get((id(node), output))
        return self.keys[id(node)] if result is None else self.tensor_box(result)

    def _link_input(self, node: NodeLike, slot: int, tail: str, head: str) -> None:
        """Draw the arrow of one input; with gradients it carries what `node` hands on to it."""
        following, output = node.next_functions[slot]
        unnamed_output = output if output and tail == self.keys.get(id(following)) else None
        if self.flowing and following is not None:
            leaving = self.flow.leaving.get(id(node), ())
            part = leaving[slot] if slot < len(leaving) else None
            label = labels.handed_on(self.flow.arriving.get(id(node), ()), part)
            self.arrows.append(Arrow(tail, head, "gradient", label, output=unnamed_output))
        else:
            numbered = len(node.next_functions) > 1 and not self.flowing
            kind: ArrowKind = "constant" if following is None else "data"
            number = slot if numbered else None
            self.arrows.append(Arrow(tail, head, kind, slot=number, output=unnamed_output))

    def _link_result(self, node: NodeLike, output: int, tensor: TensorLike, tail: str) -> None:
        head = self.tensor_box(tensor)
        number = output if len(self.results[id(node)]) > 1 or output else None
        total = self._arriving(node, output)
        label = "None" if total is None else total.text
        kind: ArrowKind = "gradient" if self.flowing else "data"
        self.arrows.append(Arrow(tail, head, kind, label if self.flowing else "", output=number))

    # Gradients -----------------------------------------------------------------------------------

    def _arriving(self, node: NodeLike, output: int) -> Gradient | None:
        arriving = self.flow.arriving.get(id(node), ())
        return arriving[output] if output < len(arriving) else None

    def _meeting_parts(self) -> dict[tuple[int, int], list[Gradient]]:
        """Collect what is handed to each (node, output), and to each (leaf, 0)."""
        parts: dict[tuple[int, int], list[Gradient]] = defaultdict(list)
        for operation in self.recording.operations:
            leaving = self.flow.leaving.get(id(operation), ())
            for (following, output), part in zip(operation.next_functions, leaving, strict=False):
                if following is not None and part is not None:
                    target = variable_of(following) if is_accumulator(following) else following
                    parts[id(target), output].append(part)
        return parts


def _cut_off(leaf: TensorLike, source: TensorLike) -> bool:
    """Tell whether `leaf` is `source` without its history: same memory, but no recorded link."""
    if leaf is source or not shares_memory(leaf, source):
        return False
    if source.is_leaf:
        return not leaf.requires_grad
    return all(leaf is not ancestor for ancestor in reach([source.grad_fn])[1])
