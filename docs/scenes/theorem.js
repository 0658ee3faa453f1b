// A net of two units puts the theorem to the test: eigenvalues against the largest singular value.

import { BLUE, INK, VERMILION, curves, html, plain, short, show } from "./drawing.js";
import { spectralNorm, spectralRadius, twoByTwo } from "./model.js";
import { Scene, choice, number } from "./scene.js";

const N = 30;
const ENTRIES = ["a", "b", "c", "d"];
const DRIVES = [
  ["rest", "words that hold the state at (0, ½)"],
  ["turns", "two words in turn: one unit open, one shut"],
  ["same", "the same word, (0.5, −0.3), at every step"],
  ["linear", "any words, but no squashing"],
];
const [COS, SIN] = [1.5 * Math.cos(0.8), 1.5 * Math.sin(0.8)];
const entry = (initial) => number(initial, -10, 10);

class Theorem extends Scene {
  static title = "Put the theorem to the test";
  static fields = {
    a: entry(8), b: entry(8), c: entry(-8), d: entry(-8),
    drive: choice("rest", DRIVES.map(([drive]) => drive)),
  };

  build() {
    this.plot = html("div");
    const places = ["1, 1", "1, 2", "2, 1", "2, 2"];
    const sliders = ENTRIES.map((field, n) =>
      this.slider(field, `W_h [${places[n]}]`, {
        lowest: -10, highest: 10, step: 0.1, text: (w) => plain(w, 3),
      }));
    return [
      this.presets("Settings", [
        ["Radius 0, and yet it explodes", { a: 8, b: 8, c: -8, d: -8, drive: "rest" }],
        ["Radius 0, and the words decide", { a: 1.2, b: -1.2, c: 1.2, d: -1.2, drive: "turns" }],
        ["The author's rotation, g = 1.5", { a: COS, b: -SIN, c: SIN, d: COS, drive: "same" }],
        ["The transient", { a: 0.9, b: 3, c: 0, d: 0.9, drive: "linear" }],
      ]),
      html("div", { class: "scene-matrix" }, ...sliders),
      this.select("drive", "What it reads", DRIVES),
      this.plot,
    ];
  }

  draw({ a, b, c, d, drive }) {
    const W_h = [[a, b], [c, d]];
    const [radius, sigma_1] = [spectralRadius(W_h), spectralNorm(W_h)];
    const norms = twoByTwo(W_h, drive, N);
    const powers = (base) => norms.map((_, n) => base ** n);
    const lines = [
      { name: "bound σ₁ⁿ", values: powers(sigma_1), stroke: INK, dashes: "5 3" },
      { name: "radius ρⁿ", values: powers(radius), stroke: VERMILION, dashes: "2 3" },
      { name: "measured", values: norms, stroke: BLUE },
    ];
    const found = `Spectral radius ρ = ${plain(radius, 2)}, σ₁ = ${plain(sigma_1, 2)}. `
      + `Largest gain after 1, 10 and 30 steps: ${[1, 10, 30].map((n) => short(norms[n], 4)).join(", ")}.`;
    show(this.plot, curves(lines, { x: "steps n", y: "largest gain" }, found));
    return found;
  }
}

customElements.define("scene-theorem", Theorem);
