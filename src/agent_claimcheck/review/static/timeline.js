// The steps of a trace: each call beside what came back, failed and retried ones marked, with what cites them.

import { stateBadge, stepLink } from "./badges.js";
import { append, h, section } from "./dom.js";
import { textBlock, valueBlock } from "./values.js";
import { OUTCOMES, ROLES, STATES, inWords } from "./words.js";

const FIRST = 150;
const MORE = 300;

/** Return the timeline of a presented trace. */
export function timelineSection(page) {
  const cited = citations(page);
  const toneOf = claimTone(page);
  const list = h("ol", { class: "entries" });
  const more = h("button", { class: "button button-small", type: "button" });
  let shown = 0;
  const show = (number) => {
    append(list, page.timeline.slice(shown, shown + number).map((entry) => entryItem(entry, cited, toneOf)));
    shown = Math.min(page.timeline.length, shown + number);
    const rest = page.timeline.length - shown;
    more.hidden = rest === 0;
    more.textContent = `Show ${Math.min(MORE, rest)} more of ${rest} steps`;
  };
  more.addEventListener("click", () => show(MORE));
  const named = lastCited(page, cited);
  show(Math.max(FIRST, named + 1));
  const end = page.end && page.end !== "completed" ? h("p", { class: "hint" }, `The run ended: ${inWords(page.end)}.`) : null;
  const left = page.left_out ? h("p", { class: "hint" }, `${page.left_out} more steps stand in the raw JSON.`) : null;
  return section("What happened", [list, more, left, end], { count: page.timeline.length + page.left_out });
}

/** Return a function from the numbers of claims to the tone of their worst outcome. */
export function claimTone(page) {
  const tones = new Map();
  for (const claim of page.claims) {
    const found = claim.verdicts.map((verdict) => OUTCOMES[verdict.outcome]?.tone ?? "open");
    tones.set(claim.n, found.includes("bad") ? "bad" : found.includes("good") && !found.includes("open") ? "good" : "open");
  }
  return (numbers) => (numbers.some((n) => tones.get(n) === "bad") ? "bad" : numbers.every((n) => tones.get(n) === "good") ? "good" : "open");
}

/** Return step -> what cites it: claims with the way they are cited, and findings. */
function citations(page) {
  const cited = new Map();
  const note = (step, text, tone) => {
    const known = cited.get(step) ?? [];
    if (!known.some((other) => other.text === text)) known.push({ text, tone });
    cited.set(step, known);
  };
  for (const claim of page.claims) {
    for (const verdict of claim.verdicts) {
      const tone = OUTCOMES[verdict.outcome]?.tone ?? "open";
      const way = { bad: "speaks against", good: "confirms", open: verdict.outcome === "receipt_only" ? "supports" : "read for" }[tone];
      for (const step of verdict.steps) note(step, `${way} claim ${claim.n}`, tone);
    }
  }
  for (const finding of page.findings) {
    for (const step of finding.steps) note(step, finding.name, finding.severity === "fail" ? "bad" : "open");
  }
  return cited;
}

function lastCited(page, cited) {
  return page.timeline.findLastIndex((entry) => cited.has(entry.i) || (entry.results ?? []).some((result) => cited.has(result.i)));
}

function entryItem(entry, cited, toneOf) {
  const build = entry.kind === "call" ? callBody : plainBody;
  const tone = entry.kind === "call" && STATES[entry.state]?.tone !== "good" ? STATES[entry.state]?.tone : entry.kind === "probe" ? "good" : undefined;
  const marks = [...(cited.get(entry.i) ?? []), ...(entry.results ?? []).flatMap((result) => cited.get(result.i) ?? [])];
  const unique = marks.filter((mark, index) => marks.findIndex((other) => other.text === mark.text) === index);
  return h(
    "li",
    { class: "entry", "data-step": entry.i, "data-tone": tone, tabindex: "-1" },
    entryHead(entry),
    h("div", { class: "entry-body" }, build(entry, toneOf)),
    unique.length ? h("div", { class: "entry-cited" }, unique.map((mark) => h("span", { class: `badge tone-${mark.tone}` }, mark.text))) : null,
  );
}

function entryHead(entry) {
  const who = entry.kind === "probe" ? "State probe" : entry.kind === "call" ? null : ROLES[entry.role] ?? entry.role;
  const kinds = { reasoning: "thinking", handoff: "handoff", system_event: "event", orphan: "result without a call" };
  return h(
    "div",
    { class: "entry-head" },
    h("span", { class: "entry-i" }, entry.i),
    who ? h("span", { class: "entry-who" }, who) : null,
    entry.name ? h("span", { class: "entry-name" }, entry.name) : null,
    kinds[entry.kind] ? h("span", { class: "entry-note" }, kinds[entry.kind]) : null,
    entry.agent ? h("span", { class: "entry-note" }, `by ${entry.agent}`) : null,
    entry.kind === "call" ? stateBadge(entry.state) : null,
    entry.retried === undefined ? null : h("span", { class: "entry-note" }, "called again in ", stepLink(entry.retried)),
    entry.ambiguous ? h("span", { class: "entry-note", title: "Several calls could have given this result" }, "result may be another call's") : null,
    entry.ts ? h("time", { class: "entry-time" }, clock(entry.ts)) : null,
  );
}

function callBody(entry) {
  const results = entry.results.map((result) => {
    const parts = statusNote(result);
    const note = [parts.length ? `· ${parts.join(", ")}` : "", result.ms === undefined ? "" : `· ${duration(result.ms)}`].join(" ").trim();
    const label = h("span", { "data-step": result.i, tabindex: "-1" }, `result ${result.i}`);
    const saysMore = result.output !== undefined && JSON.stringify(result.output) !== JSON.stringify(result.error);
    // A node stands in one place, so only the first block carries the one that links lead to.
    let first = true;
    const block = (what, text, isError) => {
      const made = valueBlock(first ? [label, what] : `result ${result.i}${what}`, text, { isError, note: first ? note : "" });
      first = false;
      return made;
    };
    return [
      result.error === undefined ? null : block(" error ", result.error, true),
      saysMore ? block("", result.output, result.ok === false && result.error === undefined) : null,
      result.content ? block("", result.content.map((piece) => piece.t).join(""), false) : null,
      result.error === undefined && result.output === undefined && !result.content ? block("", "(empty)", false) : null,
    ];
  });
  return [
    entry.content ? textBlock(entry.content) : null,
    h("div", { class: "pair" }, valueBlock("arguments", entry.args ?? "(none)"), entry.results.length ? h("div", { class: "pair-results" }, results) : h("p", { class: "hint" }, "Nothing came back.")),
  ];
}

function plainBody(entry, toneOf) {
  const status = statusNote(entry);
  return [
    entry.content ? textBlock(entry.content, { toneOf }) : null,
    entry.args ? valueBlock("arguments", entry.args) : null,
    entry.error === undefined ? null : valueBlock("error", entry.error, { isError: true }),
    entry.output === undefined ? null : valueBlock(["output", status.length ? ` · ${status.join(", ")}` : ""], entry.output),
  ];
}

function statusNote(step) {
  const parts = [];
  if (step.ok === true) parts.push("ok");
  if (step.ok === false) parts.push("not ok");
  if (step.status) parts.push(inWords(step.status));
  if (step.exit !== undefined) parts.push(`exit ${step.exit}`);
  return parts;
}

function clock(ts) {
  return /T(\d\d:\d\d:\d\d)/.exec(ts)?.[1] ?? ts.slice(0, 24);
}

function duration(ms) {
  if (ms < 1000) return `${ms} ms`;
  return ms < 120000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60000)} min`;
}
