"""Gives every page the glossary's words as tooltips, so that each is explained in one place."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from markdown import Markdown
from markdown.extensions import Extension
from markdown.extensions.abbr import AbbrTreeprocessor
from markdown.extensions.toc import slugify
from markdown.treeprocessors import Treeprocessor

from lesson20.site.claims import without_claims
from lesson20.site.errors import PageError

_ENTRY = re.compile(r"(?<=\n\n)(?P<term>[^\s:#].*)\n\n?:[ ]+(?P<text>.+(?:\n.+)*)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


class GlossaryExtension(Extension):  # type: ignore[misc]  # markdown ships no types
    """Marks each term of the glossary page, wherever prose uses it, as an abbreviation.

    Needs `lesson20.site.fence`, which knows the page.
    """

    def __init__(self, **options: Any) -> None:
        self.config = {"page": ["docs/reference/glossary.md", "The page with the definitions"]}
        super().__init__(**options)

    def extendMarkdown(self, md: Markdown) -> None:
        """Work on the finished tree, where code is told from prose."""
        path = Path(self.getConfig("page"))
        entries = read_glossary(path)
        md.treeprocessors.register(Anchors(md, path), "lesson20-terms", 8)
        md.treeprocessors.register(AbbrTreeprocessor(md, entries), "lesson20-glossary", 7)


class Anchors(Treeprocessor):  # type: ignore[misc]
    """Gives each term of the glossary page an address, to which search leads."""

    def __init__(self, md: Markdown, path: Path) -> None:
        super().__init__(md)
        self._page = path.as_posix()

    def run(self, root: ET.Element) -> None:
        """Name the terms of that page, and of no other."""
        if self.md.preprocessors["lesson20"].page == self._page:
            for term in root.iter("dt"):
                term.set("id", slugify("".join(term.itertext()), "-"))


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
