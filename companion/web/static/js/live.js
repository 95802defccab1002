// For every page: the event stream's state, sheets, map groups that changed, "your turn". No money and no dice are ever guessed here.
const root = document.documentElement;
const line = document.getElementById("line");
const sheet = document.getElementById("sheet");
const still = matchMedia("(prefers-reduced-motion: reduce)");

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
document.addEventListener("closesheet", () => sheet.open && sheet.close());

// --- the map: only the groups that changed are sent -------------------------------------------------------------
const glide = (group, html) => {
  const old = new Map([...group.querySelectorAll("[data-taxi]")].map((t) => [t.dataset.taxi, t.getBoundingClientRect()]));
  group.innerHTML = html;
  if (still.matches) return;
  for (const taxi of group.querySelectorAll("[data-taxi]")) {
    const from = old.get(taxi.dataset.taxi);
    if (!from) continue;
    const to = taxi.getBoundingClientRect();
    const scale = group.ownerSVGElement.getScreenCTM()?.a || 1;
    const dx = (from.x + from.width / 2 - to.x - to.width / 2) / scale;
    const dy = (from.y + from.height / 2 - to.y - to.height / 2) / scale;
    const way = Math.hypot(dx, dy);
    if (way < 2) continue;
    const carrier = taxi.querySelector("[data-glide]") || taxi;
    carrier.animate(
      [{ translate: `${dx}px ${dy}px` }, { translate: "0px 0px" }],
      { duration: Math.min(2200, 350 + way * 3), easing: "cubic-bezier(.3,0,.2,1)", composite: "replace" },
    );
  }
};
document.addEventListener("map", (e) => {
  for (const [id, html] of Object.entries(JSON.parse(e.detail.data))) {
    const group = document.getElementById(id);
    if (!group) continue;
    if (id === "taxis") glide(group, html);
    else group.innerHTML = html;
  }
  document.dispatchEvent(new CustomEvent("mapchanged"));
});

// --- your turn --------------------------------------------------------------------------------------------------
document.addEventListener("yourturn", () => { navigator.vibrate?.([80, 120, 80]); });
