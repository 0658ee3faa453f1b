"""What the search of the built site finds, and what it is not bothered with."""

import html
import json
import re

import pytest

from building import DOCS
from lesson20.site.glossary import read_glossary
from lesson20.site.search import for_search

GLOSSARY = read_glossary(DOCS / "reference/glossary.md")
FENCE = re.compile(r"^( *)(`{3,})python.*?\n(.*?)^\1\2", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def index(site):
    return json.loads((site / "search" / "search_index.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def found(index):
    """Every text of the index by its address, as plain text."""
    return {
        entry["location"]: plain(f"{entry['title']} {entry['text']}") for entry in index["docs"]
    }


def plain(text):
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


@pytest.mark.parametrize(
    ("location", "words"),
    [
        ("blame/#a-nudge-that-travels-forward", "Nudge the state h_k a little"),
        ("blame/#why-blame-dies", "largest singular value σ_1"),
        ("lstm/#the-equations", "The forget gate f says which share"),
        ("labs/cliff/#one-unit-fifty-steps", "Without clipping the walk goes well"),
        ("labs/cliff/#one-unit-fifty-steps", "one bias b and no input"),
        ("reference/notation/#the-lstm", "forget gate: the share of the belt"),
        ("#the-way-through-the-lesson", "Can I see it happen in twenty lines?"),
    ],
)
def test_prose_is_found_where_it_stands(found, location, words):
    assert words in found[location]


def test_every_heading_is_found(index):
    titles = {plain(entry["title"]) for entry in index["docs"]}
    for path in DOCS.rglob("*.md"):
        prose = re.sub(r"(?ms)^ *(`{3,}).*?^ *\1", "", path.read_text("utf-8"))
        headings = re.findall(r"^#{1,3} ([^\n$`*\\[{]+)$", prose, re.MULTILINE)
        if path.name != "api.md":
            assert {plain(heading) for heading in headings} <= titles, path


@pytest.mark.parametrize(("term", "meaning"), GLOSSARY.items())
def test_every_term_of_the_glossary_leads_to_its_meaning(index, site, term, meaning):
    [entry] = [
        entry
        for entry in index["docs"]
        if entry["location"].startswith("reference/glossary/#") and entry["title"] == term
    ]
    assert plain(entry["text"]) == meaning
    anchor = entry["location"].partition("#")[2]
    page = (site / "reference" / "glossary" / "index.html").read_text("utf-8")
    assert page.count(f'<dt id="{anchor}">') == 1


def test_words_end_at_their_punctuation(index):
    words = re.split(index["config"]["separator"], 'the "belt" (LSTM), W_h and 0.97.')
    assert {"belt", "LSTM", "W_h", "0.97"} <= set(words)


def test_code_is_not_searched(found):
    text = " ".join(found.values())
    lines = {
        line.strip()
        for path in DOCS.rglob("*.md")
        for fence in FENCE.finditer(path.read_text("utf-8"))
        for line in fence[3].splitlines()
    }
    lines = {line for line in lines if len(line) > 20}
    assert len(lines) > 200
    assert [line for line in lines if line in text] == []
    assert "#> " not in text.replace("#> are what it printed", "")


@pytest.mark.parametrize(
    "machinery",
    ["Take this page with you", "Symbols on this page", "How this is drawn", 'pip install "lesson'],
)
def test_what_is_no_prose_is_not_searched(found, machinery):
    assert [at for at, text in found.items() if machinery in text and "notation" not in at] == []


def test_numbers_and_labels_of_figures_are_not_searched(found, site):
    for page in ("blame", "lstm", "labs/cliff"):
        html_ = (site / page / "index.html").read_text("utf-8")
        figures = re.findall(r"<figure.*?</figure>", html_, re.DOTALL)
        labels = {plain(text) for f in figures for text in re.findall(r"<text.*?</text>", f, re.S)}
        alts = set(re.findall(r'aria-label="(.*?)"', " ".join(figures)))
        drawn = {text for text in labels | alts if len(text) > 25}
        texts = " ".join(text for at, text in found.items() if at.startswith(page))
        assert drawn
        assert [text for text in drawn if text in texts] == []


def test_formulas_are_found_as_one_types_them():
    index = "<mrow><mi>t</mi><mo>−</mo><mn>1</mn></mrow>"
    h = f"<math><msub><mi>h</mi>{index}</msub><mo>&lt;</mo></math>"
    assert for_search(f"<p>So {h} a</p>") == "<p>So h_t−1&lt; a</p>"
    assert for_search(f'<div class="arithmatex">{h}</div>') == '<div class="arithmatex"></div>'


def test_api_is_not_searched(found):
    assert [at for at in found if at.startswith("reference/api")] == []
