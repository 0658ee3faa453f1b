"""The archive, unpacked and opened from the disk: all that a reader can do on the site."""

import re
import zipfile
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from playwright.sync_api import expect

SCREEN = {"width": 1280, "height": 800}

# A page of each scene, and a state that is not the first.
STATES = {
    "reading": ("recurrent-cell/", "?reading-pair=2&reading-step=4"),
    "blame": ("blame/", "?blame-sigma=3&blame-words=dogs%20bark"),
    "theorem": ("blame/", "?theorem-a=1"),
    "belt": ("lstm/", "?belt-f=0.9"),
    "threshold": ("in-code/", "?threshold-n=50"),
    "trained": ("labs/train-the-belt/", "?trained-silent=true"),
}


@pytest.fixture(scope="module")
def unpacked(site, tmp_path_factory):
    """The folder that a reader unpacks, where a reader may well put it."""
    folder = tmp_path_factory.mktemp("disk") / "Meine Übungen"
    with zipfile.ZipFile(site / "lesson20.zip") as archive:
        archive.extractall(folder)
    return folder / "lesson20"


@pytest.fixture(scope="module")
def disk(open_tab, unpacked):
    """A tab for the disk, where each request goes to the folder or is a problem."""
    return open_tab(f"{unpacked.as_uri()}/", viewport=SCREEN)


@pytest.fixture(scope="module")
def served(open_tab):
    return open_tab(viewport=SCREEN)


def test_every_link_leads_to_a_file(unpacked):
    dead = []
    for page in unpacked.rglob("*.html"):
        for link in re.findall(r'\s(?:href|src)="([^"]*)"', page.read_text("utf-8")):
            target = urlsplit(urljoin(page.as_uri(), link))
            if target.scheme == "file" and not Path(unquote(target.path)).is_file():
                dead.append((page.name, link))
    assert dead == []


def test_no_page_speaks_of_origins(unpacked, site):
    assert "Content-Security-Policy" in (site / "index.html").read_text("utf-8")
    for page in unpacked.rglob("*.html"):
        for word in ("Content-Security-Policy", "preload"):
            assert f'{word}"' not in page.read_text("utf-8")


def test_every_page_and_every_download_is_there(unpacked, site):
    for kind in ("*.html", "*.ipynb", "*.py"):
        on_site = {path.relative_to(site) for path in site.rglob(kind)} - {Path("404.html")}
        assert {path.relative_to(unpacked) for path in unpacked.rglob(kind)} == on_site
        assert len(on_site) > 9


def test_nothing_goes_wrong_on_any_page(disk, unpacked):
    problems = {}
    for page in unpacked.rglob("*.html"):
        disk.open(page.as_uri())
        assert disk.page.locator(".scene-missing").count() == 0
        for fault in ("formulas", "figures", "labels"):
            disk.problems += disk.page.evaluate(f"audit.{fault}()")
        problems[page.relative_to(unpacked)] = list(disk.problems)
    assert {page: found for page, found in problems.items() if found} == {}


@pytest.mark.parametrize("name", STATES)
def test_a_scene_says_what_it_says_on_the_site(disk, served, name):
    page, query = STATES[name]
    said = []
    for address, tab in ((page, served), (f"{page}index.html", disk)):
        tab.open(address + query)
        said.append(tab.page.locator(f"scene-{name} .scene-finding").text_content())
    assert said[0] == said[1]


def test_weights_are_loaded_where_they_are_asked_for(disk):
    asked = []
    disk.page.on("request", lambda request: asked.append(request.url))
    disk.open("lstm/index.html")
    assert not [url for url in asked if "trained.json" in url]
    disk.open("labs/train-the-belt/index.html")
    assert [url for url in asked if url.endswith("scenes/trained.json.js")]


def test_a_state_is_set_by_hand_by_link_and_by_address(disk):
    finding = disk.page.locator("scene-belt .scene-finding")
    disk.open("lstm/index.html")
    disk.page.get_by_label("Forget gate f").fill("0.5")
    expect(disk.page).to_have_url(re.compile(r"index\.html\?belt-f=0\.5\b"))
    by_hand = finding.text_content()
    disk.page.reload()
    expect(finding).to_have_text(by_hand)
    disk.page.evaluate("audit.unfold()")
    disk.page.locator("article a[href*='?belt-f=1&']").first.click()
    expect(finding).to_contain_text("is 1⁵ = 1")
    assert disk.problems == []


def test_links_are_followed(disk):
    disk.open("index.html")
    disk.page.locator("nav.md-nav--primary a[href$='blame/index.html']").click()
    expect(disk.page.locator("h1")).to_contain_text("Blame")
    disk.open("index.html")
    disk.page.locator("article a[href$='lstm/index.html#one-cell-four-settings']").click()
    expect(disk.page.locator("#one-cell-four-settings")).to_be_in_viewport()
    assert disk.problems == []


def test_search_finds_a_word_and_goes_there(disk):
    word = re.compile("jacobian", re.IGNORECASE)
    disk.open("index.html")
    disk.page.get_by_role("textbox", name="Search").press_sequentially("Jacobian")
    expect(disk.page.locator(".md-search-result__link[href*='h=jacobian']").first).to_be_attached()
    disk.page.keyboard.press("Enter")
    expect(disk.page).to_have_url(word)
    expect(disk.page.locator("article mark").first).to_have_text(word)
    assert disk.problems == []


def test_palette_is_kept_on_the_next_page(open_tab, unpacked):
    disk = open_tab(f"{unpacked.as_uri()}/", viewport=SCREEN, color_scheme="dark")
    disk.open("index.html")
    disk.page.get_by_title("Switch to the light palette").click()
    for page in ("index.html", "labs/cliff/index.html"):
        disk.open(page)
        expect(disk.page.locator("body")).to_have_attribute("data-md-color-scheme", "default")
    assert disk.problems == []
