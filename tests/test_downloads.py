"""What a reader took away runs in an empty folder, with the package, numpy and matplotlib alone.

And every figure has its data.
"""

import csv
import html as markup
import json
import re
from pathlib import Path

import pytest

import elsewhere
from building import DOCS

PAGES = [
    path.relative_to(DOCS).as_posix().removesuffix(".md")
    for path in sorted(DOCS.rglob("*.md"))
    if "\n```python" in path.read_text(encoding="utf-8")
]

MEMORY = 500_000  # KiB, as Linux counts the most that a process had at once

# Runs a script, or the cells of a notebook.
RUN = """
import json
from pathlib import Path
text = Path(sys.argv[1]).read_text(encoding="utf-8")
cells = [text]
if sys.argv[1].endswith(".ipynb"):
    cells = [c["source"] for c in json.loads(text)["cells"] if c["cell_type"] == "code"]
names = {"__name__": "__main__"}
for cell in cells:
    exec(compile("".join(cell), sys.argv[1], "exec"), names)
import matplotlib.pyplot
# On Linux alone: resource.getrusage counts the process, too, from which this one was forked.
status = Path("/proc/self/status")
print(status.read_text().partition("VmHWM:")[2].split()[0] if status.exists() else 0)
"""


@pytest.mark.parametrize("kind", ["ipynb", "py"])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_taken_away_runs(site, packages, tmp_path, page, kind):
    folder = site / page.removesuffix("index")
    file = folder / f"{Path(page).name}.{kind}"
    printed = elsewhere.run(packages, RUN, file, cwd=tmp_path)
    assert int(printed.split()[-1]) < MEMORY
    html = (folder / "index.html").read_text("utf-8")
    assert f'<a href="{file.name}" download>' in html


def test_every_figure_has_its_data_under_it(site, url, html):
    figure = r'<figure class="lesson-figure".*?</figure>(?:\s*</scene-\w+>)?'
    found = re.findall(rf'({figure})(?:<p class="lesson-data"[^>]*>(.*?)</p>)?', html, re.DOTALL)
    named = re.compile(r'aria-label="(Data \(CSV\) of the figure: [^"]+)"')
    names = {name for _, link in found for name in named.findall(link)}
    assert len(names) == len(found) == html.count('class="figure"')
    files = []
    for drawn, link in found:
        [file] = re.findall(r'<a href="([^"]+)" download', link)
        text = (site / url / file).read_text("utf-8")
        header, *rows = csv.reader(text.splitlines())
        assert any(name in markup.unescape(drawn) for name in header)  # it belongs to this figure
        assert rows
        assert {len(row) for row in rows} == {len(header)}
        assert len(text.encode()) <= 200_000
        files.append(site / url / file)
    folder = site / url if url.endswith("/") or not url else site / url / "nowhere"
    assert sorted(folder.glob("*.csv")) == sorted(files)


def test_nothing_else_is_at_hand(packages, tmp_path):
    file = tmp_path / "page.ipynb"
    cell = {"cell_type": "code", "source": ["import pytest"]}
    file.write_text(json.dumps({"cells": [cell]}), encoding="utf-8")
    with pytest.raises(AssertionError, match="No module named 'pytest'"):
        elsewhere.run(packages, RUN, file, cwd=tmp_path)
