"""In a lab's kernel every figure of a cell is published as inline SVG, once."""

import re
import runpy
from types import SimpleNamespace

import pytest
from IPython.core import getipython
from matplotlib import pyplot as plt

from lesson20.site import notebook


@pytest.fixture
def published(monkeypatch):
    outputs = []
    monkeypatch.setattr(notebook, "display", lambda html: outputs.append(html.data))
    plt.close("all")
    return outputs


def test_show_publishes_every_open_figure_once(published):
    for _ in range(2):
        plt.figure().add_subplot().plot([1, 2])
    notebook.show()
    notebook.show()
    assert len(published) == 2
    assert all(re.fullmatch(r"<svg .*</svg>", svg, re.DOTALL) for svg in published)
    assert all('aria-label=""' in svg for svg in published)  # our template puts the text there
    ids = [set(re.findall(r'\bid="([^"]*)"', svg)) for svg in published]
    assert ids[0]
    assert not ids[0] & ids[1]
    assert plt.get_fignums() == []


def test_a_cell_that_forgets_show_is_shown_all_the_same(monkeypatch):
    registered = {}
    shell = SimpleNamespace(events=SimpleNamespace(register=registered.__setitem__))
    monkeypatch.setattr(getipython, "get_ipython", lambda: shell)
    names = runpy.run_path(notebook.__file__)
    assert registered == {"post_execute": names["show"]}
