// For every page: the event stream's state, sheets, map groups that changed, "your turn". No money and no dice are ever guessed here.
const root = document.documentElement;
const line = document.getElementById("line");
const sheet = document.getElementById("sheet");

// --- the line to the table --------------------------------------------------------------------------------------
let lostTimer = 0;
const lost = () => { lostTimer ||= setTimeout(() => { line.hidden = false; root.dataset.line = "lost"; }, 900); };
const found = () => { clearTimeout(lostTimer); lostTimer = 0; line.hidden = true; delete root.dataset.line; };
document.addEventListener("htmx:sse:error", lost);
document.addEventListener("htmx:sse:before:connection", (e) => { if (e.detail.connection.attempt > 0 && !document.hidden) lost(); });
document.addEventListener("htmx:sse:after:connection", found);
document.addEventListener("htmx:error", (e) => {
  if (e.detail.ctx?.sourceElement?.hasAttribute?.("hx-sse:connect")) return lost();
  const say = document.getElementById("say");
  say.replaceChildren(Object.assign(document.createElement("p"), { textContent: line.dataset.lost }));
});
document.addEventListener("reload", () => location.reload());

// --- sentences go away again ------------------------------------------------------------------------------------
let sayTimer = 0;
new MutationObserver(() => {
  clearTimeout(sayTimer);
  sayTimer = setTimeout(() => document.getElementById("say").replaceChildren(), 9000);
}).observe(document.getElementById("say"), { childList: true });

// --- sheets -----------------------------------------------------------------------------------------------------
document.addEventListener("click", (e) => {
  const opener = e.target.closest("[data-sheet]");
  if (opener) {
    e.preventDefault();
    htmx.ajax("GET", opener.getAttribute("href") || opener.dataset.sheet, { target: "#sheet", swap: "innerHTML" });
  }
  if (e.target.closest("[data-close]") || e.target === sheet) sheet.close();
});
document.addEventListener("htmx:after:swap", () => {
  if (sheet.childElementCount && !sheet.open) {
    sheet.showModal();
    sheet.querySelector("[autofocus]")?.focus();
  }
});
sheet.addEventListener("close", () => sheet.replaceChildren());
document.addEventListener("closesheet", () => { sheet.close(); sheet.replaceChildren(); });

// --- the map: only the groups that changed are sent -------------------------------------------------------------
const SVG = "http://www.w3.org/2000/svg";
const parsed = (html) => {
  const holder = document.createElementNS(SVG, "svg");
  holder.innerHTML = html;
  return holder.firstElementChild;
};
// Things with an id stay the same element, so that a taxi whose place changed glides there (its transform has a transition).
const keepAndMove = (group, fresh) => {
  const old = new Map([...group.children].filter((c) => c.id).map((c) => [c.id, c]));
  const next = [...fresh.children].map((child) => {
    const kept = old.get(child.id);
    if (!kept) return child;
    for (const { name, value } of [...child.attributes]) if (kept.getAttribute(name) !== value) kept.setAttribute(name, value);
    if (kept.innerHTML !== child.innerHTML) kept.innerHTML = child.innerHTML;
    return kept;
  });
  for (const child of [...group.children]) if (!next.includes(child)) child.remove();
  next.forEach((child, i) => { if (group.children[i] !== child) group.insertBefore(child, group.children[i] || null); });
};
document.addEventListener("map", (e) => {
  for (const [id, html] of Object.entries(JSON.parse(e.detail.data))) {
    const group = document.getElementById(id);
    if (!group || (id === "hands" && root.dataset.dragging)) continue;
    const fresh = parsed(html);
    if (id === "taxis" || id === "hands") keepAndMove(group, fresh);
    else group.replaceWith(fresh);
  }
  document.dispatchEvent(new CustomEvent("mapchanged"));
});

// --- your turn --------------------------------------------------------------------------------------------------
document.addEventListener("yourturn", () => { navigator.vibrate?.([80, 120, 80]); });
