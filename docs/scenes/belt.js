// The toy cell reads seven words, and its belt carries what it kept of them.

import { Bars, html, plain, raised, short } from "./drawing.js";
import { belt, cell } from "./model.js";
import { Scene, number } from "./scene.js";

const LARGEST = 1.25; // no gates take the belt further
const TICKS = [-1, 0, 1].map((c) => [c / LARGEST, plain(c, 0)]);
const gate = (initial) => number(initial, 0, 1);

class Belt extends Scene {
  static title = "Set the gates";
  static fields = { f: gate(0.6), i: gate(0.8), o: gate(1) };

  build() {
    const axis = "belt c: below 0 singular, above 0 plural";
    this.belt = new Bars({ axis, ticks: TICKS, notes: "cue" });
    this.verdict = html("p", { class: "scene-verdict" });
    const slider = (field, name) =>
      this.slider(field, name, { lowest: 0, highest: 1, step: 0.01, text: (x) => plain(x, 2) });
    return [
      this.presets("Settings", [
        ["Author's first run: f 0.6, i 0.8", { f: 0.6, i: 0.8, o: 1 }],
        ["Author's second run: f 1, i 0.1", { f: 1, i: 0.1, o: 1 }],
        ["Only f as in the second: f 1, i 0.8", { f: 1, i: 0.8, o: 1 }],
        ["Only i as in the second: f 0.6, i 0.1", { f: 0.6, i: 0.1, o: 1 }],
        ["f 0.97", { f: 0.97, i: 0.1, o: 1 }],
      ]),
      slider("f", "Forget gate f: the share kept"),
      slider("i", "Input gate i: the share written"),
      slider("o", "Output gate o: the share shown"),
      this.belt.element,
      this.verdict,
    ];
  }

  draw({ f, i, o }) {
    const { agreement } = this.data;
    const { sentence, cues, subject } = agreement;
    const c = belt(f, i, agreement).slice(1);
    const rows = sentence.map((name, n) => ({
      name, note: plain(cues[n], 1), at: c[n] / LARGEST, text: plain(c[n], 3),
    }));
    this.belt.draw(rows, "The belt after each word");

    const h = cell(f, i, o, agreement);
    const verdict = h > 0 ? "plural" : "singular";
    this.verdict.textContent = h > 0 ? "▲ plural: are" : "▼ singular: is";
    const back = sentence.length - subject;
    return `h = ${plain(h, 3)}: ${verdict}. Along the belt, blame on “${sentence[subject - 1]}”, `
      + `${back} words back, is ${plain(f, 2)}${raised(back)} = ${short(f ** back)}.`;
  }
}

customElements.define("scene-belt", Belt);
