"""`autograd.functional`: products with Jacobians and Hessians, and these themselves.

The products come from `minigrad.core.functional`. Here is what PyTorch adds: single tensors as well
as tuples, results that are differentiable if asked for, the strict modes, and its words.

Source: https://docs.pytorch.org/docs/2.13/autograd.html#functional-higher-level-api
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.functional import Gradients, gradients, linear_in_v, rows, zeros_for_none
from ..core.grad_mode import enable_grad, is_grad_enabled, set_grad_enabled
from ..core.gradcheck import Tensors
from ..core.tensor import Tensor
from ..ops.indexing import stack
from ..support.errors import only_floats_require_grad
from ..support.missing import missing_from

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

INDEPENDENT = {
    "back": (
        "The output of the user-provided function is independent of input {}. This is not allowed "
        "in strict mode."
    ),
    "back_trick": (
        "The gradient with respect to the input is independent of entry {} in the grad_outputs "
        "when using the double backward trick to compute forward mode gradients. This is not "
        "allowed in strict mode."
    ),
    "double_back": (
        "The jacobian of the user-provided function is independent of input {}. This is not "
        "allowed in strict mode."
    ),
    "double_back_trick": (
        "The hessian of the user-provided function is independent of entry {} in the "
        "grad_jacobian. This is not allowed in strict mode as it prevents from using the double "
        "backward trick to replace forward mode AD."
    ),
}
NEEDS_GRAPH = {
    "outputs": (
        "Output {} of the user-provided function does not require gradients. The outputs must be "
        "computed in a differentiable manner from the input when running in strict mode."
    ),
    "grad_inputs": (
        "The gradient with respect to input {} is independent of the inputs of the user-provided "
        "function. This is not allowed in strict mode."
    ),
    "jacobian": (
        "While computing the hessian, found that the jacobian of the user-provided function with "
        "respect to input {} is independent of the input. This is not allowed in strict mode. You "
        "should ensure that your function is twice differentiable and that the jacobian depends on "
        "the inputs (this would be violated by a linear function for example)."
    ),
    "hessian": (
        "The hessian of the user-provided function with respect to input {} is independent of the "
        "input. This is not allowed in strict mode. You should ensure that your function is thrice "
        "differentiable and that the hessian depends on the inputs."
    ),
}


def vjp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """`func(*inputs)` and vᵀJ, the product of a vector with its Jacobian: one backward.

    Args:
        func: takes tensors, returns a tensor or a tuple of tensors.
        inputs: its arguments: a tensor or a tuple of tensors.
        v: of the shape of the output; may be None if that has one element.
        create_graph: make the results differentiable.
        strict: raise RuntimeError where a result does not depend on an input, instead of zeros.
    """
    with enable_grad():
        several, sources = as_tuple(inputs, "inputs", "vjp")
        sources = fresh(sources, create_graph, need_graph=True)
        several_out, outputs = call(func, sources, "vjp", strict)
        vector = vector_for(v, outputs, several_out, "vjp", create_graph)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        grads = gradients(outputs, sources, vector, create_graph=create_graph)
        product = dependent(grads, sources, strict, create_graph, "back")
    return give(outputs, several_out, create_graph), give(product, several, create_graph)


def jvp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """`func(*inputs)` and Jv, the product of its Jacobian with a vector: two backwards.

    Args:
        v: of the shape of the inputs; may be None if there is one input of one element.
        func, inputs, create_graph, strict: as for `vjp`.
    """
    with enable_grad():
        several, sources = as_tuple(inputs, "inputs", "jvp")
        sources = fresh(sources, create_graph, need_graph=True)
        vector = vector_for(v, sources, several, "jvp", create_graph)
        several_out, outputs = call(func, sources, "jvp", strict)
        if not all(output.is_floating_point() for output in outputs):
            raise only_floats_require_grad()
        grads, cotangents = linear_in_v(outputs, sources)
        require_graph(grads, "grad_inputs", strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = gradients(grads, cotangents, vector, create_graph=create_graph)
        product = dependent(found, outputs, strict, create_graph, "back_trick")
    return give(outputs, several_out, create_graph), give(product, several_out, create_graph)


def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian of `func`: one backward for each element of the output.

    Shapes: output shape + input shape; a tuple of these for a tuple of inputs, and a tuple of
    those for a tuple of outputs.

    Args:
        func, inputs, create_graph, strict: as for `vjp`.
        vectorize: PyTorch then computes all rows in one batched backward. Here it changes nothing.
        strategy: "reverse-mode"; NotImplementedError for "forward-mode".
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your'
            ' function has more outputs than inputs, "forward-mode" tends to be more performant.'
            ' Otherwise, prefer to use "reverse-mode".'
        )
    if strategy == "forward-mode":
        raise NotImplementedError("minigrad has no forward-mode differentiation")
    with enable_grad():
        several, sources = as_tuple(inputs, "inputs", "jacobian")
        sources = fresh(sources, create_graph, need_graph=True)
        several_out, outputs = call(func, sources, "jacobian", strict)
        if vectorize and strict:
            raise RuntimeError(
                "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not"
                " supported together. Please either set `strict=False` or `vectorize=False`."
            )
        blocks = [
            blocks_of(number, output, sources, create_graph, strict)
            for number, output in enumerate(outputs)
        ]
    if not create_graph:
        blocks = [tuple(block.detach() for block in row) for row in blocks]
    unpacked = tuple(row if several else row[0] for row in blocks)
    return unpacked if several_out else unpacked[0]


def blocks_of(
    number: int, output: Tensor, sources: Tensors, create_graph: bool, strict: bool
) -> Tensors:
    """For every input the Jacobian of output `number`, a row for each of its elements."""
    found = []
    for row in rows(output, sources, create_graph=create_graph):
        if strict:
            require_dependence(number, row, create_graph)
        found.append(zeros_for_none(row, sources))
    columns = zip(*found, strict=True) if found else ((),) * len(sources)
    return tuple(
        stack(column).reshape((*output.shape, *source.shape))
        for column, source in zip(columns, sources, strict=True)
    )


def require_dependence(number: int, row: Gradients, create_graph: bool) -> None:
    """RuntimeError if a row of the Jacobian of output `number` is constant, or one of its parts."""
    for index, found in enumerate(row):
        if found is None:
            raise RuntimeError(
                f"Output {number} of the user-provided function is independent of input"
                f" {index}. This is not allowed in strict mode."
            )
        if create_graph and not found.requires_grad:
            raise RuntimeError(  # PyTorch, too, puts the number of the output here
                "The jacobian of the user-provided function is independent of input"
                f" {number}. This is not allowed in strict mode when create_graph=True."
            )


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The Hessian of a function with one output element: the jacobian of its jacobian.

    Shapes: input shape + input shape; for a tuple of inputs, a tuple of tuples of blocks.

    Args:
        func, inputs, create_graph, strict: as for `vjp`.
        vectorize, outer_jacobian_strategy: for the outer of the two, as for `jacobian`.
    """
    several, sources = as_tuple(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def one_output(*arguments: Tensor) -> Tensor:
        result = func(*arguments)
        several_out, outputs = as_tuple(result, "outputs of the user-provided function", "hessian")
        require_graph(outputs, "outputs", strict)
        require_one_element(outputs, several_out, "hessian")
        return outputs[0].squeeze()

    def first(*arguments: Tensor) -> Any:
        row = jacobian(one_output, arguments, create_graph=True)
        require_graph(row, "jacobian", strict)
        return row

    blocks = jacobian(first, sources, create_graph, strict, vectorize, outer_jacobian_strategy)
    return blocks if several else blocks[0][0]


def vhp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """`func(*inputs)` and vᵀH, the product of a vector with its Hessian: two backwards.

    Args:
        func: as for `vjp`, with one output element.
        v: of the shape of the inputs; may be None if there is one input of one element.
        inputs, create_graph, strict: as for `vjp`.
    """
    outputs, product, several = hessian_product(func, inputs, v, create_graph, strict, "vhp")
    return give(outputs, False, create_graph), give(product, several, create_graph)


def hvp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """`func(*inputs)` and Hv, the product of its Hessian with a vector.

    The Hessian is symmetric where second derivatives are continuous, and then this is `vhp`, which
    is faster: here a third backward turns the product round.

    Args:
        func, inputs, v, create_graph, strict: as for `vhp`.
    """
    outputs, product, several = hessian_product(func, inputs, v, create_graph, strict, "hvp")
    return give(outputs, False, create_graph), give(product, several, create_graph)


def hessian_product(
    func: Callable[..., Any], inputs: Any, v: Any, create_graph: bool, strict: bool, name: str
) -> tuple[Tensors, Tensors, bool]:
    with enable_grad():
        several, sources = as_tuple(inputs, "inputs", name)
        sources = fresh(sources, create_graph, need_graph=True)
        vector = vector_for(v, sources, several, name, create_graph)
        several_out, outputs = call(func, sources, name, strict)
        require_one_element(outputs, several_out, name)
        first = gradients(outputs, sources, create_graph=True)
        require_graph(first, "jacobian", strict)
        if name == "hvp":
            second, turning = linear_in_v(zeros_for_none(first, sources), sources)
            require_graph(first, "hessian", strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        if name == "hvp":
            found = gradients(second, turning, vector, create_graph=create_graph)
            stage = "double_back_trick"
        else:
            found = gradients(first, sources, vector, create_graph=create_graph)
            stage = "double_back"
        product = dependent(found, sources, strict, create_graph, stage)
    return outputs, product, several


# What they share


def as_tuple(value: Any, what: str, name: str) -> tuple[bool, Tensors]:
    """Whether `value` is a tuple, and it as one. TypeError for anything but tensors."""
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


def fresh(tensors: Tensors, create_graph: bool, need_graph: bool) -> Tensors:
    """New objects for `tensors`, since func may have captured these, which is another use."""
    return tuple(
        tensor.view_as(tensor)
        if create_graph and tensor.requires_grad
        else tensor.detach().requires_grad_(need_graph)
        for tensor in tensors
    )


def call(
    func: Callable[..., Any], sources: Tensors, name: str, strict: bool
) -> tuple[bool, Tensors]:
    several, outputs = as_tuple(func(*sources), "outputs of the user-provided function", name)
    require_graph(outputs, "outputs", strict)
    return several, outputs


def vector_for(
    v: Any, others: Tensors, several: bool, name: str, create_graph: bool
) -> Tensors | tuple[None, ...]:
    """`v` as a tuple that fits `others`. RuntimeError if it does not, or is missing and needed."""
    if v is None:
        if len(others) != 1 or others[0].numel() != 1:
            raise RuntimeError(
                "The vector v can only be None if the user-provided function returns a single"
                " Tensor with a single element."
                if name == "vjp"
                else "The vector v can only be None if the input to the user-provided function is a"
                " single Tensor with a single element."
            )
        return (None,)
    vectors = fresh(as_tuple(v, "v", name)[1], create_graph, need_graph=False)
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


def dependent(
    grads: Gradients, like: Tensors, strict: bool, create_graph: bool, stage: str
) -> Tensors:
    """`grads` with zeros for what does not depend; RuntimeError instead if `strict`."""
    for index, found in enumerate(grads):
        if found is None and strict:
            raise RuntimeError(INDEPENDENT[stage].format(index))
        if found is not None and strict and create_graph and not found.requires_grad:
            what = "hessian" if "double" in stage else "jacobian"
            raise RuntimeError(
                f"The {what} of the user-provided function is independent of input {index}. This is"
                " not allowed in strict mode when create_graph=True."
            )
    return zeros_for_none(grads, like)


def require_graph(tensors: Gradients, what: str, strict: bool) -> None:
    """In strict mode: RuntimeError if one of `tensors` is missing or does not require grad."""
    for index, tensor in enumerate(tensors if strict else ()):
        if tensor is None:
            raise RuntimeError(INDEPENDENT["back"].format(index))
        if not tensor.requires_grad:
            raise RuntimeError(NEEDS_GRAPH[what].format(index))


def require_one_element(outputs: Tensors, several: bool, name: str) -> None:
    if several:
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if outputs[0].numel() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {name} should contain a single element"
        )


def give(tensors: Tensors, several: bool, create_graph: bool) -> Any:
    """Results as the user wants them: detached unless differentiable, alone unless several."""
    results = tensors if create_graph else tuple(tensor.detach() for tensor in tensors)
    return results if several else results[0]


__getattr__ = missing_from(__name__)
