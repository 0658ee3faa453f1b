"""The checkers are checked: a planted fault must turn red every test that is there to see it.

A fault is one replacement in a copy of the package. The tests run on the copy in a process of
their own.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]

# Finite differences, and PyTorch's numbers
STEP_TRIED = "test_rnn.py::test_the_step_jacobian_agrees_with_central_differences"
PRODUCTS_TRIED = "test_blame.py::test_the_products_are_the_derivatives_of_the_last_state"
RNN_TRIED = "test_blame.py::test_backpropagation_agrees_with_central_differences"
LSTM_TRIED = "test_lstm.py::test_backpropagation_agrees_with_central_differences[batch0-True]"
TOTAL_TRIED = "test_lstm.py::test_the_total_path_is_the_derivative_of_the_last_belt[batch0-True]"
PYTORCH = "test_reference.py::test_outputs_loss_and_gradients_are_those_of_pytorch"
# The equations written out
ORDER = "test_blame.py::test_later_steps_stand_on_the_left"
W_H_SUM = "test_blame.py::test_the_gradient_of_w_h_is_the_sum_of_the_equation"
CLIPPING = "test_blame.py::test_clipping_shortens_the_step_and_keeps_its_direction"
AUTHOR = "test_blame.py::test_the_rows_that_the_author_printed_come_out"
LSTM_STEP = "test_lstm.py::test_one_step_is_the_equations_written_out"
LSTM_UNROLL = "test_lstm.py::test_unrolling_repeats_the_step"
TOTAL = "test_lstm.py::test_with_them_it_is_not"
DIRECT = "test_lstm.py::test_the_direct_path_is_the_product_of_the_later_forget_gates"
# Training
MODEL_TRIED = (
    "test_training.py::test_every_gradient_of_a_model_agrees_with_central_differences"
    "[lstm-cross-entropy-True]"
)
ENTROPY = "test_training.py::test_cross_entropy_is_the_equation_written_out"
ADAM = "test_training.py::test_adam_is_the_equation_written_out"
HAIR = "test_training.py::test_clipping_is_that_of_the_lesson_but_for_a_hair"
OMEGA = "test_training.py::test_the_regulariser_and_its_immediate_gradient[tanh]"
ADAM_OF_PYTORCH = (
    "test_reference.py::test_a_short_training_with_adam_and_clipping_is_that_of_pytorch"
    "[trained lstm]"
)


class Fault(NamedTuple):
    """What stands in a module, what is planted in its place, and the tests that must see it."""

    module: str
    right: str
    wrong: str
    seen_by: tuple[str, ...]


FAULTS = {
    "no slope in the step Jacobian": Fault(
        "rnn",
        "self.phi.slope(h_next)[..., None] * self.W_h",
        "np.ones_like(h_next)[..., None] * self.W_h",
        (STEP_TRIED, PRODUCTS_TRIED),
    ),
    "h for h² in the slope of tanh": Fault(
        "rnn", "1.0 - h * h", "1.0 - h", (STEP_TRIED, RNN_TRIED, LSTM_TRIED, PYTORCH)
    ),
    "Jacobians in reversed order": Fault(
        "blame", "P[k + 1] @ J[k]", "J[k] @ P[k + 1]", (PRODUCTS_TRIED, ORDER)
    ),
    "no slope in the author's function": Fault(
        "blame", "P = ((1 - h**2)[:, None] * Wh) @ P", "P = Wh @ P", (AUTHOR,)
    ),
    "no slope in the way back through the RNN": Fault(
        "blame", "net.phi.slope(h[1:])", "np.ones_like(h[1:])", (RNN_TRIED, PYTORCH)
    ),
    "W_h not transposed on the way back": Fault(
        "blame", "dz[t] @ net.W_h", "dz[t] @ net.W_h.T", (RNN_TRIED, PYTORCH)
    ),
    "the state after the word in the gradient of W_h": Fault(
        "blame",
        "W_h=np.tensordot(dz, h[:-1]",
        "W_h=np.tensordot(dz, h[1:]",
        (RNN_TRIED, PYTORCH, W_H_SUM),
    ),
    "each array clipped by its own norm": Fault(
        "blame",
        "[scale * g for g in arrays]",
        "[g * min(1.0, threshold / np.linalg.norm(g)) for g in arrays]",
        (CLIPPING,),
    ),
    "the slope of tanh for f": Fault(
        "lstm", "SIGMOID.slope(f)", "TANH.slope(f)", (LSTM_TRIED, TOTAL_TRIED, PYTORCH)
    ),
    "the slope of tanh for i": Fault(
        "lstm", "SIGMOID.slope(i)", "TANH.slope(i)", (LSTM_TRIED, TOTAL_TRIED, PYTORCH)
    ),
    "the slope of tanh for o": Fault(
        "lstm", "SIGMOID.slope(o)", "TANH.slope(o)", (LSTM_TRIED, TOTAL_TRIED, PYTORCH)
    ),
    "the slope of the sigmoid for c̃": Fault(
        "lstm", "TANH.slope(c_tilde)", "SIGMOID.slope(c_tilde)", (LSTM_TRIED, TOTAL_TRIED, PYTORCH)
    ),
    "no slope between h and the belt": Fault(
        "lstm", "o * TANH.slope(seen) * dh", "o * dh", (LSTM_TRIED, TOTAL_TRIED, PYTORCH)
    ),
    "no forget gate on the way back": Fault(
        "lstm", ", f * dc", ", dc", (LSTM_TRIED, TOTAL_TRIED, PYTORCH)
    ),
    "no blame through h": Fault(
        "lstm",
        "(net.W[:, : net.H].T @ dz)",
        "(0 * net.W[:, : net.H].T @ dz)",
        (LSTM_TRIED, TOTAL_TRIED, PYTORCH, TOTAL),
    ),
    "the state after the word in the gradient of W": Fault(
        "lstm", "dz @ last.h[t].T", "dz @ last.h[t + 1].T", (LSTM_TRIED, PYTORCH)
    ),
    "f and i change places": Fault(
        "lstm",
        "f, i, o, c_tilde = z",
        "i, f, o, c_tilde = z",
        (LSTM_STEP, LSTM_TRIED, PYTORCH),
    ),
    "one bias for all gates": Fault(
        "lstm",
        "rows += net.b[:, None]",
        "z += net.b[:H, None]",
        (LSTM_UNROLL, LSTM_TRIED, PYTORCH),
    ),
    "no tanh between the belt and h": Fault(
        "lstm", "o * np.tanh(c))", "o * c)", (LSTM_STEP, LSTM_TRIED, PYTORCH)
    ),
    "a direct path that is one word short": Fault(
        "lstm", "products[:-1] = np.cumprod(f", "products[:-2] = np.cumprod(f[1:]", (DIRECT,)
    ),
    "every word counts, whatever the mask": Fault(
        "training",
        "share = counted[..., None] / counted.sum()",
        "share = np.ones(counted.shape)[..., None] / counted.size",
        (ENTROPY,),
    ),
    "no correction of Adam's start": Fault(
        "training",
        "self.learning_rate / (1 - self.beta_1**t)",
        "self.learning_rate",
        (ADAM, ADAM_OF_PYTORCH),
    ),
    "ε under the root": Fault(
        "training",
        "change = np.sqrt(v)",
        "change = np.sqrt(v + self.epsilon)",
        (ADAM, ADAM_OF_PYTORCH),
    ),
    "no hair between PyTorch's clipping and ours": Fault(
        "training", "(norm + 1e-6)", "norm", (HAIR, ADAM_OF_PYTORCH)
    ),
    "the words' blame in reversed order": Fault(
        "training",
        "one_hot @ found.x.reshape(-1, D)",
        "one_hot[:, ::-1] @ found.x.reshape(-1, D)",
        (MODEL_TRIED,),
    ),
    "no slope in the regulariser": Fault(
        "training", "dz = (net.phi.slope(h[1:]) * delta[1:])", "dz = delta[1:]", (OMEGA,)
    ),
    "a gradient of the regulariser without its sign": Fault(
        "training", "2 * (ratio - 1), ratio", "2 * np.abs(ratio - 1), ratio", (OMEGA,)
    ),
}
CHECKS = {check for fault in FAULTS.values() for check in fault.seen_by}
IN_THE_COPY = """
import sys, lesson20, pytest
assert lesson20.__file__.startswith(sys.argv[1]), lesson20.__file__
sys.exit(pytest.main(sys.argv[2:]))
"""

type Reds = dict[str, Future[set[str]]]


@pytest.fixture(scope="module")
def reds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reds]:
    """The checks that fail for each fault, and for none; two copies are tried at a time."""
    with ThreadPoolExecutor(2) as pool:
        futures = {"": pool.submit(red, copied(tmp_path_factory.mktemp("right")), CHECKS)}
        for name, fault in FAULTS.items():
            folder = copied(tmp_path_factory.mktemp("wrong"))
            plant(fault, folder)
            futures[name] = pool.submit(red, folder, fault.seen_by)
        yield futures
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_turns_every_check_red_that_should_see_it(name: str, reds: Reds):
    assert reds[name].result() == set(FAULTS[name].seen_by)


def test_without_a_fault_all_of_them_are_green(reds: Reds):
    assert reds[""].result() == set()


def copied(folder: Path) -> Path:
    """Copy the mathematics into the folder."""
    package = ROOT / "src" / "lesson20"
    shutil.copytree(package, folder / "lesson20", ignore=lambda *_: {"site", "__pycache__"})
    return folder


def plant(fault: Fault, folder: Path) -> None:
    module = folder / "lesson20" / f"{fault.module}.py"
    source = module.read_text(encoding="utf-8")
    assert source.count(fault.right) == 1, f"{fault.right!r} must stand once in {module.name}"
    module.write_text(source.replace(fault.right, fault.wrong), encoding="utf-8")


def red(folder: Path, checks: Iterable[str]) -> set[str]:
    """Return which of the checks fail on the copy in the folder."""
    run = subprocess.run(
        [
            *(sys.executable, "-c", IN_THE_COPY, folder),
            *("-q", "--tb=no", "--noconftest", "-p", "no:cacheprovider"),
            *(f"tests/{check}" for check in checks),
        ],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    failed = {check for check in checks if f"FAILED tests/{check}" in run.stdout}
    assert run.returncode == bool(failed), run.stdout + run.stderr  # 1: tests ran, some failed
    return failed
