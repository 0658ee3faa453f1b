"""Puts fonts into the style sheets that name them, so that no formula is shown without its own.

A font that comes on its own comes late: what is being read moves, or the font is left out. In the
style sheet it is there before the first frame. From a disk Firefox takes a font in no other way.
"""

import re
from base64 import b64encode
from pathlib import Path

_FONT = re.compile(r'(?<=url\(")[^":]+\.woff2(?="\))')


def embed(site: Path) -> None:
    """Write the fonts of a built site into its style sheets, and drop their files."""
    embedded: set[Path] = set()
    for sheet in sorted(site.rglob("*.css")):
        css = sheet.read_text(encoding="utf-8")
        for name in set(_FONT.findall(css)):
            font = sheet.parent / name
            css = css.replace(f'"{name}"', f'"{_data(font)}"')
            embedded.add(font)
        sheet.write_text(css, encoding="utf-8")
    for font in embedded:
        font.unlink()


def _data(font: Path) -> str:
    return f"data:font/woff2;base64,{b64encode(font.read_bytes()).decode()}"
