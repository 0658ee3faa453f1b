"""Fonts as part of the style sheets of a built site."""

from lesson20.site.fonts import embed

FACE = '@font-face { src: url("fonts/x.woff2") format("woff2"); }'


def test_a_font_becomes_part_of_its_style_sheet(tmp_path):
    (tmp_path / "assets" / "fonts").mkdir(parents=True)
    font, sheet = tmp_path / "assets/fonts/x.woff2", tmp_path / "assets/lesson.css"
    font.write_bytes(b"font")
    sheet.write_text(f"{FACE} math {{ color: red; }}", "utf-8")
    other = tmp_path / "other.css"
    other.write_text('p { background: url("x.png"); }', "utf-8")
    embed(tmp_path)
    wanted = '@font-face { src: url("data:font/woff2;base64,Zm9udA==") format("woff2"); }'
    assert sheet.read_text("utf-8") == f"{wanted} math {{ color: red; }}"
    assert not font.exists()
    assert other.read_text("utf-8") == 'p { background: url("x.png"); }'
