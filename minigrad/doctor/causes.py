"""Why a gradient does not reach a tensor: each cause with what to change and where to read on."""

from __future__ import annotations

from typing import NamedTuple


class Cause(NamedTuple):
    """A reason, what to change, and the chapter of the course that explains it."""

    why: str
    fix: str
    chapter: str


CAUSES = {
    # What a tensor says about itself
    "frozen": Cause(
        "requires_grad is False: the parameter is frozen",
        "call requires_grad_() before the forward pass to train it", "10"),
    "flag": Cause(
        "requires_grad is False: nobody set the flag, or detach(), .data, NumPy, no_grad or grad()"
        " without create_graph made this tensor",
        "call requires_grad_() on it before the forward pass", "05"),
    "off since": Cause(
        "the graph leads to it, but requires_grad has been False since the forward pass",
        "set the flag again, or leave it alone until backward has run", "10"),
    "whole numbers": Cause(
        "it holds integers or bools, and only floats can have a gradient",
        "use floats: torch.tensor([1.0, 2.0]), or .float() before the flag is set", "02"),
    "view": Cause(
        "it is a view made under no_grad, so its flag says True although no path leads through it",
        "make the view outside no_grad", "05"),
    "not a leaf": Cause(
        "it is not a leaf: the gradient passes through it, and .grad stays None",
        "call retain_grad() before backward; if it is a weight, compute its values first and call"
        " requires_grad_() last", "05"),

    # What the graph of the loss says
    "no graph": Cause(
        "the loss has no graph, so backward() would raise", "fix the loss first", "20"),
    "no input": Cause(
        "no tensor that the loss was computed from required grad",
        "call requires_grad_() on the tensors that you train, before the forward pass", "05"),
    "loss is a leaf": Cause(
        "the loss is a leaf itself, so backward() ends where it begins",
        "remove requires_grad_() from the loss, and look for the line that lost the graph", "20"),
    "memory": Cause(
        "the graph begins at another leaf with the same memory, which detach(), .data,"
        " Parameter(...) or from_numpy made",
        "use the tensor itself in the forward pass", "10"),
    "raises": Cause(
        "backward() raises before every gradient is computed", "fix that error first", "20"),
    "freed": Cause(
        "the graph has been freed by an earlier backward(), so one more raises",
        "run the forward pass again; retain_graph=True only helps if both passes need one graph",
        "06"),
    "freed inside": Cause(
        "the function has called backward() already, which freed the graph",
        "leave backward() and step() to diagnose(), which runs a pass of its own; if there are"
        " several losses, return their sum", "06"),
    "edited": Cause(
        "a value that backward needs was changed in place, so backward() raises",
        "write y = y + 1 instead of y += 1, or step the optimizer after the last backward", "11"),
    "loss is a number": Cause(
        "the loss is not a tensor",
        "return the tensor: item(), float() and NumPy make a number without a graph", "10"),
    "loss is nan": Cause(
        "the loss is nan or inf already before backward()",
        "keep the input of the operation where it began away from where that is infinite or"
        " undefined; diagnose(lambda: loss_of(batch), model) names it", "09"),
    "path": Cause(
        "the graph leads to it; only a run can say whether its gradient is zeros, nan or inf",
        "watch one: diagnose(lambda: loss_of(batch), model)", "09"),
    "Function": Cause(
        "yes, unless a Function on every path returns None from backward",
        "watch it: diagnose(lambda: loss_of(batch), model)", "08"),
    "checkpoint": Cause(
        "checkpoint(use_reentrant=True) hides from the graph what it runs, and passes gradients on"
        " only if one of its inputs requires grad", "pass use_reentrant=False", "20"),

    # Where the path was cut
    "unused": Cause(
        "the loss does not use it, or only an if looks at it",
        "use its result in the loss, or leave it out of the model", "05"),
    "detach": Cause(
        "detach() cut the path", "remove detach(), unless this path should not be trained", "10"),
    "data": Cause(
        ".data cut the path", "use the tensor itself; to look at its values, detach()", "11"),
    "detached": Cause(
        "detach(), .data or torch.tensor(...) cut the path",
        "use the tensor itself, and torch.stack to join tensors", "10"),
    "no_grad": Cause(
        "it ran under no_grad or inference_mode, so it was not recorded",
        "move it out; model.eval() alone is enough to switch dropout off", "10"),
    "unrecorded": Cause(
        "not recorded: no_grad, a Function, no create_graph",
        "move it to where operations are recorded", "10"),
    "inside a Function": Cause(
        "it ran inside the forward of a Function, where nothing is recorded",
        "pass every tensor that is trained to apply(), and return its gradient from backward",
        "08"),
    "sampled": Cause(
        "sample() draws under no_grad, so its parameters get no gradient",
        "use rsample(), or log_prob() of the sample in the loss", "10"),
    "number": Cause(
        "it became a number: item(), float(), tolist(), numpy()",
        "stay with tensors up to the loss", "10"),
    "rebuilt": Cause(
        "torch.tensor(...) or deepcopy copied the values and left the graph behind",
        "use the tensor itself, and torch.stack or torch.cat to join tensors", "20"),
    "integer": Cause(
        "integers have no gradient: argmax, a comparison, long()",
        "use something smooth: softmax, a sigmoid, a straight-through estimator", "08"),
    "create_graph": Cause(
        "grad() without create_graph=True returns a constant",
        "pass create_graph=True to the first grad()", "14"),
    "another tensor": Cause(
        "a copy was used, or this one before requires_grad_()",
        "compute the loss again from this very tensor, with the flag set before", "05"),
    "outside": Cause(
        "what needs it ran before the function that we watched",
        "move that line into the function, and ask again", "20"),
    "no derivative": Cause(
        "the operation has no derivative", "compute the same with one that has", "20"),
    "written past": Cause(
        "the result was written to memory through detach() or .data, which is not recorded",
        "write to the tensor itself, or collect results in a list and torch.stack them", "11"),

    # Where a gradient became something else
    "returned None": Cause(
        "the backward of this Function returned None",
        "return a gradient for every argument of forward that is trained", "08"),
    "zeros": Cause(
        "its gradient is exactly zero, and the zeros began here",
        "look at its inputs: a dead relu, a clamp, a sign or round, a mask", "09"),
    "nan": Cause(
        "its gradient is nan or inf, which began here",
        "keep the input of this operation away from where it, or its derivative, is infinite or"
        " undefined", "09"),
    "no operation": Cause(
        "no operation that we watched did this: contributions cancel, or a hook interfered",
        "look at the hooks, and at the paths that meet here", "15"),
}  # fmt: skip

ALIKE = ("unused", "detached", "unrecorded", "number", "integer", "another tensor")
"""What looks alike in a graph that does not lead to a tensor, most likely first."""

NO_GRAPH = ("unrecorded", "detached", "number", "integer", "no input")
"""What looks alike in a loss without a graph, most likely first."""

NO_GRAPH_NOR_FLAGS = ("no input", "unrecorded", "detached", "number", "integer")
"""The same if none of the given tensors requires grad."""
