"""How much the machinery adds to the time that a build of the lesson takes anyway.

A cold build of the lesson pages is compared with the sum of two things that it cannot do without:
a plain process that runs the same blocks and saves the same figures, and a build of the same
prose with nothing executed. Prints the median of five rounds. Run it with `make bench`.
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from lesson20.site.claims import without_claims

ROUNDS = 5
ROOT = Path(__file__).parents[1]
PLAIN = """
import io, re, sys
from pathlib import Path
import matplotlib
matplotlib.use("agg")
from matplotlib import pyplot as plt
for page in sorted(Path("docs").rglob("*.md")):
    names = {"__name__": "__main__"}
    for block in re.findall(r"^```python.*\\n((?:.*\\n)*?)```$", page.read_text(), re.MULTILINE):
        exec(block, names)
        for number in plt.get_fignums():
            plt.figure(number).savefig(io.BytesIO(), format="svg")
        plt.close("all")
"""


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        lesson, prose = Path(folder, "lesson"), Path(folder, "prose")
        for copy in (lesson, prose):
            copy_lesson(copy)
        for page in (prose / "docs").rglob("*.md"):
            page.write_text(not_run(page.read_text(encoding="utf-8")), encoding="utf-8")

        build = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict"]
        ratios, peaks = [], []
        for number in range(1, ROUNDS + 1):
            whole, peak = measure(build, lesson)
            blocks, _ = measure([sys.executable, "-c", PLAIN], lesson)
            bare, _ = measure(build, prose)
            ratios.append(whole / (blocks + bare))
            peaks.append(peak)
            print(
                f"round {number}: build {whole:.2f} s, blocks {blocks:.2f} s, prose {bare:.2f} s, "
                f"ratio {ratios[-1]:.2f}, peak {peak:.0f} MB"
            )
    print(
        f"median ratio {statistics.median(ratios):.2f} (at most 1.3), "
        f"peak memory {max(peaks):.0f} MB (at most 400)"
    )


def copy_lesson(target: Path) -> None:
    """Copy the lesson pages; of the labs, which run in kernels of their own, only the names."""
    shutil.copytree(ROOT / "docs", target / "docs")
    for lab in (target / "docs/labs").glob("*.md"):
        lab.write_text(f"# A lab named {lab.stem}\n", encoding="utf-8")
    shutil.copytree(ROOT / "src", target / "src", ignore=shutil.ignore_patterns("__pycache__"))
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    text = re.sub(r"\n  - mkdocs-jupyter:\n(?:      .*\n|\n)*", "\n", text)
    assert "mkdocs-jupyter:" not in text
    (target / "mkdocs.yml").write_text(text, encoding="utf-8")


def not_run(page: str) -> str:
    """The same page with nothing executed."""
    return without_claims(re.sub(r"^```python.*", '```python skip="no"', page, flags=re.MULTILINE))


def measure(command: Sequence[str], folder: Path) -> tuple[float, float]:
    """Run a command; return its seconds and its peak memory in MB."""
    shutil.rmtree(folder / "site", ignore_errors=True)
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    if status:
        sys.exit(f"failed: {' '.join(command[:4])}")
    return seconds, usage.ru_maxrss / 1024  # Linux counts in KiB


if __name__ == "__main__":
    main()
