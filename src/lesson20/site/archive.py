"""The whole built site as one archive, whose pages open from a disk.

From a disk a browser runs scripts, but it finds no page of a folder, loads no module, starts no
worker and fetches nothing. So links to folders lead to their `index.html`, and all the rest becomes
scripts. Otherwise the files are those of the site.
"""

import json
import posixpath
import re
import time
import zipfile
from fnmatch import fnmatch
from pathlib import Path
from urllib.parse import unquote

from lesson20.site.bundle import bundle, carrying, in_order

NAME = "lesson20.zip"

type Files = dict[str, bytes]  # a file's path below the site, as `blame/index.html`: what is in it

# What only a server or a developer's tool asks for; and search in other languages than English.
_LEFT_OUT = [NAME, "404.html", "sitemap.xml*", "*card.png", "*.map", "assets/javascripts/lunr/*"]

_LINK = re.compile(r'(?<=\shref=")[^"]*')
# Also those that sleep: on a disk nothing has to be waited for.
_MODULE = re.compile(
    r'<script(?=[^>]*\stype="module")[^>]*\s(?:data-)?src="([^"]+)"[^>]*></script>\s*'
)
_CONFIG = re.compile(r'(<script id="__config" type="application/json">)(.*?)(</script>)')
_WORKER = re.compile(r'(?<="search": ")[^"]+')
_OFFER = re.compile(r'<p class="lesson-archive".*?</p>', re.DOTALL)

_IN_BLOB = """\
(() => {{
  const source = {};
  const ServedWorker = Worker;
  window.Worker = class extends ServedWorker {{
    constructor() {{
      super(URL.createObjectURL(new Blob([source], {{ type: "text/javascript" }})));
    }}
  }};
}})();
"""


def offer(link: str) -> str:
    """Return the line that offers the archive on a page, from which a link leads to it."""
    return (
        '<p class="lesson-archive" data-search-exclude>Take the whole lesson with you: '
        f'<a href="{link}" download>{NAME}</a>. '
        "Unpack it and open index.html; it needs no network.</p>"
    )


def write(site: Path, timestamp: int) -> None:
    """Write the archive of a built site into its folder; the same site gives the same bytes.

    Args:
        site: The folder.
        timestamp: The date of all files, in seconds since 1970. An archive knows none before 1980.
    """
    files = on_disk(read(site))
    date = max(time.gmtime(timestamp)[:6], (1980, 1, 1, 0, 0, 0))
    with zipfile.ZipFile(site / NAME, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{Path(NAME).stem}/{name}", date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, whose permissions follow
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, files[name])


def read(site: Path) -> Files:
    """Return the files of a built site that belong into the archive."""
    files = {path.relative_to(site).as_posix(): path for path in site.rglob("*") if path.is_file()}
    return {
        name: path.read_bytes()
        for name, path in files.items()
        if not any(fnmatch(name, pattern) for pattern in _LEFT_OUT)
    }


def on_disk(site: Files) -> Files:
    """Return the files of a site in the form that needs no server."""
    files = dict(site)
    pages = {name: site[name].decode() for name in site if name.endswith(".html")}
    for name, html in pages.items():
        files[name] = _page(html, name, site).encode()
    for worker in _named(_WORKER, pages):
        files[worker] = _IN_BLOB.format(json.dumps(site[worker].decode())).encode()
    _bundle_modules(_named(_MODULE, pages), files)
    _search_index(files)
    return files


def _named(pattern: re.Pattern[str], pages: dict[str, str]) -> list[str]:
    """The files that pages name, each once."""
    return list(
        dict.fromkeys(_path(link, page) for page in pages for link in pattern.findall(pages[page]))
    )


def _path(link: str, page: str) -> str:
    """The path below the site of what a page's link leads to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(link)))


def _page(html: str, page: str, site: Files) -> str:
    html = _CONFIG.sub(_configured, _OFFER.sub("", html))
    html = _LINK.sub(lambda link: _to_file(link[0], page, site), html)
    bundles = dict.fromkeys(map(_bundle_for, _MODULE.findall(html)))
    scripts = "".join(f'<script src="{script}" defer></script>' for script in bundles)
    return _MODULE.sub("", html).replace("</head>", f"{scripts}</head>")


def _bundle_for(module: str) -> str:
    """The script that stands for all modules of a folder."""
    return posixpath.join(posixpath.dirname(module), "bundle.js")


def _configured(found: re.Match[str]) -> str:
    """The theme's settings: without the feature that fetches pages, and behind the worker."""
    config = json.loads(found[2])
    kept = [name for name in config["features"] if not name.startswith("navigation.instant")]
    settings = json.dumps(config | {"features": kept}).replace("<", "\\u003c")
    return f'<script src="{config["search"]}"></script>{found[1]}{settings}{found[3]}'


def _to_file(link: str, page: str, site: Files) -> str:
    """A link that no longer leaves it to a server to find a folder's page."""
    path, *rest = re.split(r"(?=[?#])", link, maxsplit=1)
    index = posixpath.join(path, "index.html")
    return "".join([index, *rest]) if path and _path(index, page) in site else link


def _bundle_modules(entries: list[str], files: Files) -> None:
    """Replace the modules that pages ask for, and data beside them, by a script for each folder."""
    for script in dict.fromkeys(map(_bundle_for, entries)):
        folder = posixpath.dirname(script)
        beside = [name for name in files if posixpath.dirname(name) == folder]
        texts = {Path(name).stem: files[name].decode() for name in beside if name.endswith(".js")}
        names = in_order(texts, [Path(entry).stem for entry in entries if entry in beside])
        files[script] = bundle({name: texts[name] for name in names}, f"docs/{folder}").encode()
        for name in names:
            del files[f"{folder}/{name}.js"]
        for name in filter(lambda name: name.endswith(".json"), beside):
            files[f"{name}.js"] = carrying(files.pop(name).decode()).encode()


def _search_index(files: Files) -> None:
    """Replace the search index by the script that the theme looks for on a disk."""
    index = json.loads(files.pop("search/search_index.json"))
    for entry in index["docs"]:
        entry["location"] = _to_file(f"./{entry['location']}", "", files)
    files["search/search_index.js"] = f"var __index = {json.dumps(index)}".encode()
