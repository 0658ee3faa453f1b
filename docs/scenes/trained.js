// The LSTM that the lab trained reads sentences that the reader puts together.

import { Bars, fixed, html, plain, within } from "./drawing.js";
import { lstm } from "./model.js";
import { Scene, choice, whole } from "./scene.js";

const LARGEST = 5; // the belt's scale; what lies beyond is cut off
const TICKS = [-4, 0, 4].map((c) => [c / LARGEST, plain(c, 0)]);

class Trained extends Scene {
  static title = "Read with the trained LSTM";
  static file = "trained.json";
  static fields = {
    subject: whole(1, 0, 9),
    first: whole(35, 0, 52),
    second: whole(9, 0, 52),
    third: whole(0, 0, 52),
    unit: whole(-1, -1, 31), // −1 is the number unit
    silent: choice(false, [false, true]),
  };

  build({ weights, unit, nouns, modifiers }) {
    const precise = (array) => (Array.isArray(array) ? array.map(precise) : Math.fround(array));
    this.model = Object.fromEntries(Object.entries(weights).map(([name, W]) => [name, precise(W)]));
    this.belt = new Bars({ axis: "belt c of the unit", ticks: TICKS, texts: "f and i" });
    this.verdict = html("p", { class: "scene-verdict" });
    const list = (field, name, texts) =>
      this.select(field, name, texts.map((text, n) => [n, text]));
    const between = ["(nothing)", ...modifiers];
    const units = this.model.W_y[0].map((_, n) => [n === unit ? -1 : n, unitName(n, unit)]);
    return [
      list("subject", "Subject", nouns.map((noun) => `the ${noun}`)),
      list("first", "Then", between),
      list("second", "Then again", between),
      list("third", "And last", between),
      this.select("unit", "Unit", units),
      this.tick("silent", "Silence this unit"),
      this.belt.element,
      this.verdict,
    ];
  }

  draw(state) {
    const { nouns, modifiers, words, verbs, unit: numberUnit } = this.data;
    const unit = state.unit < 0 ? numberUnit : state.unit;
    const parts = [state.first, state.second, state.third].filter(Boolean);
    const text = [`the ${nouns[state.subject]}`, ...parts.map((n) => modifiers[n - 1])].join(" ");
    const sentence = text.split(" ");
    const numbers = sentence.map((word) => words.indexOf(word));
    const { steps, chances } = lstm(this.model, numbers, state.silent ? unit : undefined);

    const rows = steps.map(({ f, i, c }, n) => ({
      name: sentence[n],
      at: within(c[unit] / LARGEST, -1, 1),
      text: `${fixed(f[unit], 2)} ${fixed(i[unit], 2)}`,
      said: plain(c[unit], 2),
    }));
    this.belt.draw(rows, `Belt of unit ${unit} after each word`);

    const [singular, plural] = verbs.map((forms) => forms.map((verb) => chances[words.indexOf(verb)]));
    const [ofSingular, ofPlural] = [singular, plural].map((all) => all.reduce((sum, p) => sum + p));
    const share = ofPlural / (ofSingular + ofPlural);
    const isPlural = share > 0.5;
    const forms = isPlural ? plural : singular;
    const verb = verbs[+isPlural][forms.indexOf(Math.max(...forms))];
    const right = this.data.plural[state.subject] === isPlural;
    this.verdict.textContent = `${isPlural ? "▲ plural" : "▼ singular"}: ${text} ${verb} …`;
    const who = `With unit ${unit} ${state.silent ? "silenced" : "at work"}`;
    return `${who} the verb is ${isPlural ? "plural" : "singular"}, ${right ? "as it should be" : "which is wrong"}: `
      + `of the chance of a verb, ${plain(100 * share, 1)} % goes to plural forms.`;
  }
}

const unitName = (n, numberUnit) => `unit ${n}${n === numberUnit ? " (number unit)" : ""}`;

customElements.define("scene-trained", Trained);
