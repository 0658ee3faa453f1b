"""The words of the glossary explain themselves wherever prose uses them."""

import pytest

from lesson20.site.errors import PageError
from lesson20.site.glossary import read_glossary

RNN = '<abbr title="Recurrent neural network.">RNN</abbr>'


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("An RNN and an RNN.", 2),
        ("## RNN", 1),
        ("- RNN\n\n    - **RNN**", 2),
        ("| RNN |\n|---|\n| *RNN* |", 2),
        ("!!! note\n\n    RNN", 1),
        ("Text.[^1]\n\n[^1]: RNN", 1),
        ("RNNs, an RNNet and rnn", 0),
        ("`RNN` and ``RNN``", 0),
        ("```text\nRNN\n```", 0),
        ('```python title="RNN"\nRNN = 1\n```', 0),
        (r"$\text{RNN}$", 0),
        ("[^1]\n\n[^1]: `RNN`", 0),
    ],
)
def test_a_term_in_prose_is_explained_and_one_in_code_is_not(build, text, count):
    built = build(text)
    assert built.count(RNN) == count
    assert built.count("<abbr") == count
    assert "*[" not in built


def test_the_longest_term_wins(page, convert):
    page("# Glossary\n\ngate\n:   A.\n\nforget gate\n:   B.\n", "docs/reference/glossary.md")
    assert convert("The forget gate.") == '<p>The <abbr title="B.">forget gate</abbr>.</p>'


def test_a_definition_is_read_as_plain_text(page):
    text = """\
---
title: Words: all of them
---

# Words

An *introduction*: of one line.

hidden state
:   What the *cell* `h` keeps, $h_t$; see [the cell](../cell.md#state),
    which has 5<!-- = 2 + 3 --> parts.

    A second paragraph is for the page alone.

**LSTM**

:   Long "short-term" memory.
"""
    assert read_glossary(page(text.replace("\n", "\r\n"), "docs/words.md")) == {
        "hidden state": "What the cell h keeps, h_t; see the cell, which has 5 parts.",
        "LSTM": 'Long "short-term" memory.',
    }


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# Glossary\n", 1),
        ("# Glossary\n\nRNN: recurrent\n", 1),
        ("# Glossary\n\nRNN\n:\n", 4),
        ("# Glossary\n\nRNN\n:recurrent\n", 4),
        ("# Glossary\n\nRNN\n\n\n:   recurrent\n", 6),
        ("# Glossary\n\nRNN\n:   one\n:   two\n", 5),
        ("# Glossary\n\nRNN\n:   one\n\n:   two\n", 6),
        ("# Glossary\n\nRNN\nLSTM\n:   both\n", 5),
        ("# Glossary\n:   nothing\n", 2),
        ("# Glossary\n\nRNN\n:   one\n\nLSTM\n:   two\n\nRNN\n:   again\n", 10),
        ("# Glossary\n\nRNN\n:   one\nLSTM\n:   two\n", 6),
    ],
)
def test_a_slip_in_the_glossary_names_its_line(page, convert, text, line):
    page(text, "docs/reference/glossary.md")
    with pytest.raises(PageError, match=f"docs/reference/glossary.md:{line}: expected a "):
        convert("Any page.")
