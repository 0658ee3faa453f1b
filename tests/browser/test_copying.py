"""The copy button of every block, pressed; and what it gave, run on a reader's machine."""

import json

import pytest

import elsewhere
from building import DOCS
from lesson20.site.blocks import Block
from lesson20.site.pages import parse

BUTTON = "article .highlight[data-search-exclude] button[data-md-type=copy]"
END = "\x1e\n"

# Each piece of code in a process of its own, in which numpy and matplotlib are read in already.
RUN = f"""
import json, os
import matplotlib.pyplot, numpy
for code in json.load(sys.stdin):
    child = os.fork()
    if not child:
        exec(compile(code, "copied", "exec"), {{"__name__": "__main__"}})
        print(end={END!r}, flush=True)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        sys.exit(code)
"""


@pytest.fixture(scope="module")
def reader(open_tab):
    return open_tab(permissions=["clipboard-read", "clipboard-write"])


def test_what_every_copy_button_gives_runs_alone(reader, packages, tmp_path, page_source, url):
    page = DOCS / page_source
    items = parse(page.read_text("utf-8"), page_source) if page.is_file() else []
    blocks = [item for item in items if isinstance(item, Block)]
    reader.open(url)
    reader.page.evaluate("audit.unfold()")
    copies = [copied(reader, button) for button in reader.page.locator(BUTTON).all()]
    assert len(copies) == len(blocks)
    for copy, block in zip(copies, blocks, strict=True):
        assert copy.endswith(block.source.rstrip())
    ran = [copy for copy, block in zip(copies, blocks, strict=True) if not block.options.skip]
    printed = elsewhere.run(packages, RUN, cwd=tmp_path, given=json.dumps(ran))
    assert printed.split(END)[:-1] == [declared(copy) for copy in ran]


def copied(tab, button):
    tab.page.evaluate("navigator.clipboard.writeText('')")
    button.click()
    tab.wait_until("navigator.clipboard.readText()")
    return tab.page.evaluate("navigator.clipboard.readText()")


def declared(code):
    """What the `#> ` comments of some code say that it prints."""
    lines = [line for line in code.split("\n") if line.startswith("#>")]
    return "".join(f"{line.removeprefix('#>').removeprefix(' ')}\n" for line in lines)
