"""The road into the tests: Sybil hands each block and claim of a page to pytest."""

from collections.abc import Iterator
from pathlib import Path

from sybil import Document, Example, Region

from lesson20.site.errors import PageError
from lesson20.site.pages import parse


def blocks_and_claims(document: Document) -> Iterator[Region]:
    """The Sybil parser of this project: one region for each block and claim of a page."""
    for item in parse(document.text, page_name(Path(document.path))):
        yield Region(item.start, item.end, item, evaluate)


def evaluate(example: Example) -> str | None:
    """Check one block or claim in its page's namespace; return what is wrong with it."""
    try:
        example.parsed.check(example.namespace)
    except PageError as error:
        return str(error)
    return None


def page_name(path: Path) -> str:
    """A page's path as error messages give it: relative to the working directory."""
    return path.resolve().relative_to(Path.cwd(), walk_up=True).as_posix()
