"""The numbers that a figure shows, as a table that a reader may take away.

They are read from the figure itself, so whatever is drawn has its table: of the lines, bars,
points, meshes and images in the data's own coordinates. A row is a point. The columns `panel`,
`series` and `value` are there where they tell points apart; the others have the names of the axes,
and an axis whose ticks have names of their own, such as words, gives those.

What has no place in the data (`axhline`, `axvline`, texts, grid) is left out, and so is what has
the label `_nolegend_`. An artist that is not visible counts: it may carry the numbers of others.
"""

import csv
import html
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import PathCollection, QuadMesh
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FormatStrFormatter, ScalarFormatter
from numpy.typing import NDArray

LIMIT = 200_000  # bytes of a table

_DESCRIPTION = "{http://purl.org/dc/elements/1.1/}description"
_FIGURE = re.compile(
    r'<figure class="lesson-figure".*?(?:<figcaption>(?P<caption>.*?)</figcaption>)?'
    r"</figure>(?:\s*</scene-\w+>)?",
    re.DOTALL,
)


class NoDataError(Exception):
    """A figure is such that its data cannot be told: what would be right, and what came."""


@dataclass(frozen=True)
class Series:
    """Points that belong together.

    Attributes:
        panel: The panel they are in.
        name: What they are; empty where the panel has no others.
        x: (N,) or, for a map, (M, N), like the other two.
        y: The same.
        value: What a map shows there; None for all that is no map.
    """

    panel: str
    name: str
    x: NDArray[Any]
    y: NDArray[Any]
    value: NDArray[Any] | None = None

    def rows(self) -> Iterator[list[str]]:
        """Panel, series, x, y and value of each point, as text."""
        value = np.full(self.x.shape, "") if self.value is None else self.value
        for x, y, z in zip(self.x.flat, self.y.flat, value.flat, strict=True):
            row = [_text(number) for number in (x, y, z)]
            if "nan" not in row:
                yield [self.panel, self.name, *row]


def table(figure: Figure) -> str:
    """Return the data of a figure as CSV; equal figures give equal text.

    Raises:
        NoDataError: If nothing in it is data, series of one panel have no names, or it is too much.
    """
    panels = [axes for axes in figure.axes if axes.get_visible()]
    pairs = zip(panels, _names(panels), strict=True)
    series = [one for axes, name in pairs for one in _series(axes, name)]
    if not series:
        raise NoDataError("lines, bars, points or a map, the data of a figure", "none of them")
    maps = {one.name for one in series if one.value is not None}
    header = [
        "panel",
        "series",
        _common(axes.get_xlabel() for axes in panels) or "x",
        _common(axes.get_ylabel() for axes in panels) or "y",
        maps.pop() if len(maps) == 1 else "value",
    ]
    rows = [row for one in series for row in one.rows()]
    shown = [n for n in range(5) if n in {2, 3} or len({row[n] for row in rows}) > 1]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([row[n] for n in shown] for row in [header, *rows])
    if (size := len(text.getvalue().encode())) > LIMIT:
        raise NoDataError(f"at most {LIMIT // 1000} kB of data of a figure", f"{size // 1000} kB")
    return text.getvalue()


def _text(number: Any) -> str:
    """Six significant digits; names as they are."""
    if isinstance(number, str):
        return " ".join(number.split())
    if number is np.ma.masked:
        return "nan"
    whole = abs(number) < 1e15 and number == round(number)
    return f"{number + 0.0:.0f}" if whole else f"{number:.6g}"


def _common(names: Iterator[str]) -> str:
    different = {name for name in names if name}
    return " ".join(different.pop().split()) if len(different) == 1 else ""


def _names(panels: list[Axes]) -> list[str]:
    """What each panel is: its label, or its title, and its upright axis where these differ."""
    several = not _common(axes.get_ylabel() for axes in panels)
    named = []
    for number, axes in enumerate(panels, 1):
        own = str(axes.get_label()) or axes.get_title("center") or axes.get_title("left")
        parts = [own, axes.get_ylabel() if several or not own else ""]
        named.append(": ".join(filter(None, parts)) or f"panel {number}")
    if len(set(named)) < len(named):
        named = [f"panel {number}" for number in range(1, len(named) + 1)]
    return [" ".join(name.split()) for name in named]


def _series(axes: Axes, panel: str) -> list[Series]:
    bars = [artist for artist in axes.containers if isinstance(artist, BarContainer)]
    artists: list[Any] = [*axes.lines, *bars, *axes.collections, *axes.images]
    artists = [artist for artist in artists if artist.get_label() != "_nolegend_"]
    shown = [(artist, points) for artist in artists if (points := _points(artist, axes))]
    found = []
    for artist, (x, y, value) in shown:
        label = str(artist.get_label())
        name = "" if label.startswith("_") else " ".join(label.split())
        if not name and len(shown) > 1:
            actual = f"{len(shown)} in the panel {panel!r}, of which one has no label"
            raise NoDataError("a label= for each series of a figure", actual)
        found.append(Series(panel, name, _named(x, axes.xaxis), _named(y, axes.yaxis), value))
    return found


type Points = tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]


def _points(artist: Artist | BarContainer, axes: Axes) -> Points | None:
    """What an artist shows, if that is data."""
    match artist:
        case Line2D() if all(artist.get_transform().contains_branch_seperately(axes.transData)):
            x, y = map(np.asarray, artist.get_data(orig=False))
            return (x, y, None) if len(x) else None
        case BarContainer():
            ends = [_end(bar, artist.orientation == "vertical") for bar in artist]
            return (*np.array(ends, float).T, None) if ends else None
        case PathCollection():
            x, y = np.ma.getdata(artist.get_offsets()).T
            return x, y, artist.get_array()
        case QuadMesh():
            corners, value = np.asarray(artist.get_coordinates()), artist.get_array()
            if value is not None and value.shape != corners.shape[:2]:
                corners = (
                    corners[1:, 1:] + corners[1:, :-1] + corners[:-1, 1:] + corners[:-1, :-1]
                ) / 4
            return corners[..., 0], corners[..., 1], value
        case AxesImage():
            value = np.ma.asarray(artist.get_array())
            left, right, bottom, top = artist.get_extent()
            if artist.origin == "upper":
                bottom, top = top, bottom
            rows, columns = value.shape[:2]
            x = left + (right - left) * (np.arange(columns) + 0.5) / columns
            y = bottom + (top - bottom) * (np.arange(rows) + 0.5) / rows
            return (*np.meshgrid(x, y), value) if value.ndim == 2 else None
    return None


def _end(bar: Any, upright: bool) -> tuple[float, float]:
    """Where a bar ends, in the middle of its width."""
    middle, end = (0.5, 1) if upright else (1, 0.5)
    return bar.get_x() + middle * bar.get_width(), bar.get_y() + end * bar.get_height()


def _named(places: NDArray[Any], axis: Axis) -> NDArray[Any]:
    """On an axis whose ticks have names, the name of the nearest tick in place of a number."""
    formatter, ticks = axis.get_major_formatter(), np.asarray(axis.get_majorticklocs())
    is_fixed = isinstance(axis.get_major_locator(), FixedLocator) and len(ticks)
    if (
        axis.get_scale() != "linear"
        or not is_fixed
        or isinstance(formatter, ScalarFormatter | FormatStrFormatter)
    ):
        return places
    names = formatter.format_ticks(list(ticks))
    if names == [f"{tick:g}" for tick in ticks] or not any(names):
        return places
    if len(set(names)) < len(names):  # as a word that comes twice
        names = [f"{number} {name}" for number, name in enumerate(names, 1)]
    nearest = np.abs(np.ravel(places)[:, np.newaxis] - ticks).argmin(axis=1)
    named: NDArray[Any] = np.array(names, dtype=object)[nearest]
    return named.reshape(np.shape(places))


def of(drawing: str) -> str:
    """Return the table that `lesson20.site.svg.draw` wrote into a drawing."""
    found = ET.fromstring(drawing).find(f".//{_DESCRIPTION}")
    return "" if found is None else found.text or ""


def offer(page: str, tables: list[str], folder: Path, stem: str) -> str:
    """Write the tables of a built page beside it; return the page with a link under each figure.

    Args:
        page: The HTML of the page.
        tables: One for each figure, in page order.
        folder: Where the page will lie.
        stem: What the names of the files begin with.
    """
    folder.mkdir(parents=True, exist_ok=True)
    left = iter(enumerate(tables, 1))

    def with_link(figure: re.Match[str]) -> str:
        number, text = next(left)
        file = folder / f"{stem}-figure-{number}.csv"
        file.write_text(text, encoding="utf-8")
        caption = figure["caption"] or f"figure {number}"
        label = html.escape(f"Data (CSV) of the figure: {html.unescape(caption)}")
        link = f'<a href="{file.name}" download aria-label="{label}">Data (CSV)</a>'
        return f'{figure[0]}<p class="lesson-data" data-search-exclude>{link}</p>'

    offered = _FIGURE.sub(with_link, page)
    assert next(left, None) is None, f"fewer figures than tables: {len(tables)} in {stem}"
    return offered
