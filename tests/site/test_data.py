"""A figure's table holds the numbers that it shows, and says what each of them is."""

import csv
import io
import re

import numpy as np
import pytest
from matplotlib.figure import Figure

from lesson20 import experiments, figures
from lesson20.site import data
from lesson20.site.svg import draw, inline


def rows(figure):
    return list(csv.DictReader(io.StringIO(data.table(figure))))


def column(found, name, **those):
    return [float(row[name]) for row in found if those.items() <= row.items()]


def axes_of(**names):
    figure = Figure()
    axes = figure.subplots()
    axes.set(**names)
    return figure, axes


def test_lines_have_the_names_of_the_axes_and_of_their_own():
    figure, axes = axes_of(xlabel="steps", ylabel="gain,\nlost")
    axes.plot([1, 2], [0.1234567, 1e-12], label="one")
    axes.plot([1, 2_000_000], [-0.0, np.nan], label="other")
    axes.axhline(7)
    axes.axvline(7)
    axes.plot([0, 1], [0, 1], transform=axes.transAxes)
    axes.plot([9], [9], label="_nolegend_")
    assert data.table(figure) == (
        'series,steps,"gain, lost"\none,1,0.123457\none,2,1e-12\nother,1,0\n'
    )


def test_what_is_not_drawn_may_carry_the_numbers():
    figure, axes = axes_of()
    axes.plot([3], [4], visible=False)
    assert data.table(figure) == "x,y\n3,4\n"


def test_logarithmic_axes_give_plain_numbers():
    figure, axes = axes_of(xscale="log", yscale="log")
    axes.plot([1e-3, 1e30], [1e-300, 5])
    axes.set_xticks([1e-3, 1e30], ["little", "much"])
    assert data.table(figure) == "x,y\n0.001,1e-300\n1e+30,5\n"


def test_bars_end_where_they_end():
    figure = Figure()
    one, other = figure.subplots(1, 2)
    one.bar([1, 2], [3, -4])
    one.set_title("upright")
    other.barh([1, 2], [0.5, 2], left=1)
    other.set_title("lying", loc="left")
    assert data.table(figure) == ("panel,x,y\nupright,1,3\nupright,2,-4\nlying,1.5,1\nlying,3,2\n")


def test_points_meshes_and_images_have_a_value_at_each_place():
    value = np.arange(6).reshape(2, 3)
    expected = [[0, 0, 0], [1, 0, 1], [2, 0, 2], [0, 1, 3], [1, 1, 4], [2, 1, 5]]
    x, y = np.meshgrid([0, 1, 2], [0, 1])
    drawings = [
        lambda axes: axes.scatter(x, y, c=value, label="E"),
        lambda axes: axes.pcolormesh([0, 1, 2], [0, 1], value, label="E"),
        lambda axes: axes.pcolormesh([-0.5, 0.5, 1.5, 2.5], [-0.5, 0.5, 1.5], value, label="E"),
        lambda axes: axes.pcolormesh(x, y, value, shading="gouraud", label="E"),
        lambda axes: axes.imshow(value, label="E"),
        lambda axes: axes.imshow(value, origin="lower", label="E"),
    ]
    for drawing in drawings:
        figure, axes = axes_of()
        drawing(axes)
        header, *found = csv.reader(io.StringIO(data.table(figure)))
        assert header == ["x", "y", "E"]
        assert [[float(cell) for cell in row] for row in found] == expected


def test_a_named_tick_stands_for_the_numbers_about_it():
    figure, axes = axes_of()
    axes.plot([0.9, 2.1, 3], [1, 2, 3])
    axes.set_xticks([1, 2, 3], ["no\nclipping", "the", "the"])
    axes.set_yticks([1, 2, 3])
    assert data.table(figure) == "x,y\n1 no clipping,1\n2 the,2\n3 the,3\n"


def test_panels_are_told_apart_by_label_title_or_axis():
    figure = Figure()
    first, second = figure.subplots(2)
    for axes in (first, second):
        axes.plot([1], [2])
    assert {row["panel"] for row in rows(figure)} == {"panel 1", "panel 2"}
    first.set(ylabel="gain")
    second.set(ylabel="norm")
    assert {row["panel"] for row in rows(figure)} == {"gain", "norm"}
    first.set(title="before")
    second.set(label="after", title="unseen")
    assert {row["panel"] for row in rows(figure)} == {"before: gain", "after: norm"}
    second.set(ylabel="gain")
    assert [list(row.values()) for row in rows(figure)] == [
        ["before", "1", "2"],
        ["after", "1", "2"],
    ]


def test_what_cannot_be_told_is_an_error_on_the_page(wrong):
    block = '```python alt="A figure."\nimport matplotlib.pyplot as plt\n\n{}\n```\n'
    faults = {
        "plt.figure()": "lines, bars, points or a map, the data of a figure, got none of them",
        "plt.plot([1], [1])\nplt.plot([2], [2])": "a label= for each series of a figure, "
        "got 2 in the panel 'panel 1', of which one has no label",
        "plt.plot(range(20_000))": "at most 200 kB of data of a figure, got 217 kB",
    }
    for code, expected in faults.items():
        line = 4 + code.count("\n")
        assert wrong(block.format(code)) == f"docs/page.md:{line}: expected {expected}"


def test_the_table_goes_with_the_drawing_and_stays_off_the_page():
    figure, axes = axes_of(xlabel='a < b & "c"')
    axes.plot([1], [2])
    table = data.table(figure)
    drawing = draw(figure, table)
    assert data.of(drawing) == table
    assert data.of(draw(figure)) == ""
    assert inline(drawing, "A", "figure-1") == inline(draw(figure), "A", "figure-1")


def test_numbers_are_those_of_the_record():
    r = experiments.slopes()
    found = rows(figures.slopes(r))
    for name, slope in (("tanh", r.tanh), ("sigmoid", r.sigmoid)):
        np.testing.assert_allclose(column(found, "slope", series=name), slope, rtol=5e-6)
    r = experiments.direct_and_total()
    found = rows(figures.direct_and_total(r))
    for b_f, direct, total in zip(r.b_f, r.direct, r.total, strict=True):
        for name, gain in (("direct", direct), ("total", total)):
            those = {"series": f"b_f = {b_f:g}, {name}"}
            column_ = column(found, figures.GAIN, **those)
            np.testing.assert_allclose(column_, gain, rtol=5e-6)
            np.testing.assert_array_equal(column(found, figures.DISTANCE, **those), r.distance)
    r = experiments.belt_square()
    found = rows(figures.belt_square(r))
    for (f, i), c in zip(np.ndindex(2, 2), r.c[::2, :, 1:].reshape(4, 7), strict=True):
        those = {"panel": f"f = {r.f[-f]:g}, i = {r.i[i]:g}"}
        np.testing.assert_allclose(column(found, "belt c_t", **those), c, rtol=5e-6)
    r = experiments.influence_map()
    found = rows(figures.influence_map(r))
    at = np.array([list(map(float, row.values())) for row in found])
    column_of = np.abs(r.g[:, np.newaxis] - at[:, 0]).argmin(axis=0)
    np.testing.assert_allclose(at[:, 2], r.gain[at[:, 1].astype(int) - 1, column_of], rtol=5e-6)
    assert len(at) > 4000


def test_a_link_stands_under_each_figure_and_outside_of_its_scene(tmp_path):
    figure = '<figure class="lesson-figure" data-search-exclude><svg></svg>{}</figure>'
    caption = "<figcaption>A &amp; &quot;B&quot;.</figcaption>"
    scene = f"<scene-belt>{figure.format(caption)}</scene-belt>"
    page = f"<p>One.</p>{figure.format('')}<p>Two.</p>{scene}<p>Three.</p>"
    offered = data.offer(page, ["x,y\n1,2\n", "x,y\n3,4\n"], tmp_path, "lstm")
    link = (
        r'<p class="lesson-data" data-search-exclude>'
        r'<a href="([^"]+)" download aria-label="([^"]+)">Data \(CSV\)</a></p>'
    )
    assert re.sub(link, "", offered) == page
    assert re.findall(link, offered) == [
        ("lstm-figure-1.csv", "Data (CSV) of the figure: figure 1"),
        ("lstm-figure-2.csv", "Data (CSV) of the figure: A &amp; &quot;B&quot;."),
    ]
    assert re.search(f"</scene-belt>{link}", offered)
    assert (tmp_path / "lstm-figure-2.csv").read_text() == "x,y\n3,4\n"
    with pytest.raises((AssertionError, StopIteration, RuntimeError)):
        data.offer(page, ["x,y\n"], tmp_path, "lstm")
    with pytest.raises(AssertionError):
        data.offer(page, ["x,y\n"] * 3, tmp_path, "lstm")
