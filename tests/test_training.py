from functools import partial

import numpy as np
import pytest

from lesson20 import blame, rnn, training
from lesson20.rnn import RNN
from lesson20.training import (
    CELLS,
    SGD,
    Adam,
    Batch,
    Model,
    clip,
    cross_entropy,
    mean_squared_error,
    regulariser,
    train,
)
from second_road import assert_agrees, differences


@pytest.fixture
def rng():
    return np.random.default_rng(20)


def a_model(rng, cell, *, words=True, loss="cross-entropy"):
    model = Model.random(rng, cell, H=4, D=3, K=5, V=6 if words else None, loss=loss)
    for name in model.parameters:
        model.parameters[name] += 0.5 * rng.normal(size=model.parameters[name].shape)
    return model


def a_batch(rng, *, words=True, loss="cross-entropy", T=6, B=3):
    x = rng.integers(6, size=(T, B)) if words else rng.normal(size=(T, B, 3))
    y = rng.integers(5, size=(T, B)) if loss == "cross-entropy" else rng.normal(size=(T, B, 5))
    mask = np.ones((T, B))
    mask[:2, 1] = mask[-1, 2] = 0
    return Batch(x, y, mask)


def test_cross_entropy_is_the_equation_written_out(rng):
    logits, y = rng.normal(size=(4, 2, 3)), rng.integers(3, size=(4, 2))
    mask = np.array([[1, 0], [1, 1], [0, 0], [1, 0.0]])
    loss, gradient = cross_entropy(logits, y, mask)
    p = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    counted = [-np.log(p[t, n, y[t, n]]) for t, n in np.argwhere(mask)]
    assert len(counted) == 4
    assert loss == pytest.approx(np.mean(counted), rel=1e-13)
    assert_agrees(gradient, differences(lambda z: cross_entropy(z, y, mask)[0], logits))
    assert not gradient[mask == 0].any()


def test_cross_entropy_bears_scores_of_any_size():
    loss, gradient = cross_entropy([[1e200, 0.0], [-1e200, -1e200]], [0, 1])
    assert loss == pytest.approx(np.log(2) / 2)
    np.testing.assert_allclose(gradient, [[0, 0], [0.25, -0.25]])


def test_a_word_that_does_not_count_is_not_read(rng):
    logits = rng.normal(size=(2, 3))
    assert cross_entropy(logits, [1, -7], [1, 0])[0] == cross_entropy(logits[:1], [1])[0]


def test_the_squared_error_is_the_equation_written_out(rng):
    y_hat, y = rng.normal(size=(2, 3, 2, 4))
    mask = np.array([[1, 0], [1, 1], [0, 0.0]])
    loss, gradient = mean_squared_error(y_hat, y, mask)
    assert loss == pytest.approx(np.mean((y_hat - y)[mask > 0] ** 2), rel=1e-13)
    assert_agrees(gradient, differences(lambda a: mean_squared_error(a, y, mask)[0], y_hat))


@pytest.mark.parametrize("words", [True, False])
@pytest.mark.parametrize("loss", training.LOSSES)
@pytest.mark.parametrize("cell", CELLS)
def test_every_gradient_of_a_model_agrees_with_central_differences(rng, cell, loss, words):
    model, batch = a_model(rng, cell, words=words, loss=loss), a_batch(rng, words=words, loss=loss)
    gradients = model.learn(batch).gradients
    assert gradients.keys() == model.parameters.keys()
    for name, p in model.parameters.items():

        def with_p(value, name=name):
            changed = Model(model.parameters | {name: value}, cell, loss)
            return changed.learn(batch).loss

        assert_agrees(gradients[name], differences(with_p, p))


@pytest.mark.parametrize("cell", CELLS)
def test_reading_goes_on_where_a_run_ended(rng, cell):
    model, batch = a_model(rng, cell), a_batch(rng)
    whole, half = model.run(batch.x), model.run(batch.x[:4])
    rest = model.run(batch.x[4:], half)
    np.testing.assert_allclose(rest.outputs, whole.outputs[4:], rtol=1e-12)
    assert not np.allclose(model.run(batch.x[4:]).outputs, rest.outputs)


@pytest.mark.parametrize("cell", CELLS)
def test_a_silenced_unit_is_heard_by_nobody(rng, cell):
    model, batch = a_model(rng, cell), a_batch(rng)
    before = model.run(batch.x).outputs
    silenced = model.without(2)
    row = {"rnn": 2, "lstm": -2}["lstm" if cell.startswith("lstm") else "rnn"]
    same = silenced.run(batch.x).outputs
    assert not np.allclose(same, before)
    silenced.parameters["b"][row] += 1  # the unit itself may do as it likes
    if row == 2:
        assert np.array_equal(silenced.run(batch.x).outputs, same)
    assert np.array_equal(model.run(batch.x).outputs, before)


def test_models_start_as_they_say(rng):
    orthogonal = Model.random(rng, "orthogonal", H=8, D=3, K=2).parameters["W_h"]
    np.testing.assert_allclose(orthogonal @ orthogonal.T, np.eye(8), atol=1e-12)
    irnn = Model.random(rng, "irnn", H=8, D=3, K=2)
    assert np.array_equal(irnn.parameters["W_h"], np.eye(8))
    assert irnn.net.activation == "relu"
    lstm = Model.random(rng, "lstm", H=300, D=100, K=2, forget_bias=2.5)
    assert np.array_equal(lstm.net.b_f, [2.5] * 300)
    assert not lstm.parameters["b"][300:].any()
    limit = 1 / np.sqrt(300)
    assert 0.99 * limit < np.abs(lstm.parameters["W"]).max() <= limit
    scaled = Model.random(rng, "rnn", H=300, D=9, K=2, scale=0.1)
    assert scaled.parameters["W_h"].std() == pytest.approx(0.1, rel=0.02)
    assert not Model.random(rng, "lstm 1997", H=3, D=2, K=2).net.forget_gate


def test_plain_descent_goes_down_the_gradient():
    p = {"a": np.array([1.0, 2.0]), "b": np.array([[3.0]])}
    SGD(0.5).step(p, {"b": np.array([[2.0]]), "a": np.array([2.0, -2.0])})
    assert np.array_equal(p["a"], [0, 3])
    assert np.array_equal(p["b"], [[2]])


def test_adam_is_the_equation_written_out(rng):
    p = {"a": rng.normal(size=3)}
    wanted, m, v = p["a"].copy(), np.zeros(3), np.zeros(3)
    adam = Adam(0.1, beta_1=0.8, beta_2=0.9, epsilon=0.01)
    for t in range(1, 6):
        g = rng.normal(size=3)
        adam.step(p, {"a": g})
        m, v = 0.8 * m + 0.2 * g, 0.9 * v + 0.1 * g**2
        wanted = wanted - 0.1 * (m / (1 - 0.8**t)) / (np.sqrt(v / (1 - 0.9**t)) + 0.01)
        np.testing.assert_allclose(p["a"], wanted, rtol=1e-12)
    assert adam.steps == 5


def test_clipping_is_that_of_the_lesson_but_for_a_hair(rng):
    gradients = {"a": rng.normal(size=(3, 2)), "b": rng.normal(size=4)}
    clipped, norm = clip(gradients, 0.5)
    exact, same = blame.clip_by_global_norm(gradients, 0.5)
    assert norm == same
    for name in gradients:
        np.testing.assert_allclose(clipped[name], exact[name] * norm / (norm + 1e-6), rtol=1e-14)
        assert not np.array_equal(clipped[name], exact[name])
    untouched, _ = clip(gradients, 100)
    assert all(np.array_equal(untouched[name], g) for name, g in gradients.items())


def regulariser_written_out(net, h, delta):
    total = 0.0
    for n in range(h.shape[1]):
        for t in range(1, len(h)):
            back = delta[t, n] @ net.step_jacobian(h[t, n])
            total += (np.linalg.norm(back) / np.linalg.norm(delta[t, n]) - 1) ** 2
    return total / h.shape[1]


@pytest.mark.parametrize("activation", ["tanh", "sigmoid"])
def test_the_regulariser_and_its_immediate_gradient(rng, activation):
    net = RNN.random(rng, 4, 3, activation=activation)
    h = rnn.unroll(net, rng.normal(size=(5, 2, 3)))
    delta = rng.normal(size=h.shape)

    def omega(W_h):  # h and delta are held still: that is what "immediate" means
        return regulariser(RNN(net.W_x, W_h, net.b, activation), h, delta)[0]

    value, gradient = regulariser(net, h, delta)
    assert value == pytest.approx(regulariser_written_out(net, h, delta), rel=1e-12)
    assert_agrees(gradient, differences(omega, net.W_h))


def test_the_regulariser_leaves_out_what_has_no_direction(rng):
    net = RNN.random(rng, 4, 3)
    h = rnn.unroll(net, rng.normal(size=(5, 3)))
    delta = np.zeros((6, 4))
    assert regulariser(net, h, delta)[0] == 0
    delta[3] = [1, 2, 3, 4]
    whole = regulariser(net, h, delta)[0]
    assert whole == pytest.approx(regulariser(net, h, 1e-100 * delta)[0])
    assert whole > 0
    assert not regulariser(RNN(net.W_x, np.zeros((4, 4))), h, delta)[1].any()  # no direction at 0


def test_an_orthogonal_net_at_rest_pays_nothing(rng):
    model = Model.random(rng, "orthogonal", H=6, D=2, K=2)
    h = rnn.unroll(model.net, np.zeros((5, 2)))
    assert regulariser(model.net, h, rng.normal(size=h.shape))[0] < 1e-25


def test_alpha_adds_the_regulariser_to_the_gradient_of_w_h_alone(rng):
    model, batch = a_model(rng, "rnn"), a_batch(rng)
    plain, more = model.learn(batch), model.learn(batch, alpha=3.0)
    error = cross_entropy(plain.run.outputs, batch.y, batch.mask)[1] @ model.parameters["W_y"]
    delta = blame.bptt(model.net, plain.run.x, plain.run.h, error).h
    wanted = plain.gradients["W_h"] + 3 * regulariser(model.net, plain.run.h, delta)[1]
    np.testing.assert_allclose(more.gradients["W_h"], wanted, rtol=1e-12)
    for name in plain.gradients.keys() - {"W_h"}:
        assert np.array_equal(plain.gradients[name], more.gradients[name])
    with pytest.raises(ValueError, match="alpha: expected 0 for an LSTM, got 1"):
        a_model(rng, "lstm").learn(batch, alpha=1.0)


@pytest.mark.parametrize("cell", CELLS)
def test_every_cell_learns_a_batch_by_heart(rng, cell):
    model, batch = Model.random(rng, cell, H=8, D=3, K=5, V=6), a_batch(rng)
    losses = train(model, lambda: batch, Adam(0.05), 150, threshold=1.0)
    assert losses[0] == pytest.approx(np.log(5), abs=0.5)
    assert losses[-1] < 0.1


def test_the_loop_tells_how_it_goes_and_ends_when_told(rng):
    model, batch, steps, done = a_model(rng, "rnn"), a_batch(rng), [], []

    def look(step):
        steps.append(step)
        return step.number == 3

    losses = train(
        model, lambda: batch, SGD(0.1), 10, threshold=1e-3, callback=look,
        progress=lambda n, of: done.append((n, of)),
    )  # fmt: skip
    assert [step.number for step in steps] == [1, 2, 3]
    assert done == [(1, 10), (2, 10), (3, 10)]
    assert np.array_equal(losses, [step.loss for step in steps])
    assert all(step.norm > 1e-3 for step in steps)  # before clipping
    train(model, lambda: batch, SGD(0.1), 1, callback=steps.append)
    assert np.isnan(steps[-1].norm)


WRONG = [
    (partial(cross_entropy, [[0.0, 1.0]], [2]), ValueError, "y: expected words from 0 to 1, got 2"),
    (partial(cross_entropy, [[0.0, 1.0]], [0.0]), TypeError, "y: expected integers"),
    (partial(cross_entropy, [[0.0, 1.0]], [0, 1]), ValueError, r"y: expected shape \(1,\)"),
    (partial(cross_entropy, [[0.0, 1.0]], [0], [0.5]), ValueError, "mask: expected zeros and ones"),
    (partial(cross_entropy, [[0.0, 1.0]], [0], [0]), ValueError, "mask: expected at least one"),
    (partial(cross_entropy, [[np.nan, 1.0]], [0]), ValueError, "logits: expected finite"),
    (partial(mean_squared_error, [[1.0]], [[1.0, 2.0]]), ValueError, "y: expected shape"),
    (partial(mean_squared_error, [[1e200]], [[0.0]]), ValueError, "y_hat: too large"),
    (partial(SGD, 0), ValueError, "learning_rate: expected a number above 0"),
    (partial(Adam, 0.1, beta_1=1.0), ValueError, "beta_1: expected a number at least 0"),
    (partial(Model, {}, "lstm"), ValueError, "parameters: expected W, W_y, b, b_y"),
    (partial(Model, {}, "gru"), ValueError, "cell: expected one of rnn"),
    (partial(train, None, None, None, 1), TypeError, "model: expected Model"),
]


@pytest.mark.parametrize(("call", "error", "message"), WRONG)
def test_a_wrong_argument_is_named(call, error, message):
    with pytest.raises(error, match=f"^{message}"):
        call()


def test_a_gradient_must_fit_its_parameter(rng):
    p = {"a": np.zeros(2)}
    with pytest.raises(ValueError, match=r"gradients: expected \['a'\], got \['b'\]"):
        SGD(1).step(p, {"b": np.zeros(2)})
    with pytest.raises(ValueError, match=r"gradients\['a'\]: expected shape \(2,\), got \(3,\)"):
        SGD(1).step(p, {"a": np.zeros(3)})
    with pytest.raises(ValueError, match="gradients: expected finite numbers"):
        Adam().step(p, {"a": np.array([0, np.inf])})
    adam = Adam()
    adam.step(p, {"a": np.zeros(2)})
    with pytest.raises(ValueError, match="gradients: expected 2 numbers as before, got 1"):
        adam.step({"a": np.zeros(1)}, {"a": np.zeros(1)})
    model = a_model(rng, "lstm")
    with pytest.raises(ValueError, match="x: expected words from 0 to 5, got 6"):
        model.run([[6]])
    with pytest.raises(ValueError, match="unit: expected an integer of at most 3, got 4"):
        model.without(4)
