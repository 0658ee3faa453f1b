"""What figures are drawn with: the palette, the house style, axes that say what they show.

Figures are drawn in `figures`, those of the labs in `lab_figures`.
"""

import functools
from collections.abc import Callable, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from lesson20.checks import Array, instance

GAIN = "gain (1 = nothing is lost)"
DISTANCE = "distance T−k (words)"

# The house palette, and the fills of areas: pale enough for ink on them, deep in the dark palette.
INK, GREY, BLUE, VERMILION = "#1b1b1f", "#6b6b75", "#0072b2", "#c24f00"
FROM_NEGATIVE = ("#ea9765", "#f8dac6", "#f0f0f2", "#c9e0f1", "#72b3e0")
FROM_NOTHING = ("#f0f0f2", "#c9e0f1", "#9fcaea", "#72b3e0")

SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def house[Record](draw: Callable[[Record], Figure]) -> Callable[[Record], Figure]:
    """Check the record, and draw it in the house style."""
    kind = draw.__annotations__["record"]

    @functools.wraps(draw)
    def checked(record: Record) -> Figure:
        instance("record", record, kind)
        with plt.style.context("lesson20.house", after_reset=True):
            return draw(record)

    return checked


NO_DATA = "_nolegend_"  # the label of what repeats data, or decorates: its numbers are no series


def dots(axes: Axes, place: float, aside: Array, y: Array, label: str) -> None:
    """Draw dots beside a place, as tiny strokes with round ends: one path, not an element each."""
    x, gap = place + aside, np.full_like(y, np.nan)
    axes.plot(
        np.stack([x - 1e-3, x + 1e-3, gap], axis=1).ravel(),
        np.stack([y, y, gap], axis=1).ravel(),
        color=BLUE, alpha=0.55, linewidth=3.4, solid_capstyle="round", snap=False,
        label=NO_DATA,
    )  # fmt: skip
    axes.plot(np.full_like(y, place), y, label=label, visible=False)  # their numbers


def solid_and_dashed(
    axes: Axes, x: Array, solid: Array, dashed: Array, marker: str = ""
) -> tuple[Line2D, Line2D]:
    """Draw two lines that belong together in the next hue."""
    every = max(1, len(x) // 20)
    (first,) = axes.plot(x, solid, marker=marker, markersize=3.5, markevery=every)
    (second,) = axes.plot(x, dashed, color=first.get_color(), linestyle="--", linewidth=1.3)
    return first, second


def name_axes(axes: Axes, x: str, y: str) -> None:
    """Name both axes; the name of the upright one lies above it, where it is easy to read."""
    axes.set_xlabel(x)
    axes.set_ylabel(y, rotation=0, ha="left", va="bottom")
    axes.yaxis.set_label_coords(0, 1.03)


def log_gain(axes: Axes, most: int = 6) -> None:
    """Make the upright axis logarithmic, with a line where nothing is lost."""
    axes.set_yscale("log")
    axes.axhline(1, color=GREY, linewidth=1, zorder=1)
    few_ticks(axes, most)


def few_ticks(axes: Axes, most: int = 6) -> None:
    """Put ticks on a logarithmic upright axis, at powers of ten."""
    first, last = np.log10(axes.get_ylim())
    powers = np.arange(np.ceil(first), np.floor(last) + 1)
    step = next(step for step in (1, 2, 3, 5, 10, 20, 50, 100) if len(powers) <= step * most)
    powers = powers[powers % step == 0]
    axes.set_yticks(10**powers, [power_of_ten(int(n)) for n in powers])
    axes.yaxis.set_minor_locator(NullLocator())


def power_of_ten(n: float) -> str:
    """Return 10ⁿ as text that needs no mathematics."""
    return f"{10.0**n:g}" if -2 <= n <= 3 else "10" + str(int(n)).translate(SUPERSCRIPT)


def short(x: float) -> str:
    """Return a number of any size to two digits."""
    mantissa, power = f"{x:.1e}".split("e")
    if -4 < int(power) < 5:
        return f"{float(f'{x:.2g}'):,g}"
    return f"{float(mantissa):g} × 10{str(int(power)).translate(SUPERSCRIPT)}"


def signed(value: float, digits: int) -> str:
    """Return a rounded number with a real minus sign, and none before a zero."""
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")


def label_ends(figure: Figure, axes: Axes, labels: Sequence[tuple[Line2D, str]]) -> None:
    """Write beside the end of each line what it is, and keep the labels apart."""
    figure.draw_without_rendering()  # the height of the axes is known only then
    ends = [end_of(line) for line, _ in labels]
    height = axes.transData.transform(ends)[:, 1] * 72 / figure.dpi
    for (line, text), up in zip(labels, apart(height, 13) - height, strict=True):
        beside_end(axes, line, text, up)


def beside_end(axes: Axes, line: Line2D, text: str, up: float = 0) -> None:
    """Write beside the end of a line, in its colour, what it is; its data has that name too."""
    axes.margins(x=0.02)
    if str(line.get_label()).startswith("_"):  # that is: has no name of its own
        line.set_label(text)
    note = axes.annotate(text, end_of(line), (9, up), textcoords="offset points")
    note.set(color=line.get_color(), va="center")


def end_of(line: Line2D) -> tuple[float, float]:
    """Return the last point of a line."""
    x, y = np.asarray(line.get_xydata())[-1]
    return float(x), float(y)


def apart(places: Array, gap: float) -> Array:
    """Move numbers apart until neighbours differ by the gap, each as little as may be."""
    order = np.argsort(places)
    moved = places[order]
    for _ in range(200):
        short = np.clip(gap - np.diff(moved), 0, None) / 2
        moved[:-1] -= short
        moved[1:] += short
    return moved[np.argsort(order)]
