"""A tab of the browser that remembers what went wrong in it."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Request, expect

# Scenes wait for their numbers, and then either live or say what is missing.
SCENES_ARE_READY = """[...document.querySelectorAll("article *")]
    .filter((element) => element.localName.startsWith("scene-"))
    .every((scene) => scene.querySelector(".scene, .scene-missing"))"""

# All scripts have run, and the theme has done its part. See wake.js and audit.js.
IS_AWAKE = 'matchMedia("(scripting: none)").matches || audit.isAwake'

AUDIT = Path(__file__).with_name("audit.js")

PATIENCE = 60_000  # ms; a machine may be busy, and only a fault has to wait so long
expect.set_options(timeout=PATIENCE)


class Tab:
    """A tab with nothing in its storage.

    Attributes:
        page: Playwright's handle.
        problems: What went wrong since the last `open`.
    """

    def __init__(self, context: BrowserContext, address: str) -> None:
        context.set_default_timeout(PATIENCE)
        context.add_init_script(path=AUDIT)
        self.page = context.new_page()
        self.problems: list[str] = []
        own = (address, "data:", "blob:")
        aborted = "net::ERR_ABORTED"  # that is: the reader went on to another page
        self._under_way: set[Request] = set()
        self._changed = time.monotonic()  # that is: when the last request began or ended
        self.page.on("request", self._begin)
        self.page.on("requestfinished", self._end)
        self.page.on("requestfailed", self._end)
        self._note("console", lambda said: said.text * (said.type in {"error", "warning"}))
        self._note("pageerror", str)
        self._note("request", lambda asked: asked.url * (not asked.url.startswith(own)))
        self._note("requestfailed", lambda asked: asked.url * (asked.failure != aborted))
        self._note("response", lambda got: f"{got.status} {got.url}" * (got.status >= 400))

    def _note(self, event: str, problem: Callable[[Any], str]) -> None:
        """Whenever something happens, keep what is wrong with it; "" is nothing."""
        self.page.on(
            event, lambda happened: self.problems.extend(filter(None, [problem(happened)]))
        )

    def _begin(self, request: Request) -> None:
        self._under_way.add(request)
        self._changed = time.monotonic()

    def _end(self, request: Request) -> None:
        self._under_way.discard(request)
        self._changed = time.monotonic()

    def open(self, url: str) -> None:
        """Go to a page of the site, touch it, and wait for all that belongs to it."""
        self.problems.clear()
        self.page.goto(url)
        self.wake()

    def wake(self) -> None:
        """Do what a reader does at last, such as to move the mouse; wait for all that it brings."""
        for place in (2, 1):
            self.page.mouse.move(place, place)
        self.wait_until_awake()
        self.page.evaluate("document.fonts.ready")
        self.wait_for_scenes()

    def wait_until_awake(self) -> None:
        """Wait until the scripts run that sleep on a page until somebody touches it."""
        self.wait_until(IS_AWAKE)

    def wait_for_scenes(self) -> None:
        """Wait until each scene of the page lives, or says what it lacks."""
        self.wait_until(SCENES_ARE_READY)

    def wait_until_quiet(self) -> None:
        """Wait until nothing has been asked for, or has come, for half a second.

        Playwright's own `networkidle` comes once, which may be before the page is woken.
        """
        end = time.monotonic() + PATIENCE / 1000
        while self._under_way or time.monotonic() - self._changed < 0.5:
            assert time.monotonic() < end, self._under_way
            self.page.wait_for_timeout(20)

    def wait_until(self, condition: str) -> None:
        """Wait until an expression in JavaScript is true, or gives a promise of what is.

        Playwright's own waiting makes code of a text, which the pages' policy forbids.
        """
        end = time.monotonic() + PATIENCE / 1000
        while not self.page.evaluate(condition):
            assert time.monotonic() < end, condition
            self.page.wait_for_timeout(20)


@pytest.fixture(scope="module")
def open_tab(browser: Browser, address: str) -> Iterator[Callable[..., Tab]]:
    """Makes tabs, by default for the served site; takes Playwright's options for a context."""
    contexts: list[BrowserContext] = []

    def open_tab(address: str = address, **options: Any) -> Tab:
        contexts.append(browser.new_context(base_url=address, **options))
        return Tab(contexts[-1], address)

    yield open_tab
    for context in contexts:
        context.close()
