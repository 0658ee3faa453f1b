// What of the theme has to be mended in the browser.

// The button that copies code is put into a landmark of its own, without a name: a page with ten
// blocks of code would offer eleven navigations. This takes them out of that list.
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) {
    for (const node of addedNodes) {
      if (node.localName === "nav" && node.matches(".md-code__nav")) node.role = "none";
    }
  }
}).observe(document.body, { childList: true, subtree: true });

// Every wide formula and table can be reached by keyboard, to scroll it. Those that have room are
// no stops on the way. (The theme does the same for code.)
new ResizeObserver(() => {
  for (const wide of document.querySelectorAll(".md-typeset :is(table, .arithmatex)[tabindex]")) {
    const box = wide.closest(".md-typeset__scrollwrap") ?? wide;
    wide.tabIndex = box.scrollWidth > box.clientWidth ? 0 : -1;
  }
}).observe(document.body);
