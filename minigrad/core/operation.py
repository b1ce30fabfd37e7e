"""An operation: a row of the table becomes a function of tensors, and a class of nodes.

A row reads like PyTorch's `derivatives.yaml`: a name, a computation on arrays, and for every input
that has a derivative the rule of its gradient:

    mul = op("mul", np.multiply, self=lambda grad, other: grad * other,
             other=lambda grad, self: grad * self)
    exp = op("exp", np.exp, self=lambda grad, result: grad * result)

A rule computes with tensors. Its first parameter is the gradient of the result; the others say what
backward needs, so that and no more is saved: an input, the `result`, or of an input only its shape,
as in `self_shape`. Rules never mention broadcasting: the engine reduces a gradient to the shape of
the input that it belongs to.

Source of the form: https://github.com/pytorch/pytorch/blob/v2.13.0/tools/autograd/derivatives.yaml
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from collections.abc import Mapping  # 99
from typing import Any, ClassVar

from ..support import plugs, watching  # 99
from ..support.operands import arguments_as_arrays, as_function, bound, parameters, result_of
from ..support.operands import PYTHONS_NUMBERS, check_names, wrapped  # 99
from .grad_mode import in_rules  # 99
from .grad_mode import mode  # 10
from .inplace import track_view  # 11
from .node import FREED  # 06
from .node import NOWHERE, Node, SavedTensor, gradient_edge
from .tensor import Tensor, new_tensor


class Operation:
    """A row of the table: a computation on arrays, and for each input the rule of its gradient.

    What can be settled when a row is declared is settled then: `inputs` and `tensors` are names of
    parameters, `needs` says what each rule needs, `arrays` makes arrays of arguments.

    Args:
        name: what users call it.
        kernel: the computation, a function of arrays; its parameters are those of the operation.
            For NumPy's own functions they are the inputs with rules, and `tensors`.
        node: the name of the node class, if not the operation's with `Backward0`.
        promote: "any" brings operands of different dtype, and numbers, to one dtype first; "float"
            makes integers floating point as well, as division and sqrt do; "number" refuses bools.
        tensors: parameters that take a tensor and have no rule.
        rules: for a parameter, the rule of its gradient.
    """

    facts = ("shape", "ndim", "strides")  # a rule may ask for these of an input in its place
    scalar: Callable[..., Tensor] | None = None  # 99  what rules call with a number in its place
    refuses_out = False  # 99  whether users call it as it is, and may think that it takes `out=`
    view = False  # 11  whether the result shows memory of the first parameter

    def __init__(
        self,
        name: str,
        kernel: Callable[..., Any],
        /,
        node: str | None = None,
        promote: str = "",
        tensors: Sequence[str] = (),
        view: bool = False,  # 11
        shown: Mapping[str, Any] | None = None,  # 99  what `_saved_<name>` shows, always the same
        **rules: Callable[..., Any],
    ) -> None:
        self.name, self.kernel, self.rules, self.promote = name, kernel, rules, promote
        self.node_name = node or name.title().replace("_", "") + "Backward0"
        self.inputs = parameters(kernel) or [*rules, *tensors]
        self.tensors = [each for each in self.inputs if each in rules or each in tensors]
        self.needs = {name: parameters(rule)[1:] for name, rule in rules.items()}
        self.by_name = sorted((name, place) for place, name in enumerate(rules))  # so rules run
        self.arrays = arguments_as_arrays(self)
        self.view = view  # 11
        self.shown = shown or {}  # 99
        check_names(self)  # 99

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Compute with arrays; if a gradient is wanted, leave a node."""
        if kwargs or len(args) != len(self.inputs):
            args = bound(self, args, kwargs)
        if self.scalar and mode.in_rules and args[1].__class__ in PYTHONS_NUMBERS:  # 99
            return self.scalar(*args)
        arrays = self.arrays(args)
        if arrays is None:  # an operand is neither a tensor nor a number
            return NotImplemented
        out = new_tensor(result_of(self, arrays))
        if self.view:  # 11
            track_view(out, args[0])
        self.record(args, out)
        if watching.results:  # 99
            out = watching.made(self.name, args, out)
        return out

    def record(self, args: Sequence[Any], out: Tensor) -> None:
        """Leave a node with all that backward needs, if a gradient is wanted."""
        if not mode.recording:  # 10
            return
        inputs = dict(zip(self.inputs, args, strict=True))
        differentiable = map(inputs.get, self.rules)
        edges = [gradient_edge(t) if isinstance(t, Tensor) else NOWHERE for t in differentiable]
        wanted = [name for name, (node, _) in zip(self.rules, edges, strict=True) if node]
        if wanted:
            node = self.node_class()
            node._saved = {need: self.to_save(need, inputs, out) for need in self.needed(*wanted)}
            node.record(edges, [out])

    @functools.cache  # noqa: B019 - rows live as long as the process
    def needed(self, *wanted: str) -> list[str]:
        """What the gradients of these inputs need, each once, by name, the result last."""
        needs = {need for name in wanted for need in self.needs[name]}
        return sorted(needs, key=lambda need: (need.startswith("result"), need))

    def to_save(self, need: str, inputs: dict[str, Any], out: Tensor) -> Any:
        """What a name in a rule stands for: an input, the `result`, or a fact like `self_shape`."""
        if need == "result":  # 14
            return SavedTensor(out, 0)
        name, _, fact = need.rpartition("_")
        if fact in self.facts and name in inputs:
            return getattr(inputs[name]._data, fact)
        value = out if need == "result" else inputs[need]
        if need in self.tensors and not isinstance(value, Tensor):  # 99
            value = wrapped(value)
        return SavedTensor(value) if isinstance(value, Tensor) else value

    @functools.cached_property
    def node_class(self) -> type[OperationNode]:
        """The class that `grad_fn` shows."""
        about = {"row": self, "__module__": "builtins"}
        return type(self.node_name.rpartition("::")[2], (OperationNode,), about)

    @functools.cached_property  # 06
    def freed(self) -> list[str]:  # 06
        """What backward lets go of: inputs that are tensors, arrays of indices, the result."""
        held = {*self.tensors, "indices"}
        return [*(name for name in self.inputs if name in held), "result"]


def op(name: str, kernel: Callable[..., Any], /, **row: Any) -> Callable[..., Tensor]:
    """Declare an operation, with the arguments of `Operation`; returns what users call."""
    operation = Operation(name, kernel, **row)
    function = as_function(operation)
    function = plugs.operation(operation, function)  # 19
    return function


class OperationNode(Node):
    """The node of an operation; its class knows the row."""

    row: ClassVar[Operation]

    def name(self) -> str:
        return self.row.node_name

    @in_rules  # 99
    def backward(self, grad: Tensor | None) -> Sequence[Tensor | None]:
        """The gradient of each input that wants one, by its rule."""
        saved = {need: self._unpack(need) for need in self._saved}
        grads: list[Tensor | None] = [None] * len(self.next_functions)
        if grad is None:  # 04
            return grads
        for name, place in self.row.by_name:
            if self.next_functions[place][0] is not None:
                needs = map(saved.get, self.row.needs[name])
                grads[place] = self.row.rules[name](grad, *needs)
        return grads

    def release_variables(self) -> None:  # 06
        """Let go of saved tensors, and of numbers that stand in the place of tensors."""
        for need in self._saved:
            if need in self.row.freed:
                self._saved[need] = FREED
