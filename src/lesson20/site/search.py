"""What search is given of a page: its words, and formulas as one would type them.

A MkDocs hook. The search plugin reads a page's content; before it does, this puts a simpler one in
its place, and afterwards the true one back. Code and figures say themselves, by an attribute, that
search leaves them out.
"""

import html
import re
from typing import Any

from mkdocs.plugins import CombinedEvent, event_priority
from mkdocs.structure.pages import Page

from lesson20.site.symbols import look, read_mathml

_MACHINERY = re.compile(
    r"""
    (?<=<div\ class="arithmatex">) <math .*? </math>  # a formula with a line of its own
    | (?<=<details\ class="lesson-fold">) <summary> .*? </summary>  # "How this is drawn"
    """,
    re.VERBOSE | re.DOTALL,
)
# A lab's prose stands in a box for each cell. Search would take the end of a box for that of the
# section, and send readers of what follows to the top of the page.
_CELL = re.compile(r'<div(?: class="lesson-lab")?>')
_TERM = re.compile(r'<dt id="([^"]*)">(.*?)</dt>')
_FORMULA = re.compile(r"<math.*?</math>", re.DOTALL)


def for_search(content: str) -> str:
    """A page's HTML without what is no prose, and with formulas in one line: `h_t`, `W_x`.

    A term of the glossary becomes a heading, so that who looks for it is led right there.
    """
    content = _MACHINERY.sub("", content)
    if 'class="lesson-lab"' in content:
        content = _CELL.sub("", content)  # an end without a beginning is passed over
    content = _TERM.sub(r'<h2 id="\1">\2</h2>', content)
    return _FORMULA.sub(lambda math: _typed(math[0]), content)


def _typed(mathml: str) -> str:
    return html.escape(look(read_mathml(mathml), any_moment=False))


@event_priority(50)
def _simplify(context: Any, /, page: Page, **kwargs: Any) -> Any:
    context["full_content"] = page.content
    page.content = for_search(page.content or "")
    return context


@event_priority(-50)
def _restore(context: Any, /, page: Page, **kwargs: Any) -> Any:
    page.content = context.pop("full_content")
    return context


on_page_context = CombinedEvent(_simplify, _restore)
