"""Builds the site, or a copy of it, as a contributor's command does."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def copy_into(folder: Path) -> Path:
    """Copy all that the site is built from into a folder."""
    for name in ("docs", "src"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in ("mkdocs.yml", "pyproject.toml", "README.md", "LICENSE", "CITATION.cff"):
        shutil.copy(ROOT / name, folder)
    return folder


def run_engine(
    command: Sequence[str | Path], folder: Path, address: str
) -> subprocess.CompletedProcess[str]:
    """Run `python -m …` in a folder, its output in one piece, its clock and address given."""
    ours = {name: text for name, text in os.environ.items() if not name.startswith("LESSON_")}
    given = {"LESSON_SITE_URL": address, "NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": "0"}
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env=ours | given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
