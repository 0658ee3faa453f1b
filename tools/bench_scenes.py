"""How long a slider step of a scene takes: to compute, to draw, and to lay out anew.

Prints the median for every slider of every scene, in Chromium, on the site that `make build`
wrote. Run it with `make bench`, which puts `tests/` on the path.
"""

import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from browsing import CHROMIUM, GET_CHROMIUM, launch, served

SITE = Path(__file__).parents[1] / "site"
PAGES = ["recurrent-cell/", "blame/", "lstm/", "in-code/"]  # the labs have no sliders
AT_MOST = 4.0  # ms

# Goes back and forth over each slider, and asks for the layout, so that none of it is put off.
MEASURE = """() => [...document.querySelectorAll(".scene [type=range]")].map((slider) => {
  const times = [];
  for (let n = 0; n < 300; n++) {
    const share = Math.abs(((n * 7) % 200) / 100 - 1);
    slider.value = +slider.min + share * (slider.max - slider.min);
    const start = performance.now();
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    slider.closest(".scene").getBoundingClientRect();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const name = slider.labels[0].querySelector("span").textContent;
  return [`${slider.closest(".scene").ariaLabel}, ${name}`, times[150], times[285]];
})"""


def main() -> None:
    """Measure and print; exit 1 if a median is too large."""
    if not (SITE / "index.html").is_file():
        sys.exit("There is no site to measure: make build")
    if CHROMIUM is None:
        sys.exit(f"The scenes need a browser. {GET_CHROMIUM}")
    with served(SITE) as address, sync_playwright() as playwright:
        browser = launch(playwright)
        measured = [row for page in PAGES for row in measure(browser.new_page(), address + page)]
        browser.close()
    for name, median, slow in measured:
        print(f"{median:.1f} ms, one in twenty above {slow:.1f} ms: {name}")
    largest = max(median for _, median, _ in measured)
    print(f"slowest slider {largest:.1f} ms (at most {AT_MOST:g})")
    if largest > AT_MOST:
        sys.exit(1)


def measure(page: Page, address: str) -> list[tuple[str, float, float]]:
    """Open a page; return name, median and nineteen-in-twenty of each slider, in ms."""
    page.goto(address)
    page.wait_for_selector(".scene")
    return [(name, median, slow) for name, median, slow in page.evaluate(MEASURE)]


if __name__ == "__main__":
    main()
