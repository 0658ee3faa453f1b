"""What a reader does: search, copy, change the palette, go from page to page."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from lesson20.site.blocks import Block
from lesson20.site.pages import parse

DOCS = Path(__file__).parents[2] / "docs"
SCREEN = {"width": 1280, "height": 800}


@pytest.fixture
def reader(open_tab):
    return open_tab(viewport=SCREEN, permissions=["clipboard-read", "clipboard-write"])


def test_search_finds_a_word_and_goes_there(reader):
    word = re.compile("jacobian", re.IGNORECASE)
    reader.open("")
    reader.page.get_by_role("textbox", name="Search").press_sequentially("Jacobian")
    found = reader.page.locator(".md-search-result__link[href*='h=jacobian']")
    expect(found.first).to_be_attached()  # the word, and not what its first letters found
    reader.page.keyboard.press("Enter")
    expect(reader.page).to_have_url(word)
    expect(reader.page.locator("article mark").first).to_have_text(word)
    assert reader.problems == []


def test_copy_button_takes_the_code_with_its_output(reader):
    items = parse((DOCS / "index.md").read_text("utf-8"), "docs/index.md")
    block = next(item for item in items if isinstance(item, Block))
    assert "\n#> " in block.source
    reader.open("")
    reader.page.get_by_title("Copy to clipboard").first.click()
    expect(reader.page.get_by_text("Copied to clipboard")).to_be_visible()
    assert reader.page.evaluate("navigator.clipboard.readText()") == block.source.rstrip()


def test_palette_is_changed_by_keyboard_and_kept(open_tab):
    reader = open_tab(viewport=SCREEN, color_scheme="dark")
    reader.open("")
    body = reader.page.locator("body")
    expect(body).to_have_attribute("data-md-color-scheme", "slate")
    while not reader.page.evaluate("document.activeElement.matches('[name=__palette]')"):
        reader.page.keyboard.press("Tab")
    reader.page.keyboard.press("Enter")
    expect(body).to_have_attribute("data-md-color-scheme", "default")
    reader.page.reload()
    expect(body).to_have_attribute("data-md-color-scheme", "default")


def test_page_needs_no_script(open_tab):
    reader = open_tab(viewport=SCREEN, java_script_enabled=False)
    reader.page.goto("blame/")
    for seen in ["math", ".lesson-figure svg"]:
        elements = reader.page.locator(seen).all()
        assert elements
        assert all(element.is_visible() for element in elements)


def test_skip_link_leads_past_the_navigation(reader):
    reader.open("blame/")
    reader.page.keyboard.press("Tab")
    expect(reader.page.get_by_text("Skip to content")).to_be_focused()
    reader.page.keyboard.press("Enter")
    expect(reader.page.locator("article :target")).to_be_in_viewport()
    reader.page.keyboard.press("Tab")
    expect(reader.page.locator("article :focus")).to_be_visible()


def test_next_page_is_whole_without_a_load(reader, site):
    reader.open("")
    reader.page.evaluate("window.isTheSame = true")
    reader.page.locator("nav.md-nav--primary a[href$='blame/']").click()
    expect(reader.page.locator("h1")).to_contain_text("Blame")
    assert reader.page.evaluate("window.isTheSame")
    html = (site / "blame" / "index.html").read_text("utf-8")
    assert reader.page.locator("math").count() == html.count("<math") > 0
    assert reader.page.locator("figure svg").count() == html.count("<figure") > 0
    for fault in ["formulas", "figures", "labels"]:
        assert reader.page.evaluate(f"audit.{fault}()") == []
    assert reader.problems == []


def test_word_of_the_glossary_is_explained(reader):
    reader.open("lstm/")
    word = reader.page.locator("article abbr[title]").first
    meaning = word.get_attribute("title")
    word.hover()
    expect(reader.page.get_by_role("tooltip")).to_have_text(meaning)
