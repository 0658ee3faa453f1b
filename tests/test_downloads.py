"""What a reader took away runs in an empty folder, with the package, numpy and matplotlib alone."""

import json
import subprocess
import sys
from importlib.metadata import distribution, requires
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from building import DOCS

PAGES = [
    path.relative_to(DOCS).as_posix().removesuffix(".md")
    for path in sorted(DOCS.rglob("*.md"))
    if "\n```python" in path.read_text(encoding="utf-8")
]

MEMORY = 500_000  # KiB, as Linux counts the most that a process had at once

# Runs a script, or the cells of a notebook, with nothing to import but what stands in a folder.
RUN = """
import json, resource, sys
from pathlib import Path
sys.path.append(sys.argv[1])
text = Path(sys.argv[2]).read_text(encoding="utf-8")
cells = [text]
if sys.argv[2].endswith(".ipynb"):
    cells = [c["source"] for c in json.loads(text)["cells"] if c["cell_type"] == "code"]
names = {"__name__": "__main__"}
for cell in cells:
    exec(compile("".join(cell), sys.argv[2], "exec"), names)
import matplotlib.pyplot
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def needed(name, found):
    """A distribution and all that it requires."""
    if name not in found:
        found.add(name)
        for requirement in map(Requirement, requires(name) or []):
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                needed(requirement.name, found)
    return found


@pytest.fixture(scope="session")
def packages(tmp_path_factory):
    """A folder with the package, numpy, matplotlib and what they require, and nothing else."""
    folder = tmp_path_factory.mktemp("packages")
    (folder / "lesson20").symlink_to(Path(find_spec("lesson20").origin).parent)
    for name in needed("numpy", set()) | needed("matplotlib", set()):
        files = distribution(name).files
        for top in {file.parts[0] for file in files if file.parts[0] not in {"..", "__pycache__"}}:
            place = Path(distribution(name).locate_file(top))
            if place.exists() and not (folder / top).exists():
                (folder / top).symlink_to(place)
    return folder


@pytest.mark.parametrize("kind", ["ipynb", "py"])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_taken_away_runs(site, packages, tmp_path, page, kind):
    folder = site / page.removesuffix("index")
    file = folder / f"{Path(page).name}.{kind}"
    started = [sys.executable, "-I", "-S", "-c", RUN, packages, file]
    env = {"MPLBACKEND": "agg", "MPLCONFIGDIR": str(tmp_path), "PATH": ""}
    process = subprocess.run(
        started, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    assert int(process.stdout.split()[-1]) < MEMORY
    html = (folder / "index.html").read_text("utf-8")
    assert f'<a href="{file.name}" download>' in html


def test_nothing_else_is_at_hand(packages, tmp_path):
    file = tmp_path / "page.ipynb"
    cell = {"cell_type": "code", "source": ["import pytest"]}
    file.write_text(json.dumps({"cells": [cell]}), encoding="utf-8")
    started = [sys.executable, "-I", "-S", "-c", RUN, packages, file]
    process = subprocess.run(started, capture_output=True, text=True, check=False)
    assert "No module named 'pytest'" in process.stderr
