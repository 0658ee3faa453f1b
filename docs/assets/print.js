// On paper stands what stands on the screen: a fold that is closed stays away. The theme unfolds all
// to be printed, so they are marked before it does. And nobody clicks on paper: where a link
// leads elsewhere, the address is spelled out. Within the lesson it names its page already.

function prepare() {
  for (const fold of document.querySelectorAll("details")) {
    fold.classList.toggle("lesson-closed", !fold.open);
  }
  for (const link of document.querySelectorAll("article a[href^=http]")) {
    const isSpelled = link.textContent.includes(link.host);
    if (link.origin !== location.origin && !isSpelled) link.dataset.elsewhere = link.href;
  }
}

addEventListener("beforeprint", prepare, { capture: true });
