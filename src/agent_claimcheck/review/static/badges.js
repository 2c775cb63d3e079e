// Small signs that several parts show: verdicts, outcomes, scores, and links to steps.

import { h } from "./dom.js";
import { OUTCOMES, SEVERITIES, STATES, VERDICTS, score } from "./words.js";

/** Return a rounded sign with a glyph and a word. */
export function badge({ glyph, tone, word }, title) {
  return h("span", { class: `badge tone-${tone}`, title }, h("span", { class: "badge-glyph", "aria-hidden": "true" }, glyph), word);
}

/** Return the sign of a verdict; `isScored` says that a score decided it, not the record. */
export function verdictBadge(verdict, isScored = false) {
  const known = VERDICTS[verdict] ?? { word: verdict, glyph: "?", tone: "mute" };
  return badge(known, isScored ? "by its score; the record alone does not show it" : known.means);
}

export function outcomeBadge(outcome) {
  return badge(OUTCOMES[outcome] ?? { word: outcome, glyph: "?", tone: "mute" });
}

export function stateBadge(state) {
  return badge(STATES[state] ?? STATES.unknown);
}

export function severityBadge(severity) {
  return badge(SEVERITIES[severity] ?? SEVERITIES.warn);
}

/** Return the glyph of a verdict alone, with its word for those who do not see it. */
export function verdictGlyph(verdict) {
  const known = VERDICTS[verdict] ?? { word: verdict, glyph: "?", tone: "mute" };
  return h(
    "span",
    { class: `row-glyph tone-${known.tone}`, title: known.word },
    h("span", { "aria-hidden": "true" }, known.glyph),
    h("span", { class: "unseen" }, `${known.word}: `),
  );
}

/** Return the score as a number and as a place between the two thresholds. */
export function scoreLine(page, thresholds) {
  if (typeof page.p !== "number") return null;
  const kind = page.calibrated ? "calibrated" : "not calibrated";
  const track = h("span", { class: "score-track", "aria-hidden": "true" });
  for (const edge of thresholds ? [thresholds.false_success, thresholds.verified] : []) {
    const mark = h("span", { class: "score-mark" });
    mark.style.left = `${edge * 100}%`;
    track.append(mark);
  }
  const dot = h("span", { class: "score-dot" });
  dot.style.left = `${page.p * 100}%`;
  track.append(dot);
  return h("span", { class: "score", title: `p(success), ${kind}` }, track, h("span", {}, `p(success) ${score(page.p)}`), h("span", { class: "hint" }, kind));
}

/** Return links to steps; `steps` are numbers of the trace. */
export function stepLinks(steps) {
  return steps.map((step, index) => [index ? ", " : null, stepLink(step)]);
}

/** Return a link to one step on the same page. */
export function stepLink(step, text = `step ${step}`) {
  const follow = (event) => {
    event.preventDefault();
    goToStep(event.currentTarget.closest(".sheet"), step);
  };
  return h("a", { class: "step-link", href: `#step-${step}`, on: { click: follow } }, text);
}

/** Show a step of a sheet and move the focus there. */
export function goToStep(sheet, step) {
  const entry = sheet?.querySelector(`[data-step="${Number(step)}"]`);
  if (!entry) return;
  entry.closest("details:not([open])")?.setAttribute("open", "");
  entry.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  entry.focus({ preventScroll: true });
  const shown = entry.closest(".value") ?? entry;
  shown.classList.remove("flash");
  void shown.offsetWidth;
  shown.classList.add("flash");
}
