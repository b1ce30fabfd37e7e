"""What `help` shows of the core's methods: their options, and what a notebook's page leaves out."""

from __future__ import annotations

from ..core.engine import BackwardPass, backward
from ..core.targets import GradPass, grad
from ..core.tensor import Tensor
from ..support.options import show_options

show_options(backward, BackwardPass)
show_options(grad, GradPass)

DETAILS = {
    "backward": """
`gradient` is the gradient with respect to this tensor and has its shape; with a single element it
may be left out. `retain_graph` keeps what the nodes have saved, `create_graph` records backward
itself, and with `inputs` only these tensors get a `.grad`.

RuntimeError for a tensor without a graph, for a graph that was freed, and for a gradient that is
missing or has another shape.""",
    "register_hook": """
`grad` has this tensor's shape, and so must what the hook returns. `remove()` of the handle that is
returned takes the hook off again. RuntimeError for a tensor that does not require grad.""",
    "register_post_accumulate_grad_hook": """
`remove()` of the handle that is returned takes the hook off again. RuntimeError for a tensor that
is not a leaf or does not require grad.""",
}
for _name, _text in DETAILS.items():
    _short, _source = vars(Tensor)[_name].__doc__.split("\n\nSource: ")
    vars(Tensor)[_name].__doc__ = f"{_short}\n{_text}\n\nSource: {_source}"
