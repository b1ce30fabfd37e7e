"""What nodes save: which tensors hooks get to see, and when; what `grad_fn._saved_...` shows."""

import contextlib
import warnings
from typing import Any

import pytest
import torch

import minigrad
from tests.goldens.cases import Case, cases
from tests.goldens.record_operations import compare, like, make, run, tell

# Operations that keep something beside what they are given and return, as docs/differences.md says;
# and a dimension that is a tensor, which PyTorch makes a number of.
OTHERS = [
    "layer_norm(", "batch_norm(", "nll_loss(", "cross_entropy(x", "logsigmoid(",
    "argsort(", "std_mean(x, 1)[1]", "sum(torch.tensor(0))",
]  # fmt: skip
CASES = [
    case
    for case in cases()
    if any("float" in spec for spec in case.inputs.values())
    and not any(other in case.code for other in OTHERS)
]

SHOWN = [
    "x[1:]", "x[-2:]", "x[:-1]", "x[::2]", "x[:, -2:]", "x[1:100]", "x.narrow(0, 1, 2)", "x[-1]",
    "x[:, -1]", "x.select(-1, -1)", "x.unsqueeze(-1)", "x.squeeze(-1)", "x.transpose(-1, 0)",
    "x.permute(-1, 0)", "x.sum()", "x.sum(-1)", "x.sum([0, 1])", "x.amax(-1)", "x.prod(-1)",
    "x.std(-1)", "x.var(0, keepdim=True)", "x.var(-1, unbiased=False)", "x.logsumexp(-1)",
    "x.cumsum(-1)", "x.softmax(-1)", "x.sort(-1)[0]", "x.flip(-1)", "x.roll(-1, 0)", "x ** 2",
    "x ** x", "2 ** x", "x + 2", "x - x", "x.add(x, alpha=-2)", "x * x", "x / x", "2 / x",
    "x.clamp(-1, 1)", "x.clamp(x.detach())", "x.view(-1)", "x.expand(2, 4, 3)", "x.tril(-1)",
    "x.diagonal(-1)", "x.repeat(2, 1)", "x.masked_fill(x > 0, 1.0)", "x.clone()",
    "x.index_select(-1, i)", "x[i]", "x[[0, 1]]", "x[:, i]", "x[x > 0]", "x[i, 0]",
    "torch.nn.functional.mse_loss(x, x.detach())",
    "torch.nn.functional.huber_loss(x, x.detach(), reduction='none')",
    "torch.nn.functional.leaky_relu(x)", "torch.where(x > 0, x, 2 * x)", "x.exp()", "x.sigmoid()",
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_hooks_see_the_same_tensors_at_the_same_time(case: Case) -> None:
    expected, actual = seen_by_hooks(torch, case), seen_by_hooks(minigrad, case)
    assert list(compare(expected, actual, 1e-3, "")) == []


def seen_by_hooks(library: Any, case: Case) -> list[Any]:
    """What is packed and unpacked when a case is run, and by two backwards: for all inputs that
    require grad, and for the first. Nothing if it raises, or gives what has no gradient.
    """
    seen: list[Any] = []

    def note(what: str) -> Any:
        def hook(tensor: Any) -> Any:
            seen.append([what, tensor.requires_grad, *tell(tensor)])
            return tensor

        return hook

    inputs = {name: make(library, name, spec) for name, spec in case.inputs.items()}
    hooks = library.autograd.graph.saved_tensors_hooks(note("packed"), note("unpacked"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with hooks:
                result = run(case.code, {"torch": library, **inputs})
        except Exception:  # test_operations compares what
            return []
    results = result if isinstance(result, (list, tuple)) else [result]
    roots = [each for each in results if library.is_tensor(each) and each.requires_grad]
    sources = [each for each in inputs.values() if each.requires_grad]
    if not roots:
        return []
    for wanted in (sources, sources[:1]):
        seen.append("backward")
        cotangents = [like(library, root, 1) for root in roots]
        with contextlib.suppress(RuntimeError):
            library.autograd.grad(roots, wanted, cotangents, allow_unused=True, retain_graph=True)
    return seen


@pytest.mark.parametrize("code", SHOWN)
def test_nodes_show_what_they_have_saved_as_there(code: str) -> None:
    assert shown(minigrad, code) == shown(torch, code)


def shown(library: Any, code: str) -> dict[str, str]:
    x = make(library, "x", "float64 4x3").requires_grad_()
    node = eval(code, {"torch": library, "x": x, "i": library.tensor([0, 1])}).grad_fn
    names = [name for name in dir(node) if name.startswith("_saved_")]
    return {name: repr(getattr(node, name)) for name in names}


@pytest.mark.parametrize(
    "edit",
    [
        "z.mul_(y)", "z.mul_(z)", "z.div_(y)", "z.sin_()", "z.sigmoid_()", "z.exp_()", "z.pow_(y)",
        "z.clamp_(0, 1)", "z.lerp_(y, y)", "z.addcmul_(z, y)", "z.add_(z * z)",
        "z[:2].mul_(y[:2])", "z[torch.tensor([0])] = y[:1]", "z[z > 0] = 2", "z *= y",
        "torch.nn.functional.hardtanh(z, inplace=True)",
        "torch.nn.functional.leaky_relu(z, inplace=True)",
    ],
)  # fmt: skip
def test_hooks_that_keep_the_tensor_itself_do_not_see_it_edited(edit: str) -> None:
    assert after_edit(minigrad, edit) == after_edit(torch, edit)


def after_edit(library: Any, edit: str) -> list[str]:
    """What hooks see of an edit of z in place, whether it is z, and what the gradients are."""
    log: list[str] = []
    x = library.tensor([0.5, 0.25, 0.75], requires_grad=True)
    y = library.tensor([2.0, 4.0, 0.5], requires_grad=True)
    z = x * 1

    def pack(tensor: Any) -> Any:
        log.append(f"packed {tensor} {tensor is z} {tensor._version}")
        return tensor

    def unpack(tensor: Any) -> Any:
        log.append(f"unpacked {tensor}")
        return tensor

    with library.autograd.graph.saved_tensors_hooks(pack, unpack):
        exec(edit, {"torch": library, "y": y, "z": z})
    z.sum().backward()
    return [*log, str(x.grad), str(y.grad)]
