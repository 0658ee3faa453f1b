"""What machines are told of a page: search engines, and sites that show links to it."""

import io
import json
import re
import struct
from types import SimpleNamespace
from urllib.parse import urljoin
from xml.etree import ElementTree as ET

import pytest
from mkdocs.commands.build import _build_template
from mkdocs.config import load_config
from mkdocs.structure.files import get_files
from mkdocs.structure.nav import get_navigation
from PIL import Image

from building import DOCS, ROOT
from lesson20 import cards
from lesson20.site import questions, sharing

# Of schema.org, as of version 29: what a LearningResource may have.
PROPERTIES = {
    "name", "description", "url", "teaches", "learningResourceType", "position", "inLanguage",
    "isAccessibleForFree", "educationalLevel", "competencyRequired", "author", "license",
    "isPartOf",
}  # fmt: skip


def resources(html):
    found = re.findall(r'<script type="application/ld\+json">(.*?)</script>', html, re.DOTALL)
    return [json.loads(text) for text in found]


def metas(html):
    pairs = re.findall(r'<meta (?:name|property)="([\w:]+)" content="(.*?)">', html)
    assert len({name for name, _ in pairs}) == len(pairs)
    return dict(pairs)


def test_page_is_a_learning_resource(page_source, address, url, html):
    found = resources(html)
    if page_source == "404.html":
        assert found == []
        assert "og:title" not in html
        return
    [resource] = found
    assert resource.pop("@context") == "https://schema.org"
    assert resource.pop("@type") == "LearningResource"
    assert set(resource) <= PROPERTIES
    assert all(resource.values())
    assert resource["url"] == address + url
    assert resource["name"] == metas(html)["og:title"]
    text = (DOCS / page_source).read_text("utf-8")
    assert resource["teaches"] == questions.question(text, page_source)
    assert resource["author"] == [{"@type": "Organization", "name": "The authors of lesson 20"}]
    assert resource["license"] == [f"https://spdx.org/licenses/{n}" for n in ("MIT", "CC-BY-4.0")]
    assert resource["isPartOf"]["url"] == address
    lesson = questions.lesson(load_config(str(ROOT / "mkdocs.yml"), plugins=[]).nav)
    place = lesson.index(page_source) + 1 if page_source in lesson else None
    assert resource.get("position") == place


def test_page_has_a_card(site, page_source, address, url, html):
    if page_source == "404.html":
        return
    said = metas(html)
    assert said["og:url"] == address + url
    assert f'<link rel="canonical" href="{address}{url}">' in html
    assert said["og:description"] == said["description"]
    assert said["twitter:card"] == "summary_large_image"
    assert said["og:image"].startswith(address + url)
    png = (site / said["og:image"].removeprefix(address)).read_bytes()
    assert png.startswith(b"\x89PNG")
    size = struct.unpack(">II", png[16:24])
    assert size == (int(said["og:image:width"]), int(said["og:image:height"])) == (1200, 630)


def test_cards_are_equal_for_equal_texts_only():
    one, other = cards.Cards("Lesson"), cards.Cards("Lesson")
    first = one.png("Title", "Why?")
    assert one.png("Another title", "Why?") != first
    assert one.png("Title", "How?") != first
    assert other.png("Title", "Why?") == first


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.md")), ids=lambda path: path.stem)
def test_texts_stay_on_their_card(path):
    """Right of the texts, and between them and the picture, the card is white."""
    text = path.read_text("utf-8")
    title = re.search(r"^# (.*)$", text, re.MULTILINE)[1]
    png = drawer().png(title, questions.question(text, path.name))
    image = Image.open(io.BytesIO(png)).convert("L")
    assert image.crop((1160, 0, 1200, 630)).getextrema() == (255, 255)
    assert image.crop((0, 300, 1200, 322)).getextrema() == (255, 255)
    assert image.crop((0, 180, 1200, 300)).getextrema()[0] < 128 or title.endswith("?")


def drawer(made=[]):  # noqa: B006
    made[:] = made or [cards.Cards("Sequences and memory")]
    return made[0]


@pytest.mark.parametrize(
    ("cff", "expected"),
    [
        ("license: MIT\n", {"license": ["https://spdx.org/licenses/MIT"]}),
        ("authors:\n- given-names: Ada\n  family-names: King\n",
         {"author": [{"@type": "Person", "name": "Ada King"}]}),
        ("authors:\n- name: A Team\n", {"author": [{"@type": "Organization", "name": "A Team"}]}),
        ("title: x\n", {}),
    ],
)  # fmt: skip
def test_authors_and_licences_come_from_the_citation(tmp_path, cff, expected):
    path = tmp_path / "CITATION.cff"
    assert sharing.citation(path) == {}
    path.write_text(cff)
    assert sharing.citation(path) == expected


def test_no_text_ends_the_script():
    data = {"name": "</script><script>alert(1)</script>"}
    assert "<" not in sharing.script(data)
    assert json.loads(sharing.script(data)) == data


def test_nothing_is_told_where_the_site_has_no_address():
    context = {}
    page = SimpleNamespace(canonical_url="", meta={})
    config = SimpleNamespace(site_url="")
    assert sharing.on_page_context(context, page=page, config=config, nav=None) == {}


def test_sitemap_has_every_page_and_no_other(site, address):
    tag = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    root = ET.parse(site / "sitemap.xml").getroot()
    pages = {entry.findtext(f"{tag}loc") for entry in root}
    sources = [path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")]
    ends = {re.sub(r"(?<![^/])index\.md$", "", source).replace(".md", "/") for source in sources}
    assert pages == {address + end for end in ends}
    assert {entry.findtext(f"{tag}lastmod") for entry in root} == {"1970-01-01"}  # the test's clock


@pytest.mark.parametrize("base", ["", "https://example.org/course/lesson20/"])
def test_wrong_address_leads_to_every_page_from_any_depth(monkeypatch, base):
    """Links begin at the site's root: a wrong address may be of any depth."""
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setenv("LESSON_SITE_URL", base)
    config = load_config(str(ROOT / "mkdocs.yml"), plugins=[])
    files = get_files(config)
    for file in list(files):
        if file.src_uri.endswith((".j2", "README.txt")):
            files.remove(file)
    nav = get_navigation(files, config)
    for page in nav.pages:
        page.meta = {"question": f"What of {page.file.src_uri}?"}
    html = _build_template(
        "404.html", config.theme.get_env().get_template("404.html"), files, config, nav
    )
    article = html[html.index("<article") : html.index("</article>")]
    links = dict(re.findall(r'<a href="([^"]*)">[^<]*</a>: What of (.*?)\?', article))
    root = "/course/lesson20/" if base else "/"
    assert {urljoin(root, link): source for link, source in links.items()} == {
        urljoin(root, page.url): page.file.src_uri for page in nav.pages
    }
    assert all(link.startswith(root) for link in links)
    assert "canonical" not in html
    assert "ld+json" not in html
