"""A page's question stands on the page alone; without one there is no page."""

from pathlib import Path

import pytest

from lesson20.site import questions
from lesson20.site.errors import PageError

DOCS = Path(__file__).parents[2] / "docs"
NAV = [{"Start": "index.md"}, {"A": "a.md"}, {"B": "b.md"}, {"Labs": ["labs/index.md"]}]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# Title\n\n*The question: why is it so?* Because.\n", "Why is it so?"),
        ("# Title\n\n*The question: it is.\nWhy?*\n", "It is. Why?"),
        ("---\ntitle: A\n---\n\n# Which word?\n\nText.\n", "Which word?"),
        ("---\na: 1\n---\n\n---\nb: 1\n---\n\n# Who?\n\n*The question: what?*\n", "What?"),
        ("# Title  \r\n\r\n*The question: why?*\r\n", "Why?"),
    ],
)
def test_question_is_read(text, found):
    assert questions.question(text.replace("\r\n", "\n"), "docs/page.md") == found


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("---\ntitle: A\n---\n\n# Title\n\nText.\n", 5, "below the title"),
        ("# Title\n\nText.\n\n*The question: too late?*\n", 1, "below the title"),
        ("# Title\n\n*The question: no mark.*\n", 1, "below the title"),
        ("# Title\n\n*the question: why?*\n", 1, "below the title"),
        ("Text.\n", 1, "below the title"),
        ("# Title\n\n*The question: why $x$?*\n", 1, "the page's question in plain words"),
        ("# Title\n\n*The question: why 2<!-- = 1 + 1 -->?*\n", 1, "the page's question in plain"),
        ("# Why [this](a.md)?\n", 1, "the page's question in plain words"),
    ],
)
def test_missing_question_names_its_line(text, line, expected):
    with pytest.raises(PageError, match=f"docs/page.md:{line}: expected {expected}"):
        questions.question(text, "docs/page.md")


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.md")), ids=lambda path: path.stem)
def test_every_page_has_a_question(path):
    page = f"docs/{path.relative_to(DOCS).as_posix()}"
    assert questions.question(path.read_text("utf-8"), page).endswith("?")


@pytest.fixture
def lesson(page, convert):
    """A lesson of two pages after its first; convert that one."""
    page("# A\n\n*The question: why?*\n", "docs/a.md")
    page("# B\n\n*The question: how?*\n", "docs/b.md")

    def lesson(text):
        page(text, "docs/index.md")
        extensions = ["tables", "lesson20.site.fence", "lesson20.site.questions"]
        return convert(text, {"lesson20.site.questions": {"nav": NAV}}, extensions)

    return lesson


def test_table_shows_the_pages_of_the_nav_with_their_questions(lesson):
    html = lesson("# Start?\n\n{questions}\n\nEnd.\n")
    assert '<td><a href="a.md">A</a></td>\n<td>Why?</td>' in html
    assert '<td><a href="b.md">B</a></td>\n<td>How?</td>' in html
    assert html.count("<tr>") == 3
    assert "{questions}" not in html


def test_page_of_the_table_without_a_question_stops_the_build(page, lesson):
    page("\n# B\n\nNothing.\n", "docs/b.md")
    with pytest.raises(PageError, match=r"docs/b\.md:2: expected below the title"):
        lesson("# Start?\n\n{questions}\n")
    assert lesson("# Start?\n\nNo `{questions}` here.\n")
