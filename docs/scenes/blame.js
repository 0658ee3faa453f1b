// How much of the blame for the last state reaches each word, in nets of any size of weights.

import { Bars, LOG_TICKS, html, onLogScale, plain, short } from "./drawing.js";
import { blame, bounds, net, vector } from "./model.js";
import { Scene, choice, number, whole, words } from "./scene.js";

const MOST = 12; // words of the reader's own
const SCALE = { axis: "gain (1 = nothing is lost)", ticks: LOG_TICKS, bound: "bound (dashed)" };

class Blame extends Scene {
  static title = "Send the blame back";
  static fields = {
    sigma: number(1.5, 0, 6),
    phi: choice("tanh", ["tanh", "sigmoid"]),
    net: whole(1, 1, 12),
    sentence: whole(1, 1, 7),
    words: words(MOST),
  };

  build({ nets, sentences }) {
    this.byWord = new Bars(SCALE);
    this.bySentence = new Bars(SCALE);
    const another = this.button("", () => this.set({ net: (this.state.net % nets.length) + 1 }));
    this.follow(({ net }) => {
      another.textContent = `Another random network (this is ${net} of ${nets.length})`;
    });
    const listed = sentences.map((sentence, n) => [n + 1, sentence]);
    return [
      this.select("sentence", "Sentence", [...listed, ["own", "your own words"]], {
        get: ({ words, sentence }) => (words ? "own" : sentence),
        set: (n) => this.set(n === "own" ? { words: this.#text() } : { sentence: n, words: "" }),
      }),
      this.typed("words", `Or your own words (at most ${MOST})`, MOST),
      this.slider("sigma", "Size of the weights, σ₁", {
        lowest: 0, highest: 6, step: 0.1, text: (sigma) => plain(sigma, 2),
      }),
      this.select("phi", "Squashing", [["tanh", "tanh"], ["sigmoid", "sigmoid"]]),
      another,
      this.byWord.element,
      html("p", { class: "scene-subtitle" }, "The same net: blame on the first word of each sentence"),
      this.bySentence.element,
    ];
  }

  draw({ sigma, phi, net: n }) {
    const cell = net(this.data.nets[n - 1], sigma, phi);
    const words = this.#text().split(" ");
    const gains = this.#gains(cell, words);
    const limits = bounds(cell.gamma, sigma, words.length);

    const rows = words.map((name, k) => ({ ...row(name, gains[k]), bound: onLogScale(limits[k]) }));
    this.byWord.draw(rows, "Gain by word");

    const others = this.data.sentences.map((sentence, n) => {
      const words = sentence.split(" ");
      return row(`${n + 1} ${words[0]}`, this.#gains(cell, words)[0]);
    });
    this.bySentence.draw(others, "Gain to the first word by sentence");

    const back = words.length - 1;
    if (!back) return "A single word has no earlier one to blame.";
    const steps = back === 1 ? "1 word" : `${back} words`;
    const [gain, limit] = [gains[0], limits[0]];
    return `Blame reaching “${words[0]}”, ${steps} back: ${short(gain)}, bound ${short(limit)}. ${verdict(gain)}`;
  }

  #text() {
    return this.state.words || this.data.sentences[this.state.sentence - 1];
  }

  #gains(cell, words) {
    return blame(cell, words.map((word) => vector(word, this.data)));
  }
}

const row = (name, gain) => ({ name, at: onLogScale(gain), text: short(gain) });

function verdict(gain) {
  if (gain < 0.01) return "Almost nothing arrives.";
  if (gain > 10) return "It has exploded.";
  return "It arrives, smaller or larger.";
}

customElements.define("scene-blame", Blame);
