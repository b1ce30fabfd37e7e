"""Names that PyTorch has and this package has not: the error says so, in every module."""

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
