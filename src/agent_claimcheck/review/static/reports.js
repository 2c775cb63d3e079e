// The reports of `bench` and `train`: their tables and texts as they are.

import { get } from "./api.js";
import { fill, h, section } from "./dom.js";
import { textBlock } from "./values.js";

/** Show the reports in an element. */
export async function showReports(element) {
  const { reports } = await get("reports");
  if (!reports.length) {
    fill(element, h("div", { class: "empty" }, h("strong", {}, "No reports"), "Start the server with --reports DIR, a folder that bench --out or train wrote."));
    return;
  }
  fill(element, h("div", { class: "reports" }, reports.map(reportPart)));
}

function reportPart(report) {
  const body = report.tables ? report.tables.map((table) => section(table.title, figures(table))) : textBlock(report.text ?? "", { code: true });
  return h("article", {}, h("h2", {}, report.name, " ", h("small", {}, report.folder)), body);
}

function figures(table) {
  const head = h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, "Name")), table.columns.map((name) => h("th", { scope: "col" }, name)));
  const rows = table.rows.map(([name, ...cells]) => h("tr", {}, h("th", { scope: "row" }, name), cells.map((cell) => h("td", {}, cell))));
  return h("div", { class: "table-scroll", tabindex: "0", role: "region", "aria-label": table.title }, h("table", { class: "figures" }, h("thead", {}, head), h("tbody", {}, rows)));
}
