// The self-contained report: reads the data blocks of its own page, lists the traces, unfolds one at a time.

import { verdictGlyph } from "./badges.js";
import { append, fill, h } from "./dom.js";
import { sheet } from "./inspector.js";
import { VERDICTS, counted, score } from "./words.js";

const ROWS = 200;

function startReport() {
  const main = document.getElementById("report");
  const blocks = (kind) => [...document.querySelectorAll(`script[data-block="${kind}"]`)];
  const rows = blocks("row").map((block) => JSON.parse(block.textContent));
  const traces = blocks("trace");
  const items = rows.map((row, index) => ({ row, block: traces[index], words: Object.values(row).flat().join(" ").toLowerCase() }));
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
    append(list, found.slice(shown, shown + ROWS).map(reportItem));
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
  search.addEventListener("input", narrow);
  more.addEventListener("click", show);
  fill(
    main,
    h("h2", {}, summary.headline ?? "Report"),
    summary.last_line ? h("p", { class: "report-line" }, summary.last_line) : null,
    h("div", { class: "report-bar" }, search, verdictChips(rows, verdicts, narrow)),
    status,
    list,
    more,
  );
  show();
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

function reportItem({ row, block }) {
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
  item.addEventListener("toggle", () => {
    if (item.open && !body.firstChild) body.append(sheet(JSON.parse(block.textContent)));
  });
  return item;
}

startReport();
