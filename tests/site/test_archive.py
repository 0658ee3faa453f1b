"""What a page, a style sheet and a script become in the archive. tests/browser opens a real one."""

import json
import zipfile

import pytest

from lesson20.site import archive

CONFIG = {
    "features": ["navigation.footer", "navigation.instant", "navigation.instant.prefetch"],
    "search": "../workers/search.js",
    "translations": {"more": "</script>"},
}
SETTINGS = json.dumps(CONFIG).replace("<", "\\u003c")
PAGE = f"""\
<head>
<link rel="next" href="../lstm/">
</head>
<a href="..">home</a> <a href="./?belt-f=1&amp;i=0#here">state</a> <a href="#here">here</a>
<a href="blame.ipynb" download>notebook</a> <a href="https://example.org/lstm/">elsewhere</a>
{archive.offer("../lesson20.zip")}
<script id="__config" type="application/json">{SETTINGS}</script>
<script src="../assets/copy.js" type="module"></script>
<script data-src="../scenes/belt.js" type="module"></script>
<script type="module" src="../scenes/blame.js"></script>
</body>
"""
SITE = {
    "404.html": "gone",
    "sitemap.xml": "",
    "index.html": archive.offer("lesson20.zip"),
    "blame/index.html": PAGE,
    "blame/blame.ipynb": "{}",
    "lstm/index.html": "<p>Text</p>",
    "assets/copy.js": "let copied = 0;\n",
    "assets/later.js": "// asked for by no page",
    "scenes/belt.js": 'import { one } from "./model.js";\n',
    "scenes/blame.js": "",
    "scenes/model.js": "export const one = 1;\n",
    "scenes/data.json": '{"n": 1}',
    "workers/search.js": 'postMessage("</script>");\n',
    "workers/search.js.map": "",
    "search/search_index.json": json.dumps(
        {"docs": [{"location": place} for place in ("", "#top", "blame/", "blame/#here")]}
    ),
}


@pytest.fixture
def site(tmp_path):
    for name, text in SITE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def files(site):
    """What is in the archive, as text."""
    archive.write(site, 0)
    with zipfile.ZipFile(site / "lesson20.zip") as written:
        return {
            entry.filename.removeprefix("lesson20/"): written.read(entry).decode()
            for entry in written.infolist()
        }


def test_it_holds_what_a_disk_has_a_use_for(files):
    assert sorted(files) == [
        "assets/bundle.js",
        "assets/later.js",
        "blame/blame.ipynb",
        "blame/index.html",
        "index.html",
        "lstm/index.html",
        "scenes/bundle.js",
        "scenes/data.json.js",
        "search/search_index.js",
        "workers/search.js",
    ]
    assert files["lstm/index.html"] == SITE["lstm/index.html"]


def test_a_link_to_a_folder_leads_to_its_page(files):
    page = files["blame/index.html"]
    for link in ("../index.html", "./index.html?belt-f=1&amp;i=0#here", "../lstm/index.html"):
        assert f'href="{link}"' in page
    for link in ("#here", "blame.ipynb", "https://example.org/lstm/"):
        assert f'href="{link}"' in page


def test_the_archive_offers_no_archive(files):
    assert 'href="lesson20.zip"' in SITE["index.html"]
    assert 'href="../lesson20.zip"' in SITE["blame/index.html"]
    assert not [name for name, text in files.items() if "lesson20.zip" in text]


def test_a_page_asks_for_nothing_that_a_disk_refuses(files):
    for word in ("navigation.instant", 'type="module"'):
        assert word in PAGE
        assert word not in files["blame/index.html"]
    config = files["blame/index.html"].split('type="application/json">')[1].split("</script>")[0]
    assert json.loads(config) == CONFIG | {"features": ["navigation.footer"]}


def test_the_modules_of_a_folder_become_one_script(files):
    page = files["blame/index.html"]
    for folder in ("assets", "scenes"):
        assert page.count(f'<script src="../{folder}/bundle.js" defer></script>') == 1
    assert "modules.model = " in files["scenes/bundle.js"]
    assert files["scenes/data.json.js"] == 'document.currentScript.data = {"n": 1};\n'


def test_the_worker_is_there_before_it_is_asked_for(files):
    page = files["blame/index.html"]
    assert page.index('<script src="../workers/search.js"></script>') < page.index("__config")
    assert json.dumps(SITE["workers/search.js"]) in files["workers/search.js"]


def test_the_search_leads_to_pages(files):
    index = json.loads(files["search/search_index.js"].removeprefix("var __index = "))
    assert [entry["location"] for entry in index["docs"]] == [
        "./index.html",
        "./index.html#top",
        "./blame/index.html",
        "./blame/index.html#here",
    ]


def test_the_same_site_gives_the_same_bytes(site):
    archive.write(site, 1_700_000_000)
    first = (site / "lesson20.zip").read_bytes()
    archive.write(site, 1_700_000_000)  # with the first archive in its folder
    assert (site / "lesson20.zip").read_bytes() == first
    with zipfile.ZipFile(site / "lesson20.zip") as written:
        assert {entry.date_time for entry in written.infolist()} == {(2023, 11, 14, 22, 13, 20)}
        assert written.namelist() == sorted(written.namelist())
