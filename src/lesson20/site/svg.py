"""Turns a figure into SVG that stands inside a page and takes its colours from the page.

Matplotlib writes `style="fill: #0072b2"`. Here that becomes `fill="var(--c-0072b2, #0072b2)"`:
the figure keeps its own colour until a stylesheet says, for the dark palette, what that colour
is to be. Nothing in the SVG needs a style attribute or a style sheet of its own, so that a page
may forbid both.
"""

import io
import re
from xml.etree import ElementTree as ET

import matplotlib as mpl
from matplotlib.figure import Figure

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_HEX = re.compile(r"#[0-9a-f]{6}\b")
_PLACES = {"d", "points", "x", "y"}
_MOVE = re.compile(r"(?:translate|rotate)\([^)]*\)")  # scales are no places, and may be small
_FRACTION = re.compile(r"-?\d+\.\d+")

# Deterministic bytes: ids are hashed from the content and this salt, and no date is written.
_WRITING = {"svg.fonttype": "none", "svg.hashsalt": "lesson20", "axes.unicode_minus": True}


def to_svg(figure: Figure, alt: str, name: str) -> str:
    """Draw a figure as one `<svg>` element for a page; see `draw` and `inline`."""
    return inline(draw(figure), alt, name)


def draw(figure: Figure, description: str = "") -> str:
    """The figure as SVG, the way Matplotlib writes it. Equal figures give equal text.

    Args:
        figure: The figure.
        description: What is to stand in its metadata; see `lesson20.site.data`.
    """
    buffer = io.StringIO()
    metadata = {"Date": None} | ({"Description": description} if description else {})
    with mpl.rc_context(_WRITING):  # type: ignore[arg-type]  # the stubs list every known key
        figure.savefig(buffer, format="svg", transparent=True, metadata=metadata)
    return buffer.getvalue()


def inline(drawing: str, alt: str, name: str) -> str:
    """Make Matplotlib's SVG one `<svg>` element that may stand inside a page.

    Args:
        drawing: What `draw` gave.
        alt: What it shows; a screen reader reads this in place of its parts.
        name: A name that no other figure of the page has; its ids begin with it.
    """
    root = ET.fromstring(drawing)
    _tidy(root, name)
    root.attrib = {
        "class": "figure",
        "role": "img",
        "aria-label": alt,
        "viewBox": root.get("viewBox", ""),
        "width": root.get("width", "").replace("pt", ""),
        "height": root.get("height", "").replace("pt", ""),
        "fill": "currentColor",
        "stroke-linejoin": "round",
        "stroke-linecap": "butt",
        "xmlns": _SVG,
        "xmlns:xlink": _XLINK,
    }
    return ET.tostring(root, encoding="unicode")


def _tidy(root: ET.Element, name: str) -> None:
    """Drop what a page has no use for, and give the ids names of the figure's own, counted.

    Matplotlib's are hashes of coordinates, of which the last bit differs from run to run.
    """
    references = " ".join(
        value for element in root.iter() for key, value in element.attrib.items() if key != "id"
    )
    used = set(re.findall(r"#([\w-]+)", references))
    there = [id_ for element in root.iter() if (id_ := element.get("id", "")) in used]
    names = {id_: f"{name}-{number}" for number, id_ in enumerate(there, start=1)}
    for element in list(root.iter()):
        for child in list(element):
            if child.tag in {f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"}:
                element.remove(child)
            child.tail = None
        element.tag = element.tag.removeprefix(f"{{{_SVG}}}")
        if element.tag not in {"text", "tspan"}:
            element.text = None
        element.attrib = _attributes(element.attrib, names)


def _attributes(raw: dict[str, str], names: dict[str, str]) -> dict[str, str]:
    plain = {key: value for key, value in raw.items() if key not in {"style", "id"}}
    plain |= _presentation(raw.get("style", ""))
    for key in plain.keys() & _PLACES:
        plain[key] = _rounded(" ".join(plain[key].split()))
    if "transform" in plain:
        plain["transform"] = _MOVE.sub(lambda move: _rounded(move[0]), plain["transform"])
    for key in plain.keys() & {"fill", "stroke", "stop-color"}:
        plain[key] = _HEX.sub(lambda hex_: f"var(--c-{hex_[0][1:]}, {hex_[0]})", plain[key])
    if f"{{{_XLINK}}}href" in plain:
        # Not the modern `href`: the theme's instant navigation sets that on whatever has one.
        plain["xlink:href"] = _renamed(plain.pop(f"{{{_XLINK}}}href"), names)
    if raw.get("id", "").startswith("part-"):  # so that a scene finds it: artist.set_gid("part-…")
        plain["class"] = raw["id"]
    if raw.get("id") in names:
        plain["id"] = names[raw["id"]]
    return {
        key: _renamed(value, names) if "url(#" in value else value for key, value in plain.items()
    }


def _rounded(places: str) -> str:
    """Places to a hundredth of a point, which no eye sees: Matplotlib's six digits are heavy."""
    return _FRACTION.sub(lambda number: f"{round(float(number[0]), 2) + 0:g}", places)


def _renamed(value: str, names: dict[str, str]) -> str:
    """A reference to an id, `#id` or `url(#id)`, by the id's new name."""
    return re.sub(r"#([\w-]+)", lambda found: f"#{names.get(found[1], found[1])}", value)


def _presentation(style: str) -> dict[str, str]:
    """The declarations of a style attribute as attributes."""
    declarations = (part.partition(":") for part in style.split(";") if part.strip())
    return {
        key.strip(): value.strip()
        for key, _, value in declarations
        if key.strip() != "font-family"  # the page's own font, whatever it is
    }
