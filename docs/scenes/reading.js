// An untrained net reads the same words in two orders, one word at a time.

import { fixed, html } from "./drawing.js";
import { net, unroll, vector } from "./model.js";
import { Scene, whole } from "./scene.js";

const SIGMA_1 = 1.2;
const T = 7; // words in each sentence
const PACE = 900; // ms a word

class Reading extends Scene {
  static title = "Read it word by word";
  static fields = { pair: whole(1, 1, 3), step: whole(T, 0, T) };

  #timer;

  build({ orders, nets }) {
    this.net = net(nets[0], SIGMA_1);
    this.places = html("div", { class: "scene-pair" });
    const pairs = orders.map(([first], n) => [n + 1, first]);
    this.play = this.button("Play", () => this.#timer ? this.#pause() : this.#play());
    const go = (by) => () => {
      this.#pause();
      this.set({ step: Math.min(Math.max(this.state.step + by, 0), T) });
    };
    return [
      this.select("pair", "Sentence", pairs, { set: (pair) => this.set({ pair, step: T }) }),
      this.slider("step", "Words read", { lowest: 0, highest: T, step: 1 }),
      html("div", { class: "scene-buttons" },
        this.button("Back", go(-1)), this.button("Step", go(1)), this.play),
      this.places,
      this.#weights(),
    ];
  }

  draw({ pair, step }) {
    if (pair !== this.pair) this.#lay(pair);
    for (const strip of this.strips) strip.draw(step);
    if (step === 0) return "Nothing is read yet: all states are zero.";
    const [one, other] = this.strips.map(({ h }) => h[step]);
    const apart = fixed(Math.hypot(...one.map((entry, unit) => entry - other[unit])), 2);
    if (step === T) return `The same ${T} words are read, and the end states lie ${apart} apart.`;
    const [first, second] = this.strips.map(({ words }) => words[step - 1]);
    return `After “${first}” and “${second}”, word ${step} of ${T}, the states lie ${apart} apart.`;
  }

  /** Lays out both orders of a pair. */
  #lay(pair) {
    this.pair = pair;
    this.strips = this.data.orders[pair - 1].map((sentence) => {
      const words = sentence.split(" ");
      return new Strip(words, words.map((word) => vector(word, this.data)), this.net);
    });
    this.places.replaceChildren(...this.strips.map(({ element }) => element));
  }

  whenSeen(isSeen) {
    if (!isSeen) this.#pause();
  }

  #play() {
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.set({ step: isStill ? T : this.state.step % T });
    if (isStill) return;
    this.#timer = setInterval(() => {
      if (document.hidden) return;
      this.set({ step: this.state.step + 1 });
      if (this.state.step >= T) this.#pause();
    }, PACE);
    this.play.textContent = "Pause";
  }

  #pause() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.play) this.play.textContent = "Play";
  }

  #weights() {
    const { W_x, W_h } = this.net;
    const [inWord, inState] = [W_x, W_h].map((W) => W.flat().length);
    const rows = W_h.map((row, unit) =>
      html("tr", {}, html("th", { scope: "row" }, `${unit + 1}`),
        ...[...W_x[unit], ...row].map((w) => paint(html("td"), w))));
    const head = html("tr", {}, html("th", { scope: "col" }, "unit"),
      html("th", { colspan: W_x[0].length }, "W_x"), html("th", { colspan: W_h.length }, "W_h"));
    return html("details", { class: "lesson-fold" },
      html("summary", {}, `The net's ${inWord + inState} weights: ${inWord} in W_x, ${inState} in W_h`),
      html("table", { class: "scene-heat" }, head, ...rows));
  }
}

/** One sentence: its states, a column for each word, and the numbers of the step just taken. */
class Strip {
  constructor(words, x, net) {
    [this.words, this.x, this.h] = [words, x, unroll(net, x)];
    const units = net.W_h.map((_, unit) => unit);
    this.heads = words.map((word) => html("th", { scope: "col" }, word));
    this.cells = units.map(() => words.map(() => html("td")));
    this.numbers = [x[0], units, units].map((row) => row.map(() => html("td")));
    this.step = html("caption");
    const row = (name, cells) => html("tr", {}, html("th", { scope: "row" }, name), ...cells);
    this.table = html("table", { class: "scene-numbers" }, this.step,
      ...["input x", "old h", "new h"].map((name, n) => row(name, this.numbers[n])));
    this.element = html("div", {},
      html("table", { class: "scene-heat" },
        html("caption", {}, words.join(" ")),
        html("tr", {}, html("th", { scope: "col" }, "unit"), ...this.heads),
        ...this.cells.map((cells, unit) => row(`${unit + 1}`, cells))),
      this.table);
  }

  draw(step) {
    for (const [n, head] of this.heads.entries()) head.className = n + 1 === step ? "now" : "";
    for (const [unit, cells] of this.cells.entries()) {
      for (const [n, cell] of cells.entries()) {
        paint(cell, n < step ? this.h[n + 1][unit] : undefined, n + 1 === step);
      }
    }
    this.table.hidden = step === 0;
    if (step === 0) return;
    this.step.textContent = `Step ${step}: “${this.words[step - 1]}”`;
    for (const [row, entries] of [this.x[step - 1], this.h[step - 1], this.h[step]].entries()) {
      for (const [n, entry] of entries.entries()) this.numbers[row][n].textContent = fixed(entry, 2);
    }
  }
}

/** Gives a cell of a table its number, and the colour of its sign and size. */
function paint(cell, value, isNow = false) {
  const size = [0.15, 0.45].filter((limit) => Math.abs(value) > limit).length;
  const shade = size ? `${value < 0 ? "minus" : "plus"}-${size}` : "zero";
  const [text, look] = value === undefined ? ["", ""] : [fixed(value, 1), isNow ? `${shade} now` : shade];
  if (cell.textContent !== text) cell.textContent = text;
  if (cell.className !== look) cell.className = look;
  return cell;
}

customElements.define("scene-reading", Reading);
