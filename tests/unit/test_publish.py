"""tools/publish.py moves every link to the repository, and no other link."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import publish

ROOT = publish.ROOT
KINDS = {".cff", ".html", ".ipynb", ".json", ".md", ".py", ".toml", ".yml"}


def linking() -> dict[Path, str]:
    """The project's files that link to its repository, with their texts; tests are left out."""
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    skipped = {".git", "tests", *(line.strip("/") for line in ignored)}
    tops = [top for top in ROOT.iterdir() if top.name not in skipped]
    files = [file for top in tops for file in ([top] if top.is_file() else top.rglob("*"))]
    texts = {file: file.read_text(encoding="utf-8") for file in files if file.suffix in KINDS}
    old = publish.place()
    return {
        file.relative_to(ROOT): text
        for file, text in texts.items()
        if publish.moved(text, old, "some/where") != text
    }


def test_links_can_be_moved_there_and_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, old = linking(), publish.place()
    others = f"https://github.com/karpathy/micrograd https://github.com/{old}-2"
    before[Path("README.md")] += others
    for name, text in before.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(publish, "ROOT", tmp_path)
    publish.main(["ada/my-grad.2"])
    assert publish.place() == "ada/my-grad.2"
    assert publish.is_published()
    moved = {name: (tmp_path / name).read_text(encoding="utf-8") for name in before}
    readme = moved[Path("README.md")]
    assert "https://ada.github.io/my-grad.2/lite/" in readme
    assert "https://codespaces.new/ada/my-grad.2)" in readme
    assert publish.binder("00_start_here.ipynb") in readme
    assert readme.endswith(others)
    assert [name for name, text in moved.items() if publish.moved(text, old, "x/y") != text] == []
    publish.main([old])
    assert {name: (tmp_path / name).read_text(encoding="utf-8") for name in before} == before


@pytest.mark.parametrize("name", ["", "ada", "ada/", "/grad", "ada/grad/docs", "a b/c", "https://x/y"])
def test_invalid_repository_names_are_refused(name: str) -> None:
    with pytest.raises(SystemExit, match="OWNER/NAME"):
        publish.main([name])
