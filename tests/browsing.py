"""Serves a folder and opens a browser: for the tests and the tools."""

import gzip
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Playwright

CHROMIUM = next(
    filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None
)
GET_CHROMIUM = "Install Chromium, e.g. Debian's package chromium."
FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


COMPRESSED = {"application/json", "image/svg+xml", "text/css", "text/html", "text/javascript"}


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder as a host of static pages does; give its address, `http://127.0.0.1:40123/`."""
    with Server(("127.0.0.1", 0), partial(Handler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class Server(ThreadingHTTPServer):
    request_queue_size = 64  # a page asks for more at once than the usual five


class Handler(SimpleHTTPRequestHandler):
    """Sends files compressed, and 404.html in place of one that is not there."""

    protocol_version = "HTTP/1.1"  # one connection for many requests

    def send_head(self) -> BytesIO | BinaryIO | None:
        """Send what comes before a file; return what is to follow."""
        asked = Path(self.translate_path(self.path))
        if asked.is_dir() and not urlsplit(self.path).path.endswith("/"):
            return super().send_head()  # which sends the reader to the address with a slash
        path = asked / "index.html" if asked.is_dir() else asked
        status = HTTPStatus.OK if path.is_file() else HTTPStatus.NOT_FOUND
        path = path if path.is_file() else Path(self.directory) / "404.html"
        kind = self.guess_type(path)
        is_small = kind in COMPRESSED and "gzip" in self.headers.get("Accept-Encoding", "")
        body = content(path, path.stat().st_mtime_ns, is_small)
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8" if kind in COMPRESSED else kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=600")
        if is_small:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        return BytesIO(body)

    def log_message(self, *args: object) -> None:
        pass


@lru_cache(maxsize=256)
def content(path: Path, changed: int, is_small: bool) -> bytes:
    """What is in a file, which changed at that time; small means compressed."""
    body = path.read_bytes()
    return gzip.compress(body) if is_small else body


def launch(playwright: Playwright) -> Browser:
    """Open the system's Chromium."""
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []  # its own has no place for root
    return playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS + sandbox)
