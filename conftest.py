"""Hands the blocks and claims of every page to pytest."""

from sybil import Sybil
from sybil.document import PythonDocStringDocument
from sybil.parsers.rest import DocTestParser

from lesson20.site.examples import (
    Page,
    blocks_and_claims,
    pytest_addoption,
    pytest_configure,
    pytest_terminal_summary,
)

__all__ = ["pytest_addoption", "pytest_configure", "pytest_terminal_summary"]  # found by name

pages = Sybil(
    parsers=[blocks_and_claims],
    patterns=["docs/**/*.md", "docs/*.md", "*.md"],
    document_types={".md": Page},
)
docstrings = Sybil(
    parsers=[DocTestParser()],
    patterns=["src/**/*.py"],
    document_types={".py": PythonDocStringDocument},
)
pytest_collect_file = (pages + docstrings).pytest()
