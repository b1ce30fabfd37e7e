"""The recorded tensors are printed as PyTorch prints them today."""

import json

from tests.goldens.record_formatting import GOLDENS, record


def test_recording_again_changes_nothing() -> None:
    assert json.loads(GOLDENS.read_text(encoding="utf-8")) == record()
