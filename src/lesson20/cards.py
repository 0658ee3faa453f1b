"""Draws the card of a page: what other sites show beside a link to it.

Its picture is the lesson's question: the belts of two toy cells along a sentence, of which one
ends up with the wrong verb.
"""

import io
import textwrap
from typing import Any, cast

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from lesson20 import experiments
from lesson20.agreement import SENTENCE
from lesson20.drawing import BLUE, GREY, VERMILION

WIDTH, HEIGHT = 1200, 630  # pixels, as the sites that show cards ask for
_DPI = 200
_LEFT = 0.05  # of the width


class Cards:
    """Draws the cards of a lesson; the picture, which they share, is drawn once.

    Attributes:
        alt: What the picture shows.
    """

    alt = (
        "The belts of two memory cells after each word of “the flowers that she bought at market”: "
        "one stays above zero and says “are”, the other falls below and says “is”."
    )

    def __init__(self, lesson: str) -> None:
        """Draw what all cards show.

        Args:
            lesson: The lesson's name.
        """
        with plt.style.context("lesson20.house", after_reset=True):
            self._figure = Figure((WIDTH / _DPI, HEIGHT / _DPI), _DPI, facecolor="white")
            self._figure.set_layout_engine("none")
            self._canvas = cast(Any, FigureCanvasAgg(self._figure))  # which ships no types
            self._figure.text(_LEFT, 0.93, lesson, color=GREY, va="top", fontsize=11)
            _draw_belts(self._figure.add_axes((_LEFT, 0.13, 0.83, 0.33)))
            self._canvas.draw()
            self._shared = self._canvas.copy_from_bbox(self._figure.bbox)

    def png(self, title: str, question: str) -> bytes:
        """Return the card of a page as PNG, 1200 × 630 pixels; equal texts give equal bytes.

        Args:
            title: The page's title.
            question: The question that the page answers; not repeated where it is the title.
        """
        self._canvas.restore_region(self._shared)
        with plt.style.context("lesson20.house", after_reset=True):
            self._write(title, 0.84, fontsize=20, weight="bold")
            if question != title:
                self._write(textwrap.fill(question, 52), 0.68, fontsize=13, linespacing=1.3)
        buffer = io.BytesIO()
        pixels = np.asarray(self._canvas.buffer_rgba())[..., :3]
        quick = {"compress_level": 3}
        plt.imsave(buffer, pixels, format="png", metadata={"Software": None}, pil_kwargs=quick)
        return buffer.getvalue()

    def _write(self, text: str, y: float, **how: Any) -> None:
        line = self._figure.text(_LEFT, y, text, va="top", **how)
        self._figure.draw_artist(line)
        line.remove()


def _draw_belts(axes: Axes) -> None:
    words = np.arange(1, len(SENTENCE) + 1)
    axes.axhline(0, color=GREY, linewidth=1)
    for f, i, verb, color in [(1.0, 0.1, "are", BLUE), (0.6, 0.8, "is", VERMILION)]:
        c = experiments.belt(f, i).c[1:]
        axes.plot(words, c, "o-", color=color)
        axes.text(words[-1] + 0.2, c[-1], verb, color=color, va="center", weight="bold")
    axes.set_xticks(words, SENTENCE)
    axes.set_yticks([])
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
