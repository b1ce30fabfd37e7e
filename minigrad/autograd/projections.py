"""The fast mode of gradcheck: not two Jacobians, but a number of each.

For an input and an output with the Jacobian J, and random vectors u and v of length 1 that fit
them, v·J·u takes one step along u by differences, and one backward with v. A wrong derivative shows
in it but for bad luck. The vectors are PyTorch's: drawn by a generator of their own.

Source: https://github.com/pytorch/pytorch/issues/53876
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.gradcheck import Tensors, evaluate
from ..core.targets import grad
from ..core.tensor import Tensor, as_array, new_tensor
from ..ops.creation import rand
from ..support.random import Generator

Check = Callable[[Tensor, Tensor], object]

SLOW_WOULD_DO = """\
Fast gradcheck failed but element-wise differences are small. This means that the
test might've passed in slow_mode!

If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck:

If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `fast_mode=False` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_fast_mode=False`
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_fast_mode=False`"""


def directions(tensors: Tensors, generator: Generator) -> list[Tensor]:
    """For each tensor a flat random vector of positive numbers, of length 1."""
    vectors = [rand(each.numel(), generator=generator).to(each.dtype) for each in tensors]
    return [vector / vector.norm() for vector in vectors]


def step_along(
    func: Callable[..., Any],
    inputs: tuple[Any, ...],
    moved: Tensor,
    u: Tensor,
    eps: float,
    check: Check,
) -> list[Tensor]:
    """J·u of every output, flat: how it changes along `u`, when `moved` is one of `inputs`.

    `check` is asked about each output a step below and above. The input is left as it was.
    """
    values = as_array(moved)
    original, step = new_tensor(values.copy()), u.view(moved.shape) * eps
    try:
        values[...] = as_array(original - step)
        below = evaluate(func, inputs)
        values[...] = as_array(original + step)
        above = evaluate(func, inputs)
    finally:
        values[...] = as_array(original)
    for pair in zip(below, above, strict=True):
        check(*pair)
    return [
        ((upper - lower) / (2 * eps)).detach().reshape(-1)
        for lower, upper in zip(below, above, strict=True)
    ]


def by_backward(output: Tensor, checked: Tensors, v: Tensor) -> list[Tensor]:
    """v·J of every input, flat; zeros where the output does not depend on it."""
    grads = grad(output, checked, v.view(output.shape), retain_graph=True, allow_unused=True)
    return [
        new_tensor(as_array(x).reshape(-1) * 0) if gradient is None else gradient.reshape(-1)
        for x, gradient in zip(checked, grads, strict=True)
    ]


def slow_report(numerical: Tensor, analytical: Tensor, atol: float, rtol: float) -> str:
    """What is added to the error: the two Jacobians in full."""
    report = (
        "\nThe above quantities relating the numerical and analytical jacobians are computed \n"
        "in fast mode. See: https://github.com/pytorch/pytorch/issues/53876 for more background \n"
        "about fast mode. Below, we recompute numerical and analytical jacobians in slow mode:\n\n"
        f"Numerical:\n {numerical}\nAnalytical:\n{analytical}\n\n"
        f"The max per-element difference (slow mode) is: {(numerical - analytical).abs().max()}.\n"
    )
    would_do = bool(analytical.allclose(numerical, rtol, atol))
    return report + SLOW_WOULD_DO if would_do else report
