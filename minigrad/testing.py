"""`minigrad.testing.assert_close`, which says how two results differ.

Source: https://docs.pytorch.org/docs/2.13/testing.html
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .ops.creation import as_tensor
from .rows.silence import silent
from .support.dtypes import float16, float32, float64
from .support.missing import public_names

__all__ = ["assert_close"]

TOLERANCES = {  # relative and absolute
    float16: (1e-3, 1e-5), float32: (1.3e-6, 1e-5), float64: (1e-7, 1e-7)
}  # fmt: skip


@silent
def assert_close(
    actual: Any,
    expected: Any,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_dtype: bool = True,
) -> None:
    """AssertionError unless |actual - expected| <= atol + rtol * |expected| for all elements.

    Args:
        actual: a tensor, an array, a number, or a list or tuple of these.
        expected: the same; shapes, and unless `check_dtype` is False dtypes, have to be equal.
        rtol, atol: the tolerances, which by default depend on the dtype.
        equal_nan: whether nan equals nan.
    """
    if isinstance(actual, (list, tuple)):
        options: Any = dict(rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=check_dtype)
        for ours, theirs in zip(actual, expected, strict=True):
            assert_close(ours, theirs, **options)
        return
    actual, expected = as_tensor(actual), as_tensor(expected)
    for name in ["shape"] + ["dtype"] * check_dtype:
        ours, theirs = getattr(actual, name), getattr(expected, name)
        if ours != theirs:
            text = f"The values for attribute '{name}' do not match: {ours} != {theirs}."
            raise AssertionError(text)
    usual = [TOLERANCES.get(each.dtype, (0.0, 0.0)) for each in (actual, expected)]
    rtol = max(usual)[0] if rtol is None else rtol
    atol = max(usual)[1] if atol is None else atol
    whole = not actual.dtype.is_floating_point
    wide: Any = np.float64 if whole else np.result_type(actual._data, expected._data)
    a, b = (each._data.astype(wide) for each in (actual, expected))
    close = np.isclose(a, b, rtol, atol, equal_nan)
    if close.all():
        return
    is_exact, gap = not rtol and not atol, np.where(close, 0, abs(a - b))
    lines = [f"Tensor-likes are not {'equal' if is_exact else 'close'}!\n"]
    lines += [f"Mismatched elements: {(~close).sum()} / {a.size} ({1 - close.mean():.1%})"]
    for name, gaps, limit in (("absolute", gap, atol), ("relative", gap / abs(b), rtol)):
        index = tuple(map(int, np.unravel_index(gaps.argmax(), a.shape)))
        most = int(gaps.max()) if whole and gaps is gap else gaps.max()
        upto = "" if is_exact else f" (up to {limit} allowed)"
        lines += [f"Greatest {name} difference: {most} at index {index}{upto}"]
    raise AssertionError("\n".join(lines))


__getattr__, __dir__ = public_names(__name__, __all__)
