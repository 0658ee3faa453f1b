"""A figure becomes the same SVG every time, fit to stand inside a page."""

import re
from xml.etree import ElementTree as ET

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from lesson20.site.svg import draw, inline, to_svg


def everything():
    """A figure with all that makes Matplotlib write ids, references and styles."""
    figure = Figure(figsize=(4, 3))
    axes = figure.subplots(2, 3).ravel()
    axes[0].plot([1, 2, 3], marker="o", linestyle="--", label="one & <two>")
    axes[0].legend()
    image = axes[1].imshow(np.eye(3))
    image.set_clip_path(Circle((0.5, 0.5), 0.3, transform=axes[1].transAxes))
    axes[2].scatter([1, 2], [3, 4], c=[1, 2])
    axes[3].bar([1, 2], [3, 4], hatch="//", gid="part-bar")
    axes[4].pcolormesh(np.eye(2), shading="gouraud")
    axes[5].fill_between([1, 2], [0, -1], [1, 2], alpha=0.3)
    axes[5].set_title(r"$\frac{1}{2}\gamma$ in one ", color="#0072b2")
    axes[5].annotate("−1", (1, 1), (1.5, 1.5), arrowprops={"arrowstyle": "->"})
    return figure


@pytest.fixture(scope="module")
def drawing():
    return draw(everything())


@pytest.fixture(scope="module")
def svg(drawing):
    return inline(drawing, "Every part", "figure-1")


def test_equal_figures_give_equal_bytes(drawing, svg):
    assert draw(everything()) == drawing
    with mpl.rc_context({"svg.hashsalt": "another", "svg.fonttype": "path"}):
        assert to_svg(everything(), "Every part", "figure-1") == svg


def test_a_figure_may_be_drawn_twice():
    figure = Figure()
    figure.subplots().plot([1, 2], label="a line")
    assert draw(figure) == draw(figure)


def test_two_figures_share_no_id(drawing, svg):
    other = inline(drawing, "Every part", "figure-12")
    ids, others = (re.findall(r'\bid="([^"]*)"', text) for text in (svg, other))
    assert len(ids) == len(set(ids)) > 10
    assert not set(ids) & set(others)
    assert {name.removeprefix("figure-12-") for name in others} == {
        name.removeprefix("figure-1-") for name in ids
    }


def test_every_reference_resolves_and_every_id_is_used(svg):
    used = set(re.findall(r'(?:href="|url\()#([^")]*)', svg))
    assert used == set(re.findall(r'\bid="([^"]*)"', svg))
    assert all(name.startswith("figure-1-") for name in used)


def test_no_style_stands_in_the_svg(svg):
    elements = list(ET.fromstring(svg).iter())
    names = {element.tag.rpartition("}")[2] for element in elements}
    assert names.isdisjoint({"style", "script", "metadata"})
    assert names >= {"clipPath", "use", "image", "pattern", "linearGradient", "text"}
    assert all("style" not in element.attrib for element in elements)
    assert "font-family" not in svg
    assert "Matplotlib" not in svg


def test_a_place_is_rounded_to_a_hundredth_and_a_scale_is_not(drawing, svg):
    def numbers(text, name, wanted=""):
        values = [e.get(name, "") for e in ET.fromstring(text).iter()]
        return [float(n) for v in values if wanted in v for n in re.findall(r"-?\d+(?:\.\d+)?", v)]

    for name, wanted in [("d", ""), ("x", ""), ("transform", "translate")]:
        exact, rounded = numbers(drawing, name, wanted), numbers(svg, name, wanted)
        assert np.abs(np.subtract(exact, rounded)).max() < 0.0051
        assert len(exact) > 5
    assert not re.search(r' (?:d|x|y|transform)="(?!matrix|scale)[^"]*\.\d{3}', svg)
    small = re.sub(r'(?<= transform=")', "scale(0.00123 0.00456) ", drawing, count=1)
    assert "scale(0.00123 0.00456)" in inline(small, "", "x")


def test_a_named_part_can_be_found(svg):
    assert len(re.findall('class="part-bar"', svg)) == 2  # both bars


def test_every_colour_is_a_variable_with_a_value_of_its_own(svg):
    values = re.findall(r'(?:fill|stroke|stop-color)="([^"]*)"', svg)
    colours = [value for value in values if "#" in value and not value.startswith("url(")]
    assert "var(--c-0072b2, #0072b2)" in colours
    for colour in colours:
        assert re.fullmatch(r"var\(--c-([0-9a-f]{6}), #\1\)", colour)


def test_text_stays_text(svg):
    texts = [
        "".join(e.itertext()) for e in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    ]
    assert "one & <two>" in texts
    assert "−1" in texts
    assert any("γ" in text for text in texts)


@pytest.mark.parametrize("alt", ['a "quoted" <b> & c', "it's", "−1 → é", "a\nb", "&lt;"])
def test_alt_text_is_escaped(alt):
    figure = Figure()
    root = ET.fromstring(to_svg(figure, alt, "figure-1"))
    assert (root.get("aria-label"), root.get("role")) == (alt, "img")
    assert f'aria-label="{alt}"' not in to_svg(figure, '"><script>', "figure-1")


def test_the_size_is_that_of_the_figure():
    root = ET.fromstring(inline(draw(Figure(figsize=(4, 3))), "Nothing", "x"))
    assert (root.get("viewBox"), root.get("width"), root.get("height")) == (
        "0 0 288 216",
        "288",
        "216",
    )
