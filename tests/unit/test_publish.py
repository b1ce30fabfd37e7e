"""tools/publish.py: nothing links to a repository until it has run, and everything afterwards."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from minigrad_course.desk import ipynb
from tools import notebooks, publish

PAGES = ("README.md", "docs/commands.md", "pyproject.toml")
PLACES = ("OWNER", "colab.research", "mybinder.org", "codespaces.new", ".github.io")


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with what publishing changes: its pages, and two chapters."""
    for name in PAGES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(publish.ROOT / name, tmp_path / name)
    (tmp_path / "notebooks").mkdir()
    files = [Path(shutil.copy(file, tmp_path / "notebooks")) for file in ipynb.chapters()[:2]]
    monkeypatch.setattr(publish, "ROOT", tmp_path)
    monkeypatch.setattr(ipynb, "chapters", lambda folder=None: files)
    notebooks.titles.cache_clear()
    git(tmp_path, "init", "-q")
    for kind in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{kind}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{kind}_EMAIL", "ada@example.org")
    return tmp_path


def pages(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text(encoding="utf-8") for name in PAGES}


def test_until_then_no_page_and_no_chapter_leads_to_a_repository() -> None:
    assert publish.place() is None
    files = [publish.ROOT / name for name in PAGES if name.endswith(".md")]
    texts = {file.name: file.read_text(encoding="utf-8") for file in files}
    texts["commands.md"] = texts["commands.md"].replace("publish.py OWNER/NAME", "")
    for file in ipynb.chapters():
        texts[file.name] = "".join(cell.source for cell in ipynb.read(file).cells)
    found = [(name, place) for name, text in texts.items() for place in PLACES if place in text]
    assert found == []
    for file, named in publish.blocks().items():
        for name, text in named.items():
            whole = publish.BLOCK.format(name=name, text=text)
            assert whole in (publish.ROOT / file).read_text(encoding="utf-8")


def test_afterwards_every_place_has_its_button_and_its_link(checkout: Path) -> None:
    publish.main(["ada/my-grad.2"])
    assert publish.place() == "ada/my-grad.2"
    readme = pages(checkout)["README.md"]
    for address in publish.runs("").values():
        assert f"]({address})" in readme
    assert "git clone https://github.com/ada/my-grad.2 && cd my-grad.2\nmake lab" in readme
    for file in ipynb.chapters():
        texts = [cell.source for cell in ipynb.read(file).cells]
        for address in publish.runs(file.name).values():
            assert any(f"]({address})" in text for text in texts)
        (install,) = [text for text in texts if "find_spec" in text]
        assert "https://github.com/ada/my-grad.2/archive/HEAD.zip" in install


def test_colab_gets_copies_without_answers(checkout: Path) -> None:
    publish.main(["ada/grad"])
    names = git(checkout, "ls-tree", "--name-only", publish.BRANCH).split()
    assert names == [file.name for file in ipynb.chapters()]
    copy = json.loads(git(checkout, "show", f"{publish.BRANCH}:{names[1]}"))
    assert not any(cell.get("outputs") for cell in copy["cells"])
    text = "".join("".join(cell["source"]) for cell in copy["cells"])
    assert "](../" not in text
    assert 'src="../' not in text


def test_it_can_be_run_again_with_another_name(checkout: Path) -> None:
    publish.main(["ada/grad"])
    once = pages(checkout)
    publish.main(["someone/else"])
    assert "ada" not in pages(checkout)["pyproject.toml"]
    publish.main(["ada/grad"])
    assert pages(checkout) == once


@pytest.mark.parametrize(
    "name", ["", "ada", "ada/", "/grad", "ada/grad/docs", "a b/c", "https://x/y"]
)
def test_invalid_repository_names_are_refused(name: str) -> None:
    with pytest.raises(SystemExit, match="OWNER/NAME"):
        publish.main([name])
