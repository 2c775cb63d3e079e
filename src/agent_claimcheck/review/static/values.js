// Texts and values of a trace: folded when they are long, claims marked, differences between two values marked.

import { h } from "./dom.js";

const FOLD_LINES = 6;
const FOLD_CHARACTERS = 420;
const LONGEST_DIFF = 400;

/** Return a text of the trace; a long one is folded. `pieces` are `{t, c}`: text and the claims it belongs to. */
export function textBlock(pieces, { code = false, fold = true, toneOf = () => "open" } = {}) {
  const parts = typeof pieces === "string" ? [{ t: pieces }] : pieces;
  const text = h("pre", { class: code ? "text text-code" : "text", dir: "auto" }, parts.map((piece) => (piece.c ? marked(piece, toneOf) : piece.t)));
  const whole = parts.map((piece) => piece.t).join("");
  return fold && isLong(whole) ? folded(text, whole) : text;
}

function marked(piece, toneOf) {
  const links = piece.c.map((claim) =>
    h("a", { class: "mark-link", href: `#claim-${claim}`, "aria-label": `claim ${claim}`, on: { click: goToClaim } }, String(claim)),
  );
  return h("mark", { "data-tone": toneOf(piece.c) }, piece.t, links);
}

function goToClaim(event) {
  event.preventDefault();
  const number = event.currentTarget.getAttribute("href").slice("#claim-".length);
  const card = event.currentTarget.closest(".sheet")?.querySelector(`[data-claim="${Number(number)}"]`);
  card?.scrollIntoView({ block: "center" });
  card?.focus({ preventScroll: true });
}

function isLong(text) {
  return text.length > FOLD_CHARACTERS || text.split("\n", FOLD_LINES + 2).length > FOLD_LINES + 1;
}

function folded(text, whole) {
  text.classList.add("text-cut");
  const lines = whole.split("\n").length;
  const size = lines > FOLD_LINES ? `${lines} lines` : `${whole.length.toLocaleString("en")} characters`;
  const button = h("button", { class: "unfold", type: "button", "aria-expanded": "false" }, `Show all ${size}`);
  button.addEventListener("click", () => {
    const isCut = text.classList.toggle("text-cut");
    button.setAttribute("aria-expanded", String(!isCut));
    button.textContent = isCut ? `Show all ${size}` : "Show less";
  });
  return h("div", {}, text, button);
}

/** Return a labelled value, as arguments and results of a call have. */
export function valueBlock(label, text, { isError = false, note = null } = {}) {
  return h("div", { class: isError ? "value value-error" : "value" }, h("div", { class: "value-label" }, label, note), textBlock(text, { code: true }));
}

/** Return two values as elements, with the part in which they differ marked in both. */
export function differing(expected, found) {
  if (expected === found || expected.length > LONGEST_DIFF || found.length > LONGEST_DIFF) return [expected, found];
  let start = 0;
  while (start < Math.min(expected.length, found.length) && expected[start] === found[start]) start += 1;
  let end = 0;
  const most = Math.min(expected.length, found.length) - start;
  while (end < most && expected[expected.length - 1 - end] === found[found.length - 1 - end]) end += 1;
  const cut = (text) => [text.slice(0, start), text.slice(start, text.length - end), text.slice(text.length - end)];
  const [before, wanted, after] = cut(expected);
  const [, got] = cut(found);
  return [
    [before, wanted ? h("del", {}, wanted) : null, after],
    [before, got ? h("ins", {}, got) : null, after],
  ];
}
