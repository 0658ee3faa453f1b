"""Pages to try the machinery on: run as the tests run one, and built as MkDocs builds one."""

from pathlib import Path

import pytest
from markdown import Markdown
from mkdocs.config import load_config
from mkdocs.utils.meta import get_data

from lesson20.site.errors import PageError
from lesson20.site.pages import parse

ROOT = Path(__file__).parents[2]
NOTATION = "| Symbol | Meaning |\n| --- | --- |\n| $\\Omega$ | a letter of no formula here |\n"
GLOSSARY = "# Glossary\n\nRNN\n:   Recurrent *neural* network.\n"


@pytest.fixture
def run():
    """Run the text of a page; return its namespace."""

    def run(text, time_limit=5.0):
        namespace = {}
        for item in parse(text, "docs/page.md"):
            item.check(namespace, time_limit)
        return namespace

    return run


@pytest.fixture
def wrong(run):
    """Run the text of a page with a mistake; return what the error says."""

    def wrong(text, time_limit=5.0):
        with pytest.raises(PageError) as caught:
            run(text, time_limit)
        return str(caught.value).strip()

    return wrong


@pytest.fixture(scope="session")
def config():
    """The configuration of the real site."""
    return load_config(str(ROOT / "mkdocs.yml"), plugins=[])


@pytest.fixture
def page(tmp_path, monkeypatch):
    """Write a page, in the folder of a site of its own; return its path."""
    monkeypatch.chdir(tmp_path)

    def page(text, name="docs/page.md"):
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    page(GLOSSARY, "docs/reference/glossary.md")
    page(NOTATION, "docs/reference/notation.md")
    return page


@pytest.fixture
def convert(config, monkeypatch):
    """Turn a text into HTML with the extensions of the real site."""
    monkeypatch.setenv("MPLBACKEND", "agg")  # our extension sets it, for the labs' kernels

    def convert(text, extension_configs=config.mdx_configs, extensions=config.markdown_extensions):
        return Markdown(extensions=extensions, extension_configs=extension_configs).convert(text)

    return convert


@pytest.fixture
def build(page, convert):
    """Write a page and turn it into HTML, without its front matter as MkDocs does."""

    def build(text):
        return convert(get_data(page(text).read_text(encoding="utf-8-sig"))[0])

    return build


@pytest.fixture
def broken(build):
    """Build a page with a mistake; return what the error says."""

    def broken(text):
        with pytest.raises(PageError) as caught:
            build(text)
        return str(caught.value).strip()

    return broken
