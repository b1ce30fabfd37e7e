"""Faulty programs for `diagnose`, in the spelling of PyTorch, and what it should find.

Each program takes the library and returns a loss, or a function that computes one, and named
tensors. `expected` has the gradient and the causes of each tensor, by the keys of `CAUSES`; causes
that are not certain follow "?".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minigrad.doctor import ELSEWHERE
from minigrad.doctor.causes import ALIKE, NO_GRAPH, NO_GRAPH_NOR_FLAGS

Program = Callable[[Any], tuple[Any, dict[str, Any]]]
Found = dict[str, tuple[str, ...]]
PATH = ("reaches", "path")
EXPECTED: dict[str, tuple[Program, Found, tuple[str, ...]]] = {}


def finds(expected: Found, *lines: str) -> Callable[[Program], Program]:
    """Declare what should be found, and words of the lines of code that should be named."""

    def declare(program: Program) -> Program:
        EXPECTED[program.__name__] = program, expected, lines
        return program

    return declare


def two(lib: Any) -> tuple[Any, Any]:
    return (
        lib.tensor([1.0, 2.0], requires_grad=True),
        lib.tensor([3.0, 4.0], requires_grad=True),
    )


# What the graph says


@finds({"w": PATH, "u": PATH})
def all_is_well(lib: Any) -> Any:
    w, u = two(lib)
    return (w * u).sum(), {"w": w, "u": u}


@finds({"w": PATH, "u": ("None", "?", *ALIKE)})
def graph_without_u(lib: Any) -> Any:
    w, u = two(lib)
    return (w * u.detach()).sum(), {"w": w, "u": u}


@finds({"w": ("None", "frozen"), "x": ("None", "flag"), "n": ("None", "whole numbers")})
def flags(lib: Any) -> Any:
    w, u = two(lib)
    frozen = lib.nn.Parameter(w.detach(), requires_grad=False)
    return (u * frozen).sum(), {"w": frozen, "x": lib.ones(2), "n": lib.tensor([1, 2])}


@finds({"w": ("None", "off since"), "u": PATH})
def flag_went_off(lib: Any) -> Any:
    w, u = two(lib)
    loss = (w * u).sum()
    w.requires_grad_(False)
    return loss, {"w": w, "u": u}


@finds({"h": ("passes", "not a leaf"), "k": PATH, "w": PATH})
def not_leaves(lib: Any) -> Any:
    w, _ = two(lib)
    h = w * 2
    k = h * 3
    k.retain_grad()
    return k.sum(), {"h": h, "k": k, "w": w}


@finds(
    {"h": ("None", "?", "not a leaf", *ALIKE), "a": ("None", "?", "not a leaf", *ALIKE),
     "k": ("None", "?", *ALIKE)}
)  # fmt: skip
def not_a_leaf_and_unused(lib: Any) -> Any:
    w, u = two(lib)
    a, b = w.unbind()
    k = u * 3
    k.retain_grad()
    return (b * u).sum(), {"h": u * 2, "a": a, "k": k}


@finds({"w": ("None", "?", *ALIKE), "v": ("None", "view")})
def view_made_in_no_grad(lib: Any) -> Any:
    w, u = two(lib)
    with lib.no_grad():
        v = w[:1]
    return (v * u).sum(), {"w": w, "v": v}


@finds({"w": ("raises", "freed"), "loss": ("raises", "freed")}, "ExpBackward0")
def freed(lib: Any) -> Any:
    w, _ = two(lib)
    loss = w.exp().sum()
    loss.backward()
    return loss, {"w": w}


@finds({"w": ("raises", "edited"), "loss": ("raises", "edited")}, "ExpBackward0")
def edited(lib: Any) -> Any:
    w, _ = two(lib)
    y = w.exp()
    y.add_(1)
    return y.sum(), {"w": w}


@finds({"w": ("None", "memory"), "u": PATH})
def same_memory(lib: Any) -> Any:
    w, u = two(lib)
    return (w.detach().requires_grad_() * u).sum(), {"w": w, "u": u}


@finds(
    {
        "w": ("None", "no graph"),
        "loss": ("", "?", *NO_GRAPH),
    }
)
def no_graph(lib: Any) -> Any:
    w, _ = two(lib)
    return w.detach().sum(), {"w": w}


@finds({"w": ("None", "no graph"), "loss": ("", "integer")})
def integer_loss(lib: Any) -> Any:
    w, _ = two(lib)
    return w.argmax(), {"w": w}


@finds({"w": ("None", "loss is a leaf"), "loss": ("", "loss is a leaf")})
def leaf_as_loss(lib: Any) -> Any:
    w, _ = two(lib)
    return w.detach().sum().requires_grad_(), {"w": w}


@finds({"w": PATH, "loss": ("", "loss is nan")})
def loss_is_nan(lib: Any) -> Any:
    w, _ = two(lib)
    return (-w).log().sum(), {"w": w}


@finds({"loss": ("raises", "loss is a number")})
def number_as_loss(lib: Any) -> Any:
    w, _ = two(lib)
    return w.sum().item(), {"w": w}


def squares(lib: Any) -> Any:
    """A `Function` of a user whose backward returns None."""

    class Square(lib.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * x

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return None

    return Square.apply


@finds({"w": ("perhaps", "Function"), "u": PATH, "v": PATH}, "SquareBackward")
def graph_through_a_function(lib: Any) -> Any:
    w, u = two(lib)
    v = lib.ones(2, requires_grad=True)
    square = squares(lib)
    return (square(w) + square(u * v) * u + v).sum(), {"w": w, "u": u, "v": v}


@finds({"w": ("perhaps", "Function")}, "SquareBackward", "OuterBackward")
def graph_through_two_functions(lib: Any) -> Any:
    w, _ = two(lib)
    square = squares(lib)

    class Outer(lib.autograd.Function):  # type: ignore[misc, name-defined]
        forward = staticmethod(lambda ctx, x: x * 2)
        backward = staticmethod(lambda ctx, grad: grad)

    return Outer.apply(square(w)).sum(), {"w": w}


@finds({"h": ("perhaps", "not a leaf", "Function"), "w": ("perhaps", "Function")})
def graph_of_a_result_through_a_function(lib: Any) -> Any:
    w, _ = two(lib)
    h = w * 2
    return squares(lib)(h).sum(), {"h": h, "w": w}


# What a watched pass says


@finds({"w": ("None", "detach"), "u": ("yes",)}, "detach", "h = (w * 2).detach()")
def watched_detach(lib: Any) -> Any:
    w, u = two(lib)

    def loss_of() -> Any:
        h = (w * 2).detach()
        return (h * u).sum()

    return loss_of, {"w": w, "u": u}


@finds({"w": ("None", "detach"), "u": ("yes",)}, "w.detach()")
def a_detach_that_does_not_matter(lib: Any) -> Any:
    w, u = two(lib)

    def loss_of() -> Any:
        seen = (w * 3).detach()
        h = w.detach() * u
        assert seen.sum() > 0
        return h.sum()

    return loss_of, {"w": w, "u": u}


@finds({"w": ("None", "data"), "u": ("yes",)}, "w.data")
def watched_data(lib: Any) -> Any:
    w, u = two(lib)
    return lambda: (w.data * u).sum(), {"w": w, "u": u}


@finds({"w": ("None", "no_grad"), "u": ("yes",)}, "h = w.exp()")
def watched_no_grad(lib: Any) -> Any:
    w, u = two(lib)

    def loss_of() -> Any:
        with lib.no_grad():
            h = w.exp()
        return (h * u).sum()

    return loss_of, {"w": w, "u": u}


@finds({"w": ("None", "no_grad"), "u": ("yes",)}, "v = w[:1]")
def watched_view_in_no_grad(lib: Any) -> Any:
    w, u = two(lib)

    def loss_of() -> Any:
        with lib.no_grad():
            v = w[:1]
        return (v * u).sum()

    return loss_of, {"w": w, "u": u}


@finds({"w": ("None", "integer"), "u": ("yes",)}, "argmax", "best = w.argmax()")
def watched_argmax(lib: Any) -> Any:
    w, u = two(lib)

    def loss_of() -> Any:
        best = w.argmax()
        return (best.float() * u).sum()

    return loss_of, {"w": w, "u": u}


@finds({"w": ("None", "integer"), "u": ("yes",)}, "argmax", "best = w.argmax()")
def watched_one_hot(lib: Any) -> Any:
    w, u = two(lib)

    def loss_of() -> Any:
        best = w.argmax()
        return (lib.nn.functional.one_hot(best, 2) * u).sum()

    return loss_of, {"w": w, "u": u}


@finds({"w": ("None", "integer"), "u": ("yes",)}, "line", "above = ")
def watched_nonzero(lib: Any) -> Any:
    w, u = two(lib)

    def loss_of() -> Any:
        above = lib.nonzero(w > 1.5).reshape(-1)
        return u[above].sum()

    return loss_of, {"w": w, "u": u}


@finds({"w": ("None", "integer"), "u": ("yes",)}, "argmax", "best = w.argmax()")
def watched_index(lib: Any) -> Any:
    w, u = two(lib)

    def loss_of() -> Any:
        best = w.argmax()
        return u[best]

    return loss_of, {"w": w, "u": u}


@finds({"w": ("None", "integer"), "u": ("yes",)}, "gt at ", "u[w > 1, None]")
def watched_mask(lib: Any) -> Any:
    w, u = two(lib)
    return lambda: u[w > 1, None].sum(), {"w": w, "u": u}


@finds({"w": ("None", "integer"), "u": ("yes",)}, "argmax", "end = w.argmax()")
def watched_slice(lib: Any) -> Any:
    w, u = two(lib)

    def loss_of() -> Any:
        end = w.argmax()
        return u[:end].sum()

    return loss_of, {"w": w, "u": u}


@finds({"w": ("None", "integer"), "u": ("yes",)}, "gt at ", "h[w > 1] = 0.0")
def watched_edit_under_a_mask(lib: Any) -> Any:
    w, u = two(lib)

    def loss_of() -> Any:
        h = u * 2
        h[w > 1] = 0.0
        return h.sum()

    return loss_of, {"w": w, "u": u}


@finds({"w": ("None", "detach"), "u": ("yes",)}, "detach_ at ", "h.detach_()")
def watched_detach_in_place(lib: Any) -> Any:
    w, u = two(lib)

    def loss_of() -> Any:
        h = w * 2
        h.detach_()
        return (h * u).sum()

    return loss_of, {"w": w, "u": u}


@finds({"w": ("None", "rebuilt"), "loss": ("", "rebuilt")}, "total = lib.tensor(")
def watched_list(lib: Any) -> Any:
    w, _ = two(lib)

    def loss_of() -> Any:
        total = lib.tensor([w[0], w[1] * 2])
        return total.sum()

    return loss_of, {"w": w}


@finds({"w": ("None", "?", "number", *ELSEWHERE), "u": ("yes",)}, "scale = w[1].item()")
def watched_number(lib: Any) -> Any:
    w, u = two(lib)

    def loss_of() -> Any:
        scale = w[1].item()
        return (u * scale).sum()

    return loss_of, {"w": w, "u": u}


@finds({"w": ("None", "memory"), "u": ("yes",)}, "lib.from_numpy")
def watched_numpy(lib: Any) -> Any:
    w, u = two(lib)
    return lambda: (lib.from_numpy((w * 2).detach().numpy()) * u).sum(), {"w": w, "u": u}


@finds({"w": ("None", "create_graph"), "u": ("yes",)}, "(slope,) =")
def watched_penalty(lib: Any) -> Any:
    w, u = two(lib)

    def loss_of() -> Any:
        (slope,) = lib.autograd.grad((w * w * u).sum(), w)
        return (slope * slope).sum() + u.sum()

    return loss_of, {"w": w, "u": u}


@finds({"w": ("None", "written past"), "u": ("yes",)}, "out.data[0] = w[0]")
def watched_buffer(lib: Any) -> Any:
    w, u = two(lib)

    def loss_of() -> Any:
        out = lib.zeros(2)
        out.data[0] = w[0]
        return (out * u).sum()

    return loss_of, {"w": w, "u": u}


@finds({"w": ("None", "inside a Function"), "u": ("yes",)}, "return x * w")
def watched_closure(lib: Any) -> Any:
    w, u = two(lib)

    class Scale(lib.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * w

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad

    return lambda: Scale.apply(u).sum(), {"w": w, "u": u}


@finds({"w": ("yes",), "u": ("None", "returned None")}, "MulBackward, Mul.apply at ", "product = ")
def watched_function(lib: Any) -> Any:
    w, u = two(lib)

    class Mul(lib.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            return a * b

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad, None

    apply = Mul.apply

    def loss_of() -> Any:
        product = apply(w * 1, u * 2)
        return product.exp().sum()

    return loss_of, {"w": w, "u": u}


@finds({"w": ("None", "?", *ELSEWHERE), "u": ("yes",)}, "last used", "w.sin()")
def watched_unused(lib: Any) -> Any:
    w, u = two(lib)

    def loss_of() -> Any:
        w.sin()
        return u.sum()

    return loss_of, {"w": w, "u": u}


@finds({"w": ("None", "?", *ELSEWHERE), "u": ("yes",)})
def watched_elsewhere(lib: Any) -> Any:
    w, u = two(lib)
    h = (w * 2).detach()
    return lambda: (h * u).sum(), {"w": w, "u": u}


@finds({"w": ("nan", "nan"), "u": ("yes",)}, "SqrtBackward0", "root = w.sqrt()")
def watched_nan(lib: Any) -> Any:
    w, u = lib.tensor([0.0, 1.0], requires_grad=True), lib.ones(2, requires_grad=True)

    def loss_of() -> Any:
        root = w.sqrt()
        return (lib.where(w > 0, root, lib.zeros(2)) * u).sum()

    return loss_of, {"w": w, "u": u}


@finds({"w": ("nan", "nan"), "loss": ("", "loss is nan")}, "ratio = w.log() - w.log()")
def watched_nan_in_forward(lib: Any) -> Any:
    w = lib.tensor([0.0, 1.0], requires_grad=True)

    def loss_of() -> Any:
        ratio = w.log() - w.log()
        return (ratio * w).sum()

    return loss_of, {"w": w}


@finds(
    {"w": ("nan", "nan"), "loss": ("", "loss is nan")},
    "first exp at ", "e = w.exp()", "then div", "then log at ", "return -q[1].log()",
)  # fmt: skip
def watched_overflow(lib: Any) -> Any:
    w = lib.tensor([1000.0, 1.0], requires_grad=True)

    def loss_of() -> Any:
        e = w.exp()
        total = e.sum()
        q = e.div(total)
        return -q[1].log()

    return loss_of, {"w": w}


@finds(
    {"w": ("nan", "nan"), "loss": ("", "loss is nan")},
    "first exp_ at ", "e.exp_()", "then log at ",
)  # fmt: skip
def watched_overflow_in_place(lib: Any) -> Any:
    w = lib.tensor([1000.0, 1.0], requires_grad=True)

    def loss_of() -> Any:
        e = w * 1
        e.exp_()
        return -(1 / e[:1]).log().sum()

    return loss_of, {"w": w}


@finds(
    {"w": ("nan", "nan")},
    "first SqrtBackward0, ", "outer = masked.sqrt()", "then SqrtBackward0, ", "inner = w.sqrt()",
)  # fmt: skip
def watched_nan_that_begins_twice(lib: Any) -> Any:
    w = lib.tensor([0.0, 1.0], requires_grad=True)

    def loss_of() -> Any:
        inner = w.sqrt()
        masked = lib.where(w > 0, inner, lib.zeros(2))
        outer = masked.sqrt()
        return outer.sum()

    return loss_of, {"w": w}


@finds({"w": ("zeros", "zeros")}, "ClampBackward1, clamp at ")
def watched_public_names(lib: Any) -> Any:
    w, _ = two(lib)
    return lambda: w.clamp(5, 6).sum(), {"w": w}


@finds({"h": ("None", "not a leaf", "returned None")}, "SquareBackward")
def watched_result_before_a_function(lib: Any) -> Any:
    w, _ = two(lib)
    h = w * 2
    return lambda: squares(lib)(h).sum(), {"h": h}


@finds({"h": ("None", "detach", "not a leaf"), "k": ("None", "detach")}, "k.detach()")
def watched_results_that_are_cut_off(lib: Any) -> Any:
    w, u = two(lib)
    h, k = w * 2, w * 3
    k.retain_grad()

    def loss_of() -> Any:
        return (h.detach() * k.detach() * u).sum()

    return loss_of, {"h": h, "k": k}


@finds({"w": ("zeros", "zeros"), "u": ("yes",)}, "RoundBackward0", "w.round()")
def watched_zeros(lib: Any) -> Any:
    w, u = two(lib)
    return lambda: (w.round() + u).sum(), {"w": w, "u": u}


@finds({"w": ("zeros", "no operation"), "u": ("yes",)})
def watched_cancelling(lib: Any) -> Any:
    w, u = two(lib)
    return lambda: (w - w + u).sum(), {"w": w, "u": u}


@finds({"w": ("zeros", "no operation"), "u": ("yes",)})
def watched_cancelling_beside_a_dead_branch(lib: Any) -> Any:
    w, u = two(lib)
    return lambda: (w.pow(3) - w * w * w + lib.relu(w - 100) + u).sum(), {"w": w, "u": u}


@finds({"w": ("zeros", "no operation"), "u": ("yes",)})
def watched_cancelling_in_a_result(lib: Any) -> Any:
    w, u = two(lib)

    def loss_of() -> Any:
        h = w * 2
        return (h.pow(3) - h * h * h + lib.relu(w - 100) + u).sum()

    return loss_of, {"w": w, "u": u}


@finds({"w": ("raises", "raises"), "loss": ("raises", "edited")}, "ExpBackward0", "y = w.exp()")
def watched_edit(lib: Any) -> Any:
    w, _ = two(lib)

    def loss_of() -> Any:
        y = w.exp()
        y.add_(1)
        return y.sum()

    return loss_of, {"w": w}


@finds(
    {"w": ("raises", "raises"), "loss": ("raises", "freed inside")},
    "backward at ",
    "loss.backward()",
)
def watched_backward(lib: Any) -> Any:
    w, _ = two(lib)

    def loss_of() -> Any:
        loss = w.exp().sum()
        loss.backward()
        return loss

    return loss_of, {"w": w}


@finds({"w": ("raises", "raises"), "loss": ("raises", "edited")}, "MulBackward0", "(w * u).sum()")
def watched_step(lib: Any) -> Any:
    w, u = two(lib)
    optimizer = lib.optim.SGD([w, u], lr=0.1)
    (w + u).sum().backward()

    def loss_of() -> Any:
        loss = (w * u).sum()
        optimizer.step()
        return loss

    return loss_of, {"w": w}


@finds({"w": ("None", "?", *ELSEWHERE), "loss": ("", "no input")})
def watched_without_flags(lib: Any) -> Any:
    w, _ = two(lib)
    x = lib.ones(2)
    return lambda: (x * 2).sum(), {"w": w}


@finds({"loss": ("raises", "loss is a number")}, "w.sum().item()")
def watched_number_as_loss(lib: Any) -> Any:
    w, _ = two(lib)
    return lambda: w.sum().item(), {"w": w}


@finds(
    {"w": ("None", "?", "number", *ELSEWHERE),
     "loss": ("", "loss is a leaf")},
    "float(w[0])",
)  # fmt: skip
def watched_number_in_a_new_tensor(lib: Any) -> Any:
    w, _ = two(lib)

    def loss_of() -> Any:
        total = float(w[0]) + 1
        return lib.tensor(total, requires_grad=True)

    return loss_of, {"w": w}


@finds({"w": ("None", "flag"), "loss": ("", "?", *NO_GRAPH_NOR_FLAGS)})
def nobody_asked(lib: Any) -> Any:
    w = lib.ones(2)
    return (w * 2).sum(), {"w": w}


@finds({"h": ("None", "not a leaf", "loss is a leaf"), "loss": ("", "loss is a leaf")})
def a_result_and_a_leaf_as_loss(lib: Any) -> Any:
    w, _ = two(lib)
    return w.detach().sum().requires_grad_(), {"h": w * 2}
