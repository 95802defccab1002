// The bench: drag a taxi onto a reader (or off it), throw the die with a flick. Each drag has a button beside it that does the same.
const svg = document.querySelector(".board svg.map");
const post = (fields) => htmx.ajax("POST", "/bench/act", { target: "#say", swap: "innerHTML", values: fields });
const NEAR = 46; // map units round a reader in which a taxi is caught
let held = null;

const at = (e) => {
  const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return { x: p.x, y: p.y };
};
const nearest = (p) => {
  let best = null, least = NEAR;
  for (const ring of svg.querySelectorAll(".sock")) {
    const d = Math.hypot(ring.cx.baseVal.value - p.x, ring.cy.baseVal.value - p.y);
    if (d < least) { least = d; best = ring; }
  }
  return best;
};
const drop = (commit) => {
  if (!held) return;
  const { taxi, parts, ring } = held;
  svg.querySelectorAll(".near").forEach((r) => r.classList.remove("near"));
  held = null;
  delete document.documentElement.dataset.dragging;
  for (const part of parts) part.classList.remove("dragging");
  if (!commit) return;
  if (ring) post({ do: "place_tag", uid: taxi.dataset.uid, socket: ring.dataset.socket });
  else post({ do: "lift_tag", uid: taxi.dataset.uid });
};
const piece = (uid) => svg.querySelector(`.hold[data-uid="${CSS.escape(uid)}"]`);
svg?.addEventListener("pointerdown", (e) => {
  const gripped = e.target.closest(".hold");
  if (!gripped) return;
  // What rides covers the middle of what carries it: a grip on either takes both along.
  const taxi = (gripped.dataset.on && piece(gripped.dataset.on)) || gripped;
  const parts = [taxi, ...svg.querySelectorAll(`.hold[data-on="${CSS.escape(taxi.dataset.uid)}"]`)];
  e.preventDefault();
  svg.setPointerCapture(e.pointerId);
  held = { taxi, parts, ring: null };
  document.documentElement.dataset.dragging = "yes";
  for (const part of parts) part.classList.add("dragging");
  taxi.parentNode.append(...parts);
});
svg?.addEventListener("pointermove", (e) => {
  if (!held) return;
  const p = at(e);
  for (const part of held.parts) part.style.transform = `translate(${p.x}px,${p.y}px)`;
  const ring = nearest(p);
  if (ring !== held.ring) {
    held.ring?.classList.remove("near");
    ring?.classList.add("near");
    held.ring = ring;
  }
});
svg?.addEventListener("pointerup", () => drop(true));
svg?.addEventListener("pointercancel", () => drop(false));

// --- the die: it is thrown when it leaves the finger fast enough --------------------------------------------------
const pad = document.getElementById("pad"), cube = document.getElementById("cube");
const FAST = 0.35; // pixels a millisecond
let grip = null;
pad?.addEventListener("pointerdown", (e) => {
  pad.setPointerCapture(e.pointerId);
  grip = { x: e.clientX, y: e.clientY, trail: [[e.clientX, e.clientY, e.timeStamp]] };
});
pad?.addEventListener("pointermove", (e) => {
  if (!grip) return;
  grip.trail = [...grip.trail.slice(-5), [e.clientX, e.clientY, e.timeStamp]];
  cube.style.transform = `translate(${e.clientX - grip.x}px,${e.clientY - grip.y}px)`;
});
pad?.addEventListener("pointerup", (e) => {
  if (!grip) return;
  const [x, y, t] = grip.trail[0];
  const dt = Math.max(1, e.timeStamp - t), vx = (e.clientX - x) / dt, vy = (e.clientY - y) / dt;
  grip = null;
  cube.style.transform = "";
  if (Math.hypot(vx, vy) < FAST) return;
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
    cube.animate(
      [{ transform: "none" }, { transform: `translate(${vx * 90}px,${vy * 40}px) rotate(${vx * 400}deg)` }, { transform: "none" }],
      { duration: 700, easing: "ease-out" },
    );
  }
  post({ do: "throw", hold_ms: 120 });
});

// --- a download is silent: the page says where it went
document.addEventListener("click", (e) => {
  const link = e.target.closest("[data-said]");
  if (!link) return;
  const said = Object.assign(document.createElement("p"), { className: "ok", textContent: link.dataset.said });
  document.getElementById("say").replaceChildren(said);
});
