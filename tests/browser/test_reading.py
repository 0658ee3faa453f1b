"""What a reader does: search, copy, change the palette, go from page to page."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from lesson20.site.blocks import Block
from lesson20.site.pages import parse

DOCS = Path(__file__).parents[2] / "docs"
SCREEN = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 800}


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


@pytest.mark.parametrize("term", ["forget gate", "carousel", "LSTM"])
def test_term_of_the_glossary_is_found_first(reader, term):
    reader.open("")
    reader.page.get_by_role("textbox", name="Search").press_sequentially(term)
    anchor = term.lower().replace(" ", "-")
    meaning = reader.page.locator(".md-search-result__link").nth(1)  # below the page it stands on
    expect(meaning).to_have_attribute("href", re.compile(rf"reference/glossary/.*#{anchor}$"))
    meaning.click()
    expect(reader.page.locator(f"dt#{anchor}")).to_be_in_viewport()
    assert reader.problems == []


def test_wrong_address_helps_on(reader):
    reader.open("404.html")
    links = reader.page.locator("article a").filter(has_text="Blame through time")
    expect(links).to_be_visible()
    links.click()
    expect(reader.page.locator("h1")).to_contain_text("Blame through time")


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
    for seen in ["math:not(details *)", ".lesson-figure svg"]:
        elements = reader.page.locator(seen).all()
        assert elements
        assert all(element.is_visible() for element in elements)


@pytest.mark.parametrize("url", ["blame/", "labs/cliff/", "404.html"])
def test_skip_link_leads_past_the_navigation(reader, url):
    reader.open(url)
    reader.page.keyboard.press("Tab")
    expect(reader.page.get_by_text("Skip to content")).to_be_focused()
    reader.page.keyboard.press("Enter")
    expect(reader.page.locator("article :target")).to_be_in_viewport()
    reader.page.wait_for_timeout(500)  # the theme jumps there once more, and the focus with it
    reader.page.keyboard.press("Tab")
    expect(reader.page.locator("article :focus")).to_be_visible()


# Where the focus is, and whether that can be seen. A hidden switch shows it on its label, a line
# to write on with its cursor.
FOCUS = """() => {
    const active = document.activeElement;
    const shown = active.matches(".md-option, .md-toggle") ? active.nextElementSibling : active;
    const { outlineStyle, outlineWidth } = getComputedStyle(shown);
    return [
        active.localName,
        active.outerHTML.slice(0, 80),
        outlineStyle !== "none" && outlineWidth !== "0px" || active.matches("[type=text]"),
    ];
}"""


def stops(page, most=400):
    """Everything that the Tab key comes to, on the way round a page: name, HTML, is it seen."""
    page.evaluate("audit.unfold(); document.body.tabIndex = -1; document.body.focus()")
    found = []
    for _ in range(most):
        page.keyboard.press("Tab")
        name, *rest = page.evaluate(FOCUS)
        if name == "body":
            return found
        found.append((name, *rest))
    raise AssertionError(f"more than {most} stops: {found[-5:]}")


@pytest.mark.parametrize("forced", ["none", "active"])
@pytest.mark.parametrize("palette", ["light", "dark"])
def test_focus_is_seen_wherever_it_goes(open_tab, palette, forced):
    reader = open_tab(viewport=SCREEN, color_scheme=palette, forced_colors=forced)
    reader.open("in-code/")
    found = stops(reader.page)
    assert [stop for stop in found if not stop[2]] == []
    assert {"a", "button", "input", "summary", "code"} <= {name for name, *_ in found}


def test_folds_open_by_keyboard(reader):
    reader.open("blame/")
    fold = reader.page.locator("details.lesson-fold").first
    fold.locator("summary").focus()
    for is_open in (True, False):
        reader.page.keyboard.press("Enter" if is_open else "Space")
        assert fold.evaluate("fold => fold.open") == is_open


# Boxes that are wider inside than outside, and whether the focus can get into them.
WIDE = """() => [...document.querySelectorAll("article *")]
    .filter((box) => box.scrollWidth > box.clientWidth + 1 && box.clientWidth
        && /auto|scroll/.test(getComputedStyle(box).overflowX))
    .map((box) => [box.localName, box.matches("[tabindex='0'], :has([tabindex='0'])")])"""


@pytest.mark.parametrize("scripts", [True, False])
def test_what_scrolls_can_be_scrolled_by_keyboard(open_tab, scripts):
    phone = open_tab(viewport={"width": 320, "height": 800}, java_script_enabled=scripts)
    page = phone.page
    for address in ["recurrent-cell/", "reference/notation/"]:
        page.goto(address)
        if scripts:
            phone.wake()
        wide = page.evaluate(WIDE)
        assert {name for name, _ in wide} >= ({"code"} if "cell" in address else set())
        assert [name for name, reached in wide if not reached] == []
    page.goto("recurrent-cell/")
    if scripts:
        phone.wake()
    formula = page.locator("article .arithmatex[role=group]").first
    formula.evaluate("formula => (formula.style.width = '60px')")
    page.set_viewport_size({"width": 330, "height": 800})
    expect(formula).to_have_attribute("tabindex", "0")
    formula.focus()
    page.keyboard.press("ArrowRight")
    phone.wait_until("document.activeElement.scrollLeft > 0")


def test_what_has_room_is_no_stop(reader):
    reader.open("recurrent-cell/")
    roomy = reader.page.locator("article :is(table, .arithmatex)[tabindex]")
    expect(roomy.first).to_have_attribute("tabindex", "-1")
    assert "0" not in roomy.evaluate_all("all => all.map((one) => one.getAttribute('tabindex'))")


def test_formulas_are_read_as_mathematics(reader):
    reader.open("lstm/")
    reader.page.evaluate("audit.unfold()")
    devtools = reader.page.context.new_cdp_session(reader.page)
    nodes = devtools.send("Accessibility.getFullAXTree")["nodes"]
    roles = [node["role"]["value"] for node in nodes if not node["ignored"]]
    assert roles.count("MathMLMath") == reader.page.locator("math").count() > 10


def test_next_page_is_whole_without_a_load(reader, site):
    reader.open("")
    reader.wait_until_quiet()  # the theme has to know the pages
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


def test_symbol_is_explained_where_one_points_at_it(reader):
    reader.open("lstm/")
    page = reader.page
    symbol = page.locator("div.arithmatex msub[data-symbol]").first
    before = symbol.bounding_box()
    note = page.locator(".lesson-note")
    symbol.hover()
    entry = page.locator(f"#symbol-{symbol.get_attribute('data-symbol')}")
    expect(note).to_have_text(entry.text_content())
    assert "share of the belt" in note.text_content()
    assert symbol.bounding_box() == before
    note.hover()
    page.wait_for_timeout(500)
    expect(note).to_be_visible()  # one may go there, to read it through a lens
    page.keyboard.press("Escape")
    expect(note).to_have_count(0)
    symbol.hover()
    expect(note).to_be_visible()
    page.mouse.move(1, 1)
    expect(note).to_have_count(0)
    assert reader.problems == []


def test_symbol_is_explained_where_one_touches_it(open_tab):
    tab = open_tab(viewport=PHONE, has_touch=True)
    tab.open("recurrent-cell/")
    symbols = tab.page.locator("math [data-symbol]").all()
    note = tab.page.locator(".lesson-note")
    for symbol in symbols[:6]:
        symbol.tap()
        expect(note).to_be_visible()
        box = note.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        tab.page.touchscreen.tap(1, PHONE["height"] - 1)
        expect(note).to_have_count(0)


def test_symbols_are_told_without_pointing(open_tab):
    """One stop of the Tab key for all of them, and nothing that is read twice."""
    reader = open_tab(viewport=SCREEN)
    reader.open("lstm/")
    page = reader.page
    assert page.locator("math[tabindex], math [tabindex], math [title]").count() == 0
    fold = page.locator("details.lesson-symbols")
    fold.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(fold.get_by_text("state after word")).to_be_visible()
    assert "state after word" in fold.aria_snapshot()
    page.locator("div.arithmatex msub[data-symbol]").first.hover()
    expect(page.locator(".lesson-note")).to_be_visible()
    assert page.locator(".lesson-note").aria_snapshot() == ""


def test_bar_shows_how_far_one_has_read(open_tab):
    grown = """() => new DOMMatrix(getComputedStyle(document.body, "::before").transform).a"""
    reader = open_tab(viewport=SCREEN)
    reader.open("lstm/")
    height = reader.page.evaluate("document.documentElement.scrollHeight - innerHeight")
    for share in (0, 0.5, 1):
        reader.page.evaluate(f"scrollTo(0, {share * height})")
        reader.wait_until(f"Math.abs(({grown})() - {share}) < 0.01")
    still = open_tab(viewport=SCREEN, reduced_motion="reduce")
    still.open("lstm/")
    assert still.page.evaluate("getComputedStyle(document.body, '::before').content") == "none"
