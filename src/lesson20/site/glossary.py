"""Gives every page the glossary's words as tooltips, so that each is explained in one place."""

import re
from pathlib import Path
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.extensions.abbr import AbbrTreeprocessor

from lesson20.site.claims import without_claims
from lesson20.site.errors import PageError

_ENTRY = re.compile(r"(?<=\n\n)(?P<term>[^\s:#].*)\n\n?:[ ]+(?P<text>.+(?:\n.+)*)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


class GlossaryExtension(Extension):  # type: ignore[misc]  # markdown ships no types
    """Marks each term of the glossary page, wherever prose uses it, as an abbreviation."""

    def __init__(self, **options: Any) -> None:
        self.config = {"page": ["docs/reference/glossary.md", "The page with the definitions"]}
        super().__init__(**options)

    def extendMarkdown(self, md: Markdown) -> None:
        """Work on the finished tree, where code is told from prose."""
        entries = read_glossary(Path(self.getConfig("page")))
        md.treeprocessors.register(AbbrTreeprocessor(md, entries), "lesson20-glossary", 7)


def read_glossary(path: Path) -> dict[str, str]:
    """Each term of a definition list with its definition as one line of plain text.

    Raises:
        PageError: If a definition has no term of its own, or the page holds none.
    """
    page = path.read_text(encoding="utf-8-sig")
    entries: dict[str, str] = {}
    found = {entry.start("text"): entry for entry in _ENTRY.finditer(page)}
    for mark in re.finditer(r"^:[ ]*", page, re.MULTILINE):
        entry = found.get(mark.end())
        term = _plain(entry["term"]) if entry else ""
        if not entry or term in entries:
            line = page.count("\n", 0, mark.start()) + 1
            wanted = "a blank line, one new term and `:   its meaning` below it"
            raise PageError(path.as_posix(), line, wanted, repr(term or page[mark.start() :][:40]))
        entries[term] = _plain(entry["text"])
    if not entries:
        raise PageError(path.as_posix(), 1, "a term with `:   its meaning` below it", "none")
    return entries


def _plain(text: str) -> str:
    text = _LINK.sub(r"\1", without_claims(text))
    return " ".join(re.sub(r"[*`$]", "", text).split())


def makeExtension(**options: Any) -> GlossaryExtension:
    """What Python-Markdown calls for `lesson20.site.glossary`."""
    return GlossaryExtension(**options)
