"""Every page on paper: printed to PDF by Chromium, which notes there what each piece is.

A tagged PDF holds the tree of the page's elements, with the sheet that each piece stands on.
"""

import io
import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import pytest
from pypdf import PdfReader

PAPERS = {"A4": 210, "Letter": 215.9}  # mm wide
MARGIN = 20  # mm
PIXELS = 96 / 25.4  # in a mm

# What reaches beyond the text, and what a box hides of its content: on paper nothing scrolls.
CUT_OFF = """[...document.querySelectorAll("article *:not(svg *, math *)")]
    .filter((element) => element.checkVisibility())
    .filter((element) => {
      const { right } = document.querySelector("article").getBoundingClientRect();
      const isHidden = getComputedStyle(element).overflowX !== "visible";
      return element.getBoundingClientRect().right > right + 1
        || (isHidden && element.scrollWidth > element.clientWidth + 1);
    })
    .map((element) => element.outerHTML.slice(0, 80))"""

CODE = """[...document.querySelectorAll("article .highlight pre > code")]
    .filter((code) => code.checkVisibility()).flatMap((code) => code.textContent.split("\\n"))"""

ELSEWHERE = """[...document.querySelectorAll("article a[href^=http]")]
    .filter((link) => link.origin !== location.origin).map((link) => link.href)"""


class Piece(NamedTuple):
    """An element of a PDF: what it is, its alt text, the numbers of its sheets.

    What has no kind is a mark on a sheet.
    """

    kind: str
    alt: str
    sheets: set[int]


class Printed:
    """A printed page of the site.

    Attributes:
        letters: Its text, without any space.
        pieces: Its elements, each behind its own parts.
    """

    def __init__(self, pdf: bytes) -> None:
        reader = PdfReader(io.BytesIO(pdf))
        self.letters = letters("".join(page.extract_text() for page in reader.pages))
        self._numbers = {page.indirect_reference.idnum: n for n, page in enumerate(reader.pages)}
        self.pieces = list(self._pieces(reader.trailer["/Root"]["/StructTreeRoot"], -1))

    def _pieces(self, element: Any, sheet: int) -> Iterator[Piece]:
        element = element.get_object()
        is_number = isinstance(element, int)
        if not is_number and "/Pg" in element:
            sheet = self._numbers[element.raw_get("/Pg").idnum]
        if is_number or element.get("/Type") == "/MCR":
            yield Piece("", "", {sheet})
            return
        parts = element.get("/K", [])
        parts = parts if isinstance(parts, list) else [parts]
        within = [piece for part in parts for piece in self._pieces(part, sheet)]
        yield from within
        sheets = set().union(*(piece.sheets for piece in within))
        yield Piece(element.get("/S", ""), element.get("/Alt", ""), sheets)


def letters(text: str) -> str:
    """A text without spaces; ligatures, too, are the letters that they are made of."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text))


@pytest.fixture(scope="module")
def tab(open_tab):
    """The reader's screen is dark."""
    return open_tab(color_scheme="dark", viewport={"width": 1280, "height": 800})


@pytest.fixture(scope="module")
def opened(tab, url):
    tab.open(url)
    return tab.page


@pytest.fixture(scope="module", params=PAPERS)
def paper(request):
    return request.param


@pytest.fixture(scope="module")
def printed(opened, paper):
    return Printed(opened.pdf(format=paper, tagged=True))


def test_nothing_is_cut_by_the_foot_of_a_sheet(printed, opened):
    whole = re.compile(r"/(Figure|TD|H\d|Caption)")
    assert [p for p in printed.pieces if whole.fullmatch(p.kind) and len(p.sheets) > 1] == []
    figures = opened.locator(":is(.lesson-figure:not([hidden]), .scene) svg").count()
    assert len([p for p in printed.pieces if p.kind == "/Figure" and p.alt]) == figures


def test_no_heading_is_left_at_the_foot_of_a_sheet(printed):
    alone = []
    for n, piece in enumerate(printed.pieces):
        if re.fullmatch(r"/H\d", piece.kind):
            following = next(mark for mark in islice(printed.pieces, n, None) if not mark.kind)
            alone += [piece] if following.sheets != piece.sheets else []
    assert alone == []


def test_only_the_article_is_printed(printed, opened):
    title = opened.locator("h1").evaluate("(h1) => h1.firstChild.textContent")
    assert printed.letters.startswith(letters(title))
    for word in (
        "¶",
        "Back to top",
        "Take this page",
        "Take the whole",
        "CC BY 4.0",
        "Previous:",
        "127.0.0.1",
    ):
        assert letters(word) not in printed.letters


def test_every_line_of_code_is_printed_that_is_seen(printed, opened):
    lines = {letters(line) for line in opened.evaluate(CODE)}
    assert [line for line in lines if line not in printed.letters] == []


def test_addresses_elsewhere_are_spelled_out(printed, opened):
    links = map(letters, opened.evaluate(ELSEWHERE))
    assert [link for link in links if link not in printed.letters] == []


@pytest.fixture
def laid_out(opened, paper):
    """A page as it is set for paper, still in the tab."""
    width = (PAPERS[paper] - 2 * MARGIN) * PIXELS
    opened.set_viewport_size({"width": int(width), "height": 800})
    opened.emulate_media(media="print")
    opened.evaluate("dispatchEvent(new Event('beforeprint'))")
    yield opened
    opened.evaluate("dispatchEvent(new Event('afterprint'))")
    opened.emulate_media(media="null")
    opened.set_viewport_size({"width": 1280, "height": 800})


def test_nothing_reaches_into_the_margin(laid_out):
    assert laid_out.evaluate(CUT_OFF) == []


def test_paper_is_light(laid_out):
    assert laid_out.evaluate("audit.luminance()") > 0.8
    assert laid_out.evaluate("audit.labels()") == []


def test_a_fold_is_printed_if_it_is_open(tab):
    tab.open("blame/")
    folds = tab.page.locator("article details.lesson-fold:has(pre)")
    code = letters(folds.first.locator("pre > code").text_content())
    assert code not in Printed(tab.page.pdf(tagged=True)).letters
    folds.first.locator("summary").click()
    printed = Printed(tab.page.pdf(tagged=True)).letters
    assert code in printed
    for fold in folds.all()[1:]:
        assert fold.evaluate("(fold) => fold.open") is False
        assert letters(fold.text_content()) not in printed


def test_a_scene_is_printed_in_its_present_state(tab):
    tab.open("lstm/?belt-f=0.9")
    printed = Printed(tab.page.pdf(tagged=True)).letters
    scene = tab.page.locator("scene-belt")
    assert letters(scene.locator(".scene-finding").text_content()) in printed
    assert "Reset" not in printed
    figure = scene.locator(".lesson-figure figcaption")
    assert letters(figure.text_content()) not in printed


def test_some_link_leads_elsewhere(tab):
    tab.open("labs/")
    assert tab.page.evaluate(ELSEWHERE)
