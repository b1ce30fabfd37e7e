"""Signatures and docstrings of core methods: their options, and details that notebooks omit."""

from __future__ import annotations

from ..core.engine import BackwardPass, backward
from ..core.targets import GradPass, grad
from ..core.tensor import Tensor
from ..support.options import show_options

show_options(backward, BackwardPass)
show_options(grad, GradPass)

DETAILS = {
    "backward": """
`gradient` is the gradient with respect to this tensor, in its shape, and may be omitted for a
tensor with a single element. `retain_graph` keeps the saved values of the nodes, `create_graph`
records backward itself, and with `inputs` only these tensors accumulate a `.grad`.

RuntimeError for a tensor without a graph, for a graph that was freed, and for a gradient that is
missing or has the wrong shape.""",
    "register_hook": """
`grad` has this tensor's shape, and the hook must return that shape or None. Call `remove()` on the
returned handle to remove the hook. RuntimeError for a tensor that does not require grad.""",
    "register_post_accumulate_grad_hook": """
Call `remove()` on the returned handle to remove the hook. RuntimeError for a tensor that is not a
leaf or does not require grad.""",
}
for _name, _text in DETAILS.items():
    _short, _source = vars(Tensor)[_name].__doc__.split("\n\nSource: ")
    vars(Tensor)[_name].__doc__ = f"{_short}\n{_text}\n\nSource: {_source}"
