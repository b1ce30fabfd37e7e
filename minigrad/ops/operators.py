"""The special methods of `Tensor`, which Python calls for `*`, `==`, `x[0]` and so on.

Python calls a method that starts with `r`, such as `__rsub__`, on the right operand if the left one
returns NotImplemented, so its operands are swapped. One that starts with `i` changes `x` in place,
for `x += y`.
"""

from __future__ import annotations

from typing import Any

from ..core import tensor
from . import inplace  #@11
from . import elementwise, functions, indexing, products
from .inplace import in_place_form

Tensor: Any = tensor.Tensor
Tensor.__array_priority__ = 1000  # so np.array([1.0]) * tensor calls our __rmul__

Tensor.__add__ = Tensor.__radd__ = elementwise.add
Tensor.__sub__, Tensor.__rsub__ = elementwise.sub, elementwise.reversed_sub
Tensor.__mul__ = Tensor.__rmul__ = elementwise.mul
Tensor.__truediv__, Tensor.__rtruediv__ = elementwise.div, elementwise.rdiv
Tensor.__div__, Tensor.__rdiv__ = elementwise.div, elementwise.rdiv
Tensor.__floordiv__, Tensor.__rfloordiv__ = functions.floor_divide, functions.rfloor_divide
Tensor.__mod__, Tensor.__rmod__ = functions.remainder, functions.rremainder
Tensor.__pow__, Tensor.__rpow__ = elementwise.pow_, elementwise.rpow
Tensor.__matmul__, Tensor.__rmatmul__ = products.matmul_operator, products.reversed_matmul

Tensor.__and__ = Tensor.__rand__ = elementwise.bitwise_and
Tensor.__or__ = Tensor.__ror__ = elementwise.bitwise_or
Tensor.__xor__ = Tensor.__rxor__ = elementwise.bitwise_xor

Tensor.__neg__ = elementwise.neg
Tensor.__pos__ = functions.positive
Tensor.__abs__ = elementwise.abs_
Tensor.__invert__ = elementwise.bitwise_not

Tensor.__eq__ = functions.equal_to
Tensor.__ne__ = elementwise.ne
Tensor.__lt__ = elementwise.lt
Tensor.__le__ = elementwise.le
Tensor.__gt__ = elementwise.gt
Tensor.__ge__ = elementwise.ge

Tensor.__getitem__ = indexing.getitem
Tensor.__setitem__ = inplace.setitem  #@11

Tensor.__iadd__ = in_place_form(elementwise.add_with_alpha, "__iadd__")  #@11
Tensor.__isub__ = in_place_form(elementwise.sub_with_alpha, "__isub__")  #@11
Tensor.__imul__ = in_place_form(elementwise.mul, "__imul__")  #@11
Tensor.__itruediv__ = in_place_form(elementwise.div, "__itruediv__")  #@11
Tensor.__idiv__ = in_place_form(elementwise.div, "__idiv__")  #@11
Tensor.__ifloordiv__ = in_place_form(functions.floored_in_place, "floor_divide_")  #@11
Tensor.__imod__ = in_place_form(functions.remainder, "remainder_")  #@11
Tensor.__ipow__ = in_place_form(elementwise.pow_, "__ipow__")  #@11
Tensor.__iand__ = in_place_form(elementwise.bitwise_and, "__iand__")  #@11
Tensor.__ior__ = in_place_form(elementwise.bitwise_or, "__ior__")  #@11
Tensor.__ixor__ = in_place_form(elementwise.bitwise_xor, "__ixor__")  #@11
