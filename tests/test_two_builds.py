"""The site built twice: by another engine, and by the same one in another folder."""

import re

import pytest

from building import DOCS, copy_into, run_engine

# Labs and the API page are MkDocs' own: the one comes from a kernel, the other from a plugin.
LESSON_PAGES = sorted(
    path.relative_to(DOCS).as_posix().removesuffix(".md").removesuffix("index")
    for path in DOCS.rglob("*.md")
    if "labs" not in path.parts and path.name != "api.md"
)

PARTS = {
    "blocks": r"<code[^>]*>(.*?)</code></pre>",
    "figures": r'<figure class="lesson-figure"[^>]*>(.*?)</figure>',  # Zensical drops an attribute
    "formulas": r"<math.*?</math>",
    "scenes": r"<(scene-\w+)>",
    "anchors": r'<h[1-6] id="([^"]+)"',
}


@pytest.fixture(scope="module")
def zensical(tmp_path_factory, address):
    """The site as Zensical builds it, from the same mkdocs.yml."""
    folder = copy_into(tmp_path_factory.mktemp("zensical"))
    result = run_engine(["zensical", "build", "--clean", "--strict"], folder, address)
    assert result.returncode == 0, result.stdout
    return folder / "site"


@pytest.mark.parametrize("page", LESSON_PAGES)
def test_both_engines_build_the_same_page(site, zensical, page):
    pages = [(root / page / "index.html").read_text("utf-8") for root in (site, zensical)]
    ours, theirs = map(parts, pages)
    assert ours == theirs
    assert ours["anchors"]
    scripts = [
        re.findall(r'<script data-src="(?:\./)?([^"]*scenes/\w+\.js)" type="module"', p)
        for p in pages
    ]
    assert scripts[0] == scripts[1]
    assert len(scripts[0]) == 6


def test_the_same_sources_give_the_same_bytes(site, tmp_path, address):
    again = copy_into(tmp_path)
    result = run_engine(["mkdocs", "build", "--strict"], again, address)
    assert result.returncode == 0, result.stdout
    assert files(again / "site") == files(site)


def parts(html):
    article = html[html.index("<article") : html.index("</article>")]
    article = re.sub(r' data-search-exclude(="")?', "", article)  # which Zensical drops
    article = article.partition('<div class="lesson-download"')[0]  # which only MkDocs offers
    return {name: re.findall(part, article, re.DOTALL) for name, part in PARTS.items()}


def files(folder):
    return {
        path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
