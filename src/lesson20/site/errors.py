"""The one error that a wrong page raises."""

from pymdownx.superfences import SuperFencesException


class PageError(SuperFencesException):  # type: ignore[misc]  # pymdownx ships no types
    """Something on a page is not true, or not well formed.

    SuperFences swallows every exception but its own kind and then shows the block as plain
    code, which would turn a wrong lesson green. Hence the base class.

    Args:
        page: The page as a contributor names it, `docs/blame.md`.
        line: Its line, counted from 1.
        expected: What the page promises, or what would be right.
        actual: What came instead.
    """

    def __init__(self, page: str, line: int, expected: str, actual: str) -> None:
        self.page, self.line, self.expected, self.actual = page, line, expected, actual
        super().__init__(f"{page}:{line}: expected {expected}, got {actual}")

    def __str__(self) -> str:
        """Start on a fresh line, so that the message stands alone even below a traceback."""
        return f"\n{self.args[0]}"
