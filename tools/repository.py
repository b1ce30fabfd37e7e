"""Where the course is on GitHub, said in one place: `[project.urls]` of pyproject.toml.

    python tools/repository.py              # what git calls origin
    python tools/repository.py OWNER/NAME

writes the place there and into every link that leads to it: the buttons of README, the addresses on
the page of commands, the workflows. tests/unit/test_repository.py looks for links that disagree.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOBODY = "OWNER"  # stands for the owner as long as the course is published nowhere

# The files with such links, and how a place stands in them.
FILES = ["README.md", "CONTRIBUTING.md", "docs/*.md", ".github/workflows/*.yml", "pyproject.toml"]
NAME = r"[A-Za-z0-9][\w.-]*[A-Za-z0-9]"
LINK = re.compile(
    r"(?P<before>https://(?:github\.com|mybinder\.org/v2/gh|codespaces\.new)/|uses: )"
    rf"(?P<owner>{NAME})/(?P<name>{NAME})"
    rf"|https://(?P<pages_owner>{NAME})\.github\.io/(?P<pages_name>{NAME})"
)


def place() -> str:
    """OWNER/NAME."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["urls"]["Repository"]).removeprefix("https://github.com/")


def known_place() -> str | None:
    """The place where the course is published, if it is; GitHub's workflows say it themselves."""
    found = os.environ.get("GITHUB_REPOSITORY") or place()
    return None if found.startswith(f"{NOBODY}/") else found


def binder(place: str, file: str) -> str:
    """A link that opens a notebook of the workbook on Binder."""
    return f"https://mybinder.org/v2/gh/{place}/HEAD?urlpath=lab/tree/workbook/{file}"


def source(place: str, file: str) -> str:
    """A link to a file on GitHub, whatever its main branch is called."""
    return f"https://github.com/{place}/blob/HEAD/{file}"


def files() -> list[Path]:
    """The files in which the place stands."""
    return [file for pattern in FILES for file in sorted(ROOT.glob(pattern))]


def move(text: str, old: str, new: str) -> str:
    """`text`, with links to the repository `old` leading to `new`."""
    owner, name = new.split("/")

    def moved(link: re.Match[str]) -> str:
        if link["pages_owner"]:
            there = f"{link['pages_owner']}/{link['pages_name']}"
            return f"https://{owner}.github.io/{name}" if there == old else link[0]
        return f"{link['before']}{new}" if f"{link['owner']}/{link['name']}" == old else link[0]

    return LINK.sub(moved, text)


def origin() -> str:
    """What git calls origin. SystemExit if that is no repository on GitHub."""
    command = ["git", "-C", str(ROOT), "remote", "get-url", "origin"]
    address = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    found = re.fullmatch(rf"(?:https://|ssh://git@|git@)github\.com[/:]({NAME}/{NAME}?)", address)
    if not found:
        sys.exit("git knows no origin on GitHub: python tools/repository.py OWNER/NAME")
    return found[1].removesuffix(".git")


def main(arguments: list[str]) -> int:
    """Write the place into every file that has it."""
    new, old = (arguments[0] if arguments else origin()), place()
    if not re.fullmatch(f"{NAME}/{NAME}", new):
        sys.exit(f"{new!r} is not of the form OWNER/NAME")
    for file in files():
        text = file.read_text(encoding="utf-8")
        if (moved := move(text, old, new)) != text:
            file.write_text(moved, encoding="utf-8", newline="\n")
            print(file.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
