"""Draws the records of `lesson20.studies`: one function a figure, a record in, a Figure out.

The house style is that of `figures`: what a line is stands beside it, in its hue, and no meaning
hangs on a colour alone. Any other record than the wanted one raises TypeError.
"""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator
from numpy.typing import NDArray

from lesson20.checks import Array
from lesson20.drawing import (
    BLUE,
    FROM_NEGATIVE,
    FROM_NOTHING,
    GAIN,
    GREY,
    INK,
    NO_DATA,
    VERMILION,
    dots,
    few_ticks,
    house,
    label_ends,
    log_gain,
    name_axes,
    power_of_ten,
    solid_and_dashed,
)
from lesson20.studies.agreement import AgreementRecord, NumberUnitRecord
from lesson20.studies.clipping import ClippingRecord, cliff_surface
from lesson20.studies.dilemma import DilemmaRecord
from lesson20.studies.recall import BlameByDistanceRecord, ForgetBiasRecord
from lesson20.studies.stream import ForgetGateRecord
from lesson20.units import UnitRun

_NETS = {"lstm": "LSTM", "rnn": "Elman net"}
_STEPS = "distance T−k (steps)"


@house
def led_astray(record: AgreementRecord) -> Figure:
    """Show how often the verb is right on the way, with attractors of either number.

    The bold lines are means over seeds, the thin ones the seeds; several attractors count as one
    kind.
    """
    figure, panels = plt.subplots(2, figsize=(4.6, 5.2), sharex=True, sharey=True)
    for axes, cell, other, same in zip(panels, record.cell, record.other, record.same, strict=True):
        axes.set_title(_NETS[cell])
        for by_seed, name, color, style, height in (
            (same, "same number", BLUE, "--", 0.87),
            (other, "other number", VERMILION, "-", 0.14),
        ):
            runs = by_seed.mean(axis=-1)
            seeds = [f"{name}, seed {seed}" for seed in range(len(runs))]
            axes.plot(record.step, runs.T, color=color, linewidth=0.7, alpha=0.55, label=seeds)
            (line,) = axes.plot(record.step, runs.mean(axis=0), color=color, linestyle=style)
            line.set(linewidth=2.6, label=f"{name}, mean")
            axes.text(0.98, height, name, color=color, ha="right", transform=axes.transAxes)
        axes.set_ylim(-0.03, 1.22)  # above the lines is room for a name
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
        axes.set_ylabel("right verbs (share)")
    panels[-1].set_xlabel("steps of training")
    return figure


@house
def by_attractors(record: AgreementRecord) -> Figure:
    """Show how often the verb is right by the number of attractors of the other number.

    A row is a moment of the training, a column a number of attractors; the number is the mean over
    seeds.
    """
    figure, panels = plt.subplots(
        1, len(record.cell), figsize=(4.6, 1.2 + 0.36 * len(record.step)), sharey=True
    )
    norm = BoundaryNorm([0, 0.2, 0.4, 0.6, 0.8, 1], len(FROM_NEGATIVE))
    for axes, cell, other in zip(panels, record.cell, record.other.mean(axis=1), strict=True):
        share = "right verbs (share)"
        axes.pcolormesh(other, cmap=ListedColormap(FROM_NEGATIVE), norm=norm, label=share)
        for place in np.ndindex(other.shape):
            text = axes.text(place[1] + 0.5, place[0] + 0.5, f"{other[place]:.2f}")
            text.set(ha="center", va="center_baseline", in_layout=False)
        axes.set_title(_NETS[cell])
        axes.set_xticks(np.arange(other.shape[1]) + 0.5, [f"{n:g}" for n in record.attractors])
        axes.set_yticks(np.arange(other.shape[0]) + 0.5, [f"{n:g}" for n in record.step])
        axes.set_xlabel("attractors")
        axes.grid(visible=False)
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
    panels[0].set_ylabel("steps of training")
    panels[0].invert_yaxis()
    return figure


@house
def silenced(record: NumberUnitRecord) -> Figure:
    """Show what it costs to silence each unit of each net; a bar marks the most costly unit."""
    nets, others = record.drop, record.rnn_drop
    ratio = [len(nets), len(others)]
    figure, panels = plt.subplots(
        1, 2, figsize=(4.6, 3.8), sharey=True, gridspec_kw={"width_ratios": ratio}
    )
    for axes, drop, name in zip(panels, (nets, others), ("LSTMs", "Elman nets"), strict=True):
        aside = 0.56 * (np.mod(np.arange(drop.shape[1]) * 0.618034, 1) - 0.5)
        for place, units in enumerate(drop, start=1):
            dots(axes, place, aside, units, label=f"net {place}")
            top = float(units.max())
            ends = [place - 0.4, place + 0.4]
            axes.plot(ends, [top, top], color=INK, linewidth=2.4, label=NO_DATA)
        axes.axhline(0, color=GREY, linewidth=1, zorder=1)
        axes.set_title(name)
        axes.set_xlabel("net")
        axes.set_xticks(range(1, len(drop) + 1))
        axes.set_xlim(0.4, len(drop) + 0.6)
    panels[0].set_ylabel("verbs lost (share)")
    return figure


@house
def number_unit(record: UnitRun) -> Figure:
    """Show the belt of a unit for each sentence; below, for the first, its gates and writing."""
    figure, panels = plt.subplots(
        3, figsize=(4.6, 7), sharex=True, gridspec_kw={"height_ratios": [1.2, 1, 1]}
    )
    belt, gates, written = panels
    t = np.arange(1, len(record.c) + 1)
    differs = [len(set(words)) > 1 for words in zip(*record.sentences, strict=True)]
    first = int(np.argmax(differs))

    ends = []
    belt.axhline(0, color=GREY, linewidth=1)
    for c, words, marker in zip(record.c.T, record.sentences, "^vsD", strict=False):
        (line,) = belt.plot(t, c, marker=marker)
        ends.append((line, words[first] if any(differs) else "belt"))
    belt.set_ylabel("belt c_t")

    ends_of_gates = []
    for gate, name, style in ((record.f, "forget f", "o-"), (record.i, "input i", "s--")):
        (line,) = gates.plot(t, gate[:, 0], style)
        ends_of_gates.append((line, name))
    gates.set_ylim(0, 1.08)
    gates.set_ylabel("gate (0 to 1)")

    up = record.written[:, 0] >= 0
    written.axhline(0, color=GREY, linewidth=1)
    written.bar(t, record.written[:, 0], width=0.6, color=np.where(up, BLUE, VERMILION))
    written.set_ylabel("written, i c̃")
    written.set_xlabel("word just read")
    columns = zip(*record.sentences, strict=True)
    written.set_xticks(t, [" / ".join(dict.fromkeys(words)) for words in columns], rotation=90)
    label_ends(figure, belt, ends)
    label_ends(figure, gates, ends_of_gates)
    return figure


@house
def recall_solved(record: ForgetBiasRecord) -> Figure:
    """Show how well each net recalls: a mark a seed, full if it solved the task."""
    lengths = np.unique(record.T_recall)
    counts = [int(np.sum(record.T_recall == T)) for T in lengths]
    figure, panels = plt.subplots(
        len(lengths),
        figsize=(4.6, 1.6 + 0.42 * sum(counts)),
        sharex=True,
        gridspec_kw={"height_ratios": counts},
        squeeze=False,
    )
    for axes, T in zip(panels[:, 0], lengths, strict=True):
        rows = record.T_recall == T
        names = [name for name, row in zip(record.recall_net, rows, strict=True) if row]
        accuracy = record.accuracy[rows]
        axes.axvline(0.25, color=GREY, linewidth=1, linestyle="--")
        _marks(axes, names, accuracy, accuracy >= record.solved)
        axes.set_title(f"T = {T:g}")
        axes.set_xlim(0.1, 1.05)
        axes.set_ylabel("net")
    panels[0, 0].annotate(
        "guessing", (0.25, 0.02), (6, 0), ("data", "axes fraction"), "offset points", color=GREY
    )
    panels[-1, 0].set_xlabel("right answers (share)")
    return figure


@house
def adding_solved(record: ForgetBiasRecord) -> Figure:
    """Show the error of each net in the adding problem: a mark a seed, full if it solved it."""
    figure, axes = plt.subplots(figsize=(4.6, 1.4 + 0.42 * len(record.adding_net)))
    axes.set_xscale("log")
    _marks(axes, record.adding_net, record.error, record.error < record.adding_solved)
    for x, text, ha in ((record.adding_solved, "solved ", "right"), (1 / 6, " always 1", "left")):
        axes.axvline(x, color=GREY, linewidth=1, linestyle="--")
        axes.text(x, -0.62, text, color=GREY, ha=ha, va="bottom")
    axes.set_ylim(len(record.error) - 0.5, -1)
    low, high = record.error.min(), record.error.max()
    axes.set_xlim(low / 1.6, high * 3)
    powers = np.arange(np.ceil(np.log10(low / 1.6)), np.floor(np.log10(high * 3)) + 1)
    axes.set_xticks(10**powers, [power_of_ten(int(n)) for n in powers])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("mean squared error")
    axes.set_ylabel("net")
    return figure


def _marks(axes: Axes, names: Sequence[str], values: Array, solved: NDArray[np.bool_]) -> None:
    """Draw a row of marks for each net, and at its right how many of them solved the task."""
    seeds = values.shape[1]
    aside = 0.5 * (np.arange(seeds) / max(1, seeds - 1) - 0.5)
    for row, (value, full) in enumerate(zip(values, solved, strict=True)):
        places = row + aside
        axes.plot(value[full], places[full], "o", color=BLUE, markersize=6, label="solved")
        (hollow,) = axes.plot(value[~full], places[~full], "o", color=VERMILION)
        hollow.set(markerfacecolor="none", markeredgewidth=1.6, markersize=6, label="not solved")
        axes.annotate(
            f"{full.sum()} of {seeds}", (1, row), (4, 0), ("axes fraction", "data"),
            "offset points", va="center",
        )  # fmt: skip
    axes.set_yticks(range(len(names)), [_net(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(visible=False)
    axes.tick_params(axis="y", length=0)


def _net(name: str) -> str:
    cell, _, b_f = name.partition(" ")
    named = {"rnn": "tanh RNN", "orthogonal": "orthogonal RNN", "irnn": "IRNN"}
    return f"LSTM, b_f = {b_f}" if b_f else named[cell]


@house
def blame_before(record: BlameByDistanceRecord) -> Figure:
    """Show by distance how much blame arrives in untrained nets, by all paths."""
    figure, axes = plt.subplots(figsize=(4.6, 4))
    ends = []
    for gain, name in ((record.rnn, "tanh RNN"), (record.orthogonal, "orthogonal")):
        (line,) = axes.plot(record.distance, gain, linestyle="--", color=INK)
        ends.append((line, name))
    for b_f, total in zip(record.b_f, record.total, strict=True):
        (line,) = axes.plot(record.distance, total)
        ends.append((line, f"b_f = {b_f:g}"))
    name_axes(axes, _STEPS, GAIN)
    log_gain(axes)
    label_ends(figure, axes, ends)
    return figure


@house
def blame_after(record: BlameByDistanceRecord) -> Figure:
    """Show for each trained LSTM the blame by all paths and, dashed, along the belt alone.

    In grey is the same before training.
    """
    count = len(record.trained_b_f)
    figure, panels = plt.subplots(
        count, figsize=(4.6, 0.6 + 2.7 * count), sharex=True, sharey=True, squeeze=False
    )
    every = []
    for axes, b_f, total, direct in zip(
        panels[:, 0], record.trained_b_f, record.trained_total, record.trained_direct, strict=True
    ):
        axes.set_title(f"b_f = {b_f:g} at the start")
        ends = list(zip(solid_and_dashed(axes, record.distance, total, direct),
                        ("total", "direct"), strict=True))  # fmt: skip
        for n in np.flatnonzero(record.b_f == b_f):
            before = solid_and_dashed(axes, record.distance, record.total[n], record.direct[n])
            for line in before:
                line.set_color(GREY)
            ends += zip(before, ("total, before", "direct, before"), strict=True)
        axes.set_ylabel(GAIN)
        every.append((axes, ends))
    panels[-1, 0].set_xlabel(_STEPS)
    for axes, _ in every:
        log_gain(axes, most=4)
    for axes, ends in every:
        label_ends(figure, axes, ends)
    return figure


@house
def cliff(record: ClippingRecord) -> Figure:
    """Show the loss of the one-unit net as a map, and on it the two ways down from one start.

    With clipping a dot is drawn for each point of the record; without, only which way it left.
    A short walk is drawn larger.
    """
    figure, axes = plt.subplots(figsize=(4.6, 4.4))
    (free_w, safe_w), (free_b, safe_b) = record.cliff_w, record.cliff_b
    wide = max(1.0, 1.75 * float(np.ptp(safe_w)))
    high = 0.61 * wide
    w = safe_w.min() - 0.107 * wide + np.linspace(0, wide, 91)
    b = safe_b.max() + 0.165 * high + np.linspace(-high, 0, 91)
    E = cliff_surface(w, b[:, np.newaxis])
    axes.contourf(w, b, E, [0, 0.01, 0.1, 0.3, 1], colors=FROM_NOTHING)
    x, y = np.meshgrid(w[::2], b[::2])  # half of the points each way weigh a quarter
    axes.scatter(x, y, c=E[::2, ::2], label="loss E", visible=False)  # the numbers of the map
    axes.plot(safe_w, safe_b, "o-", color=BLUE, label="clipped")
    start, end = (safe_w[0], safe_b[0]), (safe_w[-1], safe_b[-1])
    away = np.array([free_w[-1] - start[0], free_b[-1] - start[1]])
    tip = start + away * (b[-1] - start[1]) / away[1]  # where it leaves the map
    arrow = {"arrowstyle": "->", "color": VERMILION, "linestyle": "--", "linewidth": 1.8}
    axes.annotate("", tip, start, arrowprops=arrow)
    axes.plot(*start, "s", color=INK, markersize=7, label=NO_DATA)
    axes.plot(free_w, free_b, label="not clipped", visible=False)  # most of it is beyond the map
    jump = f"not clipped, to\nw = {free_w[-1]:,.0f},\nb = {free_b[-1]:,.0f}"
    notes = [
        ("start", start, (9, -3), "left"),
        ("clipped", end, (17, -1), "left"),
        (jump, tip, (-34, -50), "right"),
    ]
    for text, place, aside, ha in notes:  # in ink: a hue on a fill has too little contrast
        axes.annotate(text, place, aside, textcoords="offset points", ha=ha)
    axes.text(0.05, 0.13, "high ground,\nE above 0.3", transform=axes.transAxes)
    axes.text(0.7, 0.28, "gentle slope,\nE near 0.05", transform=axes.transAxes)
    axes.text(0.57, 0.24, "cliff", rotation=-43, transform=axes.transAxes, va="top")
    axes.set_xlim(w[0], w[-1])
    axes.set_ylim(b[0], b[-1])
    axes.grid(visible=False)
    name_axes(axes, "weight w", "bias b")
    return figure


@house
def short_order(record: ClippingRecord) -> Figure:
    """Show which nets solve the short temporal order task, and the largest norm of each."""
    return _order(record, record.method, record.accuracy, record.norm)


@house
def long_order(record: ClippingRecord) -> Figure:
    """Show the same for the long task, on which plain descent was not tried."""
    return _order(record, record.method[1:], record.long_accuracy, record.long_norm)


def _order(record: ClippingRecord, methods: tuple[str, ...], right: Array, norm: Array) -> Figure:
    figure, (upper, lower) = plt.subplots(2, figsize=(4.6, 4.8), sharex=True)
    names = {"sgd": "no clipping", "clipped and regularised": "clipped and\nregularised"}
    for place, row in enumerate(right):
        aside = place + 0.13 * (np.arange(len(row)) - (len(row) - 1) / 2)
        for solved, marker, color in ((True, "o", BLUE), (False, "v", VERMILION)):
            those = (row >= record.solved) == solved
            look = {"color": color, "markersize": 7, "label": "solved" if solved else "not solved"}
            for axes, values in ((upper, row), (lower, norm[place])):
                axes.plot(aside[those], values[those], marker, **look)
    _level(upper, record.solved, "solved")
    _level(upper, 0.25, "guessing")
    upper.set_ylim(0, 1.06)
    lower.set_yscale("log")
    _level(lower, record.threshold, "threshold")
    lower.set_ylim(min(0.3, norm.min() / 2), norm.max() * 2)
    few_ticks(lower)
    lower.set_xticks(range(len(methods)), [names.get(method, method) for method in methods])
    lower.set_xlim(-0.5, len(methods) - 0.5)
    upper.tick_params(labelbottom=False)
    name_axes(upper, "", "accuracy at the end (share)")
    name_axes(lower, "how it was trained", "largest norm of a gradient")
    return figure


def _level(axes: Axes, y: float, text: str) -> None:
    """Draw a dashed line at a height, and write beside it what it is."""
    axes.axhline(y, color=GREY, linestyle="--", linewidth=1.2, zorder=1)
    note = axes.annotate(text, (1, y), (4, 0), xycoords=("axes fraction", "data"))
    note.set(anncoords="offset points", va="center")


@house
def dilemma(record: DilemmaRecord) -> Figure:
    """Show for each self-weight how often the bit is held, and how much blame comes through."""
    figure, (upper, lower) = plt.subplots(2, figsize=(4.6, 5), sharex=True)
    ends = []
    for noise, kept, marker in zip(record.noise, record.kept.T, "o^sDv", strict=False):
        (line,) = upper.plot(record.w, kept, f"{marker}-")
        ends.append((line, f"noise {noise:g}"))
    upper.set_ylim(0.4, 1.05)
    _level(upper, 0.5, "chance")
    lower.plot(record.w, record.gain, "o-", color=INK)
    log_gain(lower)
    upper.tick_params(labelbottom=False)
    name_axes(upper, "", "bit held (share of runs)")
    name_axes(lower, "self-weight w", "gain over 50 steps (1 = nothing is lost)")
    label_ends(figure, upper, ends)
    return figure


@house
def hold_and_learn(record: DilemmaRecord) -> Figure:
    """Show units and belts by what they hold and what blame they let through, both at once."""
    figure, axes = plt.subplots(figsize=(4.6, 3.8))
    held = record.kept[:, record.noise.argmax()]
    axes.plot(record.gain, held, "o", color=VERMILION, markersize=7, label=NO_DATA)
    axes.plot(
        np.ones_like(record.i), record.belt_kept, "^", color=BLUE, markersize=8, label=NO_DATA
    )
    for n, (w, x, y) in enumerate(zip(record.w, record.gain, held, strict=True)):
        up = 8 if n % 2 else -18  # neighbours may lie close together
        note = axes.annotate(f"w = {w:g}", (x, y), (0, up), textcoords="offset points")
        note.set(color=VERMILION, ha="center")
        axes.plot(x, y, label=f"w = {w:g}", visible=False)
    for i, y in zip(record.i, record.belt_kept, strict=True):
        note = axes.annotate(f"belt, i = {i:g}", (1, y), (9, 0), textcoords="offset points")
        note.set(color=BLUE, va="center")
        axes.plot(1, y, label=f"belt, i = {i:g}", visible=False)
    axes.set_xscale("log")
    axes.set_xlim(record.gain.min() / 1e9, 1e4)
    axes.set_xticks([1e-80, 1e-60, 1e-40, 1e-20, 1], ["10⁻⁸⁰", "10⁻⁶⁰", "10⁻⁴⁰", "10⁻²⁰", "1"])
    axes.set_ylim(0.35, 1.09)
    axes.minorticks_off()
    _level(axes, 0.5, "chance")
    name_axes(axes, "gain over 50 steps (1 = nothing is lost)", "bit held (share of runs)")
    return figure


@house
def learnt_by_length(record: DilemmaRecord) -> Figure:
    """Show after how many steps each net had learnt to hold a bit, by how long it is to be held.

    A mark is a seed, full if it solved the task; the line joins the medians, and above each length
    stands how many solved it.
    """
    figure, panels = plt.subplots(len(record.nets), figsize=(4.6, 5.6), sharex=True, squeeze=False)
    seeds = record.step.shape[-1]
    aside = 2 ** (0.56 * (np.arange(seeds) / max(1, seeds - 1) - 0.5))
    ticks = record.most_steps / 2.0 ** np.arange(5, -1, -1)
    rows = zip(panels[:, 0], record.nets, record.accuracy, record.step, strict=True)
    for axes, name, accuracy, steps in rows:
        median = np.median(steps, axis=-1)
        axes.plot(record.T, median, color=INK, linewidth=1.2, zorder=1, label="median")
        x, full = record.T[:, np.newaxis] * aside, accuracy >= record.solved
        marks = {"marker": "o", "linestyle": "", "markersize": 5.5, "label": NO_DATA}
        axes.plot(x[full], steps[full], color=BLUE, **marks)
        (hollow,) = axes.plot(x[~full], steps[~full], color=VERMILION, **marks)
        hollow.set(markerfacecolor="none", markeredgewidth=1.6)
        T = np.broadcast_to(record.T[:, np.newaxis], steps.shape)
        for those, label in ((full, "solved"), (~full, "not solved")):
            axes.plot(T[those], steps[those], label=label, visible=False)
        for length, solved in zip(record.T, full, strict=True):
            axes.text(length, 1.45 * record.most_steps, f"{solved.sum()} of {seeds}", ha="center")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xticks(record.T, [f"{T:g}" for T in record.T])
        axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.minorticks_off()
        axes.set_xlim(record.T.min() / 1.5, record.T.max() * 1.5)
        axes.set_ylim(ticks[0] / 1.4, 2.3 * record.most_steps)
        axes.set_title(_net(name))
        axes.set_ylabel("steps of training")
        _level(axes, record.most_steps, "stopped")
    panels[-1, 0].set_xlabel("steps to hold the bit, T")
    return figure


@house
def endless_belt(record: ForgetGateRecord) -> Figure:
    """Show the largest number on the belt along the stream, with and without a forget gate."""
    figure, axes = plt.subplots(figsize=(4.6, 3.6))
    ends = []
    names = ("forget gate", "f = 1")
    for belts, name, color, style in zip(
        record.belt, names, (BLUE, VERMILION), ("-", "--"), strict=True
    ):
        lines = axes.plot(record.word, belts.T, style, color=color, linewidth=1.3)
        for net, line in enumerate(lines):
            line.set_label(f"{name}, net {net}")
        middle = int(np.argsort(belts[:, -1])[len(belts) // 2])
        ends.append((lines[middle], name))
    axes.set_ylim(-0.05 * record.belt.max())
    name_axes(axes, "words read", "largest |c| of any unit")
    label_ends(figure, axes, ends)
    return figure


@house
def forgetting_units(record: ForgetGateRecord) -> Figure:
    """Show for each unit how open its forget gate is at a full stop, and at other words.

    A triangle is the unit of a net that forgets most at the full stop.
    """
    figure, axes = plt.subplots(figsize=(4.6, 4))
    lowest = record.f_at_stop.argmin(axis=1)
    every = np.arange(len(lowest))
    axes.plot([0, 1], [0, 1], "--", color=GREY, linewidth=1.2, label=NO_DATA)
    points = record.f_elsewhere.T, record.f_at_stop.T
    nets = [f"net {net}" for net in every]
    axes.plot(*points, "o", color=BLUE, alpha=0.55, label=nets)
    at = record.f_elsewhere[every, lowest], record.f_at_stop[every, lowest]
    axes.plot(*at, "v", color=VERMILION, markersize=9, label="forgets most at the full stop")
    axes.text(0.33, 0.4, "equally open", rotation=45, rotation_mode="anchor", color=GREY)
    axes.text(0.47, 0.22, "forget at the\nfull stop", color=VERMILION)
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(-0.05, 1.03)
    name_axes(axes, "mean f at all other words", "mean f at a full stop")
    return figure
