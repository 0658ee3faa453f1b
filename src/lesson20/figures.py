"""Draws the records of `lesson20.experiments`: one function a figure, a record in, a Figure out.

The house style is house.mplstyle: a figure is drawn at its size on a phone. What a line is stands
beside it, in its hue, and no meaning hangs on a colour alone. Any other record than the wanted one
raises TypeError.
"""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import NullLocator

from lesson20 import agreement, experiments
from lesson20.checks import Array
from lesson20.drawing import (
    BLUE,
    DISTANCE,
    FROM_NEGATIVE,
    FROM_NOTHING,
    GAIN,
    GREY,
    INK,
    NO_DATA,
    SUBSCRIPT,
    VERMILION,
    beside_end,
    dots,
    few_ticks,
    house,
    label_ends,
    log_gain,
    name_axes,
    power_of_ten,
    short,
    signed,
    solid_and_dashed,
)


@house
def two_orders(record: experiments.Reading) -> Figure:
    """Show the states while two word orders are read: the same words, different end states.

    A column is the state after a word and a row is a unit; the number is what the unit holds.
    """
    H = record.h_first.shape[1]
    figure, panels = plt.subplots(2, figsize=(4.6, 1.3 + 0.52 * H))
    _states(panels[0], record.first, record.h_first[1:])
    _states(panels[1], record.second, record.h_second[1:])
    for axes, words in zip(panels, (record.first, record.second), strict=True):
        axes.set_label(" ".join(words))
    panels[1].set_xlabel("word just read")
    return figure


def _states(axes: Axes, words: Sequence[str], h: Array) -> None:
    T, H = h.shape
    norm = BoundaryNorm([-1, -0.45, -0.15, 0.15, 0.45, 1], len(FROM_NEGATIVE))
    axes.pcolormesh(h.T, cmap=ListedColormap(FROM_NEGATIVE), norm=norm, label="state h")
    for t, unit in np.ndindex(T, H):
        text = signed(float(h[t, unit]), 1)
        axes.text(t + 0.5, unit + 0.5, text, ha="center", va="center_baseline", in_layout=False)
    axes.add_patch(Rectangle((T - 1, 0), 1, H, fill=False, ec=INK, lw=1.8, clip_on=False))
    axes.set_title("end state h" + str(T).translate(SUBSCRIPT), loc="right", weight="normal")
    axes.set_ylabel("unit")
    axes.set_xticks(np.arange(T) + 0.5, words)
    axes.set_yticks(np.arange(H) + 0.5, [str(unit + 1) for unit in range(H)])
    axes.invert_yaxis()
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


@house
def blame_by_distance(record: experiments.BlameByDistance) -> Figure:
    """Show the gain by distance for each σ₁, and dashed above it the bound (γ σ₁)^(T−k)."""
    figure, axes = plt.subplots(figsize=(4.6, 3.6))
    ends = []
    for sigma_1, gain, bound in zip(record.sigma_1, record.gain, record.bound, strict=True):
        solid, dashed = solid_and_dashed(axes, record.distance, gain, bound, marker="o")
        ends += [(solid, f"σ₁ = {sigma_1:g}"), (dashed, f"bound for {sigma_1:g}")]
    name_axes(axes, DISTANCE, GAIN)
    log_gain(axes)
    label_ends(figure, axes, ends)
    return figure


@house
def blame_by_word(record: experiments.BlameByWord) -> Figure:
    """Show the gain of each word of a sentence, and dashed the bound, on a logarithmic scale."""
    T = len(record.words)
    figure, axes = plt.subplots(figsize=(4.6, 0.9 + 0.3 * T))
    rows = np.arange(T)
    colors = np.where(record.gain < 1, VERMILION, BLUE)
    axes.barh(rows, record.gain - 1, left=1, height=0.6, color=colors, label="gain")
    axes.plot(record.bound, rows, color=INK, linestyle="--", linewidth=1.3, label="bound")
    axes.annotate("bound", (record.bound[0], 0), (5, 0), textcoords="offset points", va="center")
    axes.set_xscale("log")
    powers = np.arange(np.floor(np.log10(record.gain.min())) - 1, np.log10(record.bound.max()) + 1)
    axes.set_xticks(10**powers, [power_of_ten(int(n)) for n in powers])
    axes.set_xlim(10 ** powers[0], record.bound.max() * 20)
    for row, gain in zip(rows, record.gain, strict=True):
        note = axes.annotate(short(float(gain)), (min(gain, 1), row), (-4, 0))
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


@house
def two_by_two(record: experiments.TwoByTwo) -> Figure:
    """Show the largest gain, the bound above it, and what the eigenvalues promise."""
    figure, axes = plt.subplots(figsize=(4.6, 3.4))
    (bound,) = axes.plot(record.steps, record.bound, color=INK, linestyle="--", linewidth=1.3)
    (norm,) = axes.plot(record.steps, record.norm)
    ends = [(norm, "measured"), (bound, "bound σ₁ⁿ")]
    if record.radius[1]:
        (radius,) = axes.plot(record.steps, record.radius, color=VERMILION, linestyle=":")
        ends.append((radius, "radius ρⁿ"))
    name_axes(axes, "steps n", "largest gain")
    log_gain(axes)
    label_ends(figure, axes, ends)
    return figure


@house
def belt(record: experiments.Belt) -> Figure:
    """Show what lies on the belt of the toy cell after each word, and the verdict."""
    figure, axes = plt.subplots(figsize=(4.6, 3))
    _belt(axes, record.c[1:], record.h)
    axes.set_ylabel("belt c_t")
    axes.set_xlabel("word just read")
    return figure


@house
def slopes(record: experiments.Slopes) -> Figure:
    """Show the slopes of tanh and of the sigmoid, each touching its ceiling at 0."""
    figure, axes = plt.subplots(figsize=(4.6, 2.9))
    for slope, ceiling, name, place in [
        (record.tanh, record.tanh_ceiling, "tanh", (1.1, 0.5)),
        (record.sigmoid, record.sigmoid_ceiling, "sigmoid", (2.2, 0.12)),
    ]:
        (line,) = axes.plot(record.z, slope, label=name)
        color = line.get_color()
        axes.axhline(ceiling, color=color, linestyle="--", linewidth=1.2)
        axes.text(record.z[0], ceiling + 0.02, f"ceiling {ceiling:g}", color=color)
        axes.text(*place, name, color=color)
    axes.set_ylim(0, 1.12)
    name_axes(axes, "z, before the squashing", "slope")
    return figure


@house
def erratic_blame(record: experiments.ErraticBlame) -> Figure:
    """Show the gain over the whole sentence for each σ₁: a dot a run, a bar at the median."""
    figure, axes = plt.subplots(figsize=(4.6, 4))
    runs = np.arange(float(record.gain.shape[1]))
    aside = np.mod(runs * 0.618034, 1) - 0.5  # the golden ratio spreads them evenly
    for place, (gain, median) in enumerate(zip(record.gain, record.median, strict=True)):
        dots(axes, place, 0.6 * aside, gain, label=f"σ₁ = {record.sigma_1[place]:g}")
        ends = [place - 0.38, place + 0.38]
        axes.plot(ends, [median, median], color=INK, linewidth=2.4, label=NO_DATA)
    columns = zip(record.sigma_1, record.median, record.largest, strict=True)
    texts = [f"σ₁ = {s:g}\nmedian {m:.2g}\nlargest {x:.3g}" for s, m, x in columns]
    axes.set_xticks(range(len(texts)), texts)
    name_axes(axes, "size of the weights, σ₁", GAIN)
    log_gain(axes)
    return figure


@house
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
    axes.autoscale(enable=False)
    x, y = np.meshgrid(g, steps[rows])
    axes.scatter(x, y, c=record.gain[rows], label="gain", visible=False)  # the map's numbers
    axes.axvline(record.g_c, color=INK, linestyle="--", linewidth=1.4)
    axes.grid(visible=False)
    few_ticks(axes)
    name_axes(axes, "size of the weights, g", "steps n")
    figure.draw_without_rendering()  # the slope of the labels is known only then
    column = int(np.argmin(abs(g - 0.6 * g[0] - 0.4 * record.g_c)))
    places = [(g[column], np.interp(-n, -powers[:, column], steps[rows])) for n in levels]
    axes.clabel(shores, fmt=power_of_ten, colors=INK, manual=places, fontsize=10)
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


@house
def zero_radius(record: experiments.ZeroRadius) -> Figure:
    """Show two nets of spectral radius 0 whose blame grows, and a linear one that grows first."""
    figure, panels = plt.subplots(3, figsize=(4.6, 6.4))
    point, driven, linear = panels

    point.set_title("radius 0, and yet it explodes")
    (line,) = point.plot(record.steps, record.point_exact, label="exact")
    dotted = {"color": line.get_color(), "markersize": 3, "label": "measured"}
    point.plot(record.steps, record.point, "o", **dotted)
    beside_end(point, line, "doubles\nat each step")

    driven.set_title("radius 0, and the words decide")
    (swapped,) = driven.plot(record.steps, record.driven, "o-", markersize=3)
    (same,) = driven.plot(record.steps, record.constant, "o-", markersize=3)
    beside_end(driven, swapped, "two words\nin turn")
    beside_end(driven, same, "the same\nword always")

    linear.set_title("radius 0.9: it grows, then dies")
    linear.plot(record.linear_steps, record.linear)
    top = int(np.argmax(record.linear))
    peak = record.linear_steps[top], record.linear[top]
    linear.plot(*peak, "o", color=BLUE, label=NO_DATA)
    text = f"{peak[1]:.1f} at n = {peak[0]:g}"
    linear.annotate(text, peak, (6, 4), textcoords="offset points")
    linear.margins(y=0.3)  # room for the note

    for axes, name in zip(panels, ("largest gain", "gain", "largest gain"), strict=True):
        axes.set_xlabel("steps n")
        axes.set_ylabel(name)
        log_gain(axes, most=4)
    return figure


@house
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
    axes.plot(t[-1], c[-1], marker, color=color, markersize=9, label=NO_DATA)
    text = f"{verdict}\nh = {signed(h, 2)}"
    axes.text(0.05, 0.06, text, color=color, transform=axes.transAxes)
    axes.set_ylim(-0.95, 1.25)  # no gates take the belt further; below is room for the verdict
    axes.set_xticks(t, agreement.SENTENCE, rotation=90)
    axes.grid(visible=False)


@house
def half_lives(record: experiments.HalfLives) -> Figure:
    """Show after how many steps half of the belt is left, by the bias of the forget gate."""
    figure, axes = plt.subplots(figsize=(4.6, 3.4))
    axes.plot(record.b_f, record.half_life, label="half-life")
    marks = [
        (1.0, "b_f = 1", (10, -5), "left"),
        (3.0, "b_f = 3", (10, -5), "left"),
        (float(np.log(0.97 / 0.03)), "f = 0.97, b_f = 3.476", (-9, 3), "right"),
    ]
    for b_f, name, aside, ha in marks:
        if record.b_f[0] <= b_f <= record.b_f[-1]:
            steps = float(np.interp(b_f, record.b_f, record.half_life))
            axes.plot(b_f, steps, "o", color=INK, label=name)
            text = f"{name}: {steps:.1f} steps"
            axes.annotate(text, (b_f, steps), aside, textcoords="offset points", ha=ha)
    axes.set_yscale("log")
    few_ticks(axes)
    name_axes(axes, "bias of the forget gate, b_f", "half-life (steps)")
    return figure


@house
def direct_and_total(record: experiments.DirectAndTotal) -> Figure:
    """Show the blame that arrives along all paths, and dashed along the belt alone, by distance."""
    figure, axes = plt.subplots(figsize=(4.6, 3.6))
    ends = []
    for b_f, direct, total in zip(record.b_f, record.direct, record.total, strict=True):
        solid, dashed = solid_and_dashed(axes, record.distance, total, direct)
        ends += [(solid, f"b_f = {b_f:g}, total"), (dashed, f"b_f = {b_f:g}, direct")]
    name_axes(axes, DISTANCE, GAIN)
    log_gain(axes)
    label_ends(figure, axes, ends)
    return figure
