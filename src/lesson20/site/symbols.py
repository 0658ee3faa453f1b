"""Gives every page the meanings of its symbols, from the tables of the notation page.

The symbols of a formula are marked, `<msub data-symbol="7">`, and below the page's first formula
stands a fold with what each of them means. It is there for everybody; docs/assets/symbols.js only
shows an entry of it where one points at a symbol. Nothing is wrapped around a symbol, so that
formulas are set as if this were not here.
"""

import html
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from markdown.util import HTML_PLACEHOLDER_RE

from lesson20.site.claims import without_claims
from lesson20.site.errors import PageError
from lesson20.site.formulas import Formula, find_formulas
from lesson20.site.links import LINK

TIME = "_·"  # an index that stands for any moment

_CELLS = re.compile(r"(?<!\\)\|")
_MOMENT = re.compile(r"[tkTn\d]+(?:[+−][tkTn\d]+)*")
_PIECE = re.compile(r"\$[^$]+\$|`[^`]+`")
_INDEXED = {"msub", "msubsup"}
_WHOLE = {*_INDEXED, "mover"}  # of which no part is a symbol of its own
_SUMS = {"∑", "∏"}
_ENTITY, _LETTER = "&ApplyFunction;", "\u2061"  # math-core writes what XML does not know


@dataclass(frozen=True)
class Symbol:
    """A row of the notation.

    Attributes:
        number: The row, counted from 1.
        line: Its line.
        keys: What its formulas look like, see `look`.
        pages: The pages on which it has this meaning, as `docs/blame.md`; none for all.
        entry: What a page shows of it, as HTML.
    """

    number: int
    line: int
    keys: tuple[str, ...]
    pages: tuple[str, ...]
    entry: str


class SymbolsExtension(Extension):  # type: ignore[misc]  # markdown ships no types
    """Explains the symbols of every page. Needs `lesson20.site.maths`, which sets the formulas."""

    def __init__(self, **options: Any) -> None:
        self.config = {"page": ["docs/reference/notation.md", "The page with the tables"]}
        super().__init__(**options)

    def extendMarkdown(self, md: Markdown) -> None:
        """Work on formulas that are set (15)."""
        marker = Symbols(md, Path(self.getConfig("page")))
        md.treeprocessors.register(marker, "lesson20-symbols", 14)


class Symbols(Treeprocessor):  # type: ignore[misc]
    """Marks the symbols of a page, and adds the fold."""

    def __init__(self, md: Markdown, notation: Path) -> None:
        super().__init__(md)
        self._notation = notation

    def run(self, root: ET.Element) -> None:
        """Mark the symbols of a page other than that of the notation.

        Raises:
            PageError: If the notation is malformed.
        """
        page: str = self.md.preprocessors["lesson20"].page
        formulas = [element for element in root.iter() if element.get("class") == "arithmatex"]
        if not page or not formulas or page == self._notation.as_posix():
            return
        meanings = known(read_notation(self._notation), page)
        used = {symbol for formula in formulas for symbol in self._mark(formula, meanings)}
        if used:
            entries = "".join(s.entry for s in sorted(used, key=lambda symbol: symbol.number))
            _insert_below_first(formulas, root, self.md.htmlStash.store(_FOLD.format(entries)))

    def _mark(self, formula: ET.Element, meanings: dict[str, Symbol]) -> set[Symbol]:
        stash = self.md.htmlStash.rawHtmlBlocks
        place = int(HTML_PLACEHOLDER_RE.fullmatch(formula.text)[1])
        math = read_mathml(stash[place])
        used = set(mark(math, meanings))
        stash[place] = _written(math)
        return used


_FOLD = (
    '<details class="lesson-fold lesson-symbols" data-search-exclude>'
    "<summary>Symbols on this page</summary><dl>{}</dl></details>"
)


def known(symbols: Sequence[Symbol], page: str) -> dict[str, Symbol]:
    """What each symbol means on a page, by its look; what is said of this page alone counts."""
    here = [symbol for symbol in symbols if not symbol.pages]
    here += [symbol for symbol in symbols if page in symbol.pages]
    return {key: symbol for symbol in here for key in symbol.keys}


def mark(parent: ET.Element, meanings: dict[str, Symbol]) -> Iterator[Symbol]:
    """Mark the symbols within an element; yield each.

    What has an index has a meaning of its own even within a larger symbol, as $h_k$ in ∂L/∂h_k.
    """
    children = list(parent)
    larger = _runs(children, meanings)
    for place, child in enumerate(children):
        symbol = None if child.tag in _INDEXED else larger.get(place)
        symbol = symbol or _meaning(child, meanings)
        if symbol:
            child.set("data-symbol", str(symbol.number))
            yield symbol
        if child.tag == "msubsup":
            yield from mark(_row(child[-1]), meanings)
        if not (child.tag in _WHOLE and (symbol or child[0].tag == "mi")):
            yield from mark(child, meanings)


def _runs(children: Sequence[ET.Element], meanings: dict[str, Symbol]) -> dict[int, Symbol]:
    """Which of the elements are part of a larger symbol, such as T−k; the longest one counts."""
    looks = [look(child) for child in children]
    found: dict[int, Symbol] = {}
    for length in range(2, len(children) + 1):
        for start in range(len(children) - length + 1):
            run = looks[start : start + length]
            if run[0] and run[-1] and (symbol := meanings.get("".join(run))):
                found |= dict.fromkeys(range(start, start + length), symbol)
    return found


def _meaning(element: ET.Element, meanings: dict[str, Symbol]) -> Symbol | None:
    if element.tag == "msubsup":
        element = _row(*element[:2], tag="msub")
    exact = look(element, any_moment=False)
    keys = (exact, look(element), exact + TIME)  # the last is for $h$, which is any $h_t$
    return next((meanings[key] for key in keys if key in meanings), None)


def read_mathml(mathml: str) -> ET.Element:
    """A formula as math-core writes it."""
    return ET.fromstring(mathml.replace(_ENTITY, _LETTER))


def _written(math: ET.Element) -> str:
    return ET.tostring(math, encoding="unicode").replace(_LETTER, _ENTITY)


def _row(*elements: ET.Element, tag: str = "mrow") -> ET.Element:
    row = ET.Element(tag)
    row.extend(elements)
    return row


def look(element: ET.Element, *, any_moment: bool = True) -> str:
    """What an element looks like, in one line: `h_·` for every state, `W_x` for the matrix.

    Args:
        element: MathML.
        any_moment: Whether an index such as t−1 is written as any moment.
    """
    parts = [look(child, any_moment=any_moment) for child in element]
    if element.tag in {"msub", "msubsup", "munder", "munderover"} and parts[0] in _SUMS:
        return parts[0]  # the limits of a sum are no part of its name
    if element.tag in _INDEXED:
        is_moment = any_moment and _MOMENT.fullmatch(parts[1])
        parts[1] = TIME if is_moment else f"_{parts[1]}"
        return "^".join(["".join(parts[:2]), *parts[2:]])
    if element.tag == "msup":
        return "^".join(parts)
    if element.tag == "mfrac":
        return "/".join(parts)
    if element.tag == "msqrt":
        return "√" + "".join(parts)
    return (element.text or "").strip(" \u00a0\u2061") + "".join(parts)


def read_notation(path: Path) -> list[Symbol]:
    """The rows of all tables whose first column is called Symbol.

    Raises:
        PageError: If a row has no symbol, no meaning, or cells for other columns than its table's;
            if two give a meaning to one symbol; if there is none.
    """
    symbols: list[Symbol] = []
    columns: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), 1):
        if not line.startswith("|"):
            columns = []
            continue
        cells = [cell.strip() for cell in _CELLS.split(without_claims(line).strip())[1:-1]]
        if not columns:
            columns = cells
        elif columns[0] == "Symbol" and not set("".join(cells)) <= set(":- "):
            symbols.append(_symbol(columns, cells, len(symbols) + 1, path, number))
    if not symbols:
        raise PageError(path.as_posix(), 1, "a table whose first column is Symbol", "none")
    _refuse_two_meanings(symbols, path)
    return symbols


def _symbol(columns: list[str], cells: list[str], row: int, path: Path, line: int) -> Symbol:
    page = path.as_posix()
    if len(cells) != len(columns):
        raise PageError(page, line, f"{len(columns)} cells", str(len(cells)))
    cell = dict(zip(columns, cells, strict=True))
    above = "\n" * (line - 1)  # so that a slip in a formula names its line
    formulas = list(find_formulas(above + cell["Symbol"], page))
    if not formulas or not cell.get("Meaning"):
        raise PageError(page, line, "a symbol as $formula$ and its meaning", repr(cell["Symbol"]))
    keys = [key for formula in formulas for key in _keys(formula)]
    targets = [link["target"] for link in LINK.finditer(cell.get("Page", ""))]
    places = [os.path.normpath(path.parent / target.partition("#")[0]) for target in targets]
    pages = tuple(Path(place).as_posix() for place in places)
    return Symbol(row, line, tuple(keys), pages, _entry(cell, row, page, line))


def _keys(formula: Formula) -> Iterator[str]:
    """What to look for: each symbol between the commas of a formula, in any moment."""
    math = read_mathml(formula.mathml())
    for symbol in "".join(_general(element) for element in math).split(","):
        function = re.fullmatch(r"(\w)\(\w\)", symbol)
        yield function[1] if function else symbol.removeprefix("‖⋅")  # any vector between bars


def _general(element: ET.Element) -> str:
    """As `look`; but an index that is a number, as in σ_1, is one certain index."""
    exact = look(element, any_moment=False)
    return exact if re.search(r"_\d+$", exact) else look(element)


def _refuse_two_meanings(symbols: Sequence[Symbol], path: Path) -> None:
    seen: set[tuple[str, str]] = set()
    for symbol in symbols:
        for key in symbol.keys:
            for page in symbol.pages or ("",):
                if (key, page) in seen:
                    wanted = "one meaning for a symbol of a page"
                    raise PageError(path.as_posix(), symbol.line, wanted, f"another for {key!r}")
                seen.add((key, page))


def _entry(cell: dict[str, str], row: int, page: str, line: int) -> str:
    """A row as HTML: the symbol, its meaning, its shape, its name in the code."""
    name, meaning, shape, code = (
        _html(cell.get(column, ""), page, line)
        for column in ("Symbol", "Meaning", "Shape", "In the code")
    )
    shape = {"": "", "number": "; a number"}.get(shape, f"; shape {shape}")
    code = f"; in the code {code}" if code else ""
    return f'<div id="symbol-{row}"><dt>{name}</dt><dd>{meaning}{shape}{code}</dd></div>'


def _html(text: str, page: str, line: int) -> str:
    """The Markdown of a cell as HTML: formulas, code and plain text."""
    parts, end = [], 0
    for piece in _PIECE.finditer(text):
        inner = piece[0][1:-1]
        shown = (
            Formula(page, line, 0, 0, inner, display=False).mathml()
            if piece[0][0] == "$"
            else f"<code>{html.escape(inner)}</code>"
        )
        parts += [html.escape(text[end : piece.start()]), shown]
        end = piece.end()
    return "".join(parts) + html.escape(text[end:])


def _insert_below_first(formulas: Sequence[ET.Element], root: ET.Element, text: str) -> None:
    """Add a paragraph below the first formula with a line of its own, and those next to it.

    A page that has only formulas within its lines gets it below the first paragraph with one.
    """
    above = {child: parent for parent in root.iter() for child in parent}
    place = next((formula for formula in formulas if formula.tag == "div"), formulas[0])
    while above[place] is not root and not _is_page(above[place]):
        place = above[place]
    siblings = list(above[place])
    at = siblings.index(place) + 1
    while at < len(siblings) and siblings[at].get("class") == "arithmatex":
        at += 1
    fold = ET.Element("p")
    fold.text = text
    above[place].insert(at, fold)


def _is_page(element: ET.Element) -> bool:
    """Whether this is what holds a lab's page, or a cell of it."""
    return element.tag == "div" and element.get("class") in {None, "lesson-lab"}


def makeExtension(**options: Any) -> SymbolsExtension:
    """What Python-Markdown calls for `lesson20.site.symbols`."""
    return SymbolsExtension(**options)
