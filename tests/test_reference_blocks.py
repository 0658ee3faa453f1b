"""The PyTorch blocks of a page, which do not run there: tools/reference.py ran them."""

from pathlib import Path

import pytest

from building import DOCS
from lesson20.site.blocks import Block
from lesson20.site.pages import find_runnable

BLOCKS = Path(__file__).with_name("reference_blocks.txt")


@pytest.fixture
def section():
    """The blocks of the page's section on PyTorch."""
    page = DOCS / "in-code.md"
    text = page.read_text(encoding="utf-8")
    start = text.index("\n## The same in PyTorch\n")
    end = text.index("\n## ", start + 1)
    blocks = find_runnable(text, page.name)
    return [block for block in blocks if start < block.start < end and isinstance(block, Block)]


def test_pytorchs_blocks_on_the_page_are_those_that_ran(section):
    shown = "\n".join(block.source for block in section if "lesson20" not in block.source)
    ran = BLOCKS.read_text(encoding="utf-8")
    assert shown == ran, "docs/in-code.md has other PyTorch blocks: run tools/reference.py"


def test_our_block_prints_what_pytorchs_block_under_it_printed(section):
    printed = [[line for o in block.outputs() for _, line in o.lines] for block in section]
    for n in (n for n, block in enumerate(section) if block.options.skip):
        assert "lesson20" in section[n - 1].source
        assert printed[n - 1] == printed[n]
        assert len(printed[n]) >= 2
    assert [bool(block.options.skip) for block in section].count(True) == 2
