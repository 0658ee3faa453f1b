"""Every page, on a phone and on a wide screen, in both palettes; in forced colours; at 200 %.

What takes time is to load a page. So it is loaded once for each palette, and then resized.
"""

import gzip
import re
from html import unescape

import pytest
from axe_playwright_python.sync_playwright import Axe

PALETTES = ["light", "dark"]
# Bytes of a page with all that it asks for, as a server compresses it.
WEIGHT, WEIGHT_OF_LAB = 250_000, 300_000
VIEWS = [(width, palette) for width in (360, 1280) for palette in PALETTES]
# What axe may find with some colours, or at some width, and not with others.
OF_COLOURS = ["color-contrast", "link-in-text-block"]
OF_ROOM = ["scrollable-region-focusable", "target-size"]


@pytest.fixture(scope="module")
def tabs(open_tab):
    """A tab for each palette, which the page takes from the system."""
    sharp = {"device_scale_factor": 2}  # as on a phone, and on a screen at 200 %
    return {palette: open_tab(color_scheme=palette, **sharp) for palette in PALETTES}


@pytest.fixture(scope="module")
def opened(tabs, url):
    """The tabs with a page in them, everything on the page unfolded."""
    for tab in tabs.values():
        tab.open(url)
        tab.page.evaluate("audit.unfold()")
    return tabs


@pytest.fixture(scope="module", params=VIEWS, ids=lambda view: f"{view[0]}px-{view[1]}")
def shown(request, opened):
    """One of the tabs at one width."""
    width, palette = request.param
    tab = opened[palette]
    tab.page.set_viewport_size({"width": width, "height": 800})
    tab.page.evaluate("audit.settle()")
    return tab


def test_nothing_goes_wrong(shown):
    assert shown.problems == []


@pytest.mark.parametrize("fault", ["tooWide", "cutOff", "formulas", "figures", "labels"])
def test_no_fault(shown, fault):
    assert shown.page.evaluate(f"audit.{fault}()") == []


def test_all_formulas_and_figures_are_there(shown, html):
    assert shown.page.locator("math").count() == html.count("<math")
    figures = html.count('<figure class="lesson-figure"')
    assert shown.page.locator(".lesson-figure svg").count() == figures


def test_palette_is_the_systems(opened):
    assert opened["light"].page.evaluate("audit.luminance()") > 0.8
    assert opened["dark"].page.evaluate("audit.luminance()") < 0.05
    assert opened["dark"].page.evaluate("audit.strangeColours()") == []


def findings(page, rules):
    """What axe finds by some of its rules, node by node."""
    options = {"runOnly": rules, "resultTypes": ["violations"]}
    page.evaluate("audit.hideAlike(true)")
    found = Axe().run(page, options=options).response["violations"]
    page.evaluate("audit.hideAlike(false)")
    return [
        f"{rule['id']}: {node['html']} {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"]
    ]


def test_axe_finds_no_fault_of_the_markup(opened):
    rules = {rule: {"enabled": False} for rule in OF_COLOURS}
    options = {"rules": rules, "resultTypes": ["violations"]}
    assert Axe().run(opened["light"].page, options=options).response["violations"] == []


# Colours that the system forces are the same in both palettes.
@pytest.mark.parametrize(
    ("palette", "forced"), [("light", "none"), ("dark", "none"), ("dark", "active")]
)
def test_axe_finds_no_fault_of_the_colours(opened, palette, forced):
    page = opened[palette].page
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(forced_colors=forced)
    try:
        page.evaluate("audit.settle()")
        assert findings(page, OF_COLOURS) == []
        if forced == "active":
            assert page.evaluate("audit.unforcedColours()") == []
            assert page.evaluate("audit.labels()") == []
    finally:
        page.emulate_media(forced_colors="none")


def test_at_200_per_cent_nothing_is_lost(opened):
    """A screen of 1280 × 800 px then has room for half of them each way."""
    page = opened["light"].page
    page.set_viewport_size({"width": 640, "height": 400})
    page.evaluate("audit.settle()")
    for fault in ["tooWide", "cutOff", "figures", "labels"]:
        assert page.evaluate(f"audit.{fault}()") == []
    assert findings(page, OF_ROOM) == []


def test_formulas_font_has_all_their_letters(opened):
    """A font cut down to too few letters shows only in what the browser took in its place."""
    page = opened["light"].page
    devtools = page.context.new_cdp_session(page)
    devtools.send("DOM.enable")
    devtools.send("CSS.enable")
    root = devtools.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    letters = devtools.send("DOM.querySelectorAll", {"nodeId": root, "selector": "mi, mn, mo"})
    missing = {
        letters_of(devtools.send("DOM.getOuterHTML", {"nodeId": node})["outerHTML"])
        for node in letters["nodeIds"]
        for font in devtools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        if font["familyName"] != "STIX Two Math"
    }
    assert not missing, (
        f"The font of the formulas lacks one of {', '.join(sorted(missing))}. "
        "docs/assets/fonts/README.txt says how to add it."
    )


def letters_of(element):
    """The letters within an element, with their numbers: `ℏ U+210F`."""
    text = unescape(re.sub("<[^>]*>", "", element))
    return " ".join(f"{letter} U+{ord(letter):04X}" for letter in text)


def test_page_weighs_little(open_tab, url):
    tab = open_tab()  # with nothing in its cache
    bodies = {}
    tab.page.on("response", lambda got: bodies.setdefault(got.url, got))
    tab.open(url)
    tab.wait_until_quiet()
    weights = {}
    for address, got in list(bodies.items()):
        body = got.body()
        weights[address] = min(len(body), len(gzip.compress(body)))
    heaviest = sorted(weights.items(), key=lambda item: -item[1])[:5]
    most = WEIGHT_OF_LAB if url.startswith("labs/") else WEIGHT
    assert sum(weights.values()) < most, heaviest
