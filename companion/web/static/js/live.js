// For every page: the stream's state, sheets, map groups that changed, "your turn". Nothing is ever guessed here.
const root = document.documentElement;
const line = document.getElementById("line");
const sheet = document.getElementById("sheet");

// --- the line to the table
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

// --- sentences go away again
let sayTimer = 0;
new MutationObserver(() => {
  clearTimeout(sayTimer);
  sayTimer = setTimeout(() => document.getElementById("say").replaceChildren(), 9000);
}).observe(document.getElementById("say"), { childList: true });

// --- sheets
const under = new Set();
const openSheet = async (address) => {
  // The second press of a double click would open it again after it was closed.
  if (under.has(address)) return;
  under.add(address);
  try {
    await htmx.ajax("GET", address, { target: "#sheet", swap: "innerHTML" });
  } finally {
    under.delete(address);
  }
};
document.addEventListener("click", (e) => {
  const opener = e.target.closest("[data-sheet]"), again = e.detail > 1;
  if (opener) {
    e.preventDefault();
    if (!again) openSheet(opener.getAttribute("href") || opener.dataset.sheet);
  }
  if (e.target.closest("[data-close]") || (e.target === sheet && !again)) sheet.close();
});
// Only what comes into the sheet opens it: the stream draws the page anew between a sheet's closing and its "close".
new MutationObserver(() => {
  if (sheet.childElementCount && !sheet.open) sheet.showModal();
}).observe(sheet, { childList: true });
sheet.addEventListener("close", () => { if (!sheet.open) sheet.replaceChildren(); });
document.addEventListener("closesheet", () => { sheet.close(); sheet.replaceChildren(); });

// --- what somebody has opened stays open, whatever is drawn anew around it
let opened = [];
document.addEventListener("htmx:before:swap", () => {
  opened = [...document.querySelectorAll("details[open][id]")].map((one) => one.id);
});
document.addEventListener("htmx:after:swap", () => {
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
});

// --- the map: only the groups that changed are sent
const SVG = "http://www.w3.org/2000/svg";
const parsed = (html) => {
  const holder = document.createElementNS(SVG, "svg");
  holder.innerHTML = html;
  return holder.firstElementChild;
};
const still = matchMedia("(prefers-reduced-motion: reduce)");
const spot = (style) => style?.match(/-?[\d.]+/g)?.map(Number) || [];
// A taxi that drove glides along its way (milliseconds, then points in even steps) and keeps its heading.
const drive = (taxi, was, style, home) => {
  const [ms, ...flat] = taxi.dataset.way.split(" ").map(Number);
  const way = flat.flatMap((x, i) => (i % 2 ? [] : [[x, flat[i + 1]]]));
  const [x0, y0, turn0] = spot(was), [x1, y1, turn1] = spot(style), last = way.length - 1;
  if (still.matches || last < 1 || Math.hypot(way[0][0] - x0, way[0][1] - y0) > 48) return;
  // Taxis that share a stop stand beside their road, and so does the way.
  const begin = [x0 - way[0][0], y0 - way[0][1]], end = [x1 - way[last][0], y1 - way[last][1]];
  const path = way.map((p, i) => p.map((v, k) => v + begin[k] * Math.max(0, 1 - i / 4) + end[k] * Math.max(0, 1 - (last - i) / 4)));
  const near = (angle, to, round) => angle + Math.round((to - angle) / round) * round;
  let turn = turn0;
  const turns = path.map((_, i) => {
    const [a, b] = [path[Math.max(0, i - 1)], path[Math.min(last, i + 1)]];
    const waits = a[0] === b[0] && a[1] === b[1];
    if ("upright" in taxi.dataset) return 0;
    return (turn = !i ? turn0 : waits ? turn : near((Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI, turn, 360));
  });
  if (!("upright" in taxi.dataset)) turns[last] = near(turn1, turns[last], taxi.dataset.under ? 360 : 180);
  const frames = path.map(([x, y], i) => ({ transform: `translate(${x}px,${y}px) rotate(${turns[i]}deg)` }));
  const timing = { duration: ms, easing: getComputedStyle(root).getPropertyValue("--ease").trim() || "ease" };
  taxi.told = style;
  taxi.style.transform = frames[last].transform;
  taxi.going = taxi.animate(frames, timing);
  taxi.going.onfinish = () => document.dispatchEvent(new CustomEvent("mapchanged"));
  // It goes into the rank when it is there, not on its way.
  if (home) taxi.lastElementChild.animate([{ transform: "none", opacity: 1 }, { transform: "none", opacity: 1, offset: 0.8 }, {}], ms);
  // Part of the way may be under ground.
  const [down, up] = (taxi.dataset.under || "").split(" ").map(Number), seen = { transform: "none", opacity: 1 }, gone = { transform: "scale(.2)", opacity: 0 };
  if (up) taxi.lastElementChild.animate([seen, { ...seen, offset: Math.max(0, down - 0.06) }, { ...gone, offset: down }, { ...gone, offset: up }, seen], timing);
  const ring = document.getElementById("turn-ring"), [rx, ry] = spot(ring?.getAttribute("style"));
  if (rx === x1 && ry === y1) ring.animate(frames, timing);
};
// Things with an id stay the same element, so that they glide (their transform has a transition).
const keepAndMove = (group, fresh) => {
  const old = new Map([...group.children].filter((c) => c.id).map((c) => [c.id, c]));
  const moved = [];
  const next = [...fresh.children].map((child) => {
    const kept = old.get(child.id);
    if (!kept) return child;
    const style = child.getAttribute("style"), was = kept.getAttribute("style"), changed = style !== (kept.told ?? was);
    const way = child.dataset.way !== kept.dataset.way && child.dataset.way;
    for (const { name } of [...kept.attributes]) if (!child.hasAttribute(name)) kept.removeAttribute(name);
    for (const { name, value } of [...child.attributes]) {
      if (kept.getAttribute(name) !== value && (name !== "style" || changed)) kept.setAttribute(name, value);
    }
    if (kept.innerHTML !== child.innerHTML) kept.innerHTML = child.innerHTML;
    if (changed) {
      kept.told = undefined;
      kept.going?.cancel();
      if (way) moved.push([kept, was, style]);
    }
    return kept;
  });
  for (const child of [...group.children]) if (!next.includes(child)) child.remove();
  next.forEach((child, i) => { if (group.children[i] !== child) group.insertBefore(child, group.children[i] || null); });
  for (const [taxi, was, style] of moved) drive(taxi, was, style, taxi.classList.contains("parked"));
};
document.addEventListener("map", (e) => {
  for (const [id, html] of Object.entries(JSON.parse(e.detail.data))) {
    const group = document.getElementById(id);
    if (!group || (id === "hands" && root.dataset.dragging)) continue;
    const fresh = parsed(html);
    if (id === "hands" || "keep" in group.dataset) keepAndMove(group, fresh);
    else group.replaceWith(fresh);
  }
  document.dispatchEvent(new CustomEvent("mapchanged"));
});

// --- your turn
document.addEventListener("yourturn", () => { navigator.vibrate?.([80, 120, 80]); });
