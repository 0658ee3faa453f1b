"""Hands the blocks and claims of every page to pytest."""

from sybil import Sybil
from sybil.document import PythonDocStringDocument
from sybil.parsers.rest import DocTestParser

from lesson20.site.examples import blocks_and_claims

pages = Sybil(parsers=[blocks_and_claims], patterns=["docs/**/*.md", "docs/*.md", "*.md"])
docstrings = Sybil(
    parsers=[DocTestParser()],
    patterns=["src/**/*.py"],
    document_types={".py": PythonDocStringDocument},
)
pytest_collect_file = (pages + docstrings).pytest()
