"""One fault at a time is planted in a copy of the real lesson. Neither road may let it through.

Both run as a contributor runs them: MkDocs through its command line, pytest on the page. Only
the API page is emptied in the copy; it takes longer than all the others together.
"""

import os
import re
import shutil
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from mkdocs.__main__ import cli

from building import ROOT, copy_into
from lesson20.site.examples import Page


class Fault(NamedTuple):
    """What is planted in place of what, and how the message begins.

    The message must name the line on which the planted text starts, or on which `at` does.
    """

    old: str
    new: str
    expected: str
    page: str = "blame.md"
    at: str = ""


def in_block(code: str, expected: str, options: str = "") -> Fault:
    """A line planted at the top of a block."""
    new = f"```python{options}\n{code}\ndirections ="
    return Fault("```python\ndirections =", new, expected, at=options or code)


def in_prose(text: str, expected: str) -> Fault:
    """A paragraph planted before a heading."""
    return Fault("## A dilemma", f"{text}\n\n## A dilemma", expected)


def nested(fence: str) -> str:
    """A fence in an admonition in a tab in a list."""
    return (
        f'- A list\n\n    === "A tab"\n\n        !!! note\n\n            {fence}\n            x = 1'
    )


ALT = 'alt="The slope of tanh reaches its ceiling of 1 only at zero and is down to '
FAULTS = {
    "a changed output digit": Fault("#> 0.5 [0.4266", "#> 0.5 [0.4267", "output", "in-code.md"),
    "a changed claim": Fault("2.47<!--", "2.48<!--", "2.48 = influence(2.0, 10)", "in-code.md"),
    "an exception": in_block("1 / 0", "no exception, got ZeroDivisionError"),
    "a syntax error": in_block("x = = 1", "Python, got SyntaxError"),
    "an endless loop": in_block("while True: pass", "no exception, got TimeLimitExceeded"),
    "an output not declared": in_block("print(7)", "no further output, got '7'"),
    "an output not printed": in_block("n = 7\n#> 7", "output '7', got nothing")._replace(at="#> 7"),
    "a tab in a block": in_block("x =\t1", "spaces in a block, got a tab"),
    "an unknown option": in_block("", "the option", ' colour="red"'),
    "a misspelt option": in_block("", "the option fold, got 'flod'", ' flod="x"'),
    "a missing alt text": Fault(ALT, 'title="', 'alt="what the figure shows", got no alt text'),
    "a TeX error": Fault(r"$$J_t=\frac{\partial h_t}", r"$$J_t=\frac{\partial h_t", "TeX in"),
    "a lone dollar sign": Fault("state $h_k$ a", "state $h_k a", "dollar signs in pairs"),
    "a dead link": Fault("(lstm.md)", "(lsmt.md)", "a file"),
    "a dead anchor": Fault(
        "(blame.md#why-blame-dies)", "(blame.md#why)", "a heading", "in-code.md"
    ),
    "a dead image": in_prose("![A dilemma](no.svg)", "a file"),
    "an image without alt text": in_prose("![](assets/lesson.css)", "![what the image shows]"),
    "an unclosed fence": in_prose("```python\nx = 1", "```python as the whole line"),
}
NOBODY_RUNS = ["py", "python3", "Python", "{.python}", " python", "pycon", "ipython"]
for fence in [*(f"```{spelling}" for spelling in NOBODY_RUNS), "~~~python"]:
    end = fence[:3]
    FAULTS[f"a fence like {fence}"] = in_prose(f"{fence}\nx = 1\n{end}", "```python as the whole")
    deep = in_prose(f"{nested(fence)}\n            {end}", "```python as the whole")
    FAULTS[f"deep down, a fence like {fence}"] = deep._replace(at=f"            {fence}")


@pytest.fixture
def lesson(tmp_path, monkeypatch):
    """A copy of the lesson, and the working directory in it."""
    copy_into(tmp_path)
    shutil.copy(ROOT / "conftest.py", tmp_path)
    api = tmp_path / "docs/reference/api.md"
    api.write_text(api.read_text(encoding="utf-8").replace("\n::: ", "\n"), encoding="utf-8")
    mkdocs_yml = tmp_path / "mkdocs.yml"
    configuration = without_plugin("mkdocstrings", mkdocs_yml.read_text(encoding="utf-8"))
    configuration = configuration.replace(
        "- lesson20.site.fence\n", "- lesson20.site.fence:\n      time_limit: 3\n"
    )
    mkdocs_yml.write_text(configuration, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    monkeypatch.setattr(Page, "time_limit", 3.0)
    return tmp_path


@pytest.fixture
def pages(lesson):
    """The same without the labs, which take a kernel."""
    stub_labs(lesson)
    configuration = lesson / "mkdocs.yml"
    configuration.write_text(without_plugin("mkdocs-jupyter", configuration.read_text()))
    return lesson


def stub_labs(lesson, but=""):
    """Leave of each lab a heading, to which pages may link, but for one."""
    for lab in (lesson / "docs/labs").glob("*.md"):
        if lab.stem != but:
            lab.write_text(f"# What does {lab.stem} show?\n", encoding="utf-8")


def without_plugin(name, configuration):
    return re.sub(rf"  - {name}:\n(    .*\n)*", "", configuration)


def build():
    """Build the site of the working directory; return the exit code and the last line."""
    result = CliRunner().invoke(cli, ["build", "--quiet", "--strict"])
    return result.exit_code, result.output.strip().rpartition("\n")[2]


@pytest.fixture
def run_pytest(capsys):
    """Run pytest on pages of the working directory; return the exit code and the last lines."""

    def run_pytest(*pages):
        code = pytest.main(
            ["-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir=.", *pages]
        )
        return code, capsys.readouterr().out.splitlines()[-6:]

    return run_pytest


def plant(page, old, new):
    text = page.read_text(encoding="utf-8")
    assert old in text
    planted = text.replace(old, new, 1)
    page.write_text(planted, encoding="utf-8")
    return planted


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_stops_both_roads(pages, run_pytest, name):
    fault = FAULTS[name]
    planted = plant(pages / "docs" / fault.page, fault.old, fault.new)
    line = planted[: planted.index(fault.at or fault.new)].count("\n") + 1
    said = f"docs/{fault.page}:{line}: expected {fault.expected}"

    code, last = build()
    assert code == 1
    assert last.startswith(said)

    code, last = run_pytest(f"docs/{fault.page}")
    assert code in (1, 2)  # 2: the page cannot even be read
    assert any(text.startswith(said) for text in last)


def test_a_page_missing_from_the_navigation_stops_the_build(pages):
    shutil.copy(pages / "docs/what-next.md", pages / "docs/stray.md")
    assert build() == (1, "docs/stray.md:1: expected a place in the nav of mkdocs.yml, got none")


def test_a_page_without_a_question_stops_the_build(pages):
    planted = plant(pages / "docs/blame.md", "*The question: when", "*When")
    line = planted[: planted.index("\n# Blame")].count("\n") + 2
    code, last = build()
    assert code == 1
    assert last.startswith(f"docs/blame.md:{line}: expected below the title *The question: ")


def test_a_lab_cell_that_raises_stops_the_build(lesson):
    stub_labs(lesson, but="latch-or-learn")
    plant(lesson / "docs/labs/latch-or-learn.md", "    return h[1:, 0]", "    return 1 / 0")
    code, last = build()
    assert code == 1
    assert re.match(
        r"docs/labs/latch-or-learn\.md:\d+: expected no exception, got ZeroDivision", last
    )


def test_the_true_lesson_passes(pages, run_pytest):
    assert build()[0] == 0
    assert run_pytest("docs/blame.md", "docs/in-code.md")[0] == 0
