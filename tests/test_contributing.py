"""The tree in CONTRIBUTING.md is the tree on the disk."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# These are shown with all that is in them.
WHOLE = [
    "docs",
    "docs/scenes",
    "src/lesson20",
    "src/lesson20/site",
    "src/lesson20/studies",
    "tools",
]
UNSHOWN = {"__init__.py", "py.typed", "__pycache__"}


def shown_paths():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    tree = re.search(r"## Where things are\n\n```text\n(.*?)```", text, re.DOTALL)[1]
    parents = []
    for line in tree.splitlines():
        indent, name = re.match(r"( *)(\S+)", line).groups()
        parents[len(indent) // 2 :] = [name.rstrip("/")]
        yield "/".join(parents)


@pytest.mark.parametrize("path", list(shown_paths()))
def test_what_is_shown_exists(path):
    assert (ROOT / path).exists()


@pytest.mark.parametrize("folder", WHOLE)
def test_what_exists_is_shown(folder):
    there = {child.name for child in (ROOT / folder).iterdir()} - UNSHOWN
    shown = {Path(path).name for path in shown_paths() if str(Path(path).parent) == folder}
    assert there == shown, f"the tree in CONTRIBUTING.md differs on {sorted(there ^ shown)}"
