// One presented trace as a sheet: heading, evidence, what happened. The review page and the report both use it.

import { scoreLine, stepLink, stepLinks, verdictBadge } from "./badges.js";
import { claimsSection, findingsSection, saidSection, toolUseSection } from "./claims.js";
import { h, section } from "./dom.js";
import { timelineSection } from "./timeline.js";
import { RECORDS, inWords, score } from "./words.js";

/** Return the sheet of a trace. `tools` and `banner` are elements for its heading, `thresholds` those of the gate. */
export function sheet(page, { thresholds, tools, banner, foot } = {}) {
  const evidence = h("div", { class: "column" }, claimsSection(page), settleSection(page), findingsSection(page), toolUseSection(page), whySection(page), notesSection(page));
  const events = page.timeline ? timelineSection(page) : section("What happened", h("p", { class: "hint" }, "The steps of this trace are not part of the results."));
  return h(
    "article",
    { class: "sheet" },
    sheetHead(page, { thresholds, tools, banner }),
    h("div", { class: "sheet-body" }, h("div", { class: "column" }, saidSection(page), evidence), h("div", { class: "column" }, events)),
    foot,
  );
}

function sheetHead(page, { thresholds, tools, banner }) {
  const place = page.file ? `${page.file}${page.line ? `:${page.line}` : ""}` : null;
  const meta = [
    ["record", `${inWords(page.record)}: ${RECORDS[page.record] ?? ""}`],
    ["domain", page.domain],
    ["source", page.source],
    ["model", page.model],
    ["detector", page.detector],
    ["started", page.started_at?.replace("T", " ").slice(0, 19)],
    ["file", place],
  ];
  return h(
    "header",
    { class: "sheet-head" },
    h("div", { class: "sheet-title" }, h("h2", { tabindex: "-1" }, page.title), verdictBadge(page.verdict, page.scored), scoreLine(page, thresholds), tools ? h("div", { class: "sheet-tools" }, tools) : null),
    h("p", { class: "sheet-why" }, page.why),
    h("dl", { class: "sheet-meta" }, meta.filter(([, value]) => value).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    banner,
  );
}

function settleSection(page) {
  const told = new Set(page.claims.flatMap((claim) => claim.verdicts.map((verdict) => verdict.settle)));
  const rest = page.settle.filter((text) => !told.has(text));
  return section("What would settle it", rest.map((text) => h("p", { class: "settle" }, text)));
}

function whySection(page) {
  const judges = page.detectors.filter((detector) => detector.judge);
  const scored = page.detectors.filter((detector) => detector.contributions?.length);
  return [
    judges.map(judgeCard),
    scored.map((detector) => section(`What moved the score of ${detector.name}`, bars(detector.contributions))),
    section("Why this result", [reasonList(page), detectorList(page)]),
  ];
}

function reasonList(page) {
  if (!page.reasons.length) return null;
  const items = page.reasons.map((reason) =>
    h("li", {}, reason.claim ? `${inWords(reason.claim)}: ` : null, reason.text || reason.outcome, reason.step === null ? null : [" (", stepLink(reason.step), ")"]),
  );
  return h("ul", { class: "card card-body reasons" }, items);
}

function detectorList(page) {
  const rows = page.detectors.map((detector) => {
    const figure = detector.p_calibrated ?? detector.p;
    const said = detector.abstained ? `no answer: ${detector.abstained}` : `p(success) ${score(figure)}`;
    const order = detector.orders_by === undefined ? "" : `; its ${score(detector.orders_by)} only orders the queue`;
    const decided = detector.decided_by ? `, decided by ${detector.decided_by}` : "";
    return [h("dt", {}, detector.name), h("dd", {}, `${said}${order}${decided}`, detector.cost_usd ? ` · $${detector.cost_usd.toFixed(4)}` : "")];
  });
  return rows.length ? h("dl", { class: "facts" }, rows) : null;
}

function judgeCard(detector) {
  const answer = detector.judge;
  const kind = answer.failure_kind && answer.failure_kind !== "none" ? h("span", { class: "badge tone-open" }, answer.failure_kind) : null;
  const card = h(
    "article",
    { class: "card" },
    h("header", { class: "card-head" }, h("h4", {}, answer.model || detector.name), kind, h("span", { class: "hint" }, detector.abstained ? detector.abstained : `p(success) ${score(detector.p_calibrated ?? detector.p)}`)),
    h(
      "div",
      { class: "card-body" },
      answer.rationale ? h("p", {}, answer.rationale) : null,
      answer.steps.length ? h("p", { class: "steps" }, "It cites ", stepLinks(answer.steps)) : null,
      answer.invalid_citation ? h("p", { class: "settle" }, "It cites a step that it was not shown.") : null,
    ),
  );
  return section("The judge’s answer", card);
}

function bars(contributions) {
  const most = Math.max(...contributions.map((item) => Math.abs(item.value)), 1e-9);
  const rows = contributions.map((item) => {
    const width = `${(Math.abs(item.value) / most) * 50}%`;
    const barFill = h("span", { class: item.value >= 0 ? "bar-fill is-for" : "bar-fill is-against" });
    barFill.style.width = width;
    const side = item.value >= 0 ? "for" : "against";
    return h("li", { class: "bar" }, h("span", {}, item.words), h("span", { class: "bar-track", "aria-hidden": "true" }, barFill), h("span", { class: "bar-value", title: `speaks ${side} success` }, `${item.value >= 0 ? "+" : "−"}${Math.abs(item.value).toFixed(2)}`, h("span", { class: "unseen" }, ` ${side} success`)));
  });
  return h("ul", { class: "bars" }, rows);
}

function notesSection(page) {
  return [
    section("Suppressed", page.suppressed.map((text) => h("p", { class: "hint" }, text))),
    section("Notes", page.notes.map((text) => h("p", { class: "hint" }, text))),
  ];
}
