// The self-contained report: reads the data blocks of its own page, lists the traces, unfolds one at a time.
// The fragment of the address names the open trace, so that a link leads a colleague to it.

import { verdictGlyph } from "./badges.js";
import { append, fill, h } from "./dom.js";
import { sheet } from "./inspector.js";
import { VERDICTS, counted, score } from "./words.js";

const ROWS = 200;
const OUTCOME_TONES = { PASS: "good", FAIL: "bad", ERROR: "bad" };
const ORDER = ["false_success", "unverifiable", "verified", "skipped"];

function startReport() {
  const main = document.getElementById("report");
  const blocks = (kind) => [...document.querySelectorAll(`script[data-block="${kind}"]`)];
  const rows = blocks("row").map((block) => JSON.parse(block.textContent));
  const traces = blocks("trace");
  const read = rows.map((row, index) => ({ row, block: traces[index], words: Object.values(row).flat().join(" ").toLowerCase() }));
  // The accused first, then what is open; within a verdict in the order in which they were read.
  const items = read.sort((one, other) => ORDER.indexOf(one.row.verdict) - ORDER.indexOf(other.row.verdict));
  const summary = JSON.parse(blocks("summary")[0]?.textContent ?? "{}");
  if (items.length === 1) {
    fill(main, h("div", { class: "report-list report-sheet" }, sheet(JSON.parse(items[0].block.textContent))));
    return;
  }
  const verdicts = new Set();
  const list = h("div", { class: "report-list" });
  const status = h("p", { class: "hint", role: "status" });
  const more = h("button", { class: "button report-more", type: "button" }, "Show more");
  const search = h("input", { class: "field", type: "search", placeholder: "Search ids, claims, findings, reasons", "aria-label": "Search" });
  let found = items;
  let shown = 0;
  const show = () => {
    append(list, found.slice(shown, shown + ROWS).map((item) => (item.element ??= reportItem(item))));
    shown = Math.min(found.length, shown + ROWS);
    more.hidden = shown === found.length;
    status.textContent = found.length === items.length ? counted(items.length, "trace") : `${found.length} of ${counted(items.length, "trace")}`;
  };
  const narrow = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = items.filter((item) => (!verdicts.size || verdicts.has(item.row.verdict)) && words.every((word) => item.words.includes(word)));
    list.replaceChildren();
    shown = 0;
    show();
  };
  const openLinked = () => {
    const wanted = new URLSearchParams(location.hash.slice(1)).get("trace");
    const item = items.find(({ row }) => row.trace_id === wanted);
    if (!item) return;
    while (found.includes(item) && !item.element?.isConnected) show();
    if (!item.element?.isConnected) return;
    item.element.open = true;
    item.unfold();
    item.element.scrollIntoView();
    item.element.querySelector("summary").focus({ preventScroll: true });
  };
  addEventListener("hashchange", openLinked);
  search.addEventListener("input", narrow);
  more.addEventListener("click", show);
  fill(
    main,
    h("h2", {}, summary.headline ?? "Report"),
    summary.last_line ? outcomeLine(summary.last_line) : null,
    h("div", { class: "report-bar" }, search, verdictChips(rows, verdicts, narrow)),
    status,
    list,
    more,
  );
  show();
  openLinked();
}

/** Return the last line of a run, its first word as a badge. */
function outcomeLine(line) {
  const [, word, rest] = /^([A-Z ]+) - (.*)$/s.exec(line) ?? [];
  if (!word) return h("p", { class: "report-line" }, line);
  return h("p", { class: "report-line" }, h("span", { class: `badge tone-${OUTCOME_TONES[word] ?? "mute"}` }, word), " ", rest);
}

/** Return the fragment that leads to a trace. */
function linkTo(row) {
  return `#${new URLSearchParams({ trace: row.trace_id })}`;
}

function verdictChips(rows, chosen, changed) {
  return Object.entries(VERDICTS).map(([verdict, { word, glyph }]) => {
    const number = rows.filter((row) => row.verdict === verdict).length;
    if (!number) return null;
    const chip = h("button", { class: "chip", type: "button", "aria-pressed": "false" }, h("span", { "aria-hidden": "true" }, glyph), `${word} ${number}`);
    chip.addEventListener("click", () => {
      if (!chosen.delete(verdict)) chosen.add(verdict);
      chip.setAttribute("aria-pressed", String(chosen.has(verdict)));
      changed();
    });
    return chip;
  });
}

function reportItem(shown) {
  const { row, block } = shown;
  const body = h("div", { class: "report-sheet" });
  const item = h(
    "details",
    { class: "report-item" },
    h(
      "summary",
      {},
      h(
        "span",
        { class: "row" },
        verdictGlyph(row.verdict),
        h("span", { class: "row-name" }, row.title),
        h("span", { class: "row-score" }, score(row.p)),
        h("span", { class: "row-why" }, row.why),
      ),
    ),
    body,
  );
  shown.unfold = () => body.firstChild || body.append(sheet(JSON.parse(block.textContent)));
  item.addEventListener("toggle", () => {
    if (item.open) shown.unfold();
    if (item.open) history.replaceState(null, "", linkTo(row));
  });
  return item;
}

startReport();
