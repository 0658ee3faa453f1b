"""A page is read without its scripts; whatever the reader does first brings them."""

import re
import time

import pytest
from playwright.sync_api import expect

AT_ONCE = ["print.js", "stix-two-math.js", "wake.js"]
SIGNS = {
    "a mouse": lambda page: page.mouse.move(200, 300),
    "a finger": lambda page: page.touchscreen.tap(200, 300),
    "a key": lambda page: page.keyboard.press("Shift"),
    "a wheel": lambda page: page.mouse.wheel(0, 300),
    "a jump": lambda page: page.evaluate("scrollTo(0, 300)"),
    "a focus": lambda page: page.evaluate("document.querySelector('article p a').focus()"),
}


@pytest.fixture
def untouched(open_tab):
    """A tab in which nobody has done anything."""
    return open_tab(viewport={"width": 360, "height": 740}, has_touch=True)


@pytest.fixture
def slow(untouched):
    """The same, where the theme's script comes late."""

    def hold(asked):
        time.sleep(0.5)
        asked.continue_()

    untouched.page.route(re.compile(r"/bundle\.\w+\.min\.js$"), hold)
    return untouched


def test_a_page_that_nobody_touches_runs_next_to_nothing(untouched):
    asked = []
    untouched.page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    untouched.page.goto("blame/")
    untouched.page.wait_for_timeout(500)
    assert sorted(name for name in asked if ".js" in name) == AT_ONCE
    assert untouched.problems == []


@pytest.mark.parametrize("sign", SIGNS)
def test_whatever_the_reader_does_wakes_the_page(untouched, sign):
    untouched.page.goto("blame/")
    SIGNS[sign](untouched.page)
    untouched.wait_until_awake()
    expect(untouched.page.locator("article .md-code__button").first).to_be_attached()
    expect(untouched.page.locator("scene-blame .scene")).to_be_attached()
    assert untouched.page.locator("script[data-src]").count() == 0
    assert untouched.problems == []


@pytest.mark.parametrize("palette", ["light", "dark"])
def test_the_first_page_has_the_palette_of_the_system(open_tab, palette):
    page = open_tab(color_scheme=palette).page
    page.goto("blame/")
    assert page.locator("script[data-src]").count() > 0
    expect(page.locator("body")).to_have_attribute(
        "data-md-color-scheme", {"light": "default", "dark": "slate"}[palette]
    )


def test_the_key_that_wakes_a_page_is_not_lost(slow):
    slow.page.goto("blame/")
    slow.page.keyboard.press("s")
    expect(slow.page.get_by_role("textbox", name="Search")).to_be_focused()


def test_search_that_is_opened_before_its_script_came_works(slow):
    slow.page.goto("blame/")
    slow.page.locator("label.md-header__button[for=__search]").tap()
    field = slow.page.get_by_role("textbox", name="Search")
    expect(field).to_be_focused()
    field.press_sequentially("carousel")
    expect(slow.page.locator(".md-search-result__link[href*='h=carousel']").first).to_be_visible()
    assert slow.problems == []


def test_a_symbol_is_explained_to_the_mouse_that_wakes_the_page(untouched):
    untouched.page.goto("recurrent-cell/")
    untouched.page.locator("article > :not(details) [data-symbol]").first.hover()
    expect(untouched.page.locator(".lesson-note")).to_be_visible()


def test_a_script_that_does_not_come_keeps_no_other_from_running(untouched):
    untouched.page.route("**/symbols.js", lambda asked: asked.abort())
    untouched.open("blame/")
    expect(untouched.page.locator("article .md-code__button").first).to_be_attached()


def test_an_address_with_a_scenes_state_wakes_its_page(untouched):
    untouched.page.goto("lstm/?belt-f=0.5")
    untouched.wait_until_awake()
    untouched.wait_for_scenes()
    expect(untouched.page.get_by_label("Forget gate f")).to_have_value("0.5")


def test_an_old_browser_has_the_font_as_well(open_tab):
    tab = open_tab()
    tab.page.add_init_script("delete Uint8Array.fromBase64")
    tab.open("blame/")
    assert not tab.page.evaluate("'fromBase64' in Uint8Array")
    assert tab.page.evaluate("audit.formulas()") == []
