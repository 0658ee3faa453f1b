import functools
import re
from itertools import combinations
from pathlib import Path
from unittest import mock

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.text import Text

from lab_records import LAB_RECORDS
from lesson20 import drawing, experiments, figures, lab_figures
from lesson20.site.svg import to_svg

RECORDS = {
    "two_orders": experiments.reading,
    "blame_by_word": experiments.blame_by_word,
    "two_by_two": experiments.two_by_two,
    "belt": experiments.belt,
    "blame_by_distance": experiments.blame_by_distance,
    "slopes": experiments.slopes,
    "erratic_blame": experiments.erratic_blame,
    "influence_map": experiments.influence_map,
    "zero_radius": experiments.zero_radius,
    "belt_square": experiments.belt_square,
    "half_lives": experiments.half_lives,
    "direct_and_total": experiments.direct_and_total,
    **LAB_RECORDS,
}
every_figure = pytest.mark.parametrize("name", RECORDS)

CSS = Path(__file__).parents[1].joinpath("docs/assets/lesson.css").read_text("utf-8")
DARK = {f"#{light}": dark for light, dark in re.findall(r"--c-([0-9a-f]{6}): (#[0-9a-f]{6});", CSS)}
WHITE, SLATE = "#ffffff", "#1e2129"  # the pages


@functools.cache
def record(name):
    return RECORDS[name]()


def draw(name):
    return getattr(lab_figures if name in LAB_RECORDS else figures, name)


@functools.cache
def figure(name):
    result = draw(name)(record(name))
    plt.close(result)
    return result


@functools.cache
def svg_and_boxes(name):
    """The SVG, and where each text that is really drawn stands in it, in points."""
    boxes = {}
    draw_text = Text.draw

    def recording(text, renderer):
        if text.get_visible() and text.get_text():
            boxes[text] = text.get_window_extent(renderer)
        draw_text(text, renderer)

    with mock.patch.object(Text, "draw", recording):
        return to_svg(figure(name), "a figure", name), boxes


def svg(name):
    return svg_and_boxes(name)[0]


def luminance(color):
    channels = np.array([int(color[n : n + 2], 16) for n in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@every_figure
def test_axes_have_names(name):
    panels = figure(name).axes
    assert all(axes.get_ylabel() or not axes.get_subplotspec().is_first_col() for axes in panels)
    assert panels[-1].get_xlabel()


@every_figure
def test_svg_is_small_and_made_of_shapes_and_plain_text(name):
    assert len(svg(name).encode()) < 60_000
    assert "<image" not in svg(name)
    assert "$" not in svg(name)
    assert "<text" in svg(name)


@every_figure
def test_every_colour_has_a_dark_value(name):
    assert set(re.findall(r"#[0-9a-f]{6}\b", svg(name))) <= DARK.keys()
    assert "rgb" not in svg(name)


@every_figure
def test_text_has_contrast_in_both_palettes(name):
    for element in re.findall(r"<text[^>]*>", svg(name)):
        color = re.search(r"#[0-9a-f]{6}", element)[0]
        assert contrast(color, WHITE) > 4.5
        assert contrast(DARK[color], SLATE) > 4.5


@pytest.mark.parametrize("fill", {*figures.FROM_NEGATIVE, *figures.FROM_NOTHING})
def test_ink_on_a_fill_has_contrast_in_both_palettes(fill):
    assert contrast(figures.INK, fill) > 4.5
    assert contrast(DARK[figures.INK], DARK[fill]) > 4.5


@every_figure
def test_text_is_large_enough_and_neither_cut_off_nor_overlapping(name):
    boxes = svg_and_boxes(name)[1]
    assert min(text.get_size() for text in boxes) >= 9
    width, height = figure(name).get_size_inches() * 72
    assert all(box.x0 >= 0 and box.x1 <= width for box in boxes.values())
    assert all(box.y0 >= 0 and box.y1 <= height for box in boxes.values())
    for one, other in combinations(boxes.values(), 2):
        assert not one.padded(-1).overlaps(other.padded(-1))


@every_figure
def test_same_record_gives_same_bytes_whatever_the_readers_style(name):
    with plt.rc_context({"lines.marker": "x", "axes.xmargin": 0.3, "xtick.labelsize": 30}):
        again = draw(name)(record(name))
    plt.close(again)
    assert to_svg(again, "a figure", name) == svg(name)


@every_figure
def test_other_records_are_refused(name):
    wanted = type(record(name)).__name__
    with pytest.raises(TypeError, match=f"^record: expected {wanted}, got 'gains'"):
        draw(name)("gains")


def lines(name):
    return [line.get_ydata() for axes in figure(name).axes for line in drawn(axes.lines)]


def drawn(artists):
    """Without those that only carry numbers for `lesson20.site.data`."""
    return [artist for artist in artists if artist.get_visible()]


def test_two_orders_shows_every_state_as_colour_and_number():
    r = record("two_orders")
    for axes, words, h in zip(
        figure("two_orders").axes, (r.first, r.second), (r.h_first, r.h_second), strict=True
    ):
        np.testing.assert_array_equal(axes.collections[0].get_array(), h[1:].T)
        numbers = [float(text.get_text().replace("−", "-")) for text in axes.texts]
        np.testing.assert_allclose(numbers, h[1:].ravel(), atol=0.051)
        assert tuple(label.get_text() for label in axes.get_xticklabels()) == words


def test_blame_by_distance_shows_gains_and_dashed_the_bounds():
    r = record("blame_by_distance")
    pairs = [curve for both in zip(r.gain, r.bound, strict=True) for curve in both]
    np.testing.assert_array_equal(lines("blame_by_distance")[:-1], pairs)
    styles = [line.get_linestyle() for line in figure("blame_by_distance").axes[0].lines[:-1]]
    assert styles == ["-", "--"] * len(r.sigma_1)


def test_slopes_shows_both_slopes_under_their_ceilings():
    r = record("slopes")
    tanh, ceiling, sigmoid, quarter = lines("slopes")
    np.testing.assert_array_equal([tanh, sigmoid], [r.tanh, r.sigmoid])
    assert (max(ceiling), max(quarter)) == (1, 0.25)


def test_erratic_blame_shows_every_run_and_the_medians():
    r = record("erratic_blame")
    for n, (gain, median) in enumerate(zip(r.gain, r.median, strict=True)):
        dots, bar = lines("erratic_blame")[2 * n : 2 * n + 2]
        np.testing.assert_array_equal(dots[::3], gain)
        np.testing.assert_array_equal(bar, median)
    strokes = re.findall(r' d="([^"]+)"', svg("erratic_blame"))
    assert [d.count("M") for d in strokes if d.count("M") > 1] == [r.gain.shape[1]] * 3


def test_influence_map_draws_its_shores_where_the_gain_has_their_value():
    r = record("influence_map")
    _, shores = drawn(figure("influence_map").axes[0].collections)
    for level, path in zip((1e-9, 1e-3, 0.1), shores.get_paths(), strict=True):
        g, n = path.vertices[path.vertices[:, 0] < 1.2].T
        column = np.abs(r.g[:, np.newaxis] - g).argmin(axis=0)
        assert len(n) > 40
        assert np.all(r.gain[np.maximum(n / 1.2 - 2, 0).astype(int), column] > level)
        assert np.all(r.gain[np.ceil(n * 1.2).astype(int), column] < level)


def test_zero_radius_shows_the_records():
    r = record("zero_radius")
    expected = [r.point_exact, r.point, r.driven, r.constant, r.linear]
    curves = [line for line in lines("zero_radius") if len(line) > 2]
    for line, curve in zip(curves, expected, strict=True):
        np.testing.assert_array_equal(line, curve)


def test_belt_square_shows_the_corners_and_the_verdicts():
    r = record("belt_square")
    belts = [line for line in lines("belt_square") if len(line) == 7]
    np.testing.assert_array_equal(belts, r.c[::2, :, 1:].reshape(4, 7))
    panels = figure("belt_square").axes
    verdicts = [axes.texts[0].get_text().split()[0] for axes in panels]
    assert verdicts == ["plural" if h > 0 else "singular" for h in r.h[::2].ravel()]
    titles = [axes.get_title("left") for axes in panels]
    assert titles == [f"f = {f:g}, i = {i:g}" for f in (r.f[0], r.f[-1]) for i in r.i]


def test_half_lives_shows_the_curve_and_three_marks_on_it():
    r = record("half_lives")
    curve, *marks = lines("half_lives")
    np.testing.assert_array_equal(curve, r.half_life)
    np.testing.assert_allclose(
        np.ravel(marks), np.log(0.5) / np.log([1 / (1 + np.exp(-1)), 1 / (1 + np.exp(-3)), 0.97]),
        rtol=1e-3,
    )  # fmt: skip


def test_direct_and_total_shows_totals_and_dashed_the_belts():
    r = record("direct_and_total")
    pairs = [curve for both in zip(r.total, r.direct, strict=True) for curve in both]
    np.testing.assert_array_equal(lines("direct_and_total")[:-1], pairs)


def test_cliff_shows_the_way_down_and_says_where_the_other_one_ended():
    r = record("cliff")
    way, start = drawn(figure("cliff").axes[0].lines)
    np.testing.assert_array_equal(way.get_xydata().T, [r.cliff_w[1], r.cliff_b[1]])
    np.testing.assert_array_equal(start.get_xydata(), [[r.cliff_w[0, 0], r.cliff_b[0, 0]]])
    assert any(
        f"{r.cliff_w[0, -1]:,.0f}" in text.get_text() for text in figure("cliff").axes[0].texts
    )


@pytest.mark.parametrize(
    ("name", "right", "norm"),
    [("short_order", "accuracy", "norm"), ("long_order", "long_accuracy", "long_norm")],
)
def test_the_order_figures_show_every_net_solved_or_not(name, right, norm):
    r = record(name)
    right, norm = getattr(r, right), getattr(r, norm)
    for axes, values in zip(figure(name).axes, (right, norm), strict=True):
        for marker, those in (("o", right >= r.solved), ("v", right < r.solved)):
            marks = [line.get_ydata() for line in axes.lines if line.get_marker() == marker]
            np.testing.assert_array_equal(np.concatenate(marks), values[those])


def test_dilemma_shows_what_is_held_and_what_comes_through():
    r = record("dilemma")
    *held, chance, gain, one = lines("dilemma")
    np.testing.assert_array_equal(np.transpose(held), r.kept)
    np.testing.assert_array_equal(gain, r.gain)
    assert (chance[0], one[0]) == (0.5, 1)


def test_hold_and_learn_shows_units_and_belts():
    r = record("hold_and_learn")
    units, belts, _ = drawn(figure("hold_and_learn").axes[0].lines)
    np.testing.assert_array_equal(units.get_xydata(), np.transpose([r.gain, r.kept[:, 1]]))
    np.testing.assert_array_equal(belts.get_xydata(), [(1, kept) for kept in r.belt_kept])


def test_endless_belt_shows_every_net():
    r = record("endless_belt")
    np.testing.assert_array_equal(lines("endless_belt"), np.concatenate(r.belt))


def test_forgetting_units_shows_every_unit_and_marks_one_of_each_net():
    r = record("forgetting_units")
    _, *every, lowest = lines("forgetting_units")
    np.testing.assert_array_equal(every, r.f_at_stop)
    np.testing.assert_array_equal(lowest, r.f_at_stop.min(axis=1))


@pytest.mark.parametrize(("power", "text"), [(-12, "10⁻¹²"), (-2, "0.01"), (0, "1"), (9, "10⁹")])
def test_powers_of_ten_are_plain_text(power, text):
    assert drawing.power_of_ten(power) == text


def test_labels_are_moved_apart_in_their_order_and_no_further_than_needed():
    places = np.array([5.0, 0.0, 4.0, 30.0])
    moved = drawing.apart(places, 10)
    assert np.diff(np.sort(moved)).min() > 9.99
    assert (moved.argsort() == places.argsort()).all()
    assert moved.sum() == pytest.approx(places.sum())
    np.testing.assert_array_equal(drawing.apart(np.array([0.0, 20]), 10), [0, 20])
