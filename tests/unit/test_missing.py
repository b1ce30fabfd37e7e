"""Names that PyTorch has and this package has not: the error says so, in every module."""

import subprocess
import sys

import pytest

import minigrad
import minigrad.nn.functional
import minigrad.nn.init
import minigrad.nn.utils
import minigrad.optim
import minigrad.utils.data


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (minigrad, "compile"),
        (minigrad.autograd, "forward_ad"),
        (minigrad.autograd, "profiler"),
        (minigrad.autograd.graph, "allow_mutation_on_saved_tensors"),
        (minigrad.nn, "LSTM"),
        (minigrad.nn.functional, "grid_sample"),
        (minigrad.nn.init, "dirac_"),
        (minigrad.nn.utils, "parametrize"),
        (minigrad.optim, "LBFGS"),
        (minigrad.utils, "tensorboard"),
        (minigrad.utils.data, "IterDataPipe"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_a_missing_name_says_where_to_look(module: object, name: str) -> None:
    with pytest.raises(AttributeError, match=rf"has no attribute '{name}': .*README\.md says what"):
        getattr(module, name)
    assert not hasattr(module, name)


def test_what_is_imported_later_is_listed_and_found() -> None:
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
