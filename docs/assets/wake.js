// All other scripts of a page sleep (theme/main.html marks them `data-src`) until the reader does
// something. A page can be read without them, and a phone works hard to start them.

const SIGNS = ["focusin", "keydown", "pointerdown", "pointerover", "scroll"];

async function wake(sign) {
  for (const name of SIGNS) removeEventListener(name, wake, { capture: true });
  await Promise.all([...document.querySelectorAll("script[data-src]")].map(start));
  document.dispatchEvent(new Event("DOMContentLoaded")); // the theme waits for it
  // A search that was opened before is one to type into.
  if (document.querySelector("#__search:checked")) document.forms.search.query.focus();
  // What it was that the reader did may have been meant for one of them, such as a key.
  sign?.target.dispatchEvent(new sign.constructor(sign.type, sign));
}

/** Resolves when a script has run, or did not come. Scripts run in the order of the page. */
const start = (sleeping) => new Promise((resolve) => {
  const script = document.createElement("script");
  script.type = sleeping.type;
  script.async = false;
  script.onload = script.onerror = resolve;
  script.src = sleeping.dataset.src;
  sleeping.replaceWith(script);
});

for (const name of SIGNS) addEventListener(name, wake, { capture: true, passive: true });
if (location.search) wake(); // the address asks for a scene's state, or for a search
