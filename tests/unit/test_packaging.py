"""What says how to install and run the project agrees with itself, and importing it stays light."""

import json
import re
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
PYTHONS = re.findall(r"Python :: (3\.\d+)\n", "\n".join([*PROJECT["classifiers"], ""]))
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
WORKFLOW, PAGES = (
    yaml.safe_load((ROOT / f".github/workflows/{name}.yml").read_text(encoding="utf-8"))
    for name in ("course", "pages")
)
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")

TARGETS = [
    *("lab", "test", "thorough", "parity", "browser", "run"),
    *("site", "lite", "slides", "assignment", "figures", "contact", "bench"),
]
PIP_NAME = {"python-graphviz": "graphviz"}  # conda-forge's name: pip's
PYTHON_OF_SHELL = {"sh": ".venv/bin/python", "powershell": r".venv\Scripts\python"}

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


def recipe(target: str) -> list[str]:
    """Return the plain commands behind `make target`, the installation first."""
    rule = re.search(
        rf"^{target}: \$\(VENV\)/(\S+)\.installed\n((?:\t.+\n)+)", MAKEFILE, re.MULTILINE
    )
    assert rule, f"Makefile has no rule for {target} that starts from an installed set of extras"
    extras, commands = rule.groups()
    commands = re.sub(r" \$\((?!RUN)[A-Z_]+\)", "", commands).replace("$(RUN)", "python")
    return [f'python -m pip install -e ".[{extras}]"', *commands.replace("\t", "").splitlines()]


def plain_commands(shell: str) -> str:
    """Return the page's command lines for one shell, in the spelling that `recipe` uses."""
    blocks = re.findall(rf"^```{shell}\n(.*?)^```", COMMANDS, re.MULTILINE | re.DOTALL)
    return "".join(blocks).replace(PYTHON_OF_SHELL[shell], "python").replace("\\", "/")


def test_environment_yml_names_the_packages_and_versions_of_pyproject() -> None:
    conda = [line for line in conda_lines() if not re.match(r"(python=|pip$)", line)]
    pip = [line for line in pip_lines() if line != "-e ."]
    wanted = [*PROJECT["dependencies"], *EXTRAS["course"], *EXTRAS["test"]]
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
    assert EXTRAS["parity"] == ["torch==2.13.0"]
    assert "torch==2.13.0" in EXTRAS["bench"]
    others = [line for extra in ("course", "test") for line in EXTRAS[extra]]
    assert "torch" not in requirements(others)


def test_the_page_of_commands_and_makefile_know_the_same_targets() -> None:
    named = re.findall(r"^\| `make ([a-z]+)`", COMMANDS, re.MULTILINE)
    assert set(named) == set(TARGETS)
    (phony,) = re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)
    assert set(phony.split()) == {"help", *TARGETS}
    assert {"lab", "test"} <= set(re.findall(r"make ([a-z]+)", README)) <= set(TARGETS)


def test_the_workflow_calls_targets_that_there_are() -> None:
    steps = [step for job in WORKFLOW["jobs"].values() for step in job["steps"] if "run" in step]
    called = [re.fullmatch(r"make ([a-z]+)", step["run"]) for step in steps]
    assert {"test", "thorough", "parity"} <= {each[1] for each in called if each} <= set(TARGETS)
    assert all(called)
    (inputs,) = [on["inputs"] for on in WORKFLOW[True].values() if on and "inputs" in on]
    default = inputs["python-version"]["default"]
    versions = WORKFLOW["jobs"]["test"]["strategy"]["matrix"]["python-version"]
    assert [versions[0], default] == [PYTHONS[0], PYTHONS[-1]]


def test_the_workflow_of_the_pages_makes_both_sites_and_hands_them_over() -> None:
    steps = [step for job in PAGES["jobs"].values() for step in job["steps"]]
    run = [step["run"] for step in steps if "run" in step]
    assert run == ['make site SITE_ARGS="--lite lite"', "make lite", "mv lite site/lite"]
    (handed,) = [step["with"]["path"] for step in steps if "upload" in step.get("uses", "")]
    assert handed == "site"


def test_jupyterlite_is_one_exact_release_and_out_of_the_way_of_jupyterlab() -> None:
    assert all(re.fullmatch(r"jupyterlite-[a-z-]+==[\d.]+", line) for line in EXTRAS["lite"])
    place = ROOT / "tools" / "jupyter" / "labconfig" / "page_config.json"
    disabled = json.loads(place.read_text(encoding="utf-8"))["disabledExtensions"]
    assert disabled["@jupyterlite/pyodide-kernel-extension"]


def test_the_versions_of_python_are_told_alike() -> None:
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    assert f"Tried with Python {', '.join(PYTHONS[:-1])} and {PYTHONS[-1]}." in COMMANDS


def test_citation_has_the_projects_name_version_and_licence() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["title"].startswith(PROJECT["name"] + ":")
    assert (citation["version"], citation["license"]) == (PROJECT["version"], PROJECT["license"])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("shell", PYTHON_OF_SHELL)
def test_the_page_has_the_plain_commands_of(target: str, shell: str) -> None:
    assert "\n".join([f"# make {target}", *recipe(target), ""]) in plain_commands(shell)


def test_import_minigrad_imports_numpy_and_nothing_else_from_outside() -> None:
    done = subprocess.run(
        [sys.executable, "-c", THIRD_PARTY_IMPORTS], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["minigrad"]


def test_the_package_is_marked_as_typed() -> None:
    assert files("minigrad").joinpath("py.typed").is_file()
