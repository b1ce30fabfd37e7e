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
        "call requires_grad_() before the forward pass if it should be trained",
        "10",
    ),
    "flag": Cause(
        "requires_grad is False: nobody set the flag, or detach(), .data, NumPy, no_grad or grad()"
        " without create_graph made this tensor",
        "call requires_grad_() on the tensor that you train, before the forward pass",
        "05",
    ),
    "off since": Cause(
        "the graph leads to it, but requires_grad has been False since the forward pass",
        "set the flag again, or leave it alone between the forward pass and backward",
        "10",
    ),
    "whole numbers": Cause(
        "it holds integers or bools, and only floating-point tensors can have a gradient",
        "use floats: torch.tensor([1.0, 2.0]), or .float() before the flag is set",
        "02",
    ),
    "inference": Cause(
        "it was made in inference_mode, where nothing is recorded",
        "compute it outside, or use no_grad() and clone() for what is trained later",
        "10",
    ),
    "view": Cause(
        "it is a view made under no_grad, so its flag says True although no path leads through it",
        "make the view outside no_grad",
        "05",
    ),
    "not a leaf": Cause(
        "it is not a leaf: the gradient passes through it, and .grad stays None",
        "call retain_grad() before backward; if it is a weight, compute its values first and call"
        " requires_grad_() last",
        "05",
    ),
    "unreadable": Cause(
        "its history cannot be read, because its memory was changed in a way that views forbid",
        "change a clone(), or make the view and the change in the same grad mode",
        "11",
    ),
    # What the graph of the loss says
    "no graph": Cause(
        "the loss has no graph, so backward() would raise",
        "fix the loss first",
        "20",
    ),
    "no input": Cause(
        "no tensor that the loss was computed from required grad then",
        "call requires_grad_() on the tensors that you train, before the forward pass",
        "05",
    ),
    "loss is a leaf": Cause(
        "the loss is a leaf itself, so backward() ends where it begins",
        "remove requires_grad_() from the loss, and look for the line where the graph was lost",
        "20",
    ),
    "memory": Cause(
        "the graph begins at another leaf with the same memory, which detach(), .data,"
        " Parameter(...) or from_numpy made",
        "use the tensor itself in the forward pass",
        "10",
    ),
    "raises": Cause(
        "backward() raises before every gradient is computed", "fix that error first", "20"
    ),
    "freed": Cause(
        "the graph has been freed by an earlier backward(), so one more raises",
        "run the forward pass again; retain_graph=True only helps if both passes need one graph",
        "06",
    ),
    "edited": Cause(
        "a value that backward needs was changed in place, so backward() raises",
        "write y = y + 1 instead of y += 1, or step the optimizer after the last backward",
        "11",
    ),
    "shape": Cause(
        "the loss has more than one element, so backward() needs a gradient argument",
        "call loss.sum() or loss.mean() first",
        "04",
    ),
    "loss is a number": Cause(
        "the loss is not a tensor",
        "return the tensor: item(), float() and NumPy turn it into a number without a graph",
        "10",
    ),
    "loss is nan": Cause(
        "the loss is nan or inf already before backward()",
        "find the operation with diagnose(lambda: loss_of(batch), model)",
        "09",
    ),
    "loss became nan": Cause(
        "the loss is nan or inf already before backward(), which began here",
        "keep the input of this operation away from where it is infinite or undefined",
        "09",
    ),
    "checkpoint": Cause(
        "checkpoint(use_reentrant=True) hides what it runs, so it may get a gradient all the same",
        "pass use_reentrant=False",
        "20",
    ),
    # Where the path was cut
    "unused": Cause(
        "the loss does not use it: the layer is not called, its result goes nowhere, or only an if"
        " looks at it",
        "use its result in the loss, or leave it out of the model",
        "05",
    ),
    "detach": Cause(
        "detach() cut the path", "remove detach(), unless this path should not be trained", "10"
    ),
    "data": Cause(
        ".data cut the path", "use the tensor itself; for a look at its values, detach()", "11"
    ),
    "no_grad": Cause(
        "the operation ran under no_grad or inference_mode, so it was not recorded",
        "move it out of no_grad; model.eval() alone is enough to switch dropout off",
        "10",
    ),
    "unrecorded": Cause(
        "an operation was not recorded: no_grad, inference_mode, the forward of a Function, or"
        " grad() without create_graph",
        "move it to where operations are recorded",
        "10",
    ),
    "inside a Function": Cause(
        "the operation ran inside the forward of a Function, where nothing is recorded: the tensor"
        " was not passed to apply(), or the output has no gradient",
        "pass every tensor that is trained to apply(), and return its gradient from backward",
        "08",
    ),
    "sampled": Cause(
        "sample() draws under no_grad, so no gradient reaches the parameters of the distribution",
        "use rsample(), or log_prob() of the sample in the loss",
        "10",
    ),
    "checkpointed": Cause(
        "checkpoint(use_reentrant=True) records nothing unless one of its inputs requires grad",
        "pass use_reentrant=False",
        "20",
    ),
    "number": Cause(
        "it became a Python number or a NumPy array: item(), float(), tolist(), numpy(), and then"
        " perhaps a new tensor",
        "stay with tensors up to the loss",
        "10",
    ),
    "rebuilt": Cause(
        "torch.tensor(...) copied the values and left the graph behind",
        "use torch.stack or torch.cat to join tensors",
        "20",
    ),
    "integer": Cause(
        "the result holds integers or bools, which have no gradient: argmax, a comparison, long()",
        "use something smooth instead: softmax or a sigmoid, or a straight-through estimator",
        "08",
    ),
    "create_graph": Cause(
        "a gradient was computed without create_graph=True, so it is a constant",
        "pass create_graph=True to the first grad()",
        "14",
    ),
    "copied": Cause(
        "deepcopy made an independent tensor", "use the original in the forward pass", "20"
    ),
    "another tensor": Cause(
        "the loss was computed from another tensor: a copy, an old one under a new name, or this"
        " one before requires_grad_() was called",
        "compute the loss again from this very tensor, with the flag set before",
        "05",
    ),
    "outside": Cause(
        "what the loss needs of it was computed outside of the function that we watched",
        "move that line into the function, and ask again",
        "20",
    ),
    "no derivative": Cause(
        "the operation has no derivative", "compute the same with one that has", "20"
    ),
    "written past": Cause(
        "the result was written to memory through detach() or .data, which is not recorded",
        "write to the tensor itself, or collect results in a list and torch.stack them",
        "11",
    ),
    # Where a gradient became something else
    "returned None": Cause(
        "the backward of this Function returned None",
        "return a gradient for every argument of forward that is trained",
        "08",
    ),
    "zeros": Cause(
        "its gradient is exactly zero, and the zeros began here",
        "look at the inputs of this operation: a dead relu, a clamp, a sign or round, a mask",
        "09",
    ),
    "cancels": Cause(
        "its gradient is exactly zero although no operation returned zeros: contributions cancel,"
        " or a hook replaced them",
        "look at the hooks, and at the paths that meet here",
        "15",
    ),
    "nan in backward": Cause(
        "its gradient is nan or inf, which began here, in backward",
        "keep the input of this operation away from where its derivative is infinite",
        "09",
    ),
    "nan in forward": Cause(
        "its gradient is nan or inf, and so is the loss, since this operation of the forward pass",
        "keep the input of this operation away from where it is infinite or undefined",
        "09",
    ),
    "nan from a hook": Cause(
        "its gradient is nan or inf, and no operation that we watched made it",
        "look at the hooks of this tensor",
        "15",
    ),
    "not accumulated": Cause(
        "the graph leads to it, and yet nothing arrived",
        "look for hooks and for Functions that call backward themselves",
        "15",
    ),
}

ALIKE = ("unused", "detach", "unrecorded", "number", "integer", "another tensor")
"""What looks alike in a graph that does not lead to a tensor, most likely first."""

NO_GRAPH = ("unrecorded", "detach", "number", "integer", "no input")
"""What looks alike in a loss without a graph, most likely first."""

NO_GRAPH_NOR_FLAGS = ("no input", "unrecorded", "detach", "number", "integer")
"""The same if none of the given tensors requires grad."""
