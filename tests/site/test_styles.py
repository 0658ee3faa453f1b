"""The style sheets of a built site become one, which looks the same."""

import re

import pytest

from lesson20.site.errors import PageError
from lesson20.site.styles import join

SHEETS = {
    "assets/theme/main.css": "@charset 'UTF-8';a{b:url(x.png)}/*# sourceMappingURL=main.css.map */",
    "assets/lesson.css": 'p { q: url("fonts/f.woff2"); r: url(data:image/svg+xml;a/b) }',
    "scenes/scenes.css": "s { t: url('/u.png'); v: url(https://w.example/x.png); y: url(#z) }",
}
BASES = {".": "", "labs/cliff": "../../", "404": "/course/20/"}  # of links, by the page's folder


def page(base, names=tuple(SHEETS)):
    links = "\n\n  ".join(f'<link rel="stylesheet" href="{base}{name}">' for name in names)
    return f'<title>Page</title>\n  {links}\n<link rel="icon" href="{base}i.png">\n<p>text</p>'


@pytest.fixture
def site(tmp_path):
    for name, sheet in SHEETS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(sheet, encoding="utf-8")
    (tmp_path / "assets/theme/main.css.map").touch()
    for folder, base in BASES.items():
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "index.html").write_text(page(base), encoding="utf-8")
    return tmp_path


def test_each_page_asks_for_one_sheet(site):
    join(site)
    [sheet] = site.rglob("*.css*")
    assert re.fullmatch(r"styles\.[0-9a-f]{8}\.css", sheet.name)
    for folder, base in BASES.items():
        html = (site / folder / "index.html").read_text("utf-8")
        assert re.findall('rel="stylesheet" href="(.*?)"', html) == [f"{base}assets/{sheet.name}"]
        rest = re.sub('<link rel="stylesheet".*?>', "", html)
        assert rest.split() == page(base, ()).split()


def test_it_says_what_all_said_in_their_order(site):
    join(site)
    [sheet] = site.rglob("*.css")
    assert sheet.read_text("utf-8").splitlines() == [
        "@charset 'UTF-8';a{b:url(theme/x.png)}",
        "p { q: url(fonts/f.woff2); r: url(data:image/svg+xml;a/b) }",
        SHEETS["scenes/scenes.css"],
    ]


def test_its_name_changes_with_its_text(site):
    def joined():
        join(site)
        [sheet] = site.rglob("*.css")
        return sheet

    sheet = joined()
    assert joined() == sheet
    sheet.write_text("p { color: red }", encoding="utf-8")
    assert joined() != sheet


@pytest.mark.parametrize("names", [[], ["assets/lesson.css"], [*SHEETS, "more.css"]])
def test_a_page_with_other_sheets_is_refused(site, names):
    (site / "404/index.html").write_text(page("../", names), encoding="utf-8")
    with pytest.raises(PageError, match=r"404/index\.html:1"):
        join(site)
