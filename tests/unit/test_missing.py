"""For a name that only PyTorch has, every module raises an error that says so."""

import re
import subprocess
import sys

import pytest

import minigrad
import minigrad.nn.functional
import minigrad.nn.init
import minigrad.nn.utils
import minigrad.optim
import minigrad.utils.data
from minigrad.support.missing import ADVICE


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (minigrad, "compile"),
        (minigrad, "rsub"),
        (minigrad, "bitwise_or"),
        (minigrad.autograd, "forward_ad"),
        (minigrad.autograd, "profiler"),
        (minigrad.autograd.graph, "allow_mutation_on_saved_tensors"),
        (minigrad.nn, "LSTM"),
        (minigrad.nn.functional, "grid_sample"),
        (minigrad.nn.init, "dirac_"),
        (minigrad.nn.utils, "parametrize"),
        (minigrad.optim, "LBFGS"),
        (minigrad.utils, "tensorboard"),
        (minigrad.autograd.function, "NestedIOFunction"),
        (minigrad.cuda, "amp"),
        (minigrad.linalg, "svd"),
        (minigrad.nn.parameter, "Buffer"),
        (minigrad.optim.lr_scheduler, "CyclicLR"),
        (minigrad.utils.checkpoint, "set_checkpoint_debug_enabled"),
        (minigrad.utils.hooks, "BackwardHook"),
        (minigrad.utils.data, "IterDataPipe"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_a_missing_name_says_where_to_look(module: object, name: str) -> None:
    with pytest.raises(AttributeError, match=rf"has no attribute '{name}'") as caught:
        getattr(module, name)
    assert caught.value.__notes__ == [ADVICE]
    assert not hasattr(module, name)


@pytest.mark.parametrize(
    "statement",
    [
        "from minigrad.nn import LSTM", "from minigrad import func", "import minigrad.func",
        "from minigrad.func import vmap", "from minigrad.nn.functional import grid_sample",
        "from minigrad.utils.data import ConcatDataset",
    ],
)  # fmt: skip
def test_a_missing_import_says_where_to_look(statement: str) -> None:
    with pytest.raises(ImportError, match=r"cannot import name|No module named") as caught:
        exec(statement, {})
    assert caught.value.__notes__ == [ADVICE]


@pytest.mark.parametrize(
    "call",
    [
        "nn.Conv2d(1, 1, 1, padding_mode='reflect')", "nn.AvgPool2d(2, ceil_mode=True)",
        "nn.Embedding(1, 1, max_norm=1.0)", "optim.SGD([minigrad.ones(1)], decay=0.1)",
        "utils.data.DataLoader([1], batches=2)",
        "utils.data.TensorDataset(minigrad.ones(1), names=1)", "Generator(seed=1)",
        "utils.data.RandomSampler([1], weights=1)",
    ],
)  # fmt: skip
def test_a_missing_keyword_of_a_class_says_where_to_look(call: str) -> None:
    with pytest.raises(TypeError, match=r"__init__\(\) got an unexpected keyword") as caught:
        eval(f"minigrad.{call}", {"minigrad": minigrad})
    assert caught.value.__notes__ == [ADVICE]


def test_a_users_own_class_has_pythons_error() -> None:
    class Net(minigrad.nn.Module):
        def __init__(self, width: int = 1) -> None:
            super().__init__()

    assert Net(width=2).training
    with pytest.raises(TypeError, match="unexpected keyword argument 'depth'") as caught:
        Net(depth=2)  # type: ignore[call-arg]
    assert not hasattr(caught.value, "__notes__")


def test_a_class_without_a_constructor_takes_no_arguments() -> None:
    class Squares(minigrad.utils.data.Dataset[int]):
        pass

    assert Squares() is not None
    with pytest.raises(TypeError, match=r"^Squares\(\) takes no arguments$"):
        Squares(3)


def test_a_generator_is_made_for_a_device() -> None:
    assert str(minigrad.Generator(device="cpu").device) == "cpu"
    with pytest.raises(RuntimeError, match="no device 'cuda'"):
        minigrad.Generator("cuda")


def test_lazily_imported_names_are_listed_and_found() -> None:
    program = (
        "import minigrad as torch\n"
        "assert {'nn', 'optim', 'utils', 'linalg', 'finfo', 'sum'} <= set(dir(torch))\n"
        "assert {'functional', 'graph', 'Variable', 'grad'} <= set(dir(torch.autograd))\n"
        "assert torch.finfo(torch.float32).bits == 32\n"
        "assert torch.finfo is vars(torch)['finfo']\n"
        "torch.autograd.functional.jacobian, torch.autograd.graph.saved_tensors_hooks\n"
        "torch.autograd.function.once_differentiable, torch.autograd.Variable\n"
        "torch.nn.Linear, torch.optim.SGD, torch.utils.data.DataLoader, torch.linalg.norm\n"
        "from minigrad.autograd.gradcheck import GradcheckError\n"
        "assert callable(torch.autograd.gradcheck)\n"
        "from minigrad.autograd import *\n"
        "from minigrad import nn, iinfo\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_misspelled_name_gets_pythons_message() -> None:
    for owner in (minigrad, minigrad.nn.functional, minigrad.tensor(1.0), minigrad.nn.Linear(1, 1)):
        with pytest.raises(AttributeError) as caught:
            owner.sigmod  # noqa: B018
        assert str(caught.value).endswith("has no attribute 'sigmod'")
        assert (caught.value.name, caught.value.obj) == ("sigmod", owner)


def test_python_suggests_an_existing_name() -> None:
    program = """
import sys
import minigrad as torch
import minigrad.nn.functional
for owner in (torch, torch.tensor(1.0), torch.nn.functional):
    try:
        owner.sigmod
    except AttributeError as error:
        sys.excepthook(type(error), error, error.__traceback__)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stderr.count("has no attribute 'sigmod'. Did you mean: 'sigmoid'?\n") == 3


@pytest.mark.parametrize("name", ["svd", "swapaxes", "hypot_", "new_full"])
def test_missing_tensor_attributes_are_explained(name: str) -> None:
    for tensor in (minigrad.ones(2), minigrad.nn.Parameter(minigrad.ones(2))):
        with pytest.raises(AttributeError) as caught:
            getattr(tensor, name)
        assert str(caught.value) == f"'{type(tensor).__name__}' object has no attribute '{name}'"
        assert getattr(tensor, name, 3) == 3


def test_missing_module_attributes_are_explained() -> None:
    layer = minigrad.nn.Linear(1, 1)
    with pytest.raises(AttributeError, match="object has no attribute 'to_empty'") as caught:
        layer.to_empty  # noqa: B018
    assert caught.value.__notes__ == [ADVICE]
    assert not hasattr(layer, "to_empty")


@pytest.mark.parametrize(
    "call",
    [
        "torch.add(x, x, out=x)", "torch.sum(x, 0, out=x)", "torch.cat([x], out=x)",
        "torch.exp(x, out=x)", "torch.mul(x, x, out=x)", "torch.atan2(x, x, out=x)",
        "torch.mv(x, x, out=x)", "torch.eq(x, x, out=x)", "torch.clamp(x, 0, out=x)",
        "torch.zeros(2, out=x)",
    ],
)  # fmt: skip
def test_no_operation_accepts_out(call: str) -> None:
    name = call.partition("(")[0].rpartition(".")[2]
    with pytest.raises(TypeError, match=rf"^minigrad's {name}\(\) has no argument 'out'"):
        eval(call, {"torch": minigrad, "x": minigrad.ones(2)})


@pytest.mark.parametrize(
    "call",
    [
        "torch.zeros(2, layout=None)", "torch.ones(2, pin_memory=False)", "torch.zeros(2, foo=1)",
        "torch.zeros_like(x, memory_format=None)", "x.contiguous(memory_format=None)",
        "x.to(torch.float64, memory_format=None)", "torch.tensor(1.0, pin_memory=True)",
        "torch.full((1,), 1.0, names=None)",
        "x.new_zeros(2, layout=None)",
    ],
)  # fmt: skip
def test_missing_arguments_are_explained(call: str) -> None:
    name, key = re.findall(r"(\w+)\(.*?(\w+)=", call)[0]
    with pytest.raises(TypeError) as caught:
        eval(call, {"torch": minigrad, "x": minigrad.ones(2)})
    assert str(caught.value) == f"{name}() got an unexpected keyword argument '{key}'"
    assert caught.value.__notes__ == [ADVICE]


def test_batched_gradients_are_refused_before_their_shape_is_looked_at() -> None:
    y = minigrad.ones(2, requires_grad=True) * 2
    with pytest.raises(NotImplementedError, match="not support is_grads_batched"):
        minigrad.autograd.grad(y, y, minigrad.eye(2), is_grads_batched=True)


def test_an_argument_that_no_overload_has() -> None:
    with pytest.raises(TypeError, match=r"^arange\(\) received an invalid .*layout") as caught:
        minigrad.arange(3, layout=None)
    assert caught.value.__notes__ == [ADVICE]


@pytest.mark.parametrize("name", ["jacobian", "hessian", "vjp", "jvp", "vhp", "hvp"])
def test_functional_has_no_strict_mode(name: str) -> None:
    function, x = getattr(minigrad.autograd.functional, name), minigrad.tensor(2.0)
    with pytest.raises(NotImplementedError, match="no strict mode"):
        function(minigrad.exp, x, strict=True)


def test_functional_has_no_forward_mode() -> None:
    functional, x = minigrad.autograd.functional, minigrad.tensor(2.0)
    with pytest.raises(NotImplementedError, match="forward-mode"):
        functional.jacobian(minigrad.exp, x, strategy="forward-mode")
    with pytest.raises(NotImplementedError, match="forward-mode"):
        functional.hessian(minigrad.exp, x, outer_jacobian_strategy="forward-mode")
