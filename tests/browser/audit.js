// Looks for the faults of a page. Each function returns them as sentences: the fewer the better.

const FONT = "STIX Two Math";
const SMALLEST = 9; // CSS pixels
const FAINTEST = 4.5; // contrast, as WCAG AA asks of text

const all = (selector) => [...document.querySelectorAll(selector)];

const named = (element) => {
  const text = element.getAttribute("aria-label") || element.textContent;
  const names = element.getAttribute("class") ?? "";
  return `<${element.localName} class="${names}"> ${text.trim().slice(0, 40)}`;
};

const faults = (elements, faultOf) =>
  elements.flatMap((element) => {
    const fault = faultOf(element);
    return fault ? [`${named(element)}: ${fault}`] : [];
  });

/** Those drawn when the page was built, and those of the scenes that took the place of some. */
const figures = (within = "") => all(`${within} :is(.lesson-figure:not([hidden]), .scene) svg`);

const isSeen = (element) =>
  element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

const scrolls = (element) =>
  element !== document.body &&
  (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));

/** All elements within others; a figure counts as one. */
const boxes = (root) => all(`${root} *`).filter((element) => !element.ownerSVGElement);

const isBeyond = (inner, outer) => {
  const [a, b] = [inner, outer].map((element) => element.getBoundingClientRect());
  return (
    a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 1 || a.bottom > b.bottom + 1
  );
};

const isEmpty = (element) => {
  const { width, height } = element.getBoundingClientRect();
  return !(width && height);
};

const luminance = (rgb) => {
  const [red, green, blue] = rgb.map((c) =>
    c <= 10 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Red, green and blue up to 255, and how opaque, of a colour as a browser computes it. */
const numbers = (color) => {
  const [red, green, blue, ...alpha] = color.match(/[\d.]+/g).map(Number);
  const most = color.startsWith("color(srgb") ? 255 : 1; // that of color-mix() goes up to 1
  return [red * most, green * most, blue * most, ...alpha];
};

const background = () => numbers(getComputedStyle(document.body).backgroundColor).slice(0, 3);

/** The colour that shows where an element's fill lies over another colour. */
const over = (back, element) => {
  const { fill, fillOpacity, opacity } = getComputedStyle(element);
  const [red, green, blue, alpha = 1] = numbers(fill);
  const share = alpha * fillOpacity * opacity;
  return [red, green, blue].map((front, i) => share * front + (1 - share) * back[i]);
};

/** The colour of the page behind a text, or that of what the figure drew there before. */
const behind = (text) => {
  const { x, y, width, height } = text.getBoundingClientRect();
  const middle = new DOMPoint(x + width / 2, y + height / 2);
  const covers = (shape) =>
    text.compareDocumentPosition(shape) & Node.DOCUMENT_POSITION_PRECEDING &&
    getComputedStyle(shape).fill !== "none" &&
    shape.isPointInFill(middle.matrixTransform(shape.getScreenCTM().inverse()));
  const shapes = [...text.ownerSVGElement.querySelectorAll(":is(path, rect):not(defs *)")];
  return shapes.filter(covers).reduce(over, background());
};

const contrast = (text) => {
  const back = behind(text);
  const [dark, light] = [back, over(back, text)].map(luminance).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

const size = (text) => {
  const { a, b } = text.getScreenCTM();
  return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
};

/** The variables that are the colours of the figures, each with its present value. */
const usedColours = () => {
  const palette = getComputedStyle(document.body);
  const drawn = figures().map((figure) => figure.outerHTML);
  const used = new Set(drawn.join().match(/--c-\w+/g));
  return [...used].map((name) => [name, palette.getPropertyValue(name)]);
};

window.audit = {
  /** Whether the scripts run that sleep until the reader does something. */
  isAwake: false,

  /** Opens all that is folded away or behind a tab, so that the other functions see it. */
  unfold() {
    all("details").forEach((details) => (details.open = true));
    all(".tabbed-block").forEach((block) => (block.style.display = "block"));
  },

  /**
   * Hides each text that has the same names and classes all the way up as one before it, or shows
   * it again. They look alike, and contrast is slow to measure: a page of code has thousands.
   */
  hideAlike(isHidden) {
    const seen = new Set();
    for (const element of boxes("body").filter((box) => !box.firstElementChild)) {
      let path = "";
      for (let at = element; at; at = at.parentElement) path += `${at.localName}.${at.className} `;
      element.style.visibility = isHidden && seen.has(path) ? "hidden" : "";
      seen.add(path);
    }
  },

  /** Waits until nothing moves by itself. */
  async settle() {
    const moving = document.getAnimations().filter(({ timeline }) => timeline === document.timeline);
    await Promise.allSettled(moving.map((animation) => animation.finished));
  },

  /** What stands out of the screen. What scrolls by itself, such as code, may be wide. */
  tooWide() {
    const { scrollWidth } = document.documentElement;
    const page = scrollWidth > innerWidth ? [`the page is ${scrollWidth} px wide`] : [];
    const faultOf = (element) => {
      const { left, right, width } = element.getBoundingClientRect();
      const isOut = width && (right > innerWidth + 1 || (left < -1 && right > 0));
      return isOut && isSeen(element) && !scrolls(element) && `from ${left} to ${right} px`;
    };
    return [...page, ...faults(boxes("body"), faultOf)];
  },

  /** What is higher than the box that hides the rest of it. */
  cutOff() {
    const faultOf = (element) =>
      getComputedStyle(element).overflowY === "hidden" &&
      element.scrollHeight > element.clientHeight + 1 &&
      `${element.scrollHeight} px in ${element.clientHeight} px`;
    return faults(boxes("article"), faultOf);
  },

  formulas() {
    const fonts = [...document.fonts].filter((font) => font.family.includes(FONT));
    const isLoaded = fonts.some((font) => font.status === "loaded");
    const faultOf = (formula) => {
      const { fontFamily } = getComputedStyle(formula);
      if (isEmpty(formula)) return "no size";
      if (!fontFamily.startsWith(`"${FONT}"`)) return `set in ${fontFamily}`;
      return !isLoaded && `${FONT} is not loaded`;
    };
    return faults(all("math:not(details:not([open]) *)"), faultOf);
  },

  figures() {
    const faultOf = (figure) =>
      (isEmpty(figure) && "no size") ||
      (!figure.getAttribute("aria-label")?.trim() && "no alt text");
    return faults(figures(), faultOf);
  },

  labels(within = "") {
    const faultOf = (text) =>
      (size(text) < SMALLEST && `${size(text).toFixed(2)} px`) ||
      (contrast(text) < FAINTEST && `contrast ${contrast(text).toFixed(2)}`) ||
      (isBeyond(text, text.ownerSVGElement) && "beyond its figure");
    const texts = (figure) => [...figure.querySelectorAll("text")];
    return faults(figures(within).flatMap(texts), faultOf);
  },

  /** Colours of the figures for which the palette has no value of its own. */
  strangeColours: () => usedColours().filter(([, value]) => !value).map(([name]) => name),

  /** Colours of the figures that stay the page's own where the reader's system forces colours. */
  unforcedColours: () =>
    usedColours().filter(([, value]) => !/canvas|graytext/i.test(value)).map(([name]) => name),

  luminance: () => luminance(background()),
};

// The browser's own comes before, and only wake.js sends another.
document.addEventListener("DOMContentLoaded", ({ isTrusted }) => (audit.isAwake ||= !isTrusted));
