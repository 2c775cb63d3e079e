// What was claimed, and for each claim what was expected, what was found, and what would settle it.

import { outcomeBadge, severityBadge, stepLink, stepLinks } from "./badges.js";
import { h, section } from "./dom.js";
import { claimTone } from "./timeline.js";
import { differing, textBlock } from "./values.js";
import { counted, inWords } from "./words.js";

const MARKS = { pass: ["✓", "same"], fail: ["✕", "differs"], skipped: ["–", "not checked"] };

/** Return request and answer, the answer with its claims marked. */
export function saidSection(page) {
  if (page.instruction === undefined) return null;
  const more = page.asked.length
    ? h("details", { class: "fewer" }, h("summary", {}, counted(page.asked.length, "further message"), " of the user"), page.asked.map((text) => textBlock(text)))
    : null;
  const said = page.said.length ? textBlock(page.said, { toneOf: claimTone(page) }) : h("p", { class: "hint" }, "The run ended without a final message.");
  return section(
    "Asked and answered",
    h(
      "div",
      { class: "said" },
      h("div", { class: "said-part" }, h("h4", {}, "The request"), textBlock(page.instruction), more),
      h("div", { class: "said-part" }, h("h4", {}, "The agent’s answer"), said),
    ),
  );
}

/** Return all claims with their evidence. */
export function claimsSection(page) {
  const cards = page.claims.map(claimCard);
  if (!cards.length) return section("Claims", h("p", { class: "hint" }, page.record === "unread" ? "No claim was found, and one may stand in what was not understood." : "Nothing was claimed."));
  return section("Claims and their evidence", cards, { count: page.claims.length });
}

function claimCard(claim) {
  const outcomes = claim.verdicts.map((verdict) => outcomeBadge(verdict.outcome));
  const source = claim.source === "structured" ? "declared by the agent" : null;
  return h(
    "article",
    { class: "card", "data-claim": claim.n, tabindex: "-1", "aria-label": `Claim ${claim.n}` },
    h("header", { class: "card-head" }, h("h4", {}, `${claim.n}. ${inWords(claim.type)}`), outcomes, source ? h("span", { class: "hint" }, source) : null),
    h(
      "div",
      { class: "card-body" },
      claim.quote ? h("p", { class: "quote", dir: "auto" }, claim.quote) : null,
      claim.subject.length ? subjectFacts(claim) : null,
      claim.success ? null : h("p", { class: "hint" }, "This reports no success, so there is nothing to prove."),
      claim.success && !claim.verdicts.length ? h("p", { class: "hint" }, "No rule looked at this claim.") : null,
      claim.verdicts.map((verdict) => verdictPart(verdict)),
    ),
  );
}

function subjectFacts(claim) {
  const facts = h("dl", { class: "facts" }, claim.subject.map(([name, value]) => [h("dt", {}, inWords(name)), h("dd", { dir: "auto" }, value)]));
  const isCompared = claim.verdicts.some((verdict) => verdict.checks.length);
  if (!isCompared || claim.subject.length < 3) return facts;
  return h("details", { class: "fewer" }, h("summary", {}, counted(claim.subject.length, "claimed value")), facts);
}

function verdictPart(verdict) {
  return [
    verdict.detail ? h("p", {}, verdict.detail) : null,
    verdict.looked_for ? h("p", { class: "hint" }, "Looked for: ", verdict.looked_for) : null,
    checksTable(verdict.checks),
    verdict.missing_subject ? h("p", { class: "hint" }, "Some values were not checked: the claim does not state them.") : null,
    verdict.steps.length ? h("p", { class: "steps" }, "Read in ", stepLinks(verdict.steps)) : null,
    verdict.settle && verdict.outcome !== "probe_supported" ? h("p", { class: "settle" }, h("b", {}, "What would settle it: "), verdict.settle) : null,
  ];
}

/** Return expected and found side by side: what differs first, what agrees folded when there is much of it. */
function checksTable(checks) {
  if (!checks.length) return null;
  const unlike = checks.filter((check) => check.result !== "pass");
  const alike = checks.filter((check) => check.result === "pass");
  if (!unlike.length || alike.length < 3) return tableOf([...unlike, ...alike]);
  return [tableOf(unlike), h("details", { class: "fewer" }, h("summary", {}, `${counted(alike.length, "value")} agree`), tableOf(alike))];
}

function tableOf(checks) {
  const head = ["", "Field", "Expected", "Found"].map((title) => h("th", { scope: "col" }, title || h("span", { class: "unseen" }, "Result")));
  return h("table", { class: "checks" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, checks.map(checkRow)));
}

function checkRow(check) {
  const [glyph, word] = MARKS[check.result];
  const found = check.result === "skipped" && check.found === "null" ? "–" : check.found;
  const [expected, got] = check.result === "fail" ? differing(check.expected, found) : [check.expected, found];
  return h(
    "tr",
    { class: `check-${check.result}` },
    h("td", {}, h("span", { class: "check-mark", "aria-hidden": "true" }, glyph), h("span", { class: "unseen" }, word)),
    h("th", { scope: "row" }, check.path, h("span", { class: "check-op" }, check.reason ? `${check.op} · ${check.reason}` : check.op)),
    h("td", { dir: "auto" }, expected),
    h("td", { dir: "auto" }, got),
  );
}

/** Return the findings of the trace, those that accuse first. */
export function findingsSection(page) {
  const order = { fail: 0, warn: 1, pass: 2 };
  const sorted = page.findings.toSorted((one, other) => order[one.severity] - order[other.severity]);
  return section("Findings", sorted.map(findingCard), { count: page.findings.length });
}

function findingCard(finding) {
  const power = { accuse: "can accuse on its own", review: "a reason to look", explain: "background" }[finding.power];
  return h(
    "article",
    { class: "card" },
    h("header", { class: "card-head" }, finding.power === "explain" ? null : severityBadge(finding.severity), h("h4", {}, finding.name), h("span", { class: "hint" }, power)),
    h(
      "div",
      { class: "card-body" },
      h("p", {}, finding.reason),
      finding.evidence ? textBlock(finding.evidence, { code: true }) : null,
      finding.steps.length ? h("p", { class: "steps" }, "Seen in ", stepLinks(finding.steps)) : null,
    ),
  );
}

/** Return what the tool-use check found. */
export function toolUseSection(page) {
  const items = (page.tool_use ?? []).map((finding) =>
    h(
      "article",
      { class: "card" },
      h("header", { class: "card-head" }, severityBadge(finding.severity), h("h4", {}, finding.subject || finding.verdict), h("span", { class: "hint" }, finding.subject ? finding.verdict : "")),
      h("div", { class: "card-body" }, h("p", {}, finding.reason, " ", finding.step === null ? null : stepLink(finding.step))),
    ),
  );
  return section("Tool use", items, { count: items.length });
}
