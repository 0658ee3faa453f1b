"""The checkers know right from wrong, and what is wrong; and the page has an exercise for all."""

import inspect
import io
import math
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np
import pytest

from lesson20 import attempts, blame, exercises, lstm
from lesson20.attempts import Report
from lesson20.rnn import RNN, sigmoid

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/exercises.md").read_text(encoding="utf-8")
CHECKERS = {
    name: checker
    for name, checker in vars(exercises).items()
    if name.startswith("check_") and inspect.isfunction(checker)
}


# What is right, in several ways of writing it.


def step_by_units(net, x, h):
    return [
        math.tanh(sum(net.W_x[i] * x) + sum(net.W_h[i, j] * h[j] for j in range(len(h))) + net.b[i])
        for i in range(len(h))
    ]


def step_stacked(net, x, h):
    return np.tanh(np.hstack([net.W_x, net.W_h, net.b[:, None]]) @ np.concatenate([x, h, [1]]))


def jacobian_by_nudges(net, x, h, nudge=1e-6):
    columns = [net.step(x, h + e) - net.step(x, h - e) for e in nudge * np.eye(len(h))]
    return np.transpose(columns) / (2 * nudge)


def products_from_scratch(J):
    def product(k):
        P = np.eye(J.shape[-1])
        for t in range(k, len(J)):
            P = J[t] @ P
        return P.tolist()

    return [product(k) for k in range(len(J) + 1)]


def send_back_by_the_sum(net, h, direct):
    J, delta = blame.jacobians(net, h), np.zeros_like(h)
    for t in range(1, len(h)):
        for k, P in enumerate(blame.products(J[:t])):
            delta[k] += direct[t - 1] @ P
    return delta


def gradient_by_entries(h, delta):
    T, H = len(h) - 1, h.shape[1]
    return [
        [
            sum((1 - h[t, i] ** 2) * delta[t, i] * h[t - 1, j] for t in range(1, T + 1))
            for j in range(H)
        ]
        for i in range(H)
    ]


def clip_as_one_vector(gradients, threshold):
    g = np.concatenate([a.ravel() for a in gradients])
    g = g / max(1, np.linalg.norm(g) / threshold)
    ends = np.cumsum([a.size for a in gradients])[:-1]
    pieces = np.split(g, ends)
    return tuple(piece.reshape(a.shape) for piece, a in zip(pieces, gradients, strict=True))


def clip_to_lists(gradients, threshold):
    return [g.tolist() for g in blame.clip_by_global_norm(gradients, threshold)[0]]


def lstm_step_all_at_once(net, x, h, c):
    z = net.W @ np.concatenate([h, x]) + net.b
    f, i, o, _ = sigmoid(z).reshape(4, -1)
    c = f * c + i * np.tanh(z[-len(h) :])
    return [o * np.tanh(c), c]


def forget_bias_by_bisection(half_life):
    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if lstm.half_life(middle) < half_life else (low, middle)
    return np.float32(middle)


def log_gain_by_chunks(g, steps):
    """Fifty steps at a time, each time as far as floats reach."""
    c, s = np.cos(0.8), np.sin(0.8)
    net = RNN(np.eye(2), g * np.array([[c, -s], [s, c]]))
    h, P, total = np.zeros(2), np.eye(2), 0.0
    for t in range(steps):
        h = net.step([0.5, -0.3], h)
        P = net.step_jacobian(h) @ P
        if t % 50 == 49:
            size = np.abs(P).max()
            P, total = P / size, total + math.log(size)
    return total + math.log(blame.rms_gain(P))


def gates_by_table(kind):
    table = {"subject": (0.05, 0.95), "noun": (0.995, 0.002), "verb": (0.03, 0.5)}
    return np.array(table.get(kind, (0.995, 0.002)))


RIGHT = [
    (exercises.check_step, RNN.step),
    (exercises.check_step, step_by_units),
    (exercises.check_step, step_stacked),
    (exercises.check_step, lambda net, x, h: net.step(x, h).astype(np.float32)),
    (exercises.check_jacobian, jacobian_by_nudges),
    (exercises.check_jacobian, lambda net, x, h: np.diag(1 - net.step(x, h) ** 2) @ net.W_h),
    (exercises.check_products, blame.products),
    (exercises.check_products, products_from_scratch),
    (exercises.check_send_back, send_back_by_the_sum),
    (exercises.check_gradient, gradient_by_entries),
    (exercises.check_clip, clip_as_one_vector),
    (exercises.check_clip, clip_to_lists),
    (exercises.check_lstm_step, lstm_step_all_at_once),
    (exercises.check_lstm_step, lambda net, x, h, c: net.step(x, h, c)[:-3:-1]),
    (exercises.check_forget_bias, forget_bias_by_bisection),
    (exercises.check_forget_bias, lambda n: -np.log(np.expm1(np.log(2) / n))),
    (exercises.check_log_gain, log_gain_by_chunks),
    (exercises.check_number_unit, gates_by_table),
]


@pytest.mark.parametrize(("checker", "attempt"), RIGHT)
def test_what_is_right_is_said_to_be_in_one_line(checker, attempt):
    report = checker(attempt)
    assert report, report
    assert re.fullmatch("Right: .*\n?", repr(report))
    assert report.message == str(report)
    assert report.arguments == {}


def test_each_checker_accepts_something():
    assert {checker for checker, _ in RIGHT} == set(CHECKERS.values())


# What is wrong. These are written as a reader would; the slips of the checkers are tried below.


def one_step_back_of_another(net, h, direct):
    delta = np.vstack([np.zeros(net.H), direct])
    for t in range(len(direct)):  # from the front: the later ones are not complete yet
        delta[t] += ((1 - h[t + 1] ** 2) * delta[t + 1]) @ net.W_h
    return delta


def one_bias(net, x, h, c):
    read = np.concatenate([h, x])
    f = sigmoid(net.W_f @ read + net.b_f)
    i = sigmoid(net.W_i @ read + net.b_f)
    o = sigmoid(net.W_o @ read + net.b_f)
    c = f * c + i * np.tanh(net.W_c @ read + net.b_f)
    return o * np.tanh(c), c


def copied_weights(net, x, h, c):
    read = np.concatenate([h, x])
    f = sigmoid(net.W_f @ read + net.b_f)
    i = sigmoid(net.W_i @ read + net.b_i)
    o = sigmoid(net.W_i @ read + net.b_o)
    c = f * c + i * np.tanh(net.W_c @ read + net.b_c)
    return o * np.tanh(c), c


def in_place(net, x, h):
    h *= 0.5
    return net.step(x, 2 * h)


def clipped_in_place(gradients, threshold):
    norm = math.sqrt(sum(float(np.sum(g**2)) for g in gradients))
    for n, g in enumerate(gradients):
        gradients[n] = g * min(1, threshold / norm) if norm else g
    return gradients


class Remembering:
    """Right the first time only."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, net, x, h):
        self.calls += 1
        return net.step(x, h) if self.calls <= 3 else h


def noun_written(kind):
    return {"subject": (0.01, 0.99), "noun": (0.99, 0.7), "verb": (0.01, 0.01)}.get(
        kind, (0.99, 0.01)
    )


def changed(**kinds):
    right = {"subject": (0.01, 0.99), "verb": (0.01, 0.01)} | kinds
    return lambda kind: right.get(kind, (0.99, 0.01))


WRONG = [
    (
        exercises.check_step,
        lambda net, x, h: net.W_x @ x + net.W_h @ h + net.b,
        "before the squash",
    ),
    (
        exercises.check_step,
        lambda net, x, h: np.tanh(x @ net.W_x.T + h @ net.W_h + net.b),
        "transp",
    ),
    (
        exercises.check_step,
        lambda net, x, h: np.tanh(net.W_x @ h + net.W_h @ x + net.b),
        "changed pl",
    ),
    (exercises.check_step, lambda net, x, h: 2 * net.step(x, h), "it is 2 times what is right"),
    (exercises.check_step, lambda net, x, h: 1.001 * net.step(x, h), "it is 1.001 times"),
    (exercises.check_step, lambda net, x, h: -net.step(x, h), "right but for the sign"),
    (exercises.check_step, lambda net, x, h: net.step(x, h) + 0.5, "what is right and 0.5 more"),
    (
        exercises.check_step,
        lambda net, x, h: net.step(x, h) ** 3,
        "no slip that this checker knows",
    ),
    (exercises.check_step, in_place, "changes its argument h in place"),
    (exercises.check_step, Remembering(), "keeps something between two calls"),
    (exercises.check_jacobian, lambda net, x, h: (1 - net.step(x, h) ** 2) * net.W_h, "columns"),
    (
        exercises.check_jacobian,
        lambda net, x, h: net.W_h.T * (1 - net.step(x, h) ** 2),
        "transposed",
    ),
    (exercises.check_products, lambda J: blame.products(J)[1:], r"shape \(T\+1=2, H=2, H=2\)"),
    (exercises.check_products, lambda J: blame.products(J)[:-1], "the entry for k = T is missing"),
    (
        exercises.check_products,
        lambda J: [
            np.linalg.multi_dot([np.eye(len(J[0])), np.eye(len(J[0])), *J[k:]])
            for k in range(len(J) + 1)
        ],
        "the later Jacobian must stand on the left",
    ),
    (exercises.check_send_back, one_step_back_of_another, "by one step only"),
    (exercises.check_send_back, lambda net, h, direct: direct, "no such delta: expected shape"),
    (exercises.check_gradient, lambda h, delta: delta[1:].T @ h[:-1], "slope of tanh is missing"),
    (
        exercises.check_clip,
        lambda gs, th: [g * min(1, th / (np.linalg.norm(g) or 1)) for g in gs],
        "by the global norm",
    ),
    (
        exercises.check_clip,
        lambda gs, th: [th * g / np.sqrt(sum(np.sum(a**2) for a in gs)) for g in gs],
        "a gradient shorter than θ is made longer",
    ),
    (exercises.check_clip, lambda gs, th: [g.clip(-th, th) for g in gs], "each entry is clipped"),
    (exercises.check_clip, blame.clip_by_global_norm, "should return 3 arrays"),
    (exercises.check_clip, clipped_in_place, "changes its argument gradients in place"),
    (exercises.check_lstm_step, one_bias, "your gates share one bias"),
    (exercises.check_lstm_step, copied_weights, "the output gate is computed with W_i"),
    (exercises.check_lstm_step, lambda net, x, h, c: net.step(x, h, c)[-2:], "exchanged"),
    (exercises.check_lstm_step, lambda net, x, h, c: net.step(x, h, c), "returns 6 values"),
    (exercises.check_forget_bias, lambda n: 0.5 ** (1 / n), "the forget gate f itself"),
    (exercises.check_forget_bias, lambda n: -math.log(math.expm1(1 / n)), "1/e is left"),
    (exercises.check_forget_bias, lambda n: math.log(n - 1), "1/e after n steps"),
    (
        exercises.check_forget_bias,
        lambda n: math.log10(1 / math.expm1(math.log(2) / n)),
        "0.4343 times",
    ),
    (
        exercises.check_log_gain,
        lambda g, n: math.log(blame.influence(g, n)),
        "the product has become 0",
    ),
    (
        exercises.check_log_gain,
        lambda g, n: np.log(blame.influence(g, n)),
        "the product has become 0",
    ),
    (exercises.check_log_gain, lambda g, n: n * np.log(g), "it is the bound"),
    (exercises.check_number_unit, noun_written, "nouns in between are written too"),
    (exercises.check_number_unit, changed(word=(0.99, 0.6)), "small words in between are written"),
    (exercises.check_number_unit, changed(word=(0.8, 0.01)), r"only 0.\d+ is left \d+ words later"),
    (exercises.check_number_unit, changed(subject=(0.01, 0.1)), "the subject is hardly written"),
    (exercises.check_number_unit, changed(verb=(0.99, 0.01)), "the verb does not empty the belt"),
    (exercises.check_number_unit, changed(noun=(1, 0)), "at a noun your f is 1"),
    (exercises.check_number_unit, changed(verb=(0.5, -0.1)), "at a verb your i is -0.1"),
    (exercises.check_number_unit, lambda kind: 0.5, r"expected shape \(2,\)"),
    (exercises.check_number_unit, lambda kind: {"noun": (1, 0)}[kind], "KeyError: 'subject'"),
]


@pytest.mark.parametrize(("checker", "attempt", "said"), WRONG)
def test_what_is_wrong_is_said_with_the_call_that_shows_it(checker, attempt, said):
    report = checker(attempt)
    assert not report
    assert re.match(f"Not yet: .*{said}", report.message), report
    assert report.arguments
    assert repr(report) == report.message


def test_a_sentence_before_that_outweighs_the_subject_is_found():
    report = exercises.check_number_unit(changed(subject=(0.99, 0.5), verb=(0.9, 0.01)))
    assert not report
    number = [cue for kind, cue in report.arguments["sentence"] if kind == "subject"]
    assert len(number) == 1


def test_a_report_holds_the_call_and_what_came_of_it():
    def step(net, x, h):
        return np.zeros_like(h)

    report = exercises.check_step(step)
    assert np.array_equal(report.got, step(**report.arguments))
    net, x, h = report.arguments.values()
    assert np.array_equal(report.expected, net.step(x, h))
    furthest = np.abs(report.expected).argmax()
    assert f"h[{furthest}] should be {report.expected[furthest]:.4g}, and is 0" in report.message


# Every slip of every checker


def tasks():
    """The task of each checker, caught on its way to the comparison."""
    for name, checker in CHECKERS.items():
        caught: list[attempts.Task] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                exercises, "check", lambda attempt, task, caught=caught: caught.append(task)
            )
            if name != "check_number_unit":
                checker(len)
        for task in caught:
            yield name, task._replace(tries=list(task.tries))


TASKS = dict(tasks())
SLIPS = [
    pytest.param(name, message, wrong, id=f"{name}-{number}")
    for name, task in TASKS.items()
    for number, (message, wrong) in enumerate(
        (message, wrong)
        for message, functions in task.slips.items()
        for wrong in (functions if isinstance(functions, tuple) else (functions,))
    )
]


@pytest.mark.parametrize(("name", "message", "wrong"), SLIPS)
def test_a_slip_is_told_from_every_other(name, message, wrong):
    report = attempts.check(wrong, TASKS[name])
    assert not report
    assert report.message.startswith(f"Not yet: {message}\n")


def test_there_are_slips_to_be_told_apart():
    assert len(TASKS) == len(CHECKERS) - 1
    assert all(len(task.slips) >= 7 for task in TASKS.values())


# Odd attempts

CALLED = [pytest.param(checker, id=name) for name, checker in CHECKERS.items()]


@pytest.mark.parametrize("checker", CALLED)
@pytest.mark.parametrize("thing", [None, 3, "step", np.zeros(3), [len]])
def test_what_cannot_be_called_is_refused(checker, thing):
    with pytest.raises(TypeError, match="expected a function, by its name and without brackets"):
        checker(thing)


ODD = {
    "none": lambda *given: None,
    "text": lambda *given: "0.5",
    "a dict": lambda *given: {"h": 1},
    "a function": lambda *given: len,
    "booleans": lambda *given: [True, False, True],
    "complex": lambda *given: 1j,
    "ragged": lambda *given: [[1.0], [1.0, 2.0]],
    "nan": lambda *given: np.full((3,), np.nan),
    "infinite": lambda *given: math.inf,
    "an empty list": lambda *given: [],
    "a generator": lambda *given: (x for x in [1, 2]),
    "arguments": lambda *given: given,
    "an array of objects": lambda *given: np.array([None, 1]),
    "a net": lambda *given: RNN([[1.0]], [[1.0]]),
    "pairs of text": lambda *given: ("a", "b"),
    "huge": lambda *given: [10**400, 1],
    "a class": dict,
    "a builtin": max,
    "wrong count": lambda: 0,
    "keywords": lambda *, net: 0,
}


@pytest.mark.parametrize("checker", CALLED)
@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_an_odd_attempt_is_answered_in_words(checker, odd):
    report = checker(odd)
    assert isinstance(report, Report)
    assert not report
    assert report.message.startswith("Not yet: ")
    assert len(report.message) < 1000


@pytest.mark.parametrize("checker", CALLED)
def test_an_attempt_that_raises_is_shown_with_its_line(checker):
    def attempt(*given):
        return given[0].nothing_of_that_name

    message = checker(attempt).message
    line = inspect.getsourcelines(attempt)[1] + 1
    assert re.search(
        rf"attempt\(.*\) raises AttributeError: .*, in line {line}: return given\[0\]\.nothing",
        message,
    )


def test_of_nothing_returned_the_reader_is_asked_for_return():
    def step(net, x, h):
        np.tanh(net.W_x @ x + net.W_h @ h + net.b)

    assert "step(net, x, h) returns None. Does it end with `return`?" in repr(
        exercises.check_step(step)
    )


def test_an_attempt_that_wants_other_arguments_is_shown_its_own():
    message = exercises.check_step(lambda x, h: h).message
    assert "is to be called with 3 arguments, and yours takes (x, h)." in message


def test_an_attempt_may_print_and_the_checker_does_not():
    def step(net, x, h):
        print("here")
        return net.step(x, h)

    with redirect_stdout(io.StringIO()) as printed:
        assert exercises.check_step(step)
    assert set(printed.getvalue().split()) == {"here"}


def test_a_change_of_one_attempt_reaches_no_other():
    assert not exercises.check_step(in_place)
    assert exercises.check_step(RNN.step)


def test_a_key_stroke_stops_the_checker():
    def interrupted(*given):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        exercises.check_step(interrupted)


# The page

PAGES = ["recurrent-cell.md", "blame.md", "lstm.md", "in-code.md", "what-next.md"]
KINDS = {"Predict", "Compute", "Prove", "Experiment", "Build"}
# Where the literature or the author's text needed a correction, as headings of sources.md
CORRECTIONS = {
    "the-bound-is-the-largest-singular-value",
    "the-bound-is-sufficient-for-vanishing-necessary-for-exploding",
    "_fh-is-a-root-mean-square-gain",
    "a-threshold-and-a-broad-band-not-a-narrow-window",
    "clipping-cures-explosion-not-vanishing",
    "the-dilemma-of-stable-memory",
    "parameters-do-not-grow-with-the-sentence",
    "an-lstm-has-four-times-the-parameters",
    "along-the-belt-blame-is-multiplied-by-the-forget-gate",
    "the-carousel-of-1997-had-no-forget-gate",
    "a-forget-bias-of-1-does-not-open-the-belt",
    "the-two-printed-runs-of-the-toy-differ-in-two-gates",
    "number-units-in-a-trained-lstm",
    "networks-without-an-lstms-gates-agree-as-well-less-often",
    "eight-layers-each-way",
    "starting-from-the-identity",
}
EXERCISES = re.findall(r"^### (\d+)\. (\w+): .+\n((?:(?!^##).*\n)*)", PAGE, re.MULTILINE)
BELONGS = re.compile(r"\n\*Belongs to \[[^\]]+\]\((?P<page>[\w-]+\.md)[^)]*\)\..*\*\n")


def test_exercises_are_numbered_and_of_every_kind():
    assert [int(number) for number, _, _ in EXERCISES] == list(range(1, len(EXERCISES) + 1))
    assert {kind for _, kind, _ in EXERCISES} == KINDS
    assert len(EXERCISES) == PAGE.count("\n### ")


@pytest.mark.parametrize("number", range(len(EXERCISES)))
def test_an_exercise_has_its_place_a_hint_and_a_solution_that_can_fail(number):
    _, kind, text = EXERCISES[number]
    assert BELONGS.match(text)
    assert re.findall(r"^\?\?\? (.*)$", text, re.MULTILINE) == ['tip "Hint"', 'success "Solution"']
    statement, solution = text.split('??? success "Solution"')
    assert "```python" not in statement
    if kind == "Build":
        [checker] = re.findall(r"exercises\.(check_\w+)\(", statement)
        assert re.search(rf"print\(exercises\.{checker}\(\w+\)\)\n    #> Right: ", solution)
    else:
        assert re.search(r"^    +assert ", solution, re.MULTILINE)


def test_every_page_of_the_lesson_has_an_exercise():
    assert {BELONGS.match(text)["page"] for _, _, text in EXERCISES} == set(PAGES)


def test_every_page_of_the_lesson_leads_to_its_exercises():
    for name in PAGES:
        page = (ROOT / "docs" / name).read_text(encoding="utf-8")
        title = re.search("^# (.*)", page, re.MULTILINE)[1]
        assert f"](exercises.md#{title.lower().replace(' ', '-')})" in page
        assert f"\n## {title}\n" in PAGE


def test_every_correction_has_an_exercise():
    tried = re.findall(r"Claim: \[[^\]]*\]\(reference/sources\.md#([\w-]+)\)\.\*\n", PAGE)
    assert CORRECTIONS - set(tried) == set()


def test_every_checker_has_an_exercise():
    built = {name for _, kind, text in EXERCISES if kind == "Build"
             for name in re.findall(r"exercises\.(check_\w+)", text)}  # fmt: skip
    assert built == set(CHECKERS)


def test_no_callable_but_checkers_is_public():
    own = {
        name
        for name, it in vars(exercises).items()
        if isinstance(it, Callable) and getattr(it, "__module__", "") == exercises.__name__
    }
    assert {name for name in own if not name.startswith("_")} == set(CHECKERS)
