"""The road into the built page: a Python-Markdown extension and a SuperFences formatter.

The extension reads a page before SuperFences does, and runs it. SuperFences then calls the
formatter for one fence after the other; the formatter renders the next block. Where the two
disagree about what the next block is, the build stops. MkDocs and Zensical both run
Python-Markdown extensions, so both build the same page.
"""

import html
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from markdown import Markdown
from markdown.blockprocessors import BlockProcessor
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor

from lesson20.site import data, pages
from lesson20.site.alone import alone
from lesson20.site.blocks import Block
from lesson20.site.claims import without_claims
from lesson20.site.errors import PageError
from lesson20.site.pages import FRONT_MATTER, Item, find_runnable, parse, without_comments
from lesson20.site.running import TIME_LIMIT
from lesson20.site.svg import inline

_LAB = 'class="lesson-lab"'  # from our notebook template
# What scrolls when it is wider than the page; by keyboard only what can have the focus.
_SCROLLS = re.compile(r"<pre>(?:<span></span>)?<code[ >]|<table>")
_CELL = re.compile(r'<div markdown="1">\s*(.+?)\s*</div>', re.DOTALL)  # likewise, a cell of prose


class LessonExtension(Extension):  # type: ignore[misc]  # markdown ships no types
    """Runs the blocks and claims of each page; `render` must be the formatter of its fences."""

    def __init__(self, **options: Any) -> None:
        os.environ["MPLBACKEND"] = "module://lesson20.site.notebook"  # for the labs' kernels
        self.config = {
            "docs": ["docs", "The folder of the pages, seen from the working directory"],
            "time_limit": [TIME_LIMIT, "Seconds that one block may take"],
            "tables": [{}, "Filled by page with the data of its figures, for a hook of the engine"],
        }
        super().__init__(**options)

    def extendMarkdown(self, md: Markdown) -> None:
        """Come before SuperFences (25) and before its indented code (80)."""
        docs = Path(self.getConfig("docs"))
        time_limit, tables = float(self.getConfig("time_limit")), self.getConfig("tables")
        reader = PageReader(docs, time_limit, tables)
        # In a lab a scene's element comes as HTML, and has to be known as a block.
        md.block_level_elements += [f"scene-{file.stem}" for file in docs.glob("scenes/*.js")]
        md.preprocessors.register(reader, "lesson20", 40)
        md.parser.blockprocessors.register(NoIndentedCode(md.parser, reader), "lesson20", 81)
        md.postprocessors.register(PageEnd(reader), "lesson20", 0)


class Ran(NamedTuple):
    """A block that ran: with its figure as SVG, and with what it needs to run alone."""

    block: Block
    drawing: str
    alone: str


class PageReader(Preprocessor):  # type: ignore[misc]
    """Runs the page that is being converted.

    Attributes:
        page: Its name, as `docs/blame.md`; empty for text that is no page.
        text: Its text, front matter and all, so that lines can be counted.
        is_lab: Whether it is a lab, whose cells a kernel ran.
        pending: The blocks that SuperFences has not asked for yet.
    """

    def __init__(self, docs: Path, time_limit: float, tables: dict[str, list[str]]) -> None:
        super().__init__()
        self._docs = docs
        self._time_limit = time_limit
        self._tables = tables
        self.page, self.text, self.is_lab = "", "", False
        self.pending: list[Ran] = []

    def run(self, lines: list[str]) -> list[str]:
        """Find out which page this is; hand its lines on without the comments of its claims."""
        text = re.sub("\r\n?", "\n", "\n".join(lines))
        self.is_lab = _LAB in text
        if self.is_lab:
            return self._run_lab(text).split("\n")
        self.page, self.text, start = find_page(text, self._docs) or ("", text, 0)
        if not self.page:
            return self._refuse_foreign()
        items = parse(self.text, self.page)
        self._run(items)
        return without_comments(self.text, items)[start:].split("\n")

    def _run(self, items: Sequence[Item]) -> None:
        """Run a page; keep the data of its figures for whoever asked for it."""
        self.pending = []
        for item, drawing in pages.run(items, self._time_limit):
            if isinstance(item, Block):
                earlier = [ran.block for ran in self.pending]
                self.pending.append(Ran(item, drawing, alone(item, earlier)))
        drawings = [ran.drawing for ran in self.pending if ran.drawing]
        self._tables[self.page] = [data.of(drawing) for drawing in drawings]

    def _refuse_foreign(self) -> list[str]:
        """Text of no page, such as a docstring, runs nothing."""
        self.pending = []
        for item in find_runnable(self.text, "text of no page"):
            wanted = f"blocks and claims on the pages in {self._docs}/ only"
            actual = repr(self.text[item.start : item.end])
            raise PageError(item.page, item.line, wanted, actual)
        return self.text.split("\n")

    def _run_lab(self, text: str) -> str:
        """A lab as mkdocs-jupyter hands it on: half HTML, its cells run by a kernel.

        What a kernel does not do is done here: outputs, claims and alt texts are checked in the
        lab's own source, like those of any page.
        """
        self.page, self.text = find_lab(text, self._docs)
        self._run(parse(self.text, self.page))
        return without_comments(text, find_runnable(text, self.page))

    def locate(self, fragment: str, around: str = "") -> tuple[str, int]:
        """The page, and the line on which a piece of its text begins.

        Args:
            fragment: The piece; how its words are spaced, indented or quoted does not matter.
            around: A pattern for what stands on either side; a place that has it comes first.
        """
        words = "(" + r"[\s>]+".join(re.escape(word) for word in fragment.split()) + ")"
        found = re.search(around + words + around, self.text) or re.search(words, self.text)
        line = self.text.count("\n", 0, found.start(1)) + 1 if found else 1
        return self.page or "text of no page", line


class NoIndentedCode(BlockProcessor):  # type: ignore[misc]
    """Refuses what Markdown makes code of by its indentation alone: no block, so it would not run.

    What should be indented, as the content of a list or an admonition, was taken care of earlier.
    """

    def __init__(self, parser: Any, reader: PageReader) -> None:
        super().__init__(parser)
        self._reader = reader

    def test(self, parent: ET.Element, block: str) -> bool:
        """Whether this is indented code of the lesson. A docstring may have some."""
        return bool(self._reader.page) and block.startswith(" " * self.tab_length)

    def run(self, parent: ET.Element, blocks: list[str]) -> None:
        """Stop."""
        code = self.parser.blockprocessors["code"].revert_greedy_fences(blocks[0]).strip()
        raise PageError(*self._reader.locate(code), "code in a fence", f"indented {code[:60]!r}")


class PageEnd(Postprocessor):  # type: ignore[misc]
    """Looks at the finished page: nothing may be left that was to run, nor out of reach."""

    def __init__(self, reader: PageReader) -> None:
        super().__init__()
        self._reader = reader

    def run(self, text: str) -> str:
        """Refuse blocks that SuperFences did not see, and the comments of claims not checked.

        Code and tables become reachable by keyboard.
        """
        for block, *_ in self._reader.pending:
            raise PageError(block.page, block.line, "a fence", "one that SuperFences does not see")
        if claim := re.search(r"<!--\s*=.*?-->", text):
            raise PageError(*self._reader.locate(claim[0]), "a claim in prose", repr(claim[0]))
        return _SCROLLS.sub(lambda opening: f'{opening[0][:-1]} tabindex="0"{opening[0][-1]}', text)


def find_page(text: str, docs: Path) -> tuple[str, str, int] | None:
    """Find the page that a text is the body of: its name, its whole text, where the body starts.

    A Markdown extension is not told what it converts; but the text itself says it.
    """
    body = text.strip("\n")
    for path in sorted(docs.rglob("*.md")):
        whole = path.read_text(encoding="utf-8-sig")
        before, found, after = whole.rpartition(body)
        if found and not after.strip() and not FRONT_MATTER.sub("", before).strip():
            return path.as_posix(), whole, len(before)
    return None


def find_lab(text: str, docs: Path) -> tuple[str, str]:
    """Find the lab that a text was made of, by its cells of prose: its name, its whole text."""
    cells = [html.unescape(cell.strip()) for cell in _CELL.findall(text)]  # `&` came as `&amp;`
    for path in sorted(docs.rglob("*.md")):
        whole = path.read_text(encoding="utf-8-sig")
        if all(cell in html.unescape(whole) for cell in cells):
            return path.as_posix(), whole
    raise PageError("text of no page", 1, f"a lab in {docs}/", repr(text[:60]))


def validate(
    language: str,
    inputs: dict[str, str],
    options: dict[str, Any],
    attrs: dict[str, str],
    md: Markdown,
) -> bool:
    """Accept every Python fence: its options were read, and checked, with the page."""
    options.update(inputs)
    return True


def render(
    source: str, language: str, css_class: str, options: dict[str, Any], md: Markdown, **kwargs: Any
) -> str:
    """The SuperFences formatter: render the page's next block, which ran already.

    Raises:
        PageError: If the block is not the one that comes next, or is no cell of its lab.
    """
    reader: PageReader = md.preprocessors["lesson20"]
    if reader.is_lab:  # within a quote or a list, say, where it is prose to the kernel
        raise PageError(*reader.locate(source), "a block as a cell of the lab", repr(source[:60]))
    ran = _next(reader, source)
    rendered = _code(ran, md, kwargs) + _figure(ran.block, ran.drawing)
    del reader.pending[0]  # not before: SuperFences swallows an error on the way here
    return rendered


def render_cell(
    source: str, language: str, css_class: str, options: dict[str, Any], md: Markdown, **kwargs: Any
) -> str:
    """The SuperFences formatter of a lab's cell, which ran already: render its code alike.

    Raises:
        PageError: On a page that is no lab, and for a cell that says it did not run.
    """
    reader: PageReader = md.preprocessors["lesson20"]
    if not reader.is_lab:
        raise PageError(*reader.locate(f"lab {source}"), "```python", "```lab, which would not run")
    if "skip" in options:
        raise PageError(*reader.locate(source), "no skip in a lab", "a cell that ran all the same")
    rendered = _code(_next(reader, html.unescape(source)), md, kwargs)  # came through as HTML
    del reader.pending[0]
    return rendered


def _next(reader: PageReader, source: str) -> Ran:
    ran = reader.pending[0] if reader.pending else None
    if ran is None or _trimmed(ran.block.source) != _trimmed(source):
        expected = repr(ran.block.source[:60]) if ran else "no further block"
        raise PageError(*reader.locate(source), expected, f"the block {source[:60]!r}")
    return ran


def _trimmed(source: str) -> list[str]:
    return [line.rstrip() for line in source.rstrip().split("\n")]


def _code(ran: Ran, md: Markdown, kwargs: dict[str, Any]) -> str:
    superfences: Any = md.preprocessors["fenced_code_block"]
    source, options = ran.block.source, ran.block.options
    title = {"title": without_claims(options.title)} if options.title else {}
    code = str(superfences.highlight(source.rstrip(), "python", title, md, **kwargs))
    attributes = "data-search-exclude"  # search is for the prose
    if ran.alone != source:
        attributes += f' data-copy="{html.escape(ran.alone.rstrip())}"'  # for the copy button
    code = code.replace("<div ", f"<div {attributes} ", 1)
    if options.skip:
        code += f'<p class="lesson-skip">Not run: {_escaped(options.skip)}</p>'
    if options.fold:
        summary = f"<summary>{_escaped(options.fold)}</summary>"
        code = f'<details class="lesson-fold">{summary}{code}</details>'
    return code


def _figure(block: Block, drawing: str) -> str:
    if not drawing:
        return ""
    svg = inline(drawing, without_claims(block.options.alt), f"figure-{block.line}")
    caption = _escaped(block.options.caption)
    caption = f"<figcaption>{caption}</figcaption>" if caption else ""
    figure = f'<figure class="lesson-figure" data-search-exclude>{svg}{caption}</figure>'
    scene = block.options.scene
    return f"<scene-{scene}>{figure}</scene-{scene}>" if scene else figure


def _escaped(text: str) -> str:
    return html.escape(without_claims(text))


def makeExtension(**options: Any) -> LessonExtension:
    """What Python-Markdown calls for `lesson20.site.fence`."""
    return LessonExtension(**options)
