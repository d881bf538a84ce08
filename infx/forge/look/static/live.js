// While something goes on the page is asked for again, and its main part replaced; what is unfolded stays so.
const EVERY_MS = 3000;

async function refresh() {
  const main = document.querySelector("main");
  if (!main || !("live" in main.dataset)) return;
  if (!document.hidden && document.getSelection().isCollapsed) {
    const answer = await fetch(location.href).catch(() => null);
    if (answer && answer.ok) replace(main, new DOMParser().parseFromString(await answer.text(), "text/html"));
  }
  setTimeout(refresh, EVERY_MS);
}

function replace(main, page) {
  const next = page.querySelector("main");
  for (const [place, old] of [...main.querySelectorAll("details")].entries()) {
    const same = old.id ? next.querySelector(`#${old.id}`) : next.querySelectorAll("details")[place];
    if (same) same.open = old.open;
  }
  if (next.innerHTML !== main.innerHTML) main.replaceWith(next);
}

setTimeout(refresh, EVERY_MS);
