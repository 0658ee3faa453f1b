"""Serves a folder and opens a browser: for the tests, and for tools/bench_scenes.py."""

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

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


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder; give its address, as `http://127.0.0.1:40123/`."""
    with Server(("127.0.0.1", 0), partial(QuietHandler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class Server(ThreadingHTTPServer):
    request_queue_size = 64  # a page asks for more at once than the usual five


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        pass


def launch(playwright: Playwright) -> Browser:
    """Open the system's Chromium."""
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []  # its own has no place for root
    return playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS + sandbox)
