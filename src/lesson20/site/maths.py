"""Sets every formula as MathML while the site is built; a page needs no script to show it.

Arithmatex finds the formulas (`$…$` within a line, `$$…$$` as a paragraph), math-core turns
their TeX into MathML Core.
"""

import html
import re
from typing import Any
from xml.etree import ElementTree as ET

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

from lesson20.site.errors import PageError
from lesson20.site.formulas import Formula

_FORMULA = re.compile(r"\\(?P<open>[(\[])(?P<tex>.*)\\[)\]]", re.DOTALL)
_DELIMITER = r"[\s>]*(?:\$|\\[()\[\]])[\s>]*"
_BREAK = re.compile("\n|\x02.*?\x03")  # the latter is Markdown's mark for an escaped character


class MathsExtension(Extension):  # type: ignore[misc]  # markdown ships no types
    """Formulas as MathML. Needs `lesson20.site.fence`, which knows the page and its lines."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Let Arithmatex mark the formulas; set them once inline patterns (20) have run."""
        arithmatex = "pymdownx.arithmatex"
        md.registerExtensions([arithmatex], {arithmatex: {"generic": True}})
        md.treeprocessors.register(Formulas(md), "lesson20-maths", 15)


class Formulas(Treeprocessor):  # type: ignore[misc]
    """Replaces the TeX that Arithmatex marked."""

    def run(self, root: ET.Element) -> None:
        """Set each formula.

        Raises:
            PageError: If a formula is no TeX, or a dollar sign has lost its partner.
        """
        for element in root.iter():
            if element.get("class") == "arithmatex":
                element.text = self._mathml(element.text or "")
                if element.tag == "div":  # wider than a phone it scrolls, by keyboard too
                    element.attrib |= {"tabindex": "0", "role": "group", "aria-label": "Formula"}
            else:  # no code, which was stashed as HTML before
                self._find_lone_dollar(element.text)
            self._find_lone_dollar(element.tail)

    def _mathml(self, marked: str) -> str:
        match = _FORMULA.fullmatch(marked)
        assert match is not None, f"not Arithmatex's markup: {marked!r}"
        display = match["open"] == "["
        tex = (html.unescape(match["tex"]) if display else match["tex"]).strip()
        formula = Formula(*self._locate(tex, _DELIMITER), 0, 0, tex, display)
        return str(self.md.htmlStash.store(formula.mathml()))

    def _find_lone_dollar(self, text: str | None) -> None:
        for piece in _BREAK.split(text or ""):
            if "$" in piece:
                raise PageError(*self._locate(piece), "dollar signs in pairs", repr(piece.strip()))

    def _locate(self, *fragment: str) -> tuple[str, int]:
        found: tuple[str, int] = self.md.preprocessors["lesson20"].locate(*fragment)
        return found


def makeExtension(**options: Any) -> MathsExtension:
    """What Python-Markdown calls for `lesson20.site.maths`."""
    return MathsExtension(**options)
