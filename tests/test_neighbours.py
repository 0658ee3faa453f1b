"""Every page says how far the lesson has got, and which question the next page answers."""

import re
from html import unescape
from urllib.parse import urljoin

from mkdocs.config import load_config

from building import DOCS, ROOT
from lesson20.site import questions

NAV = load_config(str(ROOT / "mkdocs.yml"), plugins=[]).nav


def in_order(nav):
    """The pages of a nav from first to last."""
    for entry in nav:
        for page in [entry] if isinstance(entry, str) else entry.values():
            yield from [page] if isinstance(page, str) else in_order(page)


def test_page_leads_to_its_neighbours_and_their_questions(page_source, url, html):
    around = [None, *in_order(NAV), None]
    place = around.index(page_source) if page_source in around else 0
    near = [around[place - 1], around[place + 1]] if place else []
    expected = [
        (way, path, questions.question((DOCS / path).read_text("utf-8"), path))
        for way, path in zip(["Previous", "Next"], near, strict=bool(near))
        if path
    ]
    nav = re.search(r'<nav class="lesson-neighbours".*?</nav>', html, re.DOTALL)
    links = re.findall(
        r'<a href="(.*?)">\s*<span>(\w+): .*?</span>(.*?)</a>', nav[0] if nav else "", re.DOTALL
    )
    found = [(way, urljoin(f"/{url}", link), unescape(text).strip()) for link, way, text in links]
    assert found == [(way, f"/{address(path)}", text) for way, path, text in expected]


def address(path):
    return re.sub(r"(?<![^/])index\.md$", "", path).replace(".md", "/")


def test_page_of_the_lesson_says_which_one_it_is(page_source, html):
    lesson = questions.lesson(NAV)
    said = re.findall(r'<p class="lesson-progress">(.*?)</p>', html)
    place = [lesson.index(page_source) + 1] if page_source in lesson else []
    assert said == [f"Page {n} of {len(lesson)}" for n in place]
