"""A reader's machine: Python with the site's package, numpy and matplotlib, and nothing else."""

import subprocess
import sys
from importlib.metadata import distribution, requires
from pathlib import Path

from packaging.requirements import Requirement


def needed(name: str, found: set[str]) -> set[str]:
    """A distribution and all that it requires."""
    if name not in found:
        found.add(name)
        for requirement in map(Requirement, requires(name) or []):
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                needed(requirement.name, found)
    return found


def install(wheel: Path, folder: Path) -> Path:
    """Put the wheel, and what `pip install "lesson20[figures]"` brings besides, into a folder."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*pip, "--target", folder, wheel], check=True)
    for name in needed("numpy", set()) | needed("matplotlib", set()):
        files = distribution(name).files or []
        for top in {file.parts[0] for file in files if file.parts[0] not in {"..", "__pycache__"}}:
            place = Path(str(distribution(name).locate_file(top)))
            if place.exists() and not (folder / top).exists():
                (folder / top).symlink_to(place)
    return folder


def run(packages: Path, program: str, *arguments: str | Path, cwd: Path, given: str = "") -> str:
    """Run a program that can import those packages alone; return what it prints."""
    program = f"import sys; sys.path.append({str(packages)!r}); " + program
    process = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, *arguments],
        cwd=cwd,
        env={"MPLBACKEND": "agg", "MPLCONFIGDIR": str(packages), "PATH": ""},
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout
