// The mathematics of the scenes. It knows no page; names and numbers are those of the Python
// package, with which a test compares every function here.

// The squashing functions φ, their slopes φ', and γ, the ceiling of the slope. The slope is computed
// from z: 1 − h² has no correct digit left where h is almost 1, and there all the drama is.
const SQUASHING = {
  tanh: { phi: Math.tanh, slope: (z) => 1 / Math.cosh(z) ** 2, gamma: 1 },
  sigmoid: {
    phi: (z) => 1 / (1 + Math.exp(-z)),
    slope: (z) => 1 / (2 * Math.cosh(z / 2)) ** 2,
    gamma: 1 / 4,
  },
  none: { phi: (z) => z, slope: () => 1, gamma: 1 },
};

/** An untrained net of the data file, its W_h scaled to the largest singular value sigma_1. */
export function net({ W_x, W_h, sigma_1: size }, sigma_1, activation = "tanh") {
  const scale = sigma_1 / size;
  return { W_x, W_h: W_h.map((row) => scaled(row, scale)), ...SQUASHING[activation] };
}

/** z_t = W_x x_t + W_h h_{t−1}, of which the state is h_t = φ(z_t) */
const sum = ({ W_x, W_h }, x, h) => W_h.map((row, unit) => dot(W_x[unit], x) + dot(row, h));

/** J_t = diag(φ'(z_t)) W_h */
const stepJacobian = ({ W_h, slope }, z) => W_h.map((row, unit) => scaled(row, slope(z[unit])));

/** The sum z_t and the state h_t for every word of a sentence of vectors. */
function read(net, sentence) {
  let h = net.W_h.map(() => 0);
  return sentence.map((x) => {
    const z = sum(net, x, h);
    h = z.map(net.phi);
    return { z, h };
  });
}

/** All states while a net reads a sentence, the initial one first. */
export const unroll = (net, sentence) =>
  [net.W_h.map(() => 0), ...read(net, sentence).map(({ h }) => h)];

/** The gain ‖∂h_T/∂h_k‖_F / √H for k = 1, …, T. */
export function blame(net, sentence) {
  let P = identity(net.W_h.length); // ∂h_T/∂h_T
  const gains = read(net, sentence).reverse().map(({ z }) => {
    const gain = rmsGain(P);
    P = product(P, stepJacobian(net, z)); // the earlier step stands on the right
    return gain;
  });
  return gains.reverse();
}

/** (γ σ_1)^(T−k) for k = 1, …, T, which no gain exceeds. */
export const bounds = (gamma, sigma_1, T) =>
  Array.from({ length: T }, (_, n) => (gamma * sigma_1) ** (T - 1 - n));

/**
 * The vector of any word: of an unknown one, a vector made from its letters. The letters are hashed
 * (FNV-1a, then MurmurHash3's last step for each entry), so that Python finds the same.
 */
export function vector(word, { words, D }) {
  if (Object.hasOwn(words, word)) return words[word];
  let letters = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(word)) {
    letters = Math.imul(letters ^ byte, 0x01000193);
  }
  return Array.from({ length: D }, (_, entry) => ((mixed(letters + entry) % 3465) - 1732) / 1000);
}

function mixed(bits) {
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** What the words make of the sums z of a net of two units, at step n = 1, 2, …. */
const DRIVES = {
  rest: () => [0, Math.atanh(0.5)], // they hold the state at (0, ½)
  turns: (net, n) => (n % 2 ? [0, 4] : [4, 0]), // they keep one unit open and one shut, in turn
  same: (net, n, h) => sum(net, [0.5, -0.3], h), // the word of `influence`, at every step
};

/** ∂h_n/∂h_0 of a net of two units, for n = 1, …, N, under one of the drives. */
function products(net, drive, N) {
  let P = identity(2);
  let h = [0, 0];
  return Array.from({ length: N }, (_, n) => {
    const z = drive(net, n + 1, h);
    h = z.map(net.phi);
    P = product(stepJacobian(net, z), P); // the later step stands on the left
    return P;
  });
}

/**
 * The largest gain ‖∂h_n/∂h_0‖₂ of a net of two units, for n = 0, …, N, under one of the drives;
 * "linear" is a net without squashing, whatever it reads.
 */
export function twoByTwo(W_h, drive, N) {
  const isLinear = drive === "linear";
  const net = { W_x: identity(2), W_h, ...SQUASHING[isLinear ? "none" : "tanh"] };
  return [1, ...products(net, DRIVES[isLinear ? "rest" : drive], N).map(spectralNorm)];
}

/** The largest singular value of a 2×2 matrix. */
export const spectralNorm = ([[a, b], [c, d]]) =>
  (Math.hypot(a + d, b - c) + Math.hypot(a - d, b + c)) / 2;

/** The largest absolute eigenvalue of a 2×2 matrix. */
export function spectralRadius([[a, b], [c, d]]) {
  const mean = (a + d) / 2;
  const det = a * d - b * c;
  const apart = mean * mean - det;
  return apart < 0 ? Math.sqrt(det) : Math.abs(mean) + Math.sqrt(apart);
}

/** What lies on the belt of the toy cell after each word: c_0, …, c_T. */
export function belt(f, i, { cues, subject }) {
  const c = [0];
  for (const [n, v] of cues.entries()) {
    const gateIn = n + 1 === subject ? 1 : i; // the subject opens the input gate
    c.push(f * c[n] + gateIn * Math.tanh(v));
  }
  return c;
}

/** What is read at the end, h = o tanh(c_T): positive means plural. */
export const cell = (f, i, o, agreement) => o * Math.tanh(belt(f, i, agreement).at(-1));

/**
 * What a trained LSTM makes of a sentence of word numbers: its gates f and i and its belt c after
 * each word, each (T, H), and the chances of the next word. A silenced unit has h = 0 for all who
 * read it.
 */
export function lstm({ E, W, b, W_y, b_y }, sentence, silenced) {
  const H = W_y[0].length;
  let [h, c] = [new Array(H).fill(0), new Array(H).fill(0)];
  const steps = sentence.map((word) => {
    const read = [...h, ...E[word]];
    const z = W.map((row, n) => dot(row, read) + b[n]);
    const gate = (n) => z.slice(n * H, (n + 1) * H);
    const [f, i, o] = [0, 1, 2].map((n) => gate(n).map(SQUASHING.sigmoid.phi));
    const candidate = gate(3).map(Math.tanh);
    c = c.map((held, unit) => f[unit] * held + i[unit] * candidate[unit]);
    h = c.map((held, unit) => (unit === silenced ? 0 : o[unit] * Math.tanh(held)));
    return { f, i, c };
  });
  return { steps, chances: softmax(W_y.map((row, n) => dot(row, h) + b_y[n])) };
}

function softmax(scores) {
  const most = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(score - most));
  const total = weights.reduce((sum, weight) => sum + weight);
  return weights.map((weight) => weight / total);
}

/** The gain of the author's `influence` after 1, 2, …, `steps` steps. */
export function influence(g, steps) {
  const [c, s] = [Math.cos(0.8), Math.sin(0.8)];
  const W_h = [[g * c, g * -s], [g * s, g * c]];
  return products({ W_x: identity(2), W_h, ...SQUASHING.tanh }, DRIVES.same, steps).map(rmsGain);
}

/** ‖P‖_F / √H */
const rmsGain = (P) => Math.hypot(...P.map((row) => Math.hypot(...row))) / Math.sqrt(P.length);

const scaled = (row, factor) => row.map((entry) => entry * factor);

function dot(a, b) {
  let sum = 0;
  for (let n = 0; n < a.length; n++) sum += a[n] * b[n];
  return sum;
}

function product(A, B) {
  const columns = B[0].map((_, n) => B.map((row) => row[n]));
  return A.map((row) => columns.map((column) => dot(row, column)));
}

const identity = (size) =>
  Array.from({ length: size }, (_, row) => Array.from({ length: size }, (_, n) => +(n === row)));
