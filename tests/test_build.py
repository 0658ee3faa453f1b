"""What can be said of the built site by reading its files."""

import base64
import gzip
import re
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from mkdocs.config import load_config
from mkdocs.structure.files import File
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


class Elements(HTMLParser):
    """Every element of a page with its attributes, in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@cache
def elements(html: str) -> list[tuple[str, dict[str, str | None]]]:
    return Elements(html).found


def test_nothing_but_the_pages_is_built(site):
    assert len(list(site.rglob("*.html"))) == len([*DOCS.rglob("*.md"), "404.html"])


def test_scenes_weigh_little(site):
    weights = {path.name: len(gzip.compress(path.read_bytes())) for path in site.glob("scenes/*")}
    assert weights.pop("trained.json") < 40_000  # which only its own page asks for
    assert len(weights) >= 10
    assert sum(weights.values()) < 30_000


def test_page_says_what_it_is(html):
    assert re.search(r"<title>\s*[^\s<]", html)
    descriptions = [a for tag, a in elements(html) if a.get("name") == "description"]
    assert len(descriptions) == 1
    assert descriptions[0]["content"].strip()


def test_page_has_one_title_and_no_heading_skips_a_level(html):
    levels = [int(tag[1]) for tag, _ in elements(html) if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_page_says_its_language_and_where_its_parts_are(html):
    found = elements(html)
    assert next(a for tag, a in found if tag == "html")["lang"] == "en"
    parts = [tag for tag, _ in found if tag in {"header", "main", "footer"}]
    assert parts.count("main") == 1
    assert {"header", "footer"} <= set(parts)
    assert all(a.get("aria-label") or a.get("aria-labelledby") for tag, a in found if tag == "nav")


def test_no_two_pages_have_one_title(site):
    pages = [path.read_text("utf-8") for path in site.rglob("*.html")]
    titles = [re.search(r"<title>(.*?)</title>", page, re.DOTALL)[1].strip() for page in pages]
    assert len(set(titles)) == len(titles)


def test_nothing_of_the_source_is_left_on_the_page(html):
    assert "<!-- =" not in html
    assert not re.search(r'class="arithmatex">\s*\\[(\[]', html)


def test_every_formula_of_the_source_is_on_the_page(page_source, html):
    page = DOCS / page_source
    prose = page.read_text(encoding="utf-8") if page.exists() else ""
    prose = re.sub(r"(?ms)^[> ]*(`{3,}).*?^[> ]*\1|`[^`\n]+`", "", prose)  # without its code
    formulas = re.findall(r"\$\$[^$]+\$\$|\$[^$]+\$", prose)
    html = re.sub(r'<details class="[^"]*lesson-symbols.*?</details>', "", html)  # its own count
    assert html.count("<math") == len(formulas)


def test_page_takes_nothing_from_elsewhere(html):
    found = elements(html)
    taken = [a[name] for _, a in found for name in ("src", "srcset", "data") if a.get(name)]
    taken += [a["href"] for tag, a in found if tag == "link" and a["rel"] != "canonical"]
    assert [url for url in taken if re.match(r"(\w+:)?//", url)] == []


def test_every_link_within_the_site_leads_somewhere(site, address, url, html):
    links = {a["href"] for tag, a in elements(html) if tag == "a" and a.get("href")}
    targets = {urljoin(address + url, link) for link in links}
    assert [target for target in targets if not leads_somewhere(target, site, address)] == []


def leads_somewhere(target, site, address):
    if not target.startswith(address):
        return True
    path = site / unquote(urlsplit(target).path.lstrip("/"))
    path = path / "index.html" if path.is_dir() else path
    fragment = unquote(urlsplit(target).fragment)
    return path.is_file() and (not fragment or fragment in names(path))


@cache
def names(path):
    return {a.get(name) for _, a in elements(path.read_text("utf-8")) for name in ("id", "name")}


def test_no_page_can_be_edited_where_no_repository_is_named(html):
    assert [a for _, a in elements(html) if a.get("rel") == "edit"] == []


@pytest.mark.parametrize("uri", ["edit/main/docs/", "src/branch/main/docs/"])
def test_edit_link_goes_to_the_named_repository(monkeypatch, uri):
    monkeypatch.setenv("LESSON_REPO_URL", "https://forge.example/lesson")
    monkeypatch.setenv("LESSON_EDIT_URI", uri)
    monkeypatch.setenv("MPLBACKEND", "agg")  # loading the configuration sets it
    monkeypatch.chdir(ROOT)
    config = load_config(str(ROOT / "mkdocs.yml"))
    file = File("blame.md", config.docs_dir, config.site_dir, config.use_directory_urls)
    assert Page(None, file, config).edit_url == f"https://forge.example/lesson/{uri}blame.md"


def test_the_script_brings_the_font_of_the_formulas():
    fonts = DOCS / "assets" / "fonts"
    script = (fonts / "stix-two-math.js").read_text("utf-8")
    font = base64.b64decode(re.search(r'"([\w+/=]{1000,})"', script)[1])
    assert font == (fonts / "stix-two-math.woff2").read_bytes(), "run tools/font.py"
