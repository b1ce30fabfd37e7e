"""The files about installing and running agree with one another, and imports stay light."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from jupyter_server.serverapp import ServerApp
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from minigrad_course.kernel import places

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
PYTHONS = re.findall(r"Python :: (3\.\d+)\n", "\n".join([*PROJECT["classifiers"], ""]))
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/course.yml").read_text(encoding="utf-8"))
CONTAINER = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))
COMMANDS = ROOT / "docs" / "commands.md"
PAGES_OF_TEXT = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob(".github/workflows/*.yml")]
PIP_NAME = {"python-graphviz": "graphviz"}  # conda-forge's name: pip's

# Prints what `import minigrad` adds to the modules of Python and NumPy.
THIRD_PARTY_IMPORTS = """
import sys, numpy
before = set(sys.modules)
import minigrad
added = {name.partition(".")[0] for name in set(sys.modules) - before}
print(*sorted(added - sys.stdlib_module_names))
"""


def requirements(lines: list[str]) -> dict[str, tuple[frozenset[str], SpecifierSet]]:
    """Map each package's canonical pip name to its extras and versions."""
    parsed = [Requirement(line) for line in lines]
    return {
        canonicalize_name(PIP_NAME.get(one.name, one.name)): (frozenset(one.extras), one.specifier)
        for one in parsed
    }


def conda_lines() -> list[str]:
    return [line for line in ENVIRONMENT["dependencies"] if isinstance(line, str)]


def pip_lines() -> list[str]:
    (section,) = [line for line in ENVIRONMENT["dependencies"] if isinstance(line, dict)]
    return section["pip"]


def test_environment_yml_names_the_packages_and_versions_of_pyproject() -> None:
    conda = [line for line in conda_lines() if not re.match(r"(python=|pip$)", line)]
    pip = [line for line in pip_lines() if line != "-e ."]
    own = f"{PROJECT['name']}[kernel]"
    assert own in EXTRAS["course"]
    course = [line for line in EXTRAS["course"] if line != own]
    # JupyterLab brings the kernel.
    kernel = [line for line in EXTRAS["kernel"] if not line.startswith("ipykernel")]
    wanted = [*PROJECT["dependencies"], *kernel, *course, *EXTRAS["test"]]
    assert requirements(conda + pip) == requirements(wanted)


def test_environment_yml_installs_the_checkout_under_a_python_it_supports() -> None:
    (python,) = [line for line in conda_lines() if line.startswith("python=")]
    version = re.fullmatch(r"python=(3\.\d+)", python)  # the one spelling that Binder reads
    assert version
    assert version[1] in PYTHONS
    assert "-e ." in pip_lines()


def test_the_library_needs_numpy_alone() -> None:
    assert list(requirements(PROJECT["dependencies"])) == ["numpy"]


def test_torch_is_one_exact_release_and_only_for_comparing() -> None:
    (torch,) = EXTRAS["parity"]
    assert re.fullmatch(r"torch==[\d.]+", torch)
    assert torch in EXTRAS["bench"]
    others = [line for extra in ("course", "test") for line in EXTRAS[extra]]
    assert "torch" not in requirements(others)


def test_the_page_of_commands_lists_the_targets_of_the_makefile() -> None:
    (phony,) = re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)
    assert set(phony.split()) == TARGETS
    listed = re.findall(r"^\| `make ([a-z]+)`", COMMANDS.read_text(encoding="utf-8"), re.MULTILINE)
    assert {"help", *listed} == TARGETS


@pytest.mark.parametrize("file", PAGES_OF_TEXT, ids=lambda file: file.name)
def test_every_command_that_a_text_names_exists(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    named = re.findall(r"(?:^|`|run: )make ([a-z]+)", text, re.MULTILINE)
    assert set(named) <= TARGETS
    scripts = re.findall(r"\bpython (\w+[/\\]\w+\.py)", text)
    assert [name for name in scripts if not (ROOT / name.replace("\\", "/")).is_file()] == []


def test_the_workflow_runs_the_oldest_and_the_newest_python() -> None:
    (inputs,) = [on["inputs"] for on in WORKFLOW[True].values() if on and "inputs" in on]
    default = inputs["python-version"]["default"]
    versions = WORKFLOW["jobs"]["test"]["strategy"]["matrix"]["python-version"]
    assert [versions[0], default] == [PYTHONS[0], PYTHONS[-1]]
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"


def test_jupyterlite_is_pinned_and_kept_apart_from_jupyterlab() -> None:
    lines = [line for line in EXTRAS["lite"] if line.startswith("jupyterlite")]
    assert len(lines) == 2
    assert all(re.fullmatch(r"jupyterlite-[a-z-]+==[\d.]+", line) for line in lines)
    place = places.JUPYTER / "labconfig" / "page_config.json"
    disabled = json.loads(place.read_text(encoding="utf-8"))["disabledExtensions"]
    assert disabled["@jupyterlite/pyodide-kernel-extension"]


def test_the_citation_has_the_name_version_and_licence_of_the_project() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["title"].startswith("minigrad:")
    assert (citation["version"], citation["license"]) == (PROJECT["version"], PROJECT["license"])


def test_import_minigrad_imports_numpy_and_nothing_else_from_outside() -> None:
    done = subprocess.run(
        [sys.executable, "-c", THIRD_PARTY_IMPORTS], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["minigrad"]


def test_the_package_is_marked_as_typed() -> None:
    assert files("minigrad").joinpath("py.typed").is_file()


# --- Codespaces -----------------------------------------------------------------------------------


def test_the_container_installs_what_make_lab_needs_under_a_python_it_supports() -> None:
    assert CONTAINER["image"].rpartition(":")[2] in PYTHONS
    extras = re.fullmatch(r"make \.venv/(.+)\.installed", CONTAINER["postCreateCommand"])
    assert extras
    assert f"lab: $(VENV)/{extras[1]}.installed\n" in MAKEFILE


def test_jupyterlab_in_the_container_accepts_requests_from_github_only() -> None:
    *make, arguments = shlex.split(CONTAINER["postAttachCommand"])
    assert make == ["make", "lab"]
    options = dict(part.partition("=")[::2] for part in arguments.split("=", 1)[1].split())
    assert options.keys() == {"--no-browser", "--port", "--ServerApp.allow_origin_pat"}
    assert CONTAINER["forwardPorts"] == [int(options["--port"])]
    server = ServerApp(allow_origin_pat=options["--ServerApp.allow_origin_pat"])
    assert re.match(server.allow_origin_pat, "https://name-8888.app.github.dev")
    assert not re.match(server.allow_origin_pat, "https://example.org/.app.github.dev")
