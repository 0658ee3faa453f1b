"""One style sheet for a page to ask for, where the theme, its plugins and the lesson have several.

Nothing is shown before all of them are there, and on a phone each is a journey of its own.
"""

import posixpath
import re
from hashlib import sha256
from pathlib import Path

from lesson20.site.errors import PageError

FOLDER = "assets"

_LINK = re.compile(r'\s*<link rel="stylesheet" href="([^"]+)">')
_ADDRESS = re.compile(r"""(?<=url\()(["']?)(?!["']?(?:data:|\w+://|[/#]))([^"')]+)\1(?=\))""")
_MAP = re.compile(r"/\*# sourceMappingURL=.*?\*/")


def join(site: Path) -> None:
    """Replace the style sheets of a built site by one, and their links on every page.

    Raises:
        PageError: If a page asks for other sheets than the first page.
    """
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))}
    names = _LINK.findall(pages[site / "index.html"])  # there a link is the path below the site
    sheet = "\n".join(_moved((site / name).read_text(encoding="utf-8"), name) for name in names)
    joined = f"{FOLDER}/styles.{sha256(sheet.encode()).hexdigest()[:8]}.css"
    for path, page in pages.items():
        links = _LINK.findall(page)
        base = links[0].removesuffix(names[0]) if links else ""
        if links != [base + name for name in names]:
            raise PageError(str(path), 1, f"the style sheets {names}", str(links))
        path.write_text(_with_one(page, base + joined), encoding="utf-8")
    for name in names:
        (site / name).unlink()
        (site / f"{name}.map").unlink(missing_ok=True)
    (site / joined).write_text(sheet, encoding="utf-8")


def _with_one(page: str, sheet: str) -> str:
    """A page with a link to this sheet in place of all that it has."""
    link = f'\n<link rel="stylesheet" href="{sheet}">'
    first = page.index('<link rel="stylesheet"')
    return page[:first].rstrip() + link + _LINK.sub("", page[first:])


def _moved(sheet: str, name: str) -> str:
    """A sheet's text, with addresses that lead from the folder of the joined one."""
    folder = posixpath.dirname(name)

    def from_there(address: re.Match[str]) -> str:
        return posixpath.relpath(posixpath.join(folder, address[2]), FOLDER)

    return _ADDRESS.sub(from_there, _MAP.sub("", sheet)).strip()
