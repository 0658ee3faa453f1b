"""Draws the records of `lesson20.studies`: one function a figure, a record in, a Figure out.

The house style is that of `figures`: what a line is stands beside it, in its hue, and no meaning
hangs on a colour alone. Any other record than the wanted one raises TypeError.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lesson20.checks import Array
from lesson20.drawing import (
    BLUE,
    FROM_NOTHING,
    GREY,
    INK,
    VERMILION,
    few_ticks,
    house,
    label_ends,
    log_gain,
    name_axes,
)
from lesson20.studies.clipping import ClippingRecord, cliff_surface
from lesson20.studies.dilemma import DilemmaRecord
from lesson20.studies.stream import ForgetGateRecord


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
    axes.plot(safe_w, safe_b, "o-", color=BLUE)
    start, end = (safe_w[0], safe_b[0]), (safe_w[-1], safe_b[-1])
    away = np.array([free_w[-1] - start[0], free_b[-1] - start[1]])
    tip = start + away * (b[-1] - start[1]) / away[1]  # where it leaves the map
    arrow = {"arrowstyle": "->", "color": VERMILION, "linestyle": "--", "linewidth": 1.8}
    axes.annotate("", tip, start, arrowprops=arrow)
    axes.plot(*start, "s", color=INK, markersize=7)
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
            for axes, values in ((upper, row), (lower, norm[place])):
                axes.plot(aside[those], values[those], marker, color=color, markersize=7)
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
    axes.plot(record.gain, held, "o", color=VERMILION, markersize=7)
    axes.plot(np.ones_like(record.i), record.belt_kept, "^", color=BLUE, markersize=8)
    for n, (w, x, y) in enumerate(zip(record.w, record.gain, held, strict=True)):
        up = 8 if n % 2 else -18  # neighbours may lie close together
        note = axes.annotate(f"w = {w:g}", (x, y), (0, up), textcoords="offset points")
        note.set(color=VERMILION, ha="center")
    for i, y in zip(record.i, record.belt_kept, strict=True):
        note = axes.annotate(f"belt, i = {i:g}", (1, y), (9, 0), textcoords="offset points")
        note.set(color=BLUE, va="center")
    axes.set_xscale("log")
    axes.set_xlim(record.gain.min() / 1e9, 1e4)
    axes.set_xticks([1e-80, 1e-60, 1e-40, 1e-20, 1], ["10⁻⁸⁰", "10⁻⁶⁰", "10⁻⁴⁰", "10⁻²⁰", "1"])
    axes.set_ylim(0.35, 1.09)
    axes.minorticks_off()
    _level(axes, 0.5, "chance")
    name_axes(axes, "gain over 50 steps (1 = nothing is lost)", "bit held (share of runs)")
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
        lines = [axes.plot(record.word, c, style, color=color, linewidth=1.3)[0] for c in belts]
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
    axes.plot([0, 1], [0, 1], "--", color=GREY, linewidth=1.2)
    axes.plot(record.f_elsewhere.ravel(), record.f_at_stop.ravel(), "o", color=BLUE, alpha=0.55)
    at = record.f_elsewhere[every, lowest], record.f_at_stop[every, lowest]
    axes.plot(*at, "v", color=VERMILION, markersize=9)
    axes.text(0.33, 0.4, "equally open", rotation=45, rotation_mode="anchor", color=GREY)
    axes.text(0.47, 0.22, "forget at the\nfull stop", color=VERMILION)
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(-0.05, 1.03)
    name_axes(axes, "mean f at all other words", "mean f at a full stop")
    return figure
