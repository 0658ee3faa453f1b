// What scenes draw with: elements, numbers as text, and two kinds of picture.

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 330; // of a picture, in its own units: about a pixel each on a phone

/** An element; properties that begin with "on" are listeners. Text is text, never markup. */
export function html(tag, properties = {}, ...children) {
  return filled(document.createElement(tag), properties, children);
}

/** The same within a picture. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** Shows new nodes in place of those shown so far; what is the same stays, and costs no layout. */
export function show(place, ...fresh) {
  for (const [n, node] of fresh.entries()) {
    const shown = place.childNodes[n];
    if (shown?.nodeName === node.nodeName) renew(shown, node);
    else if (shown) shown.replaceWith(node);
    else place.append(node);
  }
  while (place.childNodes.length > fresh.length) place.lastChild.remove();
}

function renew(shown, node) {
  if (node.nodeType === Node.TEXT_NODE) {
    if (shown.data !== node.data) shown.data = node.data;
    return;
  }
  for (const { name } of [...shown.attributes]) {
    if (!node.hasAttribute(name)) shown.removeAttribute(name);
  }
  for (const { name, value } of node.attributes) {
    if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  }
  show(shown, ...node.childNodes);
}

/** A colour of the figures; the style sheet says what it is in the dark. */
export const colour = (hex) => `var(--c-${hex}, #${hex})`;
export const [INK, GREY, GRID] = ["1b1b1f", "6b6b75", "d9d9de"].map(colour);
export const [BLUE, VERMILION] = ["0072b2", "c24f00"].map(colour);

const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";
export const raised = (n) => (n < 0 ? "⁻" : "") + [...`${Math.abs(n)}`].map((d) => SUPERSCRIPT[d]).join("");

/** A number with a real minus sign and so many decimals, or as many of them as it needs. */
export const fixed = (x, digits) => (Object.is(Math.round(x * 10 ** digits), -0) ? 0 : x)
  .toFixed(digits).replace("-", "−");
export const plain = (x, digits) => `${+x.toFixed(digits) + 0}`.replace("-", "−");

// Made once: to make a format takes longer than to draw a bar.
const grouped = (digits) => new Intl.NumberFormat("en", { maximumSignificantDigits: digits });
const GROUPED = { 2: grouped(2), 4: grouped(4) };

/** A number of any size to 2 or 4 digits: 0.013, 54, 2.1 × 10⁻⁶. */
export function short(x, digits = 2) {
  if (x === 0) return "0";
  if (x === Infinity) return "above 10³⁰⁸";
  const [mantissa, power] = x.toExponential(digits - 1).split("e").map(Number);
  if (power < -3 || power > 4) return `${mantissa} × 10${raised(power)}`;
  return GROUPED[digits].format(x);
}

/** Where a gain lies on a logarithmic scale from 10⁻⁹ (−1) over 1 (0) to 10⁹ (1). */
export const onLogScale = (gain) => within(Math.log10(gain) / 9, -1, 1);
export const LOG_TICKS = [-6, -3, 0, 3, 6].map((n) => [n / 9, n ? `10${raised(n)}` : "1"]);

export const within = (x, lowest, highest) => Math.min(Math.max(x, lowest), highest);

/** A picture that a screen reader reads as one sentence. */
export function picture(height, label, ...parts) {
  const size = { viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height };
  return svg("svg", { class: "figure", role: "img", "aria-label": label, ...size }, ...parts);
}

export const label = (x, y, text, more = {}) =>
  svg("text", { x, y, fill: INK, "font-size": 12, ...more }, text);

const line = (x1, y1, x2, y2, stroke, more = {}) =>
  svg("line", { x1, y1, x2, y2, stroke, ...more });

const [TOP, ROW] = [18, 22];
const [LEFT, MIDDLE, HALF] = [88, 178, 84]; // where the bars begin, where 0 is, how far they go

/**
 * Rows with a name, a bar from a line in the middle, and a number.
 *
 * `ticks` are pairs of a place (−1 to 1) and its text, `axis` names the scale; `notes`, `texts` and
 * `bound` name the notes, the numbers and the line.
 */
export class Bars {
  #rows = [];

  constructor(scale) {
    this.scale = scale;
    this.element = html("div");
  }

  /**
   * Shows rows: each has `name`, `at` (from −1 to 1, where the bar ends), `text`, perhaps a `note`
   * beside its name, and perhaps a `bound`, where a dashed line crosses it. A screen reader reads
   * `title` and then each name with its text, or with `said` in its place.
   */
  draw(rows, title) {
    const [key, shown] = [rows, this.#rows].map((all) => all.map(({ name }) => name).join("\n"));
    if (key !== shown) this.#build(rows);
    this.#rows = rows;
    const listed = rows.map(({ name, text, said = text }) => `${name} ${said}`).join(", ");
    this.picture.setAttribute("aria-label", `${title}: ${listed}.`);
    for (const [n, { at, text }] of rows.entries()) {
      const bar = this.bars[n];
      bar.setAttribute("x", Math.min(acrossBars(at), MIDDLE));
      bar.setAttribute("width", Math.max(Math.abs(HALF * at), 1));
      bar.setAttribute("fill", at < 0 ? VERMILION : BLUE);
      this.numbers[n].textContent = text;
    }
    if (!this.limit) return;
    const points = rows.map(({ bound }, n) => `${acrossBars(bound)},${TOP + ROW * (n + 0.5)}`);
    this.limit.setAttribute("points", points.join(" "));
    const start = within(acrossBars(rows[0].bound), LEFT + 24, MIDDLE + HALF - 24);
    this.limitName.setAttribute("x", start);
  }

  #build(rows) {
    const { axis, ticks, notes = "", texts = "", bound = "" } = this.scale;
    const bottom = TOP + ROW * rows.length;
    const middle = { "text-anchor": "middle", "font-size": 11 };
    const end = { "text-anchor": "end", "font-size": 11 };
    const scale = ticks.flatMap(([at, text]) => [
      line(acrossBars(at), TOP, acrossBars(at), bottom, at ? GRID : GREY),
      label(acrossBars(at), bottom + 13, text, middle),
    ]);
    const base = (n) => TOP + ROW * n + 15;
    const names = rows.flatMap(({ name, note = "" }, n) => [
      label(0, base(n), clipped(name, 13)),
      label(LEFT - 8, base(n), note, end),
    ]);
    this.bars = rows.map((_, n) => svg("rect", { y: TOP + ROW * n + 4, height: ROW - 8 }));
    this.numbers = rows.map((_, n) => label(WIDTH, base(n), "", { "text-anchor": "end" }));
    const parts = [...scale, ...names, ...this.bars, ...this.numbers];
    if (rows[0].bound !== undefined) {
      const dashes = { fill: "none", stroke: INK, "stroke-width": 1.5, "stroke-dasharray": "5 3" };
      this.limit = svg("polyline", dashes);
      this.limitName = label(0, 12, bound, middle);
      parts.push(this.limit, this.limitName);
    }
    const heads = [label(LEFT - 8, 12, notes, end), label(WIDTH, 12, texts, end)];
    const titles = [...heads, label(MIDDLE, bottom + 28, axis, middle)];
    this.picture = picture(bottom + 34, "", ...parts, ...titles);
    this.element.replaceChildren(this.picture);
  }
}

const acrossBars = (at) => MIDDLE + HALF * at;

const clipped = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

const [PLOT_LEFT, PLOT_RIGHT, PLOT_TOP, PLOT_BOTTOM] = [38, 250, 22, 232];

/**
 * Lines over n = 0, 1, …, on a logarithmic scale, with their names at their ends.
 *
 * Each has `name`, `values`, `stroke` and perhaps `dashes`.
 */
export function curves(lines, { x: xName, y: yName }, describe) {
  const last = lines[0].values.length - 1;
  const x = (n) => PLOT_LEFT + ((PLOT_RIGHT - PLOT_LEFT) * n) / last;
  const up = (at) => (PLOT_TOP + PLOT_BOTTOM - (PLOT_BOTTOM - PLOT_TOP) * at) / 2;
  const y = (gain) => up(onLogScale(gain));
  const scale = LOG_TICKS.flatMap(([at, text]) => [
    line(PLOT_LEFT, up(at), PLOT_RIGHT, up(at), at ? GRID : GREY),
    label(PLOT_LEFT - 4, up(at) + 4, text, { "text-anchor": "end", "font-size": 11 }),
  ]);
  for (let n = 0; n <= last; n += 5) {
    scale.push(label(x(n), PLOT_BOTTOM + 15, `${n}`, { "text-anchor": "middle", "font-size": 11 }));
  }
  const paths = lines.map(({ values, stroke, dashes }) => {
    const shown = values.slice(0, 1 + values.findLastIndex((gain) => Math.abs(onLogScale(gain)) < 1) + 1);
    const points = shown.map((gain, n) => `${x(n)},${y(gain)}`).join(" ");
    const style = { fill: "none", stroke, "stroke-width": 2, "stroke-dasharray": dashes ?? "none" };
    return svg("polyline", { points, ...style });
  });
  const heights = apart(lines.map(({ values }) => y(values[last]) + 4), 14, PLOT_TOP, PLOT_BOTTOM);
  const names = lines.map(({ name, stroke }, n) => label(PLOT_RIGHT + 6, heights[n], name, { fill: stroke }));
  const titles = [
    label(0, 11, yName, { "font-size": 11 }),
    label((PLOT_LEFT + PLOT_RIGHT) / 2, PLOT_BOTTOM + 30, xName, { "text-anchor": "middle", "font-size": 11 }),
  ];
  return picture(PLOT_BOTTOM + 36, describe, ...scale, ...paths, ...names, ...titles);
}

/** Moves heights apart until neighbours differ by the gap, within the frame. */
function apart(heights, gap, top, bottom) {
  const order = heights.map((_, n) => n).sort((a, b) => heights[a] - heights[b]);
  const room = bottom - gap * (order.length - 1);
  let next = top;
  for (const [n, index] of order.entries()) {
    heights[index] = Math.max(next, Math.min(heights[index], room + gap * n));
    next = heights[index] + gap;
  }
  return heights;
}
