"""The road into the tests: Sybil hands each block and claim of a page to pytest.

The hooks at the end add `--accept`, which brings stale pages up to date before they are tested,
and say once more at the end of a run, in one line each, what is wrong with a page.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sybil import Document, Example, Region
from sybil.typing import Parser

from lesson20.site.accept import accept
from lesson20.site.errors import PageError
from lesson20.site.pages import parse
from lesson20.site.running import TIME_LIMIT


class Page(Document):
    """A page under test."""

    time_limit = TIME_LIMIT
    accepted: list[str] | None = None  # the diffs of accept mode; None where it is off

    @classmethod
    def parse(cls, path: str, *parsers: Parser, encoding: str = "utf-8") -> Document:
        """Read a page, in accept mode after bringing it up to date."""
        if cls.accepted is not None:
            cls.accepted.append(accept(Path(path), page_name(Path(path))))
        return super().parse(path, *parsers, encoding=encoding)


def blocks_and_claims(document: Document) -> Iterator[Region]:
    """The Sybil parser of this project: one region for each block and claim of a page."""
    for item in parse(document.text, page_name(Path(document.path))):
        yield Region(item.start, item.end, item, evaluate)


def evaluate(example: Example) -> str | None:
    """Check one block or claim in its page's namespace; return what is wrong with it."""
    try:
        example.parsed.check(example.namespace, Page.time_limit)
    except PageError as error:
        return str(error)
    return None


def page_name(path: Path) -> str:
    """A page's path as error messages give it: relative to the working directory."""
    return path.resolve().relative_to(Path.cwd(), walk_up=True).as_posix()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--accept`."""
    parser.addoption(
        "--accept", action="store_true", help="bring the outputs and claims of pages up to date"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Switch accept mode on, if asked for."""
    Page.accepted = [] if config.getoption("--accept") else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show what accept mode changed, then each mistake of a page as one line."""
    for diff in filter(None, Page.accepted or []):
        terminalreporter.write_line(diff)
    reports = [*terminalreporter.getreports("failed"), *terminalreporter.getreports("error")]
    mistakes = re.findall(
        r"^(?:E\s+)?(\S+\.md:\d+: expected .*)",
        "\n".join(report.longreprtext for report in reports),
        re.M,
    )
    for line in dict.fromkeys(mistakes):
        terminalreporter.write_line(line)
