"""The picture of chapter 08: the life of a `ctx`, from `apply` to the last reference."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import matplotlib.pyplot as plt

from minigrad.viz.palette import BLUE, GREY, RED
from minigrad_course.ask.declare import without_collector

Moment = tuple[str, str, list[str], str]
"""When, who holds the `ctx`, what it holds, and what became of it: held, freed or kept."""


def draw_life(function: Any, *args: Any) -> None:
    """Call a Function, go backward and delete the result; draw what its `ctx` holds at each stage.

    What makes a cycle is red: a result that the `ctx` holds, while the result holds the `ctx`.
    """
    _draw(life(function, *args), f"{function.__name__}Backward")


def life(function: Any, *args: Any) -> list[Moment]:
    """What `draw_life` draws. ValueError if something besides the result still holds the `ctx`."""
    moments: list[Moment] = []
    made: list[Any] = []  # what forward has returned, so that a row can name it

    def held(ctx: Any) -> list[str]:
        rows = contents(ctx, args, made)
        if len(moments) > 2 and not any(row.startswith("saved") for row in moments[2][2]):
            rows = [row for row in rows if row != "saved: freed"]  # there was nothing to free
        return rows

    def forward(ctx: Any, *inputs: Any) -> Any:
        moments.append(("apply has created it", "apply", held(ctx), "held"))
        made.append(function.forward(ctx, *inputs))
        moments.append(("forward has run", "apply", held(ctx), "held"))
        return made[0]

    watched = type(function.__name__, (function,), {"forward": staticmethod(forward)})
    with without_collector():
        y = watched.apply(*args)
        made[:] = [y]
        moments.append(("apply has recorded it", "y", held(y.grad_fn), "held"))
        y.sum().backward()
        moments.append(("backward has run", "y", held(y.grad_fn), "held"))
        watch, rows = weakref.ref(y.grad_fn), held(y.grad_fn)
        made.clear()
        del y
        alive = watch() is not None
        gc.collect()
        if alive and watch() is not None:
            raise ValueError("something else holds the ctx, so nothing can be said about cycles")
        moments.append(("after del y", "", rows if alive else [], "kept" if alive else "freed"))
    return moments


def contents(ctx: Any, args: tuple[Any, ...], made: list[Any]) -> list[str]:
    """What a `ctx` holds, in words: its edges, what it has saved, and the user's attributes."""
    rows = []
    ends = [node.variable for node, _ in ctx.next_functions if hasattr(node, "variable")]
    if ends:
        rows.append("an edge to " + ", ".join(_name(each, args, made) for each in ends))
    rows += [f"noted: {_name(each, args, made)}" for each in getattr(ctx, "_to_save", ())]
    for saved in ctx._saved.values():
        tensor = getattr(saved, "tensor", None)
        rows.append("saved: freed" if tensor is None else f"saved: {_name(tensor, args, made)}")
    for name, value in vars(ctx).items():
        if not name.startswith("_") and name not in ("next_functions", "needs_input_grad"):
            rows.append(f"{name}: {_name(value, args, made)}")
    return rows


def _name(value: Any, args: tuple[Any, ...], made: list[Any]) -> str:
    """The name of a value: `x` for the argument, `y` for the result, or the array of one."""
    if not hasattr(value, "_data"):
        return str(value)
    if any(value is each for each in made):
        return "y"
    if any(value is each for each in args):
        return "x"
    return "array of y" if any(value._data is each._data for each in made) else "a tensor"


def _draw(moments: list[Moment], name: str) -> None:
    height = max(len(rows) for _, _, rows, _ in moments)
    figure = plt.figure(figsize=(9.0, 1.5 + 0.26 * height), layout="constrained")
    axes = figure.gca()
    twin = []
    for x, (when, holder, rows, state) in enumerate(moments):
        freed = state == "freed"
        look = {"ls": "--", "ec": GREY} if freed else {"ec": RED if state == "kept" else BLUE}
        axes.text(x + 0.47, -1.75, f"{x + 1}. {when}", ha="center", va="center", fontsize=9)
        if holder:
            axes.text(x + 0.47, -1.0, holder, ha="center", va="center", fontsize=9, weight="bold")
            arrow = {"arrowstyle": "->", "color": GREY, "shrinkA": 0}
            axes.annotate("", (x + 0.47, 0.0), (x + 0.47, -0.65), arrowprops=arrow)
            axes.plot(x + 0.47, -0.65, "o", color=GREY, markersize=4)
        size = 1.0 + height
        axes.add_patch(plt.Rectangle((x + 0.02, 0.0), 0.9, size, fill=False, lw=1.5, **look))
        title = "freed" if freed else name
        axes.text(x + 0.47, 0.5, title, ha="center", va="center", fontsize=9, weight="bold")
        for y, row in enumerate(rows):
            cycle = row.endswith(": y") and (x >= 2)
            word = f"✗ {row} (a cycle)" if cycle else row
            color = {"color": RED} if cycle else {}
            axes.text(x + 0.06, y + 1.4, word, va="center", fontsize=8.5, **color)
        end = {
            "freed": "freed",
            "kept": "still in memory, held only by its own result ✗",
            "held": "",
        }[state]
        says = [f"held by {holder}"] if holder else []
        twin.append(f"{x + 1}. {when}: " + ", ".join([*says, *rows, *([end] if end else [])]))
    if moments[-1][3] == "kept":
        axes.text(
            4.47, -1.25, "only its own result", ha="center", va="center", fontsize=9, color=RED
        )
        loop = {"arrowstyle": "->", "color": RED, "connectionstyle": "arc3,rad=0.9"}
        axes.annotate("", (4.3, 0.0), (4.64, 0.0), arrowprops={**loop, "shrinkA": 0, "shrinkB": 0})
    axes.set(xlim=(0, 5), ylim=(1.2 + height, -2.2))
    axes.axis("off")
    figure.set_label("\n".join(twin))
    plt.show()
