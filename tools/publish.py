"""Write where the course is on GitHub into every file that links there.

    python tools/publish.py OWNER/NAME

pyproject.toml has the address under `[project.urls]`, and README, the docs and the workflows link
to it. Run it again whenever the repository has moved.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACEHOLDER = "OWNER"  # the owner in pyproject.toml until the course is published
FILES = ("README.md", "CONTRIBUTING.md", "docs/*.md", ".github/workflows/*.yml", "pyproject.toml")
SITES = r"github\.com/|mybinder\.org/v2/gh/|codespaces\.new/|uses: "


def place() -> str:
    """The repository, as OWNER/NAME."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["urls"]["Repository"]).removeprefix("https://github.com/")


def is_published() -> bool:
    """Whether the place is a real one."""
    return not place().startswith(f"{PLACEHOLDER}/")


def binder(file: str) -> str:
    """A link that opens a notebook of the workbook on Binder."""
    return f"https://mybinder.org/v2/gh/{place()}/HEAD?urlpath=lab/tree/workbook/{file}"


def source(file: str) -> str:
    """A link to a file on GitHub, whatever the main branch is called."""
    return f"https://github.com/{place()}/blob/HEAD/{file}"


def moved(text: str, old: str, new: str) -> str:
    """`text`, with the links to the repository `old` leading to `new`."""
    text = re.sub(rf"({SITES}){re.escape(old)}(?![\w-])", rf"\g<1>{new}", text)
    before, after = (f"https://{'.github.io/'.join(each.split('/'))}" for each in (old, new))
    return re.sub(rf"{re.escape(before)}(?![\w-])", after, text)


def main(arguments: list[str]) -> None:
    """Rewrite the files, and print which ones have changed."""
    part = r"[A-Za-z0-9](?:[\w.-]*\w)?"
    if len(arguments) != 1 or not re.fullmatch(f"{part}/{part}", arguments[0]):
        sys.exit("usage: python tools/publish.py OWNER/NAME")
    old, new = place(), arguments[0]
    for file in (file for pattern in FILES for file in sorted(ROOT.glob(pattern))):
        text = file.read_text(encoding="utf-8")
        if (changed := moved(text, old, new)) != text:
            file.write_text(changed, encoding="utf-8", newline="\n")
            print(file.relative_to(ROOT))


if __name__ == "__main__":
    main(sys.argv[1:])
