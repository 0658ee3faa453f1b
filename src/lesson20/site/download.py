"""A page to take away: the same prose and blocks as a notebook and as a Python script.

Nothing in it needs the site: claims lose their comments, admonitions become quotes, and links to
other pages lead to the site where it has an address and are plain text where it has none. What is
folded on the page is folded in the notebook. What it does need is the package, which stands beside
the pages as a wheel.
"""

import contextlib
import html
import json
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import jupytext
from flit_core import buildapi

from lesson20.site.blocks import Block
from lesson20.site.claims import without_claims
from lesson20.site.links import ELSEWHERE, LINK
from lesson20.site.pages import FRONT_MATTER, parse

WHEEL = f"lesson20-{version('lesson20')}-py3-none-any.whl"

type Cell = dict[str, Any]

_KINDS = {"ipynb": "notebook", "py": "Python script"}
_KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
_ADMONITION = re.compile(
    r'^(?P<mark>!!!|\?\?\?\+?) \w+(?: "(?P<title>[^"]*)")?\n(?P<body>(?:\n| {4}.*\n)*)',
    re.MULTILINE,
)


def write_page(text: str, page: str, address: str, folder: Path) -> dict[str, str]:
    """Write a page into a folder in both kinds; return each file's name and what it is."""
    made = notebook(text, page, address)
    folder.mkdir(parents=True, exist_ok=True)
    links = {f"{Path(page).stem}.{kind}": what for kind, what in _KINDS.items()}
    for name in links:
        (folder / name).write_text(write(made, name.rpartition(".")[2]), encoding="utf-8")
    return links


def build_wheel(root: Path, folder: Path) -> None:
    """Build the package that lies in root, as `WHEEL` in a folder."""
    with contextlib.chdir(root):
        buildapi.build_wheel(str(folder))


def offer(links: dict[str, str], package: str, site: str) -> str:
    """Return the HTML at a page's foot that says how to run it elsewhere.

    Args:
        links: The page's files and what each is.
        package: Where the wheel lies, seen from the page.
        site: The site's address; empty if it has none, and the wheel has to be downloaded first.
    """
    pages = " or ".join(f'<a href="{file}" download>{what}</a>' for file, what in links.items())
    wanted = f"lesson20[figures] @ {urljoin(site, WHEEL)}" if site else f"./{WHEEL}[figures]"
    return (
        '<div class="lesson-download" data-search-exclude>'
        f"<p>Take this page with you: as a {pages}. What runs here runs on your machine, with "
        f'Python 3.12 or newer and <a href="{package}" download>the lesson\u2019s package</a>:</p>'
        f"<pre><code>pip install {html.escape(f'"{wanted}"')}</code></pre></div>"
    )


def notebook(text: str, page: str, address: str = "") -> dict[str, Any]:
    """Return a page as a notebook (nbformat 4.5): a cell for each block and for the prose between.

    Args:
        text: The whole page.
        page: Its name, as `docs/blame.md`.
        address: Where the page stands on the site; empty if the site has no address.
    """
    base = address if page.endswith("index.md") or not address else urljoin(address, "../")
    cells, start, around = [], _body(text), ""
    blocks = [item for item in parse(text, page) if isinstance(item, Block)]
    for block in blocks:
        cells += _prose(around, text[start : block.start], base)
        start, around = block.end, _around(block, text)
        cells.append(_code(block, folded=around.startswith("???")))
    cells += _prose(around, text[start:], base)
    return {
        "cells": [{"id": f"cell-{number}"} | cell for number, cell in enumerate(cells)],
        "metadata": {"kernelspec": _KERNEL},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def write(notebook: dict[str, Any], kind: str) -> str:
    """Return the text of a notebook's file: kind is "ipynb" or "py"."""
    text = json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
    if kind == "ipynb":
        return text
    return str(jupytext.writes(jupytext.reads(text, fmt="ipynb"), fmt="py:percent"))


def _body(text: str) -> int:
    """Where the prose begins: behind the front matter, of which a lab has two."""
    start = 0
    while above := FRONT_MATTER.match(text[start:]):
        start += above.end()
    return start


def _around(block: Block, text: str) -> str:
    """The line that opens the admonition around a block; empty if the block stands in none."""
    found = list(_ADMONITION.finditer(text, 0, block.start))
    if not found or found[-1].end() != block.start:
        return ""
    return found[-1][0].partition("\n")[0]


def _prose(around: str, text: str, base: str) -> list[Cell]:
    """The cell of some prose, the beginning of which may go on an admonition around a block."""
    if around and re.match(r"\n* {4}", text):
        text = around + text
    text = _ADMONITION.sub(_quote, without_claims(text).strip() + "\n")
    text = LINK.sub(lambda link: _link(link, base), text).strip()
    return [_markdown(text)] if text else []


def _markdown(text: str) -> Cell:
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def _quote(admonition: re.Match[str]) -> str:
    lines = [line.removeprefix("    ") for line in admonition["body"].strip("\n").split("\n")]
    if not admonition["body"].strip():
        return f"**{admonition['title'] or 'More'}**\n\n"
    if admonition["mark"] == "???":
        summary = f"<details><summary>{admonition['title'] or 'More'}</summary>"
        return "\n".join([summary, "", *lines, "", "</details>"]) + "\n\n"
    title = [f"**{admonition['title']}**", ""] if admonition["title"] else []
    return "\n".join(f"> {line}".rstrip() for line in [*title, *lines]) + "\n\n"


def _link(link: re.Match[str], base: str) -> str:
    if not link["target"] or ELSEWHERE.match(link["target"]):
        return link[0]
    if not base:
        return link["label"]
    name, *rest = re.split(r"(?=[?#])", link["target"], maxsplit=1)
    folder = re.sub(r"(?:index)?\.md$", "/", name).lstrip("/")
    return f"[{link['label']}]({urljoin(base, folder)}{''.join(rest)})"


def _code(block: Block, *, folded: bool) -> Cell:
    if block.options.skip:
        return _markdown(f"```python\n{block.source}```\n\nNot run: {block.options.skip}")
    cell = {"cell_type": "code", "metadata": {}, "source": block.source.rstrip("\n")}
    if folded:
        cell["metadata"] = {"jupyter": {"source_hidden": True}}
    return cell | {"execution_count": None, "outputs": []}
