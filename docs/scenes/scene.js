// What all scenes share. A scene is a custom element around a figure that was drawn when the page
// was built; without JavaScript, or without its data, that figure stands.
//
// A scene has a state, one value for each of its `fields`. It says how it looks in two functions:
// `build` makes its controls and places once, `draw` shows a state and returns, in words, what
// there is to see. Everything else happens here.

import { html } from "./drawing.js";

const PAUSE = 300; // ms without a change, before it is announced and written into the address

/** Kinds of fields: the initial value, and how it is read from an address; undefined is mangled. */
export const number = (initial, lowest, highest) => ({
  initial,
  read: (text) => (text.trim() && text >= lowest && text <= highest ? Number(text) : undefined),
});
export const whole = (initial, lowest, highest) => ({
  initial,
  read(text) {
    const n = number(initial, lowest, highest).read(text);
    return Number.isInteger(n) ? n : undefined;
  },
});
export const choice = (initial, options) => ({
  initial,
  read: (text) => options.find((option) => `${option}` === text),
});
export const words = (most) => ({
  initial: "",
  read: (text) => tidied(text, most).join(" "),
});

/** The words of a text: small letters, at most so many, none endless. */
export const tidied = (text, most = 12) =>
  text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, most).map((word) => word.slice(0, 24));

const asked = new Map(); // files, each asked for once, and again if it did not come

async function load(file) {
  if (!asked.has(file)) asked.set(file, ask(file));
  try {
    return await asked.get(file);
  } catch (error) {
    asked.delete(file);
    throw error;
  }
}

async function ask(file) {
  const answer = await fetch(new URL(file, import.meta.url));
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  return answer.json();
}

export class Scene extends HTMLElement {
  static title = "";
  static file = "data.json"; // where its numbers are
  static keepsFigure = false; // whether the figure stays in view, above the controls
  static fields = {};

  #followers = []; // make something other than the drawing show the state
  #timer;
  #seen = new IntersectionObserver(([entry]) => this.whenSeen(entry.isIntersecting));
  #whenClicked = (event) => this.#take(event);

  async connectedCallback() {
    if (!this.state) await this.#start();
    if (!this.state || !this.isConnected) return;
    this.#seen.observe(this);
    document.addEventListener("click", this.#whenClicked, { capture: true });
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    document.removeEventListener("click", this.#whenClicked, { capture: true });
    this.#seen.disconnect();
    this.whenSeen(false);
  }

  /** Called when the scene comes into view, and when it leaves: then nothing may go on. */
  whenSeen() {}

  async #start() {
    this.figure = this.querySelector("figure");
    try {
      this.data = await load(this.constructor.file);
      this.state = this.#stateIn(location.search) ?? this.#initial();
      this.#assemble(this.build(this.data));
    } catch (error) {
      this.state = undefined;
      const text = "This figure would answer back, but its data did not come. Reload to try again.";
      this.querySelector(".scene-missing")?.remove();
      this.append(html("p", { class: "scene-missing" }, text));
      console.info(`${this.localName}: ${error.message}`);
    }
  }

  #assemble(parts) {
    const { title } = this.constructor;
    this.finding = html("p", { class: "scene-finding", "aria-hidden": "true" });
    this.status = html("p", { class: "scene-status", role: "status" });
    const reset = this.button("Reset", () => this.set(this.#initial()));
    const group = { role: "group", "aria-label": `Scene: ${title}`, tabindex: -1 };
    this.frame = html("div", { class: "scene", ...group },
      html("p", { class: "scene-title" }, title), ...parts, this.finding, this.status, reset);
    this.#refresh();
    this.status.textContent = this.finding.textContent;
    this.figure.hidden = !this.constructor.keepsFigure;
    this.append(this.frame);
  }

  /** Changes the state, and everything that shows it. */
  set(changes) {
    Object.assign(this.state, changes);
    this.#refresh();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.status.textContent = this.finding.textContent;
      this.#toAddress();
    }, PAUSE);
  }

  #refresh() {
    for (const follow of this.#followers) follow(this.state);
    this.finding.textContent = this.draw(this.state);
  }

  // The address: `?blame-sigma=6` is the field `sigma` of the page's first <scene-blame>.

  get #prefix() {
    const kind = this.localName.replace("scene-", "");
    const place = [...document.querySelectorAll(this.localName)].indexOf(this);
    return place > 0 ? `${kind}-${place + 1}-` : `${kind}-`;
  }

  #initial() {
    const fields = Object.entries(this.constructor.fields);
    return Object.fromEntries(fields.map(([name, { initial }]) => [name, initial]));
  }

  /** The state that an address speaks of, if it speaks of this scene; what is mangled is left out. */
  #stateIn(search) {
    const given = new URLSearchParams(search);
    const fields = Object.entries(this.constructor.fields);
    const named = fields.filter(([name]) => given.has(this.#prefix + name));
    const found = named.map(([name, { read }]) => [name, read(given.get(this.#prefix + name))]);
    const good = found.filter(([, value]) => value !== undefined);
    return named.length ? { ...this.#initial(), ...Object.fromEntries(good) } : undefined;
  }

  /** A link to a state of this scene, on this page, is followed here: nothing needs to be loaded. */
  #take(event) {
    const link = event.target.closest("a[href]");
    if (link?.origin + link?.pathname !== location.origin + location.pathname) return;
    const state = this.#stateIn(link.search);
    if (!state || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.set(state);
    this.scrollIntoView();
    this.frame.focus({ preventScroll: true });
  }

  #toAddress() {
    const address = new URL(location);
    for (const [name, { initial }] of Object.entries(this.constructor.fields)) {
      const key = this.#prefix + name;
      address.searchParams.delete(key); // the same state is the same address, whatever came before
      if (this.state[name] !== initial) address.searchParams.append(key, this.state[name]);
    }
    if (address.href !== location.href) history.replaceState(history.state, "", address);
  }

  /** Has a function called with the state whenever that changes. */
  follow(show) {
    this.#followers.push(show);
  }

  // Controls. All are the browser's own, in a label of their own.

  /** A slider for a number; `values` makes it one for the places in a list. */
  slider(field, name, { lowest, highest, step, values, text = String }) {
    const [min, max, by] = values ? [0, values.length - 1, 1] : [lowest, highest, step];
    const input = html("input", {
      type: "range", min, max, step: by,
      oninput: () => this.set({ [field]: values ? values[input.value] : Number(input.value) }),
    });
    const value = html("span", { class: "scene-value", "aria-hidden": "true" }); // is the valuetext
    this.follow((state) => {
      input.value = values ? values.indexOf(state[field]) : state[field];
      value.textContent = text(state[field]);
      input.setAttribute("aria-valuetext", text(state[field]));
    });
    return html("label", { class: "scene-slider" }, html("span", {}, name), value, input);
  }

  /**
   * A list to choose a field's value from; `options` are pairs of a value and its text. `get` and
   * `set` say how the choice goes with the state where it is not just the field.
   */
  select(field, name, options, { get = (state) => state[field], set } = {}) {
    set ??= (value) => this.set({ [field]: value });
    const entries = options.map(([value, text]) => html("option", { value }, text));
    const input = html("select", { onchange: () => set(options[input.selectedIndex][0]) }, ...entries);
    this.follow((state) => (input.value = get(state)));
    return html("label", { class: "scene-select" }, html("span", {}, name), input);
  }

  /** A line to type words into. */
  typed(field, name, most) {
    const input = html("input", {
      type: "text", autocomplete: "off", spellcheck: "false", maxlength: 200,
      oninput: () => this.set({ [field]: tidied(input.value, most).join(" ") }),
    });
    this.follow((state) => {
      if (tidied(input.value, most).join(" ") !== state[field]) input.value = state[field];
    });
    return html("label", { class: "scene-typed" }, html("span", {}, name), input);
  }

  button(name, onclick, more = {}) {
    return html("button", { type: "button", class: "md-button scene-button", onclick, ...more }, name);
  }

  /** A box to tick. */
  tick(field, name) {
    const input = html("input", { type: "checkbox", onchange: () => this.set({ [field]: input.checked }) });
    this.follow((state) => (input.checked = state[field]));
    return html("label", { class: "scene-tick" }, input, html("span", {}, name));
  }

  /** A row of buttons, each of which sets some fields; the present one is marked. */
  presets(name, settings) {
    const buttons = settings.map(([text, changes]) => {
      const button = this.button(text, () => this.set(changes));
      this.follow((state) => {
        const isOn = Object.entries(changes).every(([field, value]) => state[field] === value);
        button.setAttribute("aria-pressed", isOn);
      });
      return button;
    });
    return html("div", { class: "scene-presets", role: "group", "aria-label": name }, ...buttons);
  }
}
