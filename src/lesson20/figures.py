"""Draws the records of `lesson20.experiments`: one function a figure, a record in, a Figure out.

The house style is house.mplstyle: a figure is drawn at its size on a phone. What a line is stands
beside it, in its hue, and no meaning hangs on a colour alone. Any other record than the wanted one
raises TypeError.
"""

import functools
from collections.abc import Callable, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import NullLocator

from lesson20 import agreement, experiments
from lesson20.checks import Array, instance

GAIN = "gain (1 = nothing is lost)"
DISTANCE = "distance T−k (words)"

# The house palette, and the fills of areas: pale enough for ink on them, deep in the dark palette.
INK, GREY, BLUE, VERMILION = "#1b1b1f", "#6b6b75", "#0072b2", "#c24f00"
FROM_NEGATIVE = ("#ea9765", "#f8dac6", "#f0f0f2", "#c9e0f1", "#72b3e0")
FROM_NOTHING = ("#f0f0f2", "#c9e0f1", "#9fcaea", "#72b3e0")

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def _house[Record](draw: Callable[[Record], Figure]) -> Callable[[Record], Figure]:
    """Check the record, and draw it in the house style."""
    kind = draw.__annotations__["record"]

    @functools.wraps(draw)
    def checked(record: Record) -> Figure:
        instance("record", record, kind)
        with plt.style.context("lesson20.house", after_reset=True):
            return draw(record)

    return checked


@_house
def two_orders(record: experiments.Reading) -> Figure:
    """Show the states while two word orders are read: the same words, different end states.

    A column is the state after a word and a row is a unit; the number is what the unit holds.
    """
    H = record.h_first.shape[1]
    figure, panels = plt.subplots(2, figsize=(4.6, 1.3 + 0.52 * H))
    _states(panels[0], record.first, record.h_first[1:])
    _states(panels[1], record.second, record.h_second[1:])
    panels[1].set_xlabel("word just read")
    return figure


def _states(axes: Axes, words: Sequence[str], h: Array) -> None:
    T, H = h.shape
    norm = BoundaryNorm([-1, -0.45, -0.15, 0.15, 0.45, 1], len(FROM_NEGATIVE))
    axes.pcolormesh(h.T, cmap=ListedColormap(FROM_NEGATIVE), norm=norm)
    for t, unit in np.ndindex(T, H):
        text = _signed(float(h[t, unit]), 1)
        axes.text(t + 0.5, unit + 0.5, text, ha="center", va="center_baseline", in_layout=False)
    axes.add_patch(Rectangle((T - 1, 0), 1, H, fill=False, ec=INK, lw=1.8, clip_on=False))
    axes.set_title("end state h" + str(T).translate(_SUBSCRIPT), loc="right", weight="normal")
    axes.set_ylabel("unit")
    axes.set_xticks(np.arange(T) + 0.5, words)
    axes.set_yticks(np.arange(H) + 0.5, [str(unit + 1) for unit in range(H)])
    axes.invert_yaxis()
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


@_house
def blame_by_distance(record: experiments.BlameByDistance) -> Figure:
    """Show the gain by distance for each σ₁, and dashed above it the bound (γ σ₁)^(T−k)."""
    figure, axes = plt.subplots(figsize=(4.6, 3.6))
    ends = []
    for sigma_1, gain, bound in zip(record.sigma_1, record.gain, record.bound, strict=True):
        solid, dashed = _solid_and_dashed(axes, record.distance, gain, bound, marker="o")
        ends += [(solid, f"σ₁ = {sigma_1:g}"), (dashed, f"bound for {sigma_1:g}")]
    _name(axes, DISTANCE, GAIN)
    _log_gain(axes)
    _label_ends(figure, axes, ends)
    return figure


@_house
def blame_by_word(record: experiments.BlameByWord) -> Figure:
    """Show the gain of each word of a sentence, and dashed the bound, on a logarithmic scale."""
    T = len(record.words)
    figure, axes = plt.subplots(figsize=(4.6, 0.9 + 0.3 * T))
    rows = np.arange(T)
    colors = np.where(record.gain < 1, VERMILION, BLUE)
    axes.barh(rows, record.gain - 1, left=1, height=0.6, color=colors)
    axes.plot(record.bound, rows, color=INK, linestyle="--", linewidth=1.3)
    axes.annotate("bound", (record.bound[0], 0), (5, 0), textcoords="offset points", va="center")
    axes.set_xscale("log")
    powers = np.arange(np.floor(np.log10(record.gain.min())) - 1, np.log10(record.bound.max()) + 1)
    axes.set_xticks(10**powers, [_power_of_ten(int(n)) for n in powers])
    axes.set_xlim(10 ** powers[0], record.bound.max() * 20)
    for row, gain in zip(rows, record.gain, strict=True):
        note = axes.annotate(_short(float(gain)), (min(gain, 1), row), (-4, 0))
        note.set(anncoords="offset points", ha="right", va="center")
    axes.axvline(1, color=GREY, linewidth=1)
    axes.set_yticks(rows, record.words)
    axes.invert_yaxis()
    axes.grid(visible=False)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel(GAIN)
    axes.set_ylabel("word", rotation=0, ha="right", va="bottom")
    axes.yaxis.set_label_coords(0, 1.01)
    return figure


@_house
def two_by_two(record: experiments.TwoByTwo) -> Figure:
    """Show the largest gain, the bound above it, and what the eigenvalues promise."""
    figure, axes = plt.subplots(figsize=(4.6, 3.4))
    (bound,) = axes.plot(record.steps, record.bound, color=INK, linestyle="--", linewidth=1.3)
    (norm,) = axes.plot(record.steps, record.norm)
    ends = [(norm, "measured"), (bound, "bound σ₁ⁿ")]
    if record.radius[1]:
        (radius,) = axes.plot(record.steps, record.radius, color=VERMILION, linestyle=":")
        ends.append((radius, "radius ρⁿ"))
    _name(axes, "steps n", "largest gain")
    _log_gain(axes)
    _label_ends(figure, axes, ends)
    return figure


@_house
def belt(record: experiments.Belt) -> Figure:
    """Show what lies on the belt of the toy cell after each word, and the verdict."""
    figure, axes = plt.subplots(figsize=(4.6, 3))
    _belt(axes, record.c[1:], record.h)
    axes.set_ylabel("belt c_t")
    axes.set_xlabel("word just read")
    return figure


@_house
def slopes(record: experiments.Slopes) -> Figure:
    """Show the slopes of tanh and of the sigmoid, each touching its ceiling at 0."""
    figure, axes = plt.subplots(figsize=(4.6, 2.9))
    for slope, ceiling, name, place in [
        (record.tanh, record.tanh_ceiling, "tanh", (1.1, 0.5)),
        (record.sigmoid, record.sigmoid_ceiling, "sigmoid", (2.2, 0.12)),
    ]:
        (line,) = axes.plot(record.z, slope)
        color = line.get_color()
        axes.axhline(ceiling, color=color, linestyle="--", linewidth=1.2)
        axes.text(record.z[0], ceiling + 0.02, f"ceiling {ceiling:g}", color=color)
        axes.text(*place, name, color=color)
    axes.set_ylim(0, 1.12)
    _name(axes, "z, before the squashing", "slope")
    return figure


@_house
def erratic_blame(record: experiments.ErraticBlame) -> Figure:
    """Show the gain over the whole sentence for each σ₁: a dot a run, a bar at the median."""
    figure, axes = plt.subplots(figsize=(4.6, 4))
    runs = np.arange(float(record.gain.shape[1]))
    aside = np.mod(runs * 0.618034, 1) - 0.5  # the golden ratio spreads them evenly
    for place, (gain, median) in enumerate(zip(record.gain, record.median, strict=True)):
        _dots(axes, place + 0.6 * aside, gain)
        axes.plot([place - 0.38, place + 0.38], [median, median], color=INK, linewidth=2.4)
    columns = zip(record.sigma_1, record.median, record.largest, strict=True)
    texts = [f"σ₁ = {s:g}\nmedian {m:.2g}\nlargest {x:.3g}" for s, m, x in columns]
    axes.set_xticks(range(len(texts)), texts)
    _name(axes, "size of the weights, σ₁", GAIN)
    _log_gain(axes)
    return figure


def _dots(axes: Axes, x: Array, y: Array) -> None:
    """Draw dots as tiny strokes with round ends: one path, where markers are an element each."""
    gap = np.full_like(x, np.nan)
    axes.plot(
        np.stack([x - 1e-3, x + 1e-3, gap], axis=1).ravel(),
        np.stack([y, y, gap], axis=1).ravel(),
        color=BLUE, alpha=0.55, linewidth=3.4, solid_capstyle="round", snap=False,
    )  # fmt: skip


@_house
def influence_map(record: experiments.InfluenceMap) -> Figure:
    """Show where a nudge is lost and where it is held, by the size of the weights and by time.

    All gains below 10⁻⁹ are one area: further up they are smaller than any float.
    """
    figure, axes = plt.subplots(figsize=(4.6, 4))
    g, steps, levels = record.g, record.steps, [-9, -3, -1]
    rows = np.unique(np.geomspace(1, len(steps), 40).astype(int)) - 1  # even on the log axis
    powers = np.log10(np.clip(record.gain[rows], 1e-300, None))
    axes.set_yscale("log")
    axes.patch.set_gid("part-plane")  # on which a scene moves a point
    axes.contourf(g, steps[rows], powers, [-400, *levels, 400], colors=FROM_NOTHING)
    shores = axes.contour(
        g, steps[rows], powers, levels, colors=GREY, linewidths=0.8, linestyles="solid"
    )
    axes.axvline(record.g_c, color=INK, linestyle="--", linewidth=1.4)
    axes.grid(visible=False)
    _few_ticks(axes)
    _name(axes, "size of the weights, g", "steps n")
    figure.draw_without_rendering()  # the slope of the labels is known only then
    column = int(np.argmin(abs(g - 0.6 * g[0] - 0.4 * record.g_c)))
    places = [(g[column], np.interp(-n, -powers[:, column], steps[rows])) for n in levels]
    axes.clabel(shores, fmt=_power_of_ten, colors=INK, manual=places, fontsize=10)
    axes.annotate(f"g_c = {record.g_c:.3f}", (record.g_c, 1), (6, 6), textcoords="offset points")
    axes.text(0.04, 0.9, "lost: gain\nbelow 10⁻⁹", transform=axes.transAxes, va="top")
    axes.text(
        0.63,
        0.55,
        f"held: gain\n0.1 to {record.gain.max():.2g}",
        transform=axes.transAxes,
        ha="center",
    )
    if record.gain[-1, -1] < 0.1:
        axes.text(0.96, 0.9, "lost\nagain", transform=axes.transAxes, ha="right", va="top")
    return figure


@_house
def zero_radius(record: experiments.ZeroRadius) -> Figure:
    """Show two nets of spectral radius 0 whose blame grows, and a linear one that grows first."""
    figure, panels = plt.subplots(3, figsize=(4.6, 6.4))
    point, driven, linear = panels

    point.set_title("radius 0, and yet it explodes")
    (line,) = point.plot(record.steps, record.point_exact)
    point.plot(record.steps, record.point, "o", color=line.get_color(), markersize=3)
    _beside_end(point, line, "doubles\nat each step")

    driven.set_title("radius 0, and the words decide")
    (swapped,) = driven.plot(record.steps, record.driven, "o-", markersize=3)
    (same,) = driven.plot(record.steps, record.constant, "o-", markersize=3)
    _beside_end(driven, swapped, "two words\nin turn")
    _beside_end(driven, same, "the same\nword always")

    linear.set_title("radius 0.9: it grows, then dies")
    linear.plot(record.linear_steps, record.linear)
    top = int(np.argmax(record.linear))
    peak = record.linear_steps[top], record.linear[top]
    linear.plot(*peak, "o", color=BLUE)
    text = f"{peak[1]:.1f} at n = {peak[0]:g}"
    linear.annotate(text, peak, (6, 4), textcoords="offset points")
    linear.margins(y=0.3)  # room for the note

    for axes, name in zip(panels, ("largest gain", "gain", "largest gain"), strict=True):
        axes.set_xlabel("steps n")
        axes.set_ylabel(name)
        _log_gain(axes, most=4)
    return figure


@_house
def belt_square(record: experiments.BeltSquare) -> Figure:
    """Show the belt of the toy cell over the sentence, with each gate changed on its own.

    Of several f or i the first and the last are drawn.
    """
    figure, panels = plt.subplots(2, 2, figsize=(4.6, 4.4), sharex=True, sharey=True)
    for (row, column), axes in np.ndenumerate(panels):
        f, i = record.f[-row], record.i[-column]
        c, h = record.c[-row, -column, 1:], record.h[-row, -column]
        _belt(axes, c, h)
        axes.set_title(f"f = {f:g}, i = {i:g}")
    for axes in panels[:, 0]:
        axes.set_ylabel("belt c_t")
    for axes in panels[1]:
        axes.set_xlabel("word just read")
    return figure


def _belt(axes: Axes, c: Array, h: float) -> None:
    t = np.arange(1, len(agreement.SENTENCE) + 1)
    verdict = agreement.verdict(h)
    color, marker = (BLUE, "^") if verdict == "plural" else (VERMILION, "v")
    axes.axhline(0, color=GREY, linewidth=1)
    axes.plot(t, c, "o-", color=color)
    axes.plot(t[-1], c[-1], marker, color=color, markersize=9)
    text = f"{verdict}\nh = {_signed(h, 2)}"
    axes.text(0.05, 0.06, text, color=color, transform=axes.transAxes)
    axes.set_ylim(-0.95, 1.25)  # no gates take the belt further; below is room for the verdict
    axes.set_xticks(t, agreement.SENTENCE, rotation=90)
    axes.grid(visible=False)


@_house
def half_lives(record: experiments.HalfLives) -> Figure:
    """Show after how many steps half of the belt is left, by the bias of the forget gate."""
    figure, axes = plt.subplots(figsize=(4.6, 3.4))
    axes.plot(record.b_f, record.half_life)
    marks = [
        (1.0, "b_f = 1", (10, -5), "left"),
        (3.0, "b_f = 3", (10, -5), "left"),
        (float(np.log(0.97 / 0.03)), "f = 0.97, b_f = 3.476", (-9, 3), "right"),
    ]
    for b_f, name, aside, ha in marks:
        if record.b_f[0] <= b_f <= record.b_f[-1]:
            steps = float(np.interp(b_f, record.b_f, record.half_life))
            axes.plot(b_f, steps, "o", color=INK)
            text = f"{name}: {steps:.1f} steps"
            axes.annotate(text, (b_f, steps), aside, textcoords="offset points", ha=ha)
    axes.set_yscale("log")
    _few_ticks(axes)
    _name(axes, "bias of the forget gate, b_f", "half-life (steps)")
    return figure


@_house
def direct_and_total(record: experiments.DirectAndTotal) -> Figure:
    """Show the blame that arrives along all paths, and dashed along the belt alone, by distance."""
    figure, axes = plt.subplots(figsize=(4.6, 3.6))
    ends = []
    for b_f, direct, total in zip(record.b_f, record.direct, record.total, strict=True):
        solid, dashed = _solid_and_dashed(axes, record.distance, total, direct)
        ends += [(solid, f"b_f = {b_f:g}, total"), (dashed, f"b_f = {b_f:g}, direct")]
    _name(axes, DISTANCE, GAIN)
    _log_gain(axes)
    _label_ends(figure, axes, ends)
    return figure


def _solid_and_dashed(
    axes: Axes, x: Array, solid: Array, dashed: Array, marker: str = ""
) -> tuple[Line2D, Line2D]:
    """Draw two lines that belong together in the next hue."""
    every = max(1, len(x) // 20)
    (first,) = axes.plot(x, solid, marker=marker, markersize=3.5, markevery=every)
    (second,) = axes.plot(x, dashed, color=first.get_color(), linestyle="--", linewidth=1.3)
    return first, second


def _name(axes: Axes, x: str, y: str) -> None:
    """Name both axes; the name of the upright one lies above it, where it is easy to read."""
    axes.set_xlabel(x)
    axes.set_ylabel(y, rotation=0, ha="left", va="bottom")
    axes.yaxis.set_label_coords(0, 1.03)


def _log_gain(axes: Axes, most: int = 6) -> None:
    """Make the upright axis logarithmic, with a line where nothing is lost."""
    axes.set_yscale("log")
    axes.axhline(1, color=GREY, linewidth=1, zorder=1)
    _few_ticks(axes, most)


def _few_ticks(axes: Axes, most: int = 6) -> None:
    """Put ticks on a logarithmic upright axis, at powers of ten."""
    first, last = np.log10(axes.get_ylim())
    powers = np.arange(np.ceil(first), np.floor(last) + 1)
    step = next(step for step in (1, 2, 3, 5, 10, 20, 50, 100) if len(powers) <= step * most)
    powers = powers[powers % step == 0]
    axes.set_yticks(10**powers, [_power_of_ten(int(n)) for n in powers])
    axes.yaxis.set_minor_locator(NullLocator())


def _power_of_ten(n: float) -> str:
    return f"{10.0**n:g}" if -2 <= n <= 3 else "10" + str(int(n)).translate(_SUPERSCRIPT)


def _short(x: float) -> str:
    """Return a number of any size to two digits."""
    mantissa, power = f"{x:.1e}".split("e")
    if -4 < int(power) < 5:
        return f"{float(f'{x:.2g}'):,g}"
    return f"{float(mantissa):g} × 10{str(int(power)).translate(_SUPERSCRIPT)}"


def _signed(value: float, digits: int) -> str:
    """Return a rounded number with a real minus sign, and none before a zero."""
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")


def _label_ends(figure: Figure, axes: Axes, labels: Sequence[tuple[Line2D, str]]) -> None:
    """Write beside the end of each line what it is, and keep the labels apart."""
    figure.draw_without_rendering()  # the height of the axes is known only then
    ends = [_end(line) for line, _ in labels]
    height = axes.transData.transform(ends)[:, 1] * 72 / figure.dpi
    for (line, text), up in zip(labels, _apart(height, 13) - height, strict=True):
        _beside_end(axes, line, text, up)


def _beside_end(axes: Axes, line: Line2D, text: str, up: float = 0) -> None:
    axes.margins(x=0.02)
    note = axes.annotate(text, _end(line), (9, up), textcoords="offset points")
    note.set(color=line.get_color(), va="center")


def _end(line: Line2D) -> tuple[float, float]:
    x, y = np.asarray(line.get_xydata())[-1]
    return float(x), float(y)


def _apart(places: Array, gap: float) -> Array:
    """Move numbers apart until neighbours differ by the gap, each as little as may be."""
    order = np.argsort(places)
    moved = places[order]
    for _ in range(200):
        short = np.clip(gap - np.diff(moved), 0, None) / 2
        moved[:-1] -= short
        moved[1:] += short
    return moved[np.argsort(order)]
