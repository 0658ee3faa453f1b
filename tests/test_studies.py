from dataclasses import fields, replace

import numpy as np
import pytest

from lesson20 import records
from lesson20.studies import STUDIES
from lesson20.studies.clipping import cliff, cliff_surface
from second_road import assert_agrees, differences


def some(name, seeds=(0,), **changes):
    """The record of a study at a few settings of its own."""
    study = STUDIES[name]
    return study.run(replace(study.settings, seeds=seeds, **changes))


def test_after_150_steps_an_rnn_follows_the_nearest_noun_whatever_the_subject():
    record = some("agreement", at=(150,))
    rnn = record.cell.index("rnn")
    assert record.other.shape == record.same.shape == (2, 1, 1, 4)
    assert record.same[rnn].mean() >= 0.9
    assert record.other[rnn, ..., record.attractors >= 2].mean() <= 0.3


def test_both_nets_get_there_in_the_end():
    record = some("agreement", seeds=(1,), at=(400,))
    assert record.other[..., :3].mean(axis=-1).min() >= 0.9


def test_few_units_of_an_lstm_cost_much():
    record = some("number-unit", seeds=(3,), rnn_seeds=(), steps=350)
    assert record.accuracy[0] >= 0.9
    assert (record.drop >= 0.1).sum() <= 5
    assert record.plain[0] >= 0.9
    assert record.f.shape == record.i.shape == (1, 7)
    assert record.c_plural.shape == (1, len(record.words))
    assert record.kept == 3
    assert record.model.parameters["W"].shape == (128, 40)


def test_a_large_forget_bias_learns_at_once_what_none_does_not_learn():
    recall = tuple((40, net) for net in ("orthogonal", "lstm 0", "lstm 5"))
    record = some("forget-bias", recall=recall, recall_steps=150, adding=())
    orthogonal, none, large = record.accuracy >= record.solved
    assert orthogonal.all()
    assert large.all()
    assert not none.any()
    assert (record.recall_step[1] == 150).all()
    assert record.error.size == 0


def test_an_identity_learns_to_add_and_a_plain_rnn_does_not():
    record = some(
        "forget-bias",
        seeds=(),
        recall=(),
        adding=("irnn", "rnn"),
        adding_seeds=(0,),
        adding_steps=600,
    )
    irnn, rnn = record.error[:, 0]
    assert irnn < record.adding_solved
    assert rnn > 0.05


def test_clipping_keeps_a_net_on_its_way():
    """Over a cliff and into the valley; and a short task with and without the regulariser."""
    record = some("clipping", long_seeds=(), steps=300, cliff_steps=1500)
    sgd, _, regularised = record.accuracy[:, 0]
    assert sgd < 0.5
    assert regularised >= record.solved
    assert record.norm[0, 0] > record.threshold
    assert record.cliff_loss[0, -1] > 0.05
    assert record.cliff_loss[1, -1] < 1e-5
    assert record.cliff_norm[0] > 100


@pytest.mark.parametrize("p", [(5.0, -2.0), (1.0, 0.3)])
def test_the_slope_of_the_cliff_agrees_with_central_differences(p):
    assert_agrees(cliff(*p, steps=7)[1:], differences(lambda q: cliff(*q, steps=7)[0], p))


def test_the_surface_of_the_cliff_is_its_loss_everywhere():
    w, b = np.array([3.9, 5.5]), np.array([[-1.9], [-2.6], [-3.2]])
    E = [[cliff(x, y, steps=9)[0] for x in w] for (y,) in b.tolist()]
    np.testing.assert_allclose(cliff_surface(w, b, steps=9), E, rtol=1e-12)


def test_the_further_back_the_less_blame_unless_the_gate_stays_open():
    study = STUDIES["blame-by-distance"]
    training = replace(study.settings.training, seeds=(0,), recall_steps=75)
    record = study.run(replace(study.settings, training=training, trained=(5,)))
    at = {int(b): n for n, b in enumerate(record.b_f)}
    assert record.rnn[0] == record.orthogonal[0] == pytest.approx(1)
    assert np.allclose(record.direct[:, 0], 1)
    assert record.rnn[-1] < 1e-6
    assert record.orthogonal[-1] > 1e-3
    assert record.total[at[5], -1] > 1
    assert record.total[at[0], -1] < 1e-3
    assert record.direct[at[5], -1] == pytest.approx((1 / (1 + np.exp(-5))) ** 39, rel=0.2)
    assert record.trained_total.shape == record.trained_direct.shape == (1, 40)


def test_what_holds_a_bit_lets_no_blame_through():
    record = some("dilemma", T=())
    assert record.slope == pytest.approx([0.619, 0.394, 0.166, 0.031], abs=5e-4)
    assert record.gain[-1] == pytest.approx(2e-76, rel=0.5)
    noise = record.noise.argmax()
    assert record.kept[-1, noise] > 0.99
    assert record.kept[0, noise] < 0.6
    assert record.belt_kept == pytest.approx([0.556, 0.921, 1.0], abs=0.03)  # Φ(1/(i σ √200))
    conclusions = STUDIES["dilemma"].conclusions(record)
    assert len(conclusions) == 3  # nothing was trained, and nothing is said of it
    assert all(conclusion.holds for conclusion in conclusions)
    assert record.accuracy.shape == record.step.shape == (2, 0, 1)


def test_a_tanh_net_learns_to_hold_a_bit_for_a_moment_and_an_lstm_for_long():
    record = some("dilemma", runs=2, T=(5, 80), seeds=(1,), learning_steps=150)
    rnn, lstm = record.accuracy[..., 0] >= record.solved
    assert rnn.tolist() == [True, False]
    assert lstm.tolist() == [True, True]
    assert record.accuracy[0, 1] < 0.7
    assert record.step[0, 1] == record.most_steps == 150
    assert (record.step[1] < 150).all()


def test_without_a_forget_gate_the_belt_grows():
    record = some("forget-gate", steps=150)
    modern, old = record.largest[:, 0]
    assert old > 150
    assert modern < 100
    assert record.f_at_stop.min() < 0.4
    assert record.belt.max(axis=-1) == pytest.approx(record.largest, rel=0.1)
    assert (np.diff(record.belt[1, 0])[:20] > 0).mean() > 0.6


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("agreement", {"seeds": (0, 1), "at": (3,), "sentences": 5}),
        ("number-unit", {"seeds": (0,), "rnn_seeds": (0,), "H": 4, "steps": 3, "sentences": 5}),
        ("forget-gate", {"seeds": (0,), "steps": 2, "words": 20}),
        ("clipping", {"seeds": (0,), "long_seeds": (0,), "steps": 3, "long_steps": 3}),
        ("dilemma", {"seeds": (0, 1), "runs": 9, "T": (2, 3), "learning_steps": 3}),
    ],
)
def test_pieces_do_not_depend_on_each_other(name, changes):
    study = STUDIES[name]
    settings = replace(
        study.settings, **changes, **({"cliff_steps": 9} if name == "clipping" else {})
    )
    pieces = study.pieces(settings)
    forwards = {piece: run() for piece, run in pieces.items()}
    backwards = {piece: run() for piece, run in reversed(pieces.items())}
    one, other = (study.assemble(settings, found) for found in (forwards, backwards))
    for field in fields(one):
        assert np.array_equal(getattr(one, field.name), getattr(other, field.name)), field.name


def test_a_run_tells_how_far_it_is():
    study, told = STUDIES["dilemma"], []
    study.run(replace(study.settings, runs=2, T=()), progress=lambda n, of: told.append((n, of)))
    assert told == [(1, 1)]
    with pytest.raises(TypeError, match="settings: expected DilemmaSettings"):
        study.run(STUDIES["clipping"].settings)


# A conclusion that cannot fail says nothing: each is tried on a record that denies it.

DENIED = {
    "agreement": {"other": lambda r: 1 - r.other, "same": lambda r: 0 * r.same},
    "number-unit": {
        "accuracy": lambda r: 0 * r.accuracy,
        "drop": lambda r: 0.2 + 0 * r.drop,
        "plain": lambda r: 0 * r.plain,
        "c_plural": lambda r: r.c_singular,
        "f": lambda r: 0.5 + 0 * r.f,
    },
    "forget-bias": {
        "accuracy": lambda r: (r.accuracy < r.solved).astype(float),
        "error": lambda r: 1 + 0 * r.error,
    },
    "clipping": {
        "accuracy": lambda r: (r.accuracy < r.solved).astype(float),
        "long_accuracy": lambda r: (r.long_accuracy < r.solved).astype(float),
        "cliff_loss": lambda r: r.cliff_loss[::-1],
    },
    "blame-by-distance": {
        "rnn": lambda r: 1 + 0 * r.rnn,
        "total": lambda r: r.total[::-1],
        "direct": lambda r: 2 * r.direct,
        "trained_total": lambda r: r.trained_direct,
    },
    "dilemma": {"kept": lambda r: r.kept[::-1], "gain": lambda r: 1 + 0 * r.gain,
                "belt_kept": lambda r: 0.5 + 0 * r.belt_kept,
                "accuracy": lambda r: (r.accuracy < r.solved).astype(float),
                "step": lambda r: r.step[:, ::-1]},
    "forget-gate": {
        "largest": lambda r: r.largest[::-1],
        "accuracy": lambda r: r.accuracy[::-1],
        "f_at_stop": lambda r: 1 + 0 * r.f_at_stop,
    },
}  # fmt: skip


@pytest.mark.parametrize("name", STUDIES)
def test_every_conclusion_can_fail(name, record_of):
    study, record = STUDIES[name], record_of(name)
    denied = replace(record, **{field: change(record) for field, change in DENIED[name].items()})
    still = [conclusion.sentence for conclusion in study.conclusions(denied) if conclusion.holds]
    assert not still


@pytest.fixture
def record_of():
    return lambda name: records.stored(name).record
