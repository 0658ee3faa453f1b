"""Nothing moves that a reader has before his eyes, however late the rest of the page comes."""

import re

import pytest

WIDTHS = [360, 1280]
LATE = re.compile(r"\.json$")  # the numbers of the scenes
AT_MOST = 0.001  # of Chromium's measure, of which 0.1 is called good; a formula still being sent
SHOWN = 200  # ms after which a page is on the screen
SLACK = 100  # px that a scene may leave empty
WITH_SCENES = ["recurrent-cell/", "blame/", "lstm/", "in-code/", "labs/train-the-belt/"]

WATCH = """
window.moved = [];
const named = ({ node }) => `${node?.nodeName} ${node?.textContent.trim().slice(0, 60)}`;
const note = ({ value, sources }) => moved.push([value, sources.map(named)]);
new PerformanceObserver((list) => list.getEntries().forEach(note))
  .observe({ type: "layout-shift", buffered: true });
"""
SCROLL = """async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let y = 0; y < document.documentElement.scrollHeight; y += 200) {
    scrollTo(0, y);
    await frame();
  }
  await frame();
}"""
# How high each scene is, and the room that was reserved for it.
ROOMS = """() => [...document.querySelectorAll("article *")]
  .filter((element) => element.localName.startsWith("scene-"))
  .map((scene) => {
    const room = parseFloat(getComputedStyle(scene).minHeight);
    scene.style.minHeight = 0;
    const { height } = scene.getBoundingClientRect();
    scene.style.minHeight = "";
    return [scene.localName, height, room];
  })"""

# How large each figure is while it is out of view, and when it is laid out.
FIGURES = """() => [...document.querySelectorAll(".lesson-figure:not([hidden]) svg")].map((svg) => {
  const size = () => [svg.getBoundingClientRect().width, svg.getBoundingClientRect().height];
  const before = size();
  svg.style.contentVisibility = "visible";
  return [before, size()];
})"""


@pytest.fixture(params=WIDTHS, ids=lambda width: f"{width}px")
def watched(request, open_tab):
    """A tab with nothing in its cache that notes what moves."""
    tab = open_tab(viewport={"width": request.param, "height": 800})
    tab.page.add_init_script(WATCH)
    return tab


def test_nothing_moves(watched, url):
    watched.open(url)
    assert_nothing_moved(watched.page)


def test_a_figure_takes_the_room_that_was_kept_for_it(watched, url):
    watched.open(url)
    for kept, taken in watched.page.evaluate(FIGURES):
        assert kept == pytest.approx(taken, abs=0.1)


@pytest.mark.parametrize("page_with_scenes", WITH_SCENES)
def test_nothing_moves_when_scenes_come_late(watched, site, page_with_scenes):
    html = (site / page_with_scenes / "index.html").read_text("utf-8")
    *_, heading = re.findall(r'<h\d id="([^"]+)"', html.rpartition("<scene-")[0])
    open_late(watched, f"{page_with_scenes}#{heading}")
    assert_nothing_moved(watched.page)


def assert_nothing_moved(page):
    page.evaluate(SCROLL)
    moved = page.evaluate("moved")
    assert sum(value for value, _ in moved) < AT_MOST, moved


def open_late(tab, url):
    """Open a page, and let the numbers of its scenes come once it is shown."""
    page, held = tab.page, []
    page.route(LATE, lambda asked: asked.continue_() if is_shown else held.append(asked))
    is_shown = False
    page.goto(url, wait_until="domcontentloaded")
    page.wait_for_timeout(SHOWN)
    is_shown = True
    for request in held:
        request.continue_()
    page.wait_for_load_state()
    tab.wait_for_scenes()


@pytest.mark.parametrize("page_with_scenes", WITH_SCENES)
def test_a_scene_has_the_room_that_it_takes(open_tab, page_with_scenes):
    tab = open_tab()
    tab.open(page_with_scenes)
    for width in [320, 360, 390, 412, 480, 600, 768, 1000, 1280, 1600]:
        tab.page.set_viewport_size({"width": width, "height": 800})
        for name, height, room in tab.page.evaluate(ROOMS):
            problem = f"{width} px: {name} takes {height} px of {room} px: --room in scenes.css"
            assert height - 1 <= room <= height + SLACK, problem
