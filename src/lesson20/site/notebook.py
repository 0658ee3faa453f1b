"""A Matplotlib backend for the labs' kernel: publishes each figure of a cell as inline SVG."""

from itertools import count
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.display import HTML, display
from matplotlib import pyplot as plt
from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas

from lesson20.site.svg import to_svg

__all__ = ["FigureCanvas", "show"]

_numbers = count(1)


def show(*args: Any, **kwargs: Any) -> None:
    """Publish every open figure and close it. The notebook template adds the alt text."""
    for number in plt.get_fignums():
        svg = to_svg(plt.figure(number), alt="", name=f"lab-figure-{next(_numbers)}")
        display(HTML(svg))  # type: ignore[no-untyped-call]
    plt.close("all")


if shell := get_ipython():  # a cell that forgets `plt.show()` shows its figure all the same
    shell.events.register("post_execute", show)
