// The reader's point on the map of the author's `influence`.

import { INK, fixed, html, plain, short, svg, within } from "./drawing.js";
import { influence } from "./model.js";
import { Scene, choice, number } from "./scene.js";

const STEPS = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300,
  400, 500, 600, 800, 1000,
];
const ROW = [1, 5, 10, 20]; // the author's columns

class Threshold extends Scene {
  static title = "Walk on the map";
  static keepsFigure = true; // the point moves on it
  static fields = { g: number(1.5, 0.3, 3), n: choice(20, STEPS) };

  build() {
    const drawing = this.figure.querySelector("svg");
    this.plane = drawing.querySelector(".part-plane").getBBox();
    this.point = svg("g", { class: "scene-point" },
      svg("circle", { r: 7, fill: "none", stroke: INK, "stroke-width": 2.5 }),
      svg("circle", { r: 2.5, fill: INK }));
    drawing.append(this.point);
    drawing.addEventListener("pointerdown", (event) => this.#goTo(event));
    drawing.addEventListener("pointermove", (event) => {
      if (event.buttons && event.pointerType === "mouse") this.#goTo(event);
    });
    this.row = html("p", { class: "scene-row" });
    return [
      this.presets("The author's rows", [0.5, 0.9, 1.5, 2].map((g) => [`g = ${fixed(g, 1)}`, { g }])),
      this.slider("g", "Size of the weights, g", {
        lowest: 0.3, highest: 3, step: 0.01, text: (g) => plain(g, 2),
      }),
      this.slider("n", "Steps, n", { values: STEPS }),
      this.row,
    ];
  }

  draw({ g, n }) {
    const { map } = this.data;
    const gains = influence(g, Math.max(n, ...ROW));
    const [x, y] = this.#onMap(g, n);
    this.point.setAttribute("transform", `translate(${x} ${y})`);
    const row = ROW.map((n) => plain(gains[n - 1], 4)).join(", ");
    this.row.textContent = `Gain after ${ROW.join(", ")} steps: ${row}.`;
    const side = g < map.g_c ? "below" : "above";
    return `At g = ${plain(g, 2)} the gain after ${n} ${n === 1 ? "step" : "steps"} is `
      + `${short(gains[n - 1])}, bound ${short(g ** n)}. This is ${side} the threshold, ${fixed(map.g_c, 3)}.`;
  }

  #onMap(g, n) {
    const { x, y, width, height } = this.plane;
    const { map } = this.data;
    const right = (g - map.g[0]) / (map.g[1] - map.g[0]);
    const up = Math.log(n / map.steps[0]) / Math.log(map.steps[1] / map.steps[0]);
    return [x + width * right, y + height * (1 - up)];
  }

  #goTo(event) {
    const drawing = this.point.ownerSVGElement;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    const { x, y, width, height } = this.plane;
    const { map } = this.data;
    const right = within((at.x - x) / width, 0, 1);
    const up = within(1 - (at.y - y) / height, 0, 1);
    const g = map.g[0] + right * (map.g[1] - map.g[0]);
    const n = map.steps[0] * (map.steps[1] / map.steps[0]) ** up;
    const near = (step) => Math.abs(Math.log(step / n));
    const [nearest] = STEPS.toSorted((one, other) => near(one) - near(other));
    this.set({ g: Math.round(g * 100) / 100, n: nearest });
  }
}

customElements.define("scene-threshold", Threshold);
