"""`replay(z)`: one real backward pass, shown step by step.

The nodes' public hooks tell what happens (`watching`), or the engine itself in a library that has
no hooks yet. The queue and the counts follow from that and from the graph (`story`), and the
pictures and the player follow from these (`page`). There is no second engine, so a replay shows
what minigrad, or PyTorch, has really done.
"""

import inspect
import sys
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any

import numpy as np

from minigrad.viz.engines import engine_of
from minigrad.viz.gradients import Gradient
from minigrad.viz.protocol import TensorLike, is_tensor, library_of
from minigrad.viz.recording import names_in, record
from minigrad.viz.render import Direction, bundle
from minigrad.viz.replays.page import Stills, arrange, player
from minigrad.viz.replays.story import Scene, Story
from minigrad.viz.replays.watching import watch, watch_function


class Replay:
    """A backward pass to step through: a player in JupyterLab; `print` lists the frames.

    It holds only text, so a replay does not keep a graph alive.

    Attributes:
        frames: the steps as still pictures, for slides; `frames[0]` is the start.
        error: what ended the pass early, as text; None if all went well.
    """

    def __init__(
        self, scenes: list[Scene], draw: Callable[[], Stills], error: str | None = None
    ) -> None:
        self.scenes, self._draw, self.error = scenes, draw, error
        self.frames = [Frame(self, number) for number in range(len(scenes))]

    @cached_property
    def stills(self) -> Stills:
        """The pictures. RuntimeError if nothing here can draw."""
        return self._draw()

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.frames))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """Return the player and the text twin."""
        return bundle(repr(self), lambda: player(self.stills))


class Frame:
    """One step of a replay as a still picture."""

    def __init__(self, replay: Replay, number: int) -> None:
        self._replay = replay
        self.number = number

    @property
    def svg(self) -> str:
        """The picture. RuntimeError if nothing here can draw."""
        return self._replay.stills.svg(self.number)

    def __repr__(self) -> str:
        return self._replay.scenes[self.number].twin()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """Return an `<img>` and the text twin."""
        return bundle(repr(self), lambda: self._replay.stills.image(self.number))


def replay(
    tensor: TensorLike,
    gradient: TensorLike | None = None,
    *,
    engine: Any = None,
    retain_graph: bool = False,
    names: Mapping[str, TensorLike] | None = None,
    max_nodes: int = 200,
    direction: Direction = "TB",
) -> Replay:
    """Run `tensor.backward(gradient)` once and show what the engine did, step by step.

    The pass is real and goes through the caller's graph: gradients are added to `.grad`, the user's
    hooks run, and saved tensors are freed, so another backward or replay fails. The first frame
    says so, and `draw(tensor, gradients=True)` leaves no trace instead. If a hook or a node raises,
    the replay ends with that error instead of raising it, and `Replay.error` has its text. A call
    that backward refuses raises as usual.

    Args:
        tensor: the result to begin with, of minigrad or of PyTorch.
        gradient: the gradient to begin with, in the shape of `tensor`; a scalar needs none.
        engine: what runs the pass instead of `tensor.backward`: a function `my_backward(tensor)`,
            or `my_backward(node, gradient)`, which gets the `grad_fn` of `tensor`; or a class with
            the methods of minigrad's `BackwardPass`.
        retain_graph: keep the saved tensors, for another backward.
        names: names to use before those of the caller's variables.
        max_nodes: how many operations may be shown.
        direction: "TB" for data that flows down, as in `draw`, or "LR" for data that flows to the
            right. Gradients flow the other way.

    Raises:
        TypeError: `tensor` is not a tensor of minigrad or PyTorch.
        ValueError: `tensor` is a leaf, the graph has more than `max_nodes` operations, or
            `direction` is unknown.
        RuntimeError: what `tensor.backward` raises before anything has run.
    """
    given = [] if gradient is None else [gradient]
    for thing in (tensor, *given, *(names or {}).values()):
        if not is_tensor(thing):
            raise TypeError(f"replay() takes tensors, not {type(thing).__name__}")
    if direction not in ("LR", "TB"):
        raise ValueError(f"direction must be 'LR' or 'TB', not {direction!r}")
    if engine is None and library_of(tensor) is None:
        engine = engine_of(tensor)
        if engine is None:
            raise TypeError(f"{type(tensor).__name__} has no backward() with hooks to watch it by")
    run: Any = tensor
    if tensor.grad_fn is None:
        if tensor.requires_grad:
            raise ValueError("a leaf has no graph to replay: its backward() sets its own .grad")
        run.backward(gradient)  # raises what PyTorch raises
    callers = names_in(sys._getframe(1))
    recording = record((tensor,), [*(names or {}).items(), *callers], max_nodes)
    if recording.hidden:
        raise ValueError(
            f"the graph has {len(recording.operations) + recording.hidden} operations, which is too"
            f" much to follow: replay a smaller one, or set max_nodes (now {max_nodes})"
        )
    begin: Any = np.ones(tensor.shape) if gradient is None else gradient
    start = Gradient.of(begin)
    is_function = engine is not None and not isinstance(engine, type)
    story = Story(recording, getattr(engine, "__name__", "the engine") if is_function else "")
    if is_function:
        log = watch_function(_call_of(engine, tensor, gradient), story.nodes)
    else:
        log = watch(run, gradient, story.nodes, retain_graph=retain_graph, engine=engine)
    is_draft = engine is not None
    scenes = story.make_scenes(log, start, retain_graph=retain_graph, is_draft=is_draft)
    links = story.links  # the story itself holds the graph
    return Replay(scenes, lambda: Stills(scenes, arrange(scenes, links, direction)), log.error)


def _call_of(engine: Any, tensor: Any, gradient: Any) -> Callable[[], object]:
    """Return the call of the reader's engine: with the tensor, or with its node and a gradient."""
    name = getattr(engine, "__name__", "engine")
    if not hasattr(type(tensor.grad_fn), "backward"):
        raise TypeError("PyTorch's nodes are not made of Python, so replay() cannot watch them")
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    given = inspect.signature(engine).parameters.values()
    if sum(each.default is each.empty and each.kind in positional for each in given) == 1:
        return partial(engine, tensor)
    if gradient is None:
        raise TypeError(f"{name}() begins with a gradient: replay(z, tensor(1.0), engine={name})")
    return partial(engine, tensor.grad_fn, gradient)
