"""The question that a page answers stands on that page alone, and is shown wherever it is needed.

It is the line `*The question: …?*` at the top of the page, or else the title, if that is a
question. The links to the neighbouring pages show it, and so does the page that says that an
address leads nowhere. A line `{questions}` becomes a table of the lesson's pages.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

from lesson20.site.errors import PageError

TABLE = "{questions}"

_TITLE = re.compile(r"^# (?P<text>.+?)[ ]*$", re.MULTILINE)
_QUESTION = re.compile(r"\s*\*The question: (?P<text>[^*]+\?)\*")
_NO_PLAIN_TEXT = re.compile(r"[$`<\[]")


class QuestionsExtension(Extension):  # type: ignore[misc]  # markdown ships no types
    """Fills in the table of questions. Its option `nav` is the nav of mkdocs.yml."""

    def __init__(self, **options: Any) -> None:
        self.config = {
            "docs": ["docs", "The folder of the pages, seen from the working directory"],
            "nav": [[], "The pages in their order; those of its sections are not the lesson's"],
        }
        super().__init__(**options)

    def extendMarkdown(self, md: Markdown) -> None:
        """Come after the page was found by its text (40) and before all else."""
        filler = Filler(Path(self.getConfig("docs")), lesson(self.getConfig("nav")))
        md.preprocessors.register(filler, "lesson20-questions", 39)


class Filler(Preprocessor):  # type: ignore[misc]
    """Writes the table of questions in place of its mark."""

    def __init__(self, docs: Path, pages: Sequence[str]) -> None:
        super().__init__()
        self._docs, self._pages = docs, pages

    def run(self, lines: list[str]) -> list[str]:
        """Replace the mark, wherever it is a line of its own."""
        return fill("\n".join(lines), self._docs, self._pages).split("\n")


def fill(text: str, docs: Path, pages: Sequence[str]) -> str:
    """A text with the table of questions in place of its mark.

    Args:
        text: Markdown; the first of the pages, which the table leaves out, or a part of it.
        docs: The folder of the pages.
        pages: The lesson's pages in that folder.

    Raises:
        PageError: If one of the pages has no question.
    """
    if TABLE not in text.split("\n"):
        return text
    return re.sub(rf"^{re.escape(TABLE)}$", "\n".join(_table(docs, pages)), text, flags=re.M)


def _table(docs: Path, pages: Sequence[str]) -> Iterator[str]:
    yield "| Page | The question it answers |"
    yield "| --- | --- |"
    for name in pages[1:]:
        path = docs / name
        text = path.read_text(encoding="utf-8-sig")
        asked = question(text, path.as_posix())
        title = _TITLE.search(text)
        yield f"| [{title['text'] if title else name}]({name}) | {asked} |"


def lesson(nav: Sequence[dict[str, Any]]) -> list[str]:
    """The pages of the lesson itself: those of a nav that stand in no section."""
    return [page for entry in nav for page in entry.values() if isinstance(page, str)]


def question(text: str, page: str) -> str:
    """The question that a page answers, as a sentence of plain text.

    Args:
        text: The whole page.
        page: Its name, as `docs/blame.md`.

    Raises:
        PageError: If there is none, or it is no plain text.
    """
    title = _TITLE.search(text)
    line = text.count("\n", 0, title.start()) + 1 if title else 1
    asked = _QUESTION.match(text, title.end()) if title else None
    found = asked["text"] if asked else title["text"] if title else ""
    if not found.endswith("?"):
        wanted = "below the title *The question: what does this page answer?*"
        raise PageError(page, line, wanted, repr(found) if found else "no title")
    if _NO_PLAIN_TEXT.search(found):
        raise PageError(page, line, "the page's question in plain words", repr(found))
    found = " ".join(found.split())
    return found[0].upper() + found[1:]


def makeExtension(**options: Any) -> QuestionsExtension:
    """What Python-Markdown calls for `lesson20.site.questions`."""
    return QuestionsExtension(**options)
