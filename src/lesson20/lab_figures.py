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
    GAIN,
    GREY,
    INK,
    VERMILION,
    dots,
    house,
    label_ends,
    log_gain,
    name_axes,
    power_of_ten,
    solid_and_dashed,
)
from lesson20.studies.agreement import AgreementRecord, NumberUnitRecord
from lesson20.studies.recall import BlameByDistanceRecord, ForgetBiasRecord
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
            axes.plot(record.step, runs.T, color=color, linewidth=0.7, alpha=0.55)
            (line,) = axes.plot(record.step, runs.mean(axis=0), color=color, linestyle=style)
            line.set_linewidth(2.6)
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
        axes.pcolormesh(other, cmap=ListedColormap(FROM_NEGATIVE), norm=norm)
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
            dots(axes, place + aside, units)
            top = float(units.max())
            axes.plot([place - 0.4, place + 0.4], [top, top], color=INK, linewidth=2.4)
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
        ends.append((line, words[first]))
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
        axes.plot(value[full], (row + aside)[full], "o", color=BLUE, markersize=6)
        (hollow,) = axes.plot(value[~full], (row + aside)[~full], "o", color=VERMILION)
        hollow.set(markerfacecolor="none", markeredgewidth=1.6, markersize=6)
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
