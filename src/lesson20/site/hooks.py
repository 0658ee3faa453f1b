"""A courtesy under MkDocs: a mistake on a page ends the build with its one line, no traceback.

Nothing depends on this hook. Without it, or under Zensical, the same line stands at the end of
a traceback.
"""

from mkdocs.exceptions import Abort

from lesson20.site.errors import PageError


def on_build_error(error: Exception) -> None:
    """Replace a page's error by the message alone; `mkdocs serve` shows it and goes on."""
    if isinstance(error, PageError):
        raise Abort(str(error).strip()) from None
