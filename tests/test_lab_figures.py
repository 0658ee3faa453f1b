"""The figures of the labs on training show their records; tests/test_figures.py reads them."""

import functools

import matplotlib.pyplot as plt
import numpy as np
import pytest

from lab_records import LAB_RECORDS
from lesson20 import lab_figures


@functools.cache
def record(name):
    return LAB_RECORDS[name]()


@functools.cache
def panels(name):
    figure = getattr(lab_figures, name)(record(name))
    plt.close(figure)
    return figure.axes


def lines(axes):
    return [np.asarray(line.get_ydata()) for line in axes.lines if line.get_visible()]


def test_led_astray_shows_every_seed_and_the_means():
    r = record("led_astray")
    for n, axes in enumerate(panels("led_astray")):
        runs = [by_seed[n].mean(axis=-1) for by_seed in (r.same, r.other)]
        expected = [curve for by_seed in runs for curve in (*by_seed, by_seed.mean(axis=0))]
        np.testing.assert_allclose(lines(axes), expected)
        assert [text.get_text() for text in axes.texts] == ["same number", "other number"]


def test_by_attractors_shows_every_mean_as_colour_and_number():
    r = record("by_attractors")
    for axes, other in zip(panels("by_attractors"), r.other.mean(axis=1), strict=True):
        np.testing.assert_array_equal(axes.collections[0].get_array(), other)
        numbers = [float(text.get_text()) for text in axes.texts]
        np.testing.assert_allclose(numbers, other.ravel(), atol=0.0051)
    assert axes.yaxis_inverted()  # the training goes down the page


def test_silenced_shows_every_unit_and_the_most_costly():
    r = record("silenced")
    for axes, drop in zip(panels("silenced"), (r.drop, r.rnn_drop), strict=True):
        drawn = lines(axes)[:-1]  # the last is the line at 0
        for units, dots, bar in zip(drop, drawn[::2], drawn[1::2], strict=True):
            np.testing.assert_array_equal(dots[::3], units)
            np.testing.assert_array_equal(bar, units.max())


def test_number_unit_shows_the_belt_of_each_sentence_and_the_gates_of_the_first():
    r = record("number_unit")
    belt, gates, written = panels("number_unit")
    np.testing.assert_array_equal(lines(belt)[1:], r.c.T)
    np.testing.assert_array_equal(lines(gates), [r.f[:, 0], r.i[:, 0]])
    heights = [bar.get_height() for bar in written.patches]
    np.testing.assert_array_equal(heights, r.written[:, 0])
    assert [text.get_text() for text in belt.texts] == ["flowers", "flower"]
    words = [label.get_text() for label in written.get_xticklabels()]
    assert words[:3] == ["the", "flowers / flower", "that"]


def test_recall_solved_shows_every_seed_and_counts_the_solved():
    r = record("recall_solved")
    row = 0
    for axes, T in zip(panels("recall_solved"), (40, 80), strict=True):
        accuracy = r.accuracy[r.T_recall == T]
        check_marks(axes, accuracy, accuracy >= r.solved, skip=1)
        row += len(accuracy)
    assert row == len(r.accuracy)


def test_adding_solved_shows_every_seed_and_counts_the_solved():
    r = record("adding_solved")
    (axes,) = panels("adding_solved")
    check_marks(axes, r.error, r.error < r.adding_solved)


def check_marks(axes, values, solved, skip=0):
    """Full marks before hollow ones, row by row."""
    marks = axes.lines[skip : skip + 2 * len(values)]
    for value, full, one, other in zip(values, solved, marks[::2], marks[1::2], strict=True):
        np.testing.assert_array_equal(one.get_xdata(), value[full])
        np.testing.assert_array_equal(other.get_xdata(), value[~full])
        assert other.get_markerfacecolor() == "none" != one.get_markerfacecolor()
    texts = [text.get_text() for text in axes.texts if " of " in text.get_text()]
    assert texts == [f"{full.sum()} of {full.size}" for full in solved]


def test_blame_before_shows_all_untrained_nets():
    r = record("blame_before")
    (axes,) = panels("blame_before")
    np.testing.assert_array_equal(lines(axes)[:-1], [r.rnn, r.orthogonal, *r.total])
    assert [text.get_text() for text in axes.texts][2:] == [f"b_f = {b:g}" for b in r.b_f]


def test_blame_after_shows_totals_and_dashed_the_belts_after_and_before():
    r = record("blame_after")
    for n, axes in enumerate(panels("blame_after")):
        before = list(r.b_f).index(r.trained_b_f[n])
        expected = [
            *(r.trained_total[n], r.trained_direct[n]),
            *(r.total[before], r.direct[before]),
        ]
        np.testing.assert_array_equal(lines(axes)[:-1], expected)
        styles = [line.get_linestyle() for line in axes.lines[:-1]]
        assert styles == ["-", "--"] * 2


def test_learnt_by_length_shows_every_seed_the_medians_and_counts_the_solved():
    r = record("learnt_by_length")
    drawn = panels("learnt_by_length")
    for axes, accuracy, step in zip(drawn, r.accuracy, r.step, strict=True):
        full = accuracy >= r.solved
        median, one, other = axes.lines[:3]
        np.testing.assert_array_equal(median.get_xydata(), np.transpose([r.T, np.median(step, 1)]))
        np.testing.assert_array_equal(one.get_ydata(), step[full])
        np.testing.assert_array_equal(other.get_ydata(), step[~full])
        for marks, those in ((one, full), (other, ~full)):
            length = np.abs(marks.get_xdata()[:, np.newaxis] - r.T).argmin(axis=1)
            np.testing.assert_array_equal(length, np.nonzero(those)[0])
        assert other.get_markerfacecolor() == "none" != one.get_markerfacecolor()
        counts = [text.get_text() for text in axes.texts if " of " in text.get_text()]
        assert counts == [f"{row.sum()} of {row.size}" for row in full]
        assert axes.get_xscale() == axes.get_yscale() == "log"
    assert [axes.get_title("left") for axes in drawn] == ["tanh RNN", "LSTM, b_f = 5"]


@pytest.mark.parametrize("name", LAB_RECORDS)
def test_a_figure_says_what_it_shows(name):
    assert len(getattr(lab_figures, name).__doc__.splitlines()[0]) > 40
