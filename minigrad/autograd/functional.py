"""`autograd.functional`: Jacobians and Hessians, and products of vectors with them.

The backward passes are in `minigrad.core.jacobians`: `gradients`, `rows` and `linear_in_v`. This
module adds what PyTorch has around them: single tensors as well as tuples, results that are
differentiable on request, and the error messages.

Source: https://docs.pytorch.org/docs/2.13/autograd.html#functional-higher-level-api
"""

from __future__ import annotations

from typing import Any

from ..core.grad_mode import enable_grad, is_grad_enabled
from ..core.gradcheck import Tensors
from ..core.jacobians import Func, gradients, linear_in_v, rows
from ..core.tensor import Tensor
from ..ops.indexing import stack
from ..support.errors import only_floats_require_grad
from ..support.missing import public_names
from .grad_mode import set_grad_enabled

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]


def vjp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """`func(*inputs)` and the vector-Jacobian product vᵀJ, in one backward pass.

    Args:
        func: takes tensors, returns a tensor or a tuple of tensors.
        inputs: its arguments: a tensor or a tuple of tensors.
        v: has the shape of the output; may be None if the output has one element.
        create_graph: make the results differentiable.
        strict: must be False; NotImplementedError if not.
    """
    several, sources = _sources(inputs, "vjp", create_graph, strict)
    with enable_grad():
        several_out, outputs = _outputs(func, sources, "vjp")
        vector = _vectors(v, outputs, several_out, "vjp", create_graph)
    product = _product_with(outputs, sources, vector, create_graph)
    return _results(outputs, several_out, create_graph), _results(product, several, create_graph)


def jvp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """`func(*inputs)` and the Jacobian-vector product Jv, in two backward passes.

    Args:
        v: of the shape of the inputs; may be None if there is one input of one element.
        func, inputs, create_graph, strict: as for `vjp`.
    """
    several, sources = _sources(inputs, "jvp", create_graph, strict)
    with enable_grad():
        vector = _vectors(v, sources, several, "jvp", create_graph)
        several_out, outputs = _outputs(func, sources, "jvp")
        if not all(output.is_floating_point() for output in outputs):
            raise only_floats_require_grad()
        grads, cotangents = linear_in_v(outputs, sources)
    product = _product_with(grads, cotangents, vector, create_graph)
    values = _results(outputs, several_out, create_graph)
    return values, _results(product, several_out, create_graph)


def jacobian(
    func: Func,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian of `func`, in one backward pass for each element of the output.

    Shapes: output shape + input shape; a tuple of these for a tuple of inputs, and a tuple of
    those for a tuple of outputs.

    Args:
        func, inputs, create_graph, strict: as for `vjp`.
        vectorize: ignored; in PyTorch, it computes all rows in a single batched backward pass.
        strategy: must be "reverse-mode"; NotImplementedError if not.
    """
    several, sources = _sources(inputs, "jacobian", create_graph, strict, strategy)
    with enable_grad():
        several_out, outputs = _outputs(func, sources, "jacobian")
        blocks = [_blocks(output, sources, create_graph) for output in outputs]
    unpacked = tuple(_results(row, several, create_graph) for row in blocks)
    return unpacked if several_out else unpacked[0]


def _blocks(output: Tensor, sources: Tensors, create_graph: bool) -> Tensors:
    """The Jacobians of one output with respect to each source, built row by row."""
    jacobian_rows = list(rows(output, sources, create_graph=create_graph))
    columns = zip(*jacobian_rows, strict=True) if jacobian_rows else ((),) * len(sources)
    return tuple(
        stack(column).reshape((*output.shape, *source.shape))
        for column, source in zip(columns, sources, strict=True)
    )


def hessian(
    func: Func,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The Hessian of a function with one output element: the Jacobian of its Jacobian.

    Shapes: input shape + input shape; for a tuple of inputs, a tuple of tuples of blocks.

    Args:
        func, inputs, create_graph, strict: as for `vjp`.
        vectorize, outer_jacobian_strategy: for the outer Jacobian, as for `jacobian`.
    """
    _require_supported(strict, outer_jacobian_strategy)
    several, sources = _as_tuple(inputs, "inputs", "hessian")

    def one_output(*arguments: Tensor) -> Tensor:
        several_out, outputs = _outputs(func, arguments, "hessian")
        _require_one_element(outputs, several_out, "hessian")
        return outputs[0].squeeze()

    def first(*arguments: Tensor) -> Any:
        return jacobian(one_output, arguments, create_graph=True)

    blocks = jacobian(first, sources, create_graph)
    return blocks if several else blocks[0][0]


def vhp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """`func(*inputs)` and vᵀH, the product of a vector with the Hessian, in two backward passes.

    Args:
        func: as for `vjp`, with one output element.
        v: of the shape of the inputs; may be None if there is one input of one element.
        inputs, create_graph, strict: as for `vjp`.
    """
    return _hessian_product(func, inputs, v, create_graph, strict, "vhp")


def hvp(
    func: Func, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """`func(*inputs)` and Hv, the product of the Hessian with a vector, in three backward passes.

    If the second derivatives are continuous, the Hessian is symmetric, so `vhp` computes the same
    in one pass less.

    Args:
        func, inputs, v, create_graph, strict: as for `vhp`.
    """
    return _hessian_product(func, inputs, v, create_graph, strict, "hvp")


def _hessian_product(
    func: Func, inputs: Any, v: Any, create_graph: bool, strict: bool, name: str
) -> tuple[Any, Any]:
    several, sources = _sources(inputs, name, create_graph, strict)
    with enable_grad():
        vector = _vectors(v, sources, several, name, create_graph)
        several_out, outputs = _outputs(func, sources, name)
        _require_one_element(outputs, several_out, name)
        first, variables = gradients(outputs, sources, create_graph=True), sources
        if name == "hvp":
            first, variables = linear_in_v(first, sources)
    product = _product_with(first, variables, vector, create_graph)
    return _results(outputs, False, create_graph), _results(product, several, create_graph)


# Helpers


def _sources(
    inputs: Any, name: str, create_graph: bool, strict: bool, strategy: str = "reverse-mode"
) -> tuple[bool, Tensors]:
    """Whether the inputs are a tuple, and new tensors with their values that require grad."""
    _require_supported(strict, strategy)
    several, sources = _as_tuple(inputs, "inputs", name)
    with enable_grad():
        return several, _new_objects(sources, create_graph, need_graph=True)


def _product_with(outputs: Tensors, sources: Tensors, vector: Any, create_graph: bool) -> Tensors:
    """The gradients with respect to `sources`, with `vector` as the cotangent of `outputs`."""
    with set_grad_enabled(create_graph or is_grad_enabled()):
        return gradients(outputs, sources, vector, create_graph=create_graph)


def _as_tuple(value: Any, what: str, name: str) -> tuple[bool, Tensors]:
    """Whether `value` is a tuple, and its tensors. TypeError for anything but tensors."""
    several = isinstance(value, tuple)
    tensors = value if several else (value,)
    for index, each in enumerate(tensors):
        if not isinstance(each, Tensor):
            place = f"value at index {index}" if several else f"given {what}"
            raise TypeError(
                f"The {what} given to {name} must be either a Tensor or a tuple of Tensors but the"
                f" {place} has type {type(each)}."
            )
    return several, tensors


def _new_objects(tensors: Tensors, create_graph: bool, need_graph: bool) -> Tensors:
    """New tensors with these values, because `func` may also use the originals as constants."""
    return tuple(
        tensor.view_as(tensor)
        if create_graph and tensor.requires_grad
        else tensor.detach().requires_grad_(need_graph)
        for tensor in tensors
    )


def _outputs(func: Func, sources: Tensors, name: str) -> tuple[bool, Tensors]:
    return _as_tuple(func(*sources), "outputs of the user-provided function", name)


def _vectors(
    v: Any, others: Tensors, several: bool, name: str, create_graph: bool
) -> Tensors | tuple[None, ...]:
    """`v` as a tuple. RuntimeError unless it has the shapes of `others`, or may be None."""
    if v is None:
        if len(others) != 1 or others[0].numel() != 1:
            given = "user-provided function"
            one = f"{given} returns" if name == "vjp" else f"input to the {given} is"
            raise RuntimeError(
                f"The vector v can only be None if the {one} a single Tensor with a single element."
            )
        return (None,)
    vectors = _new_objects(_as_tuple(v, "v", name)[1], create_graph, need_graph=False)
    if len(vectors) != len(others):
        if several:
            raise RuntimeError(
                f"v is a tuple of invalid length: should be {len(others)} but got {len(vectors)}."
            )
        raise RuntimeError("The given v should contain a single Tensor.")
    for index, (vector, other) in enumerate(zip(vectors, others, strict=True)):
        if vector.shape != other.shape:
            entry = f"Entry {index} in " if several else ""
            raise RuntimeError(
                f"{entry}v has invalid size: should be {other.shape} but got {vector.shape}."
            )
    return vectors


def _require_supported(strict: bool, strategy: str = "reverse-mode") -> None:
    """NotImplementedError for options of PyTorch that minigrad does not have."""
    if strict:
        raise NotImplementedError("minigrad's autograd.functional has no strict mode")
    if strategy != "reverse-mode":
        raise NotImplementedError("minigrad has no forward-mode differentiation")


def _require_one_element(outputs: Tensors, several: bool, name: str) -> None:
    if several:
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if outputs[0].numel() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {name} should contain a single element"
        )


def _results(tensors: Tensors, several: bool, create_graph: bool) -> Any:
    """The results for the caller, detached unless `create_graph`; a tuple only if `several`."""
    results = tensors if create_graph else tuple(tensor.detach() for tensor in tensors)
    return results if several else results[0]


__getattr__, __dir__ = public_names(__name__, __all__)
