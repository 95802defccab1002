// The map under a finger: press a place, pan and zoom. The list beside it does the same from the keyboard.
const box = document.getElementById("mapbox");
const svg = box?.querySelector("svg.map");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const home = svg?.getAttribute("viewBox").split(" ").map(Number);
const page = svg?.dataset.page.split(" ").map(Number);
let view = home?.slice();

const show = (to) => {
  const from = view.slice();
  const put = (k) => {
    view = from.map((v, i) => v + (to[i] - v) * k);
    svg.setAttribute("viewBox", view.map((v) => v.toFixed(1)).join(" "));
  };
  if (still.matches) return put(1);
  const began = performance.now();
  const step = (now) => {
    // A frame's time may lie before `began`, far before it in a tab that was in the background.
    const k = Math.min(1, Math.max(0, (now - began) / 350));
    put(1 - (1 - k) ** 3);
    if (k < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
};
// The taxi on turn with all that it can reach, as large as that goes.
const follow = () => {
  // In a window without a size there is nothing to fit.
  if (!box.clientWidth || !box.clientHeight) return;
  const ring = document.getElementById("turn-ring") || svg.querySelector("[data-home]");
  if (!ring) return;
  const toPage = svg.getScreenCTM().inverse();
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const part of [ring, ...document.querySelectorAll("#reach > *")]) {
    const r = part.getBoundingClientRect();
    const p = new DOMPoint(r.x + r.width / 2, r.y + r.height / 2).matrixTransform(toPage);
    [x0, y0, x1, y1] = [Math.min(x0, p.x), Math.min(y0, p.y), Math.max(x1, p.x), Math.max(y1, p.y)];
  }
  const shape = box.clientHeight / box.clientWidth;
  const w = Math.min(page[2], Math.max(box.clientWidth > 500 ? 760 : 420, x1 - x0 + 130, (y1 - y0 + 130) / shape)), h = w * shape;
  const within = (v, size, all) => (size >= all ? (all - size) / 2 : Math.min(Math.max(v, 0), all - size));
  show([within((x0 + x1 - w) / 2, w, page[2]), within((y0 + y1 - h) / 2, h, page[3]), w, h]);
};
const mode = (name) => {
  for (const b of box.querySelectorAll("[data-map]")) b.setAttribute("aria-pressed", String(b.dataset.map === name));
  if (name === "follow") follow(); else show(page);
};
box?.addEventListener("click", (e) => {
  const button = e.target.closest("[data-map]");
  if (button) return mode(button.dataset.map);
  if (svg.contains(e.target)) {
    const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());
    choose(p, Math.max(34, 26 / svg.getScreenCTM().a));
  }
});
document.addEventListener("mapchanged", () => {
  if (box?.dataset.first === "follow" && box.querySelector('[data-map="follow"][aria-pressed=true]')) follow();
  mark();
});

// --- choosing where to drive
const select = () => document.getElementById("where-to");
const choose = (p, within) => {
  const list = select();
  let best = null, least = within;
  for (const option of list?.options || []) {
    const [x, y] = option.dataset.xy.split(" ");
    const d = Math.hypot(x - p.x, y - p.y);
    if (d < least) { least = d; best = option; }
  }
  if (!best) return;
  list.value = best.value;
  mark();
  list.form.querySelector(".go").focus({ preventScroll: true });
};
const RING = "http://www.w3.org/2000/svg";
const mark = () => {
  const option = select()?.selectedOptions[0];
  const cost = document.getElementById("where-cost");
  if (cost && option) {
    const own = option.textContent.split(" – ");
    cost.textContent = own.length > 1 ? own.at(-1) : option.parentElement.label || cost.dataset.none;
  }
  let ring = document.getElementById("picked");
  if (!option) return ring?.remove();
  if (!ring) {
    ring = document.createElementNS(RING, "circle");
    ring.id = "picked";
    ring.setAttribute("r", "23");
    svg.append(ring);
  }
  const [x, y] = option.dataset.xy.split(" ");
  ring.setAttribute("cx", x);
  ring.setAttribute("cy", y);
};
document.addEventListener("change", (e) => { if (e.target.id === "where-to") mark(); });
document.addEventListener("htmx:after:swap", mark);
// A phone's window goes to the taxi once for each drive that is to be chosen.
let seen = "";
const come = () => {
  const key = select() ? document.getElementById("do")?.dataset.key : "";
  if (key && key !== seen && box?.dataset.first === "near") follow();
  seen = key;
};
document.addEventListener("htmx:after:swap", () => setTimeout(come));
if (svg) { mark(); if (box.dataset.first === "follow") mode("follow"); }

// --- pan and zoom
const fingers = new Map();
let moved = false;
const scaleBy = (k, cx, cy) => {
  const r = svg.getBoundingClientRect();
  const w = Math.min(page[2], Math.max(260, view[2] * k)), real = w / view[2];
  const fx = (cx - r.x) / r.width, fy = (cy - r.y) / r.height;
  view = [view[0] + view[2] * fx * (1 - real), view[1] + view[3] * fy * (1 - real), w, view[3] * real];
  svg.setAttribute("viewBox", view.map((v) => v.toFixed(1)).join(" "));
};
svg?.addEventListener("pointerdown", (e) => { fingers.set(e.pointerId, [e.clientX, e.clientY]); moved = false; });
svg?.addEventListener("pointermove", (e) => {
  const was = fingers.get(e.pointerId);
  if (!was) return;
  const now = [e.clientX, e.clientY];
  if (!moved && Math.hypot(now[0] - was[0], now[1] - was[1]) < 8) return;
  if (!moved) svg.setPointerCapture(e.pointerId);
  moved = true;
  if (fingers.size === 2) {
    const other = [...fingers.entries()].find(([id]) => id !== e.pointerId)[1];
    const before = Math.hypot(was[0] - other[0], was[1] - other[1]), after = Math.hypot(now[0] - other[0], now[1] - other[1]);
    if (after > 0) scaleBy(before / after, (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  } else {
    const k = 1 / svg.getScreenCTM().a;
    view = [view[0] - (now[0] - was[0]) * k, view[1] - (now[1] - was[1]) * k, view[2], view[3]];
    svg.setAttribute("viewBox", view.map((v) => v.toFixed(1)).join(" "));
  }
  fingers.set(e.pointerId, now);
});
for (const end of ["pointerup", "pointercancel"]) svg?.addEventListener(end, (e) => fingers.delete(e.pointerId));
svg?.addEventListener("click", (e) => { if (moved) { e.stopPropagation(); moved = false; } }, true);
svg?.addEventListener("wheel", (e) => { e.preventDefault(); scaleBy(e.deltaY > 0 ? 1.15 : 1 / 1.15, e.clientX, e.clientY); }, { passive: false });
