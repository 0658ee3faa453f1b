import math

import numpy as np
import pytest

from lesson20 import cell
from lesson20.agreement import CUES, SENTENCE, belt, verdict


def test_the_two_runs_that_the_author_printed_come_out():
    assert round(cell(0.6, 0.8, 1.0), 3) == -0.5
    assert round(cell(1.0, 0.1, 1.0), 3) == 0.638
    assert round(0.97**5, 2) == 0.86


@pytest.mark.parametrize(
    ("f", "i", "h"),
    [
        (0.6, 0.1, -0.012),
        (0.6, 0.8, -0.5),
        (0.97, 0.1, 0.563),
        (0.97, 0.8, 0.083),
        (1.0, 0.1, 0.638),
        (1.0, 0.8, 0.199),
    ],
)
def test_each_gate_alone_changes_the_reading(f, i, h):
    assert round(cell(f, i, 1.0), 3) == h


def test_the_belt_is_a_weighted_sum_of_what_was_written():
    f, i = 0.9, 0.3
    c = belt(f, i)
    assert c.shape == (8,)
    for k in range(8):
        written = [(1.0 if t == 2 else i) * math.tanh(CUES[t - 1]) for t in range(1, k + 1)]
        wanted = sum(f ** (k - t) * w for t, w in enumerate(written, start=1))
        assert c[k] == pytest.approx(wanted, abs=1e-15)


@pytest.mark.parametrize("o", [0.0, 0.5, 1.0])
def test_the_cell_reads_the_end_of_the_belt_through_the_output_gate(o):
    assert cell(0.7, 0.4, o) == pytest.approx(o * math.tanh(belt(0.7, 0.4)[-1]), abs=1e-15)


def test_an_open_belt_and_a_shut_input_gate_keep_the_subject_alone():
    np.testing.assert_allclose(belt(1, 0), [0, 0, *[math.tanh(1.2)] * 6])


def test_with_the_belt_cut_only_the_last_word_is_left():
    assert belt(0, 1)[-1] == pytest.approx(math.tanh(-0.9))
    assert verdict(cell(0, 1, 1)) == "singular"


def test_the_blame_that_reaches_the_subject_is_f_to_the_fifth():
    f, i, nudge = 0.97, 0.4, 1e-6
    moved = belt(f, i)[2] + nudge  # after "flowers"; the rest of the sentence from there
    for v in CUES[2:]:
        moved = f * moved + i * math.tanh(v)
    assert (moved - belt(f, i)[-1]) / nudge == pytest.approx(0.97**5, rel=1e-6)


def test_the_verdict_is_the_sign():
    assert verdict(0.01) == "plural"
    assert verdict(-0.01) == "singular"
    assert verdict(cell(0.6, 0.8, 1.0)) == "singular"
    assert verdict(cell(1.0, 0.1, 1.0)) == "plural"


def test_every_word_has_its_cue():
    cue = dict(zip(SENTENCE, CUES, strict=True))
    assert len(SENTENCE) == 7
    assert SENTENCE.index("flowers") == 1
    assert SENTENCE[-1] == "market"
    assert cue["flowers"] > 0
    assert cue["she"] < 0
    assert cue["market"] < 0
