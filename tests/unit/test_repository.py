"""Links to the repository agree with pyproject.toml, and a fork can make them its own."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
from jupyter_server.serverapp import ServerApp

from tests.unit.test_packaging import MAKEFILE, PYTHONS
from tools import repository

ROOT = repository.ROOT
README = (ROOT / "README.md").read_text(encoding="utf-8")
# A repository on GitHub that a link leads to, in whichever way.
ANY = re.compile(
    r"(?:mybinder\.org/v2/gh|codespaces\.new|colab\.research\.google\.com/github|uses:)[/ ]+"
    r"([\w.-]+/[\w.-]+?)(?=/|\?|\)|\s|$)|https://([\w-]+)\.github\.io/([\w.-]+)"
)


def texts() -> dict[Path, str]:
    """The texts of the project, without what git ignores and without the tests."""
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    skipped = {".git", "tests", *(line.strip("/") for line in ignored)}
    kinds = {".cff", ".html", ".ipynb", ".json", ".md", ".py", ".toml", ".yml"}
    tops = [top for top in ROOT.iterdir() if top.name not in skipped]
    files = [file for top in tops for file in ([top] if top.is_file() else top.rglob("*"))]
    return {file: file.read_text(encoding="utf-8") for file in files if file.suffix in kinds}


def test_every_link_to_the_repository_leads_to_the_one_that_pyproject_names() -> None:
    place = repository.place()
    found: dict[str, list[str]] = {}
    for file, text in texts().items():
        for link in ANY.finditer(text):
            found.setdefault(link[1] or f"{link[2]}/{link[3]}", []).append(file.name)
    assert set(found) == {place}
    assert {"README.md", "commands.md", "CONTRIBUTING.md", "course.yml"} <= set(found[place])


def test_readme_has_a_button_for_each_way_to_begin() -> None:
    place = repository.place()
    owner, name = place.split("/")
    buttons = dict(re.findall(r"^\[!\[.+?\]\(figures/marks/(\w+)\.svg\)\]\((.+)\)$", README, re.M))
    assert buttons == {
        "read": f"https://{owner}.github.io/{name}/",
        "browser": f"https://{owner}.github.io/{name}/lite/lab/index.html"
        "?path=workbook/00_start_here.ipynb&reset",
        "binder": repository.binder(place, "00_start_here.ipynb"),
        "codespaces": f"https://codespaces.new/{place}",
    }


def test_a_fork_makes_the_links_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {file.relative_to(ROOT): file.read_bytes() for file in repository.files()}
    for name, text in before.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text)
    old = repository.place()
    monkeypatch.setattr(repository, "ROOT", tmp_path)
    repository.main(["ada/my-grad.2"])
    assert repository.place() == "ada/my-grad.2"
    moved = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "https://ada.github.io/my-grad.2/lite/" in moved
    assert repository.binder("ada/my-grad.2", "00_start_here.ipynb") in moved
    assert "https://github.com/karpathy/micrograd" in (tmp_path / "docs" / "others.md").read_text()
    assert "README.md" in capsys.readouterr().out
    left = [file for file in repository.files() if old in file.read_text(encoding="utf-8")]
    assert left == []
    repository.main([old])
    again = {file.relative_to(tmp_path): file.read_bytes() for file in repository.files()}
    assert again == before


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("https://github.com/ada/grad.git", "ada/grad"),
        ("https://github.com/ada/grad", "ada/grad"),
        ("git@github.com:ada/my-grad.git", "ada/my-grad"),
        ("ssh://git@github.com/ada/grad.git", "ada/grad"),
        ("https://example.org/ada/grad", None),
        ("", None),
    ],
)
def test_git_knows_the_place_of_a_fork(
    monkeypatch: pytest.MonkeyPatch, address: str, place: str | None
) -> None:
    answer = subprocess.CompletedProcess([], 0, f"{address}\n", "")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: answer)
    if place is None:
        with pytest.raises(SystemExit, match="OWNER/NAME"):
            repository.origin()
    else:
        assert repository.origin() == place


def test_a_name_that_is_none_is_refused() -> None:
    with pytest.raises(SystemExit, match="not of the form"):
        repository.main(["ada"])


def test_the_course_is_published_where_github_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    own = repository.place()
    assert repository.known_place() == (None if own.startswith("OWNER/") else own)
    monkeypatch.setenv("GITHUB_REPOSITORY", "ada/grad")
    assert repository.known_place() == "ada/grad"


# --- Codespaces -----------------------------------------------------------------------------------


@pytest.fixture
def container() -> dict[str, Any]:
    text = (ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def test_the_container_has_a_python_that_the_course_runs_with(container: dict[str, Any]) -> None:
    assert container["image"].rpartition(":")[2] in PYTHONS


def test_the_container_calls_what_make_has(container: dict[str, Any]) -> None:
    make, target = shlex.split(container["postCreateCommand"])
    assert make == "make"
    extras = re.fullmatch(r"\.venv/(.+)\.installed", target)
    assert extras
    assert f"lab: $(VENV)/{extras[1]}.installed\n" in MAKEFILE


def test_jupyterlab_in_the_container_answers_github_alone(container: dict[str, Any]) -> None:
    *make, arguments = shlex.split(container["postAttachCommand"])
    assert make == ["make", "lab"]
    options = dict(part.partition("=")[::2] for part in arguments.split("=", 1)[1].split())
    assert options.keys() == {"--no-browser", "--port", "--ServerApp.allow_origin_pat"}
    assert container["forwardPorts"] == [int(options["--port"])]
    server = ServerApp(allow_origin_pat=options["--ServerApp.allow_origin_pat"])
    assert re.match(server.allow_origin_pat, "https://name-8888.app.github.dev")
    assert not re.match(server.allow_origin_pat, "https://example.org/.app.github.dev")
