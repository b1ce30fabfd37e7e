"""The names that are recorded of PyTorch are those that it has."""

from minigrad.support import torch_names
from tools import record_torch_names


def test_recorded_names() -> None:
    assert record_torch_names.TARGET.read_text(encoding="utf-8") == record_torch_names.text()
    assert {"torch", "torch.Tensor", "torch.nn.functional"} <= set(torch_names.NAMES)
    assert "memory_format" in torch_names.KEYWORDS
