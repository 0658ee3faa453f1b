"""A Content-Security-Policy for the built pages: they run and load nothing but the site's own.

Inline scripts are allowed one by one, by the hashes of what stands on the pages, so that an
update of the theme needs no change here. All pages carry the same policy, for instant navigation
shows the next page in the document, and under the policy, of the page that was opened first.
"""

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

from lesson20.site.errors import PageError

_RUN = {"", "module", "text/javascript"}  # types of scripts; any other, such as JSON, is data
_CHARSET = '<meta charset="utf-8">'  # must stand within the first KB, so it stays before

is_wanted = True  # but not by `mkdocs serve`, which puts a script of its own into what it serves


def protect(site: Path) -> None:
    """Write the policy into every page of a built site.

    Raises:
        PageError: If a page has no place for it, so that it would go without.
    """
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))}
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy(pages.values())}">'
    for path, page in pages.items():
        if page.count(_CHARSET) != 1:
            raise PageError(str(path), 1, f"{_CHARSET} once", f"{page.count(_CHARSET)} of them")
        path.write_text(page.replace(_CHARSET, _CHARSET + meta), encoding="utf-8")


def policy(pages: Iterable[str]) -> str:
    """The policy under which all of these pages work."""
    scripts = {script for page in pages for script in inline_scripts(page)}
    hashes = sorted(f"'sha256-{b64encode(sha256(s.encode()).digest()).decode()}'" for s in scripts)
    directives = [
        "default-src 'self'",
        " ".join(["script-src 'self'", *hashes]),
        "style-src 'self'",
        "img-src 'self' data:",  # the theme's icons stand in its style sheet
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return "; ".join(directives)


def inline_scripts(page: str) -> list[str]:
    """What stands in the page's own scripts, in order."""
    scripts = _Scripts()
    scripts.feed(page)
    return scripts.found


class _Scripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._is_inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script" and "src" not in given and (given.get("type") or "") in _RUN:
            self._is_inside = True
            self.found.append("")

    def handle_data(self, data: str) -> None:
        if self._is_inside:
            self.found[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self._is_inside = False
