"""The built site, the address that serves it, and a browser: each made once for all tests."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

import elsewhere
from browsing import CHROMIUM, GET_CHROMIUM, launch, served
from building import DOCS, ROOT, run_engine
from lesson20.site.download import WHEEL

# A page is named by its source, as `blame.md` or `labs/cliff.md`; 404.html has none.
PAGES = [*sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")), "404.html"]

left_out = pytest.StashKey[int]()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks, directly or not, for `page_source` runs once for every page."""
    if "page_source" in metafunc.fixturenames:
        metafunc.parametrize("page_source", PAGES, scope="session")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What needs the site comes late and the browser last, whose event loop bears no other.

    Without a browser a person runs the rest; a CI machine without one is broken.
    """
    items.sort(key=lambda item: (needs(item, "site"), needs(item, "browser")))
    in_browser = [item for item in items if needs(item, "browser")]
    if CHROMIUM or not in_browser:
        return
    if os.environ.get("CI") == "true":
        raise pytest.UsageError(f"{len(in_browser)} tests need a browser. {GET_CHROMIUM}")
    items[:] = items[: -len(in_browser)]
    config.hook.pytest_deselected(items=in_browser)
    config.stash[left_out] = len(in_browser)


def needs(item: pytest.Item, fixture: str) -> bool:
    return fixture in getattr(item, "fixturenames", ())


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if count := config.stash.get(left_out, 0):
        terminalreporter.write_line(f"{count} browser tests were left out. {GET_CHROMIUM}")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="session")
def address(folder: Path) -> Iterator[str]:
    """Where the site is served."""
    with served(folder) as address:
        yield address


@pytest.fixture(scope="session")
def site(folder: Path, address: str) -> Path:
    """The folder of the built site.

    It is built for the address that serves it: elsewhere the theme's instant navigation,
    which compares addresses with the sitemap's, would be off.
    """
    build = run_engine(["mkdocs", "build", "--strict", "--site-dir", folder], ROOT, address)
    if build.returncode:  # every test from here on would say the same
        pytest.exit(f"The site does not build.\n{reason(build.stdout)}", returncode=1)
    return folder


@pytest.fixture(scope="session")
def packages(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that a reader installs to run what was taken away, and nothing else."""
    return elsewhere.install(site / WHEEL, tmp_path_factory.mktemp("packages"))


def reason(log: str) -> str:
    """MkDocs' warnings, which strict mode makes fatal, or else the last line of its traceback."""
    lines = log.splitlines()
    return "\n".join([line for line in lines if line.startswith("WARNING")] or lines[-1:])


@pytest.fixture(scope="session")
def url(page_source: str) -> str:
    """A page's address below the site's: `blame/` for `blame.md`."""
    path = page_source.removesuffix("index.md")
    return f"{path.removesuffix('.md')}/" if path.endswith(".md") else path


@pytest.fixture(scope="session")
def html(site: Path, url: str) -> str:
    """A built page's HTML."""
    path = site / url
    return (path / "index.html" if path.is_dir() else path).read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def browser(site: Path) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()
