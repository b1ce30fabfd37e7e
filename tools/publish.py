"""Say where the course is published, and write it into every page that links there.

    python tools/publish.py OWNER/NAME

`pyproject.toml` gets the address of the repository on GitHub, README and docs/commands.md get their
buttons, and the chapters a link for each place where they run and a first cell that installs the
course there. The branch `workbook` gets the reader's copies, which have no answers: Colab opens
those. Until this has run, nothing links to a place that may not exist. Run it again whenever the
repository has moved or the chapters have changed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from minigrad_course.kernel.places import ROOT

BRANCH = "workbook"
URLS = re.compile(r"\n\[project\.urls\]\nRepository = .*\n")
BLOCK = "<!-- {name}: written by tools/publish.py -->\n{text}<!-- end of {name} -->\n"
BUTTON = "[![{words}](figures/marks/{name}.svg)]({address})\n"
START = """```sh
{clone}make lab    # opens the course in JupyterLab, after a minute or two the first time
make test   # runs all the checks that don't need PyTorch
```
"""
PLACES = {  # the words of each button, and the file of its picture
    "Read the course": "read",
    "Run in the browser": "browser",
    "Open in Colab": "colab",
    "Run on Binder": "binder",
    "Open in Codespaces": "codespaces",
}


def place() -> str | None:
    """The repository, as OWNER/NAME; None until the course is published."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    address = project.get("urls", {}).get("Repository")
    return address and str(address).removeprefix("https://github.com/")


def archive() -> str:
    """The address from which pip installs the course."""
    return f"https://github.com/{place()}/archive/HEAD.zip"


def clone() -> str:
    """The line that fetches the course, once it is published."""
    repository = place()
    if repository is None:
        return ""
    return f"git clone https://github.com/{repository} && cd {repository.split('/')[1]}\n"


def source(file: str) -> str:
    """A link to a file on GitHub, whatever the main branch is called."""
    return f"https://github.com/{place()}/blob/HEAD/{file}"


def runs(chapter: str) -> dict[str, str]:
    """Where a chapter can be read and run, once it is published: the words, and the address."""
    repository = place()
    if repository is None:
        return {}
    owner, name = repository.split("/")
    site = f"https://{owner}.github.io/{name}"
    page = f"notebooks/{Path(chapter).stem}.html" if chapter else ""
    first = chapter or "00_start_here.ipynb"
    addresses = (
        f"{site}/{page}",
        f"{site}/lite/lab/index.html?path=workbook/{first}&reset",
        f"https://colab.research.google.com/github/{repository}/blob/{BRANCH}/{first}",
        f"https://mybinder.org/v2/gh/{repository}/HEAD?urlpath=lab/tree/workbook/{first}",
        f"https://codespaces.new/{repository}",
    )
    return dict(zip(PLACES, addresses, strict=True))


def blocks() -> dict[str, dict[str, str]]:
    """What stands between the marks of each page, by the page and the name of its marks."""
    repository, buttons = place(), runs("")
    if repository is None:
        return {
            "README.md": {
                "buttons": "",
                "start": START.format(clone=clone()),
                "install": "To install it from this checkout, run `pip install .`\n",
            },
            "docs/commands.md": {
                "places": "The course is not published yet. Once it is, `python tools/publish.py"
                " OWNER/NAME` writes the links to these places here.\n"
            },
        }
    pictures = (
        BUTTON.format(words=words, name=PLACES[words], address=address)
        for words, address in buttons.items()
    )
    lines = (f"- [{words}]({address})\n" for words, address in buttons.items())
    return {
        "README.md": {
            "buttons": "".join(pictures),
            "start": START.format(clone=clone()),
            "install": f"To install it, run `pip install {archive()}`\n",
        },
        "docs/commands.md": {"places": "".join(lines)},
    }


def write(repository: str) -> None:
    """Write the address into pyproject.toml, and what depends on it into the pages."""
    project = ROOT / "pyproject.toml"
    text = URLS.sub("", project.read_text(encoding="utf-8"))
    urls = f'\n[project.urls]\nRepository = "https://github.com/{repository}"\n'
    before, extras = text.split("\n# environment.yml repeats", 1)
    save(project, f"{before}{urls}\n# environment.yml repeats{extras}")
    for file, named in blocks().items():
        page = (ROOT / file).read_text(encoding="utf-8")
        for name, content in named.items():
            whole = re.escape(BLOCK.format(name=name, text="\0")).replace("\0", "(?s:.*?)")
            page = re.sub(whole, lambda _, n=name, c=content: BLOCK.format(name=n, text=c), page)
        save(ROOT / file, page)


def save(file: Path, text: str) -> None:
    """Write a file if its text has changed, and say so."""
    if file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8", newline="\n")
        print(file.relative_to(ROOT))


def commit_workbook() -> None:
    """Put the reader's copies of the chapters on a branch of their own, without checking it out."""
    from minigrad_course.desk import ipynb, workbook

    with tempfile.TemporaryDirectory() as index:

        def git(*arguments: str, text: str = "") -> str:
            environment = {"GIT_INDEX_FILE": f"{index}/index"}  # not the checkout's own
            done = subprocess.run(
                ["git", *arguments], cwd=ROOT, env={**os.environ, **environment}, input=text,
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            return done.stdout.strip()

        for file in ipynb.chapters():
            copy = ipynb.as_text(workbook.alone(workbook.copied(file), f"https://github.com/{place()}"))
            blob = git("hash-object", "-w", "--stdin", text=copy)
            git("update-index", "--add", "--cacheinfo", f"100644,{blob},{file.name}")
        tree = git("write-tree")
        message = "The chapters as readers get them, without answers"
        git("update-ref", f"refs/heads/{BRANCH}", git("commit-tree", tree, "-m", message))


def main(arguments: list[str]) -> None:
    """Rewrite the files and the branch, and print which files have changed."""
    part = r"[A-Za-z0-9](?:[\w.-]*\w)?"
    if len(arguments) != 1 or not re.fullmatch(f"{part}/{part}", arguments[0]):
        sys.exit("usage: python tools/publish.py OWNER/NAME")
    from tools import notebooks

    write(arguments[0])
    notebooks.main(["sync"])
    commit_workbook()
    print(f"Commit these changes, and push them together with the branch {BRANCH}.")


if __name__ == "__main__":
    main(sys.argv[1:])
