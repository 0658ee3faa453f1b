"""What Lighthouse says of every lesson page, on a phone with a slow network: 100 is wanted.

It measures the site that `make build` wrote, served as a host of static pages does. Run it with
`make lighthouse`, which puts `tests/` on the path, on a machine that is quiet: performance falls
when the processor has other work, so of a page that misses the middle one of three tries counts.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from browsing import CHROMIUM, FLAGS, GET_CHROMIUM, served
from lesson20.site.questions import lesson

ROOT = Path(__file__).parents[1]
LIGHTHOUSE = "lighthouse@12.8.2"  # the last major version for Node 20
# Lighthouse's launcher turns off a feature, RenderDocument, without which Chromium 156 holds the
# first frame of a page back for two seconds. This takes the place of the launcher's own list.
FIRST_FRAME = "--disable-features=PaintHolding"
CATEGORIES = ["performance", "accessibility", "best-practices", "seo"]


def main() -> None:
    """Print a table and the audits that failed; exit 1 below 100."""
    if shutil.which("npx") is None:
        sys.exit("Lighthouse needs Node 20 or newer, with npx.")
    if CHROMIUM is None:
        sys.exit(f"Lighthouse needs a browser. {GET_CHROMIUM}")
    wrong: list[str] = []
    print(f"{'page':16}", *(f"{name:>14}" for name in CATEGORIES))
    with served(ROOT / "site") as address:
        for page in lesson_pages():
            report = typical_report(address + page)
            cells = (f"{score(report, name):14.0f}" for name in CATEGORIES)
            print(f"{page or '/':16}", *cells, flush=True)
            wrong += [f"{page or '/'}: {audit}" for audit in failing(report)]
    print(*wrong, sep="\n")
    sys.exit(bool(wrong))


def lesson_pages() -> list[str]:
    """The addresses of the pages that stand in the nav itself, not in a section of it."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    nav = yaml.safe_load(text[text.index("\nnav:") : text.index("\nexclude_docs:")])["nav"]
    names = [source.removesuffix(".md") for source in lesson(nav)]
    return ["" if name == "index" else f"{name}/" for name in names]


def typical_report(url: str) -> dict[str, Any]:
    """The first try at a page if nothing is missing, or else the middle one of three."""
    reports = [measure(url)]
    if all(score(reports[0], category) == 100 for category in CATEGORIES):
        return reports[0]
    reports += [measure(url), measure(url)]
    return sorted(reports, key=lambda report: score(report, "performance"))[1]


def measure(url: str) -> dict[str, Any]:
    """Run Lighthouse once."""
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    flags = " ".join(["--headless=new", FIRST_FRAME, *FLAGS, *sandbox])
    wanted = ["--quiet", "--output=json", f"--only-categories={','.join(CATEGORIES)}"]
    run = subprocess.run(
        ["npx", "--yes", LIGHTHOUSE, url, *wanted, f"--chrome-flags={flags}"],
        env=os.environ | {"CHROME_PATH": str(CHROMIUM)},
        stdout=subprocess.PIPE,
        check=False,
    )
    if run.returncode:
        sys.exit(f"Lighthouse failed at {url}; what it says stands above.")
    report: dict[str, Any] = json.loads(run.stdout)
    return report


def score(report: dict[str, Any], category: str) -> float:
    """A category's score, of 100."""
    return 100 * (report["categories"][category]["score"] or 0)


def failing(report: dict[str, Any]) -> list[str]:
    """The audits that keep a category below 100."""
    return [
        f"{name}: {audit['title']} {audit.get('displayValue', '')}"
        for name in CATEGORIES
        if score(report, name) < 100
        for ref in report["categories"][name]["auditRefs"]
        if ref["weight"] and (audit := report["audits"][ref["id"]])["score"] not in (None, 1)
    ]


if __name__ == "__main__":
    main()
