"""Courtesies under MkDocs, which say in one line what is wrong with which page.

Nothing depends on these hooks: without them MkDocs ends with a traceback or a list of warnings.
"""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.structure.files import Files, InclusionLevel
from mkdocs.structure.nav import Navigation
from nbclient.exceptions import CellExecutionError

from lesson20.site.errors import PageError
from lesson20.site.pages import parse, run


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> None:
    """Refuse a page that no reader would find."""
    for file in files.documentation_pages():
        if file.page not in nav.pages and file.inclusion is not InclusionLevel.NOT_IN_NAV:
            page = f"docs/{file.src_uri}"
            raise PageError(page, 1, "a place in the nav of mkdocs.yml", "none")


def on_build_error(error: Exception) -> None:
    """End with a page's error alone; `mkdocs serve` shows it and goes on."""
    if isinstance(error, CellExecutionError):
        error = _in_its_lab(error)
    if isinstance(error, PageError):
        raise Abort(str(error).strip()) from None


def _in_its_lab(error: CellExecutionError) -> Exception:
    """A kernel knows no line of the lab's source: run the labs here to find the one that raises."""
    for lab in sorted(Path("docs/labs").glob("*.md")):
        try:
            list(run(parse(lab.read_text(encoding="utf-8-sig"), lab.as_posix())))
        except PageError as found:
            return found
    return error
