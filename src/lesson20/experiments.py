"""The lesson's experiments: settings and a seed in, a record of plain arrays out.

Nothing is drawn or printed here. A gain is ‖·‖_F/√H, with no unit: 1 means that nothing is lost.
Times and distances are in steps, that is, in words.

Every function raises ValueError for a wrong shape or a number out of range, NaN and infinity
included, and TypeError for what is not a number at all; the message names the argument.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lesson20 import agreement, blame, lstm, rnn, words
from lesson20.checks import Array, choice, floats, integer, number, rng_of


@dataclass(frozen=True, eq=False)
class Reading:
    """Two sentences of the same words in two orders, read by one untrained net.

    Attributes:
        first: The words of the first sentence.
        second: The same words in another order.
        h_first: The states, (T+1, H), from the initial one on; each entry between −1 and 1.
        h_second: The states for the second sentence, (T+1, H).
        parameter_count: How many numbers the net is made of.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    h_first: Array
    h_second: Array
    parameter_count: int


def reading(seed: int = words.SEEDS[0], *, sigma_1: float = 1.2) -> Reading:
    """Let an untrained net without bias read two sentences whose words differ only in order.

    Args:
        seed: Seed of the net, see `words.net`.
        sigma_1: Largest singular value of W_h.
    """
    net = words.net(seed, sigma_1)
    first, second = words.ORDERS[0]
    h_first, h_second = (rnn.unroll(net, words.read(order)) for order in (first, second))
    return Reading(first, second, h_first, h_second, net.parameter_count)


@dataclass(frozen=True, eq=False)
class BlameByWord:
    """How much of the blame reaches each word of one sentence.

    Attributes:
        words: The sentence, (T,).
        gain: Gain of ∂h_T/∂h_k for k = 1, …, T, (T,); 1 at the last word.
        bound: (γ σ_1)^(T−k), (T,).
    """

    words: tuple[str, ...]
    gain: Array
    bound: Array


def blame_by_word(
    sentence: tuple[str, ...] = words.SENTENCES[0],
    seed: int = words.SEEDS[0],
    *,
    sigma_1: float = 1.5,
    activation: str = "tanh",
) -> BlameByWord:
    """Let an untrained net read a sentence and send blame back to each of its words.

    Args:
        sentence: The words.
        seed: Seed of the net, see `words.net`.
        sigma_1: Largest singular value of W_h.
        activation: "tanh" or "sigmoid".
    """
    net = words.net(seed, sigma_1, activation)
    h = rnn.unroll(net, words.read(sentence))
    gain = blame.rms_gain(blame.products(blame.jacobians(net, h)))[1:]
    distance = np.arange(len(sentence) - 1.0, -1, -1)
    return BlameByWord(sentence, gain, blame.gain_bound(net.gamma, sigma_1, distance))


@dataclass(frozen=True, eq=False)
class BlameByDistance:
    """How blame fades, or grows, on its way back.

    Attributes:
        sigma_1: Largest singular values of W_h, (S,).
        distance: T−k in steps, (T+1,): 0, 1, …, T.
        gain: Gain of ∂h_T/∂h_k, (S, T+1).
        bound: (γ σ_1)^(T−k), (S, T+1).
    """

    sigma_1: Array
    distance: Array
    gain: Array
    bound: Array


def blame_by_distance(
    sigma_1: Sequence[float] = (0.5, 0.9, 1.5, 3.0),
    seed: int = 20,
    *,
    H: int = 6,
    D: int = 4,
    T: int = 20,
    activation: str = "tanh",
) -> BlameByDistance:
    """Let one random net read one random sentence, with W_h at several sizes.

    Args:
        sigma_1: Largest singular values of W_h to be tried.
        seed: Seed of the net and of the sentence.
        H: Size of the state.
        D: Size of a word vector.
        T: Length of the sentence in words.
        activation: "tanh", "sigmoid" or "relu".
    """
    sizes = floats("sigma_1", sigma_1, "S")
    gamma = rnn.ACTIVATIONS[choice("activation", activation, tuple(rnn.ACTIVATIONS))].gamma
    distance = np.arange(integer("T", T) + 1.0)
    gains = [
        _gains(rng_of(seed), H, D, T, sigma_1=float(size), activation=activation)[::-1]
        for size in sizes
    ]
    bounds = [blame.gain_bound(gamma, float(size), distance) for size in sizes]
    return BlameByDistance(sizes, distance, np.array(gains), np.array(bounds))


@dataclass(frozen=True, eq=False)
class Slopes:
    """The derivatives of the two squashing functions.

    Attributes:
        z: Before the squashing, (N,).
        tanh: Slope of tanh at z, (N,).
        sigmoid: Slope of the sigmoid at z, (N,).
        tanh_ceiling: γ of tanh, 1.
        sigmoid_ceiling: γ of the sigmoid, 1/4.
    """

    z: Array
    tanh: Array
    sigmoid: Array
    tanh_ceiling: float
    sigmoid_ceiling: float


def slopes(limit: float = 5.0, points: int = 201) -> Slopes:
    """Compute both slopes on an even grid from −limit to limit.

    Args:
        limit: Where the grid ends.
        points: How many points it has; an odd number puts one at 0.
    """
    limit = number("limit", limit, above=0)
    z = np.linspace(-limit, limit, integer("points", points))
    tanh, sigmoid = (phi.slope(phi.f(z)) for phi in (rnn.TANH, rnn.SIGMOID))
    return Slopes(z, tanh, sigmoid, rnn.TANH.gamma, rnn.SIGMOID.gamma)


@dataclass(frozen=True, eq=False)
class ErraticBlame:
    """How much the gain differs from net to net and from sentence to sentence.

    Attributes:
        sigma_1: Largest singular values of W_h, (S,).
        gain: Gain of ∂h_T/∂h_0, (S, runs); run n uses the same random numbers at every size.
        median: Over the runs, (S,).
        ninetieth: The gain that nine runs in ten stay below, (S,).
        largest: Over the runs, (S,).
    """

    sigma_1: Array
    gain: Array
    median: Array
    ninetieth: Array
    largest: Array


def erratic_blame(
    sigma_1: Sequence[float] = (1.5, 3.0, 6.0),
    seed: int = 20,
    *,
    runs: int = 200,
    H: int = 6,
    D: int = 4,
    T: int = 10,
) -> ErraticBlame:
    """Let many random nets each read a random sentence, with W_h at several sizes.

    Args:
        sigma_1: Largest singular values of W_h to be tried.
        seed: Seed of all runs.
        runs: How many nets and sentences.
        H: Size of the state.
        D: Size of a word vector.
        T: Length of each sentence in words.
    """
    sizes = floats("sigma_1", sigma_1, "S")
    gain = np.array(
        [
            [_gains(rng, H, D, T, sigma_1=float(size))[0] for rng in _rngs(seed, runs)]
            for size in sizes
        ]
    )
    median, ninetieth, largest = np.quantile(gain, [0.5, 0.9, 1.0], axis=1)
    return ErraticBlame(sizes, gain, median, ninetieth, largest)


@dataclass(frozen=True, eq=False)
class InfluenceMap:
    """The author's `influence` over the size of the weights and over time.

    Attributes:
        g: Sizes of the weights, (G,).
        steps: 1, 2, …, N, (N,).
        gain: Gain after that many steps, (N, G); 0 where it is below the smallest float.
        g_c: Where the fixed point loses its stability.
    """

    g: Array
    steps: Array
    gain: Array
    g_c: float


def influence_map(
    lowest: float = 0.3, highest: float = 3.0, *, points: int = 136, steps: int = 1000
) -> InfluenceMap:
    """Run the author's net for many sizes of the weights at once.

    Args:
        lowest: Smallest g.
        highest: Largest g.
        points: How many sizes, evenly spaced.
        steps: How many steps.
    """
    g = _grid(lowest, highest, points)
    gain = blame.influence_path(g, steps)
    return InfluenceMap(g, np.arange(1.0, steps + 1), gain, blame.influence_threshold())


@dataclass(frozen=True, eq=False)
class ZeroRadius:
    """Three nets whose eigenvalues promise that blame dies, and whose blame grows.

    In the first two both eigenvalues of W_h are 0. What bounds the gain is the largest singular
    value.

    Attributes:
        steps: n = 1, …, 30, (30,).
        point: ‖∂h_n/∂h_0‖₂ at a fixed point of W_h = [[8, 8], [−8, −8]], σ_1 = 16, (30,).
        point_exact: What it is exactly, √200 · 2^(n−1), (30,).
        driven: Gain of W_h = [[1.2, −1.2], [1.2, −1.2]], σ_1 = 2.4, under an input that holds one
            unit open and swaps the two at each step, (30,). It grows almost as 1.2^n.
        constant: Gain of the same W_h when the same word (0.5, −0.3) comes at every step, (30,).
        linear_steps: n = 1, …, 100, (100,).
        linear: ‖Wⁿ‖₂ of a linear net, W = [[0.9, 3], [0, 0.9]], both eigenvalues 0.9, (100,).
    """

    steps: Array
    point: Array
    point_exact: Array
    driven: Array
    constant: Array
    linear_steps: Array
    linear: Array


def zero_radius() -> ZeroRadius:
    """Compute the three counterexamples; nothing in them is random."""
    N = 30  # the fixed point is unstable: rounding doubles at each step, to 3e-6 by n = 30
    n = np.arange(1.0, N + 1)

    still = rnn.RNN(np.eye(2), np.array([[8, 8], [-8, -8]]), np.array([-4, np.arctanh(0.5) + 4]))
    h = rnn.unroll(still, np.zeros((N, 2)), h_0=[0, 0.5])
    point = np.linalg.norm(_from_start(blame.jacobians(still, h)), 2, axis=(-2, -1))

    swapped = rnn.RNN(np.eye(2), np.array([[1.2, -1.2], [1.2, -1.2]]))
    z = np.array([[0.0, 4.0], [4.0, 0.0]] * (N // 2))  # before the squashing: at 0 the slope is 1
    h = np.tanh(np.vstack([[0, 0], z]))
    x = z - h[:-1] @ swapped.W_h.T  # the words that bring it about
    driven = _from_start(blame.jacobians(swapped, rnn.unroll(swapped, x)))
    same = np.tile([0.5, -0.3], (N, 1))
    constant = _from_start(blame.jacobians(swapped, rnn.unroll(swapped, same)))

    powers = _from_start(np.tile([[0.9, 3], [0, 0.9]], (100, 1, 1)))
    return ZeroRadius(
        steps=n,
        point=point,
        point_exact=np.sqrt(200) * 2 ** (n - 1),
        driven=blame.rms_gain(driven),
        constant=blame.rms_gain(constant),
        linear_steps=np.arange(1.0, 101),
        linear=np.linalg.norm(powers, 2, axis=(-2, -1)),
    )


@dataclass(frozen=True, eq=False)
class TwoByTwo:
    """The theorem put to the test on a net of two units, at rest at h = (0, ½).

    Attributes:
        W_h: (2, 2).
        steps: n = 0, …, N, (N+1,).
        norm: Largest gain ‖∂h_n/∂h_0‖₂, (N+1,).
        bound: σ_1^n, which no gain exceeds, (N+1,).
        radius: ρ^n, the promise of the eigenvalues of W_h, (N+1,).
    """

    W_h: Array
    steps: Array
    norm: Array
    bound: Array
    radius: Array


def two_by_two(W_h: Sequence[Sequence[float]] = ((8, 8), (-8, -8)), N: int = 20) -> TwoByTwo:
    """Hold a net of two tanh units at (0, ½) and follow the largest gain.

    The words are such that the state stays where it is, so that every step has the same Jacobian.

    Args:
        W_h: (2, 2).
        N: How many steps.
    """
    W = floats("W_h", W_h, "H=2, H=2")
    n = np.arange(integer("N", N) + 1.0)
    J = rnn.RNN(np.eye(2), W).step_jacobian([0, 0.5])
    powers = blame.products(np.tile(J, (N, 1, 1)))[::-1]
    return TwoByTwo(
        W,
        steps=n,
        norm=np.linalg.norm(powers, 2, axis=(-2, -1)),
        bound=np.linalg.norm(W, 2) ** n,
        radius=_spectral_radius(W) ** n,
    )


@dataclass(frozen=True, eq=False)
class Belt:
    """The toy cell at one setting.

    Attributes:
        f: Forget gate.
        i: Input gate.
        o: Output gate.
        c: The belt after each word, (8,), from c_0 on.
        h: What is read at the end; positive means plural.
    """

    f: float
    i: float
    o: float
    c: Array
    h: float


def belt(f: float = 0.6, i: float = 0.8, o: float = 1.0) -> Belt:
    """Run the toy cell once.

    Args:
        f: Forget gate, 0 to 1.
        i: Input gate, 0 to 1.
        o: Output gate, 0 to 1.
    """
    return Belt(f, i, o, agreement.belt(f, i), agreement.cell(f, i, o))


@dataclass(frozen=True, eq=False)
class BeltSquare:
    """The toy cell with each gate changed on its own.

    Attributes:
        f: Forget gates, (F,).
        i: Input gates, (I,).
        c: The belt after each word, (F, I, 8).
        h: What is read at the end, (F, I); positive means plural.
    """

    f: Array
    i: Array
    c: Array
    h: Array


def belt_square(
    f: Sequence[float] = (0.6, 0.97, 1.0), i: Sequence[float] = (0.1, 0.8), o: float = 1.0
) -> BeltSquare:
    """Run the toy cell for every pair of f and i.

    Args:
        f: Forget gates, 0 to 1.
        i: Input gates, 0 to 1.
        o: Output gate, 0 to 1.
    """
    f_s, i_s = floats("f", f, "F"), floats("i", i, "I")
    c = np.array([[agreement.belt(a, b) for b in i_s] for a in f_s])
    h = np.array([[agreement.cell(a, b, o) for b in i_s] for a in f_s])
    return BeltSquare(f_s, i_s, c, h)


@dataclass(frozen=True, eq=False)
class HalfLives:
    """How long the belt keeps what was written, if the forget gate is σ(b_f).

    Attributes:
        b_f: Biases, (N,).
        f: Forget gates σ(b_f), (N,).
        half_life: Steps after which half is left, (N,).
    """

    b_f: Array
    f: Array
    half_life: Array


def half_lives(lowest: float = -2.0, highest: float = 6.0, points: int = 161) -> HalfLives:
    """Compute the half-life on an even grid of biases.

    Args:
        lowest: Smallest b_f.
        highest: Largest b_f.
        points: How many.
    """
    b_f = _grid(lowest, highest, points)
    return HalfLives(b_f, rnn.sigmoid(b_f), lstm.half_life(b_f))


@dataclass(frozen=True, eq=False)
class DirectAndTotal:
    """Blame along the belt alone, and with all paths, in an untrained LSTM.

    Both are gains of H×H matrices, ∏ diag(f_t) and ∂c_T/∂c_k; geometric means over the seeds.

    Attributes:
        b_f: Forget biases, (B,).
        distance: T−k in steps, (T,): 0, 1, …, T−1.
        direct: Gain along the belt, (B, T).
        total: Gain with the paths through h, (B, T).
    """

    b_f: Array
    distance: Array
    direct: Array
    total: Array


def direct_and_total(
    b_f: Sequence[float] = (1.0, 3.0, 5.0),
    seed: int = 20,
    *,
    runs: int = 20,
    H: int = 16,
    D: int = 4,
    T: int = 40,
) -> DirectAndTotal:
    """Let random LSTMs read random words and follow the blame on c_T back to c_1.

    The initial belt c_0 is left out: no h_0 is computed from it, so it lacks a path.

    Args:
        b_f: Forget biases to be tried.
        seed: Seed of all runs.
        runs: How many nets and sentences for each bias.
        H: Size of the state.
        D: Size of a word vector.
        T: Length of each sentence in words.
    """
    biases = floats("b_f", b_f, "B")
    T = integer("T", T)
    logs = np.empty((2, len(biases), integer("runs", runs), T))
    for n, bias in enumerate(biases):
        for run, rng in enumerate(_rngs(seed, runs)):
            net = lstm.LSTM.random(rng, H, D, forget_bias=float(bias))
            x = rng.normal(size=(T, net.D))
            trace = lstm.unroll(net, x)
            belt = lstm.direct_path(trace)[..., None] * np.eye(net.H)
            for path, P in enumerate((belt, lstm.total_path(net, x, trace))):
                with np.errstate(divide="ignore"):  # a gain of 0 makes the mean 0
                    logs[path, n, run] = np.log(blame.rms_gain(P))[:0:-1]
    direct, total = np.exp(logs.mean(axis=2))
    return DirectAndTotal(biases, np.arange(float(T)), direct, total)


def _grid(lowest: float, highest: float, points: int) -> Array:
    return np.linspace(
        number("lowest", lowest), number("highest", highest), integer("points", points)
    )


def _rngs(seed: int, runs: int) -> list[np.random.Generator]:
    return rng_of(seed).spawn(integer("runs", runs))


def _gains(
    rng: np.random.Generator, H: int, D: int, T: int, *, sigma_1: float, activation: str = "tanh"
) -> Array:
    """Gain of ∂h_T/∂h_k for k = 0, …, T, for a random net without bias and a random sentence."""
    net = rnn.RNN.random(rng, H, D, bias=False, sigma_1=sigma_1, activation=activation)
    h = rnn.unroll(net, rng.normal(size=(integer("T", T), net.D)))
    return blame.rms_gain(blame.products(blame.jacobians(net, h)))


def _spectral_radius(W: Array) -> float:
    """Of a 2×2 matrix, in closed form: `eigvals` finds a 0 only up to the root of a rounding."""
    mean, det = (W[0, 0] + W[1, 1]) / 2, W[0, 0] * W[1, 1] - W[0, 1] * W[1, 0]
    apart = mean**2 - det
    return float(abs(mean) + np.sqrt(apart) if apart >= 0 else np.sqrt(det))


def _from_start(J: Array) -> Array:
    """∂h_n/∂h_0 for n = 1, …, N."""
    return np.array([blame.products(J[:n])[0] for n in range(1, len(J) + 1)])
