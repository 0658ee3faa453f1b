// Shows what a symbol of a formula means where one points at it or touches it. What it shows
// stands in the page as well, in the fold below the first formula: so a screen reader, a keyboard
// and a page without scripts have it there, and this copy is kept from being read a second time.

const PAUSE = 200; // ms that a pointer may take from a symbol to its note
const GAP = 6; // CSS pixels between the two, and between the note and the edge of the screen

const note = document.createElement("dl");
note.className = "lesson-note md-typeset";
note.setAttribute("aria-hidden", "true");

let timer;

function show(symbol) {
  clearTimeout(timer);
  const entry = document.getElementById(`symbol-${symbol.getAttribute("data-symbol")}`);
  if (!entry) return;
  note.replaceChildren(...entry.cloneNode(true).childNodes);
  document.body.append(note);
  const { left, top, bottom } = symbol.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = note;
  const rightmost = document.documentElement.clientWidth - width - GAP;
  const isRoom = bottom + GAP + height < innerHeight;
  note.style.left = `${scrollX + Math.max(GAP, Math.min(left, rightmost))}px`;
  note.style.top = `${scrollY + (isRoom ? bottom + GAP : top - GAP - height)}px`;
}

const hide = () => note.remove();

document.addEventListener("pointerover", ({ target }) => {
  const symbol = target.closest("[data-symbol]");
  clearTimeout(timer);
  if (symbol) show(symbol);
  else if (!note.contains(target)) timer = setTimeout(hide, PAUSE);
});
document.addEventListener("pointercancel", hide); // a finger that scrolls
document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
