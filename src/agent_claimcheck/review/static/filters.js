// What narrows the list: search, verdicts as chips, further fields as menus, and the order.

import { fill, h } from "./dom.js";
import { FIELDS, isNarrowed } from "./place.js";
import { COUNTED } from "./list.js";
import { LANGUAGES, VERDICTS, counted, inWords } from "./words.js";

const SORTS = {
  closest: "closest to 0.5",
  teaches: "what teaches most",
  lowest: "lowest score",
  highest: "highest score",
  newest: "newest",
  oldest: "oldest",
  name: "name",
};
const MENUS = { record: "Record", finding: "Finding", claim: "Claim type", tool: "Tool", domain: "Domain", source: "Source", language: "Language", detector: "Detector" };
const SEARCH_PAUSE_MS = 180;

/** Build the filters once; `changed` is called with the values of the place that change. */
export function buildFilters(changed) {
  const search = h("input", { class: "field", id: "search", type: "search", placeholder: "Search traces", "aria-label": "Search traces", autocomplete: "off", spellcheck: "false", enterkeyhint: "search" });
  let pause;
  search.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(() => changed({ q: search.value.trim() }), SEARCH_PAUSE_MS);
  });
  const chips = h("div", { class: "chips", role: "group", "aria-label": "Verdicts" });
  const grid = h("div", { class: "filter-grid" });
  const active = h("div", { class: "chips" });
  const form = document.getElementById("narrow");
  form.addEventListener("submit", (event) => event.preventDefault());
  const menus = h("details", { class: "more-filters" }, h("summary", {}, "More filters"), grid);
  fill(form, h("div", { class: "search" }, search, h("kbd", { "aria-hidden": "true" }, "/")), chips, menus, active);
  const head = document.getElementById("list-head");
  const total = h("span", { role: "status" });
  const order = h("select", { class: "field", "aria-label": "Order" }, Object.entries(SORTS).map(([value, text]) => h("option", { value }, text)));
  order.addEventListener("change", () => changed({ sort: order.value }));
  fill(head, total, order);

  return {
    /** Show the place and the counters of the server. */
    show(place, counters) {
      if (document.activeElement !== search && search.value.trim() !== place.q) search.value = place.q;
      order.value = place.sort;
      fillKept(chips, verdictChips(place, counters.verdict ?? {}, changed));
      if (!grid.contains(document.activeElement)) fill(grid, Object.entries(MENUS).map(([field, title]) => menu(field, title, place, counters[field] ?? {}, changed)));
      fillKept(active, activeChips(place, changed));
    },
    /** Say how many traces the list holds. */
    showTotal(number, place) {
      total.textContent = number > COUNTED && isNarrowed(place) ? `more than ${counted(COUNTED, "trace")}` : counted(number, "trace");
    },
    search,
  };
}

/** Put new children in the place of the old ones, and the focus on the one that had it. */
function fillKept(element, children) {
  const index = [...element.children].indexOf(document.activeElement);
  fill(element, children);
  if (index >= 0) element.children[Math.min(index, element.children.length - 1)]?.focus();
}

function verdictChips(place, numbers, changed) {
  if (place.view === "queue") return null;
  return Object.entries(VERDICTS).map(([verdict, { word, glyph }]) => {
    if (!numbers[verdict] && !place.verdict.includes(verdict)) return null;
    const isOn = place.verdict.includes(verdict);
    const flip = () => changed({ verdict: isOn ? place.verdict.filter((other) => other !== verdict) : [...place.verdict, verdict] });
    return h("button", { class: "chip", type: "button", "aria-pressed": String(isOn), on: { click: flip } }, h("span", { "aria-hidden": "true" }, glyph), word, " ", (numbers[verdict] ?? 0).toLocaleString("en"));
  });
}

function menu(field, title, place, numbers, changed) {
  const options = Object.entries(numbers).filter(([value]) => !place[field].includes(value));
  const select = h(
    "select",
    { class: "field" },
    h("option", { value: "" }, "any"),
    options.map(([value, number]) => h("option", { value }, `${valueInWords(field, value)} (${number.toLocaleString("en")})`)),
  );
  select.addEventListener("change", () => select.value && changed({ [field]: [...place[field], select.value] }));
  select.disabled = options.length === 0;
  return h("label", {}, title, select);
}

function activeChips(place, changed) {
  return FIELDS.filter((field) => field !== "verdict" || place.view === "queue").flatMap((field) =>
    place[field].map((value) => {
      const drop = () => changed({ [field]: place[field].filter((other) => other !== value) });
      const text = `${field}: ${valueInWords(field, value)}`;
      return h("button", { class: "chip", type: "button", "aria-pressed": "true", "aria-label": `Remove the filter ${text}`, on: { click: drop } }, h("span", { class: "chip-text" }, text), h("span", { "aria-hidden": "true" }, "×"));
    }),
  );
}

function valueInWords(field, value) {
  if (field === "language" && LANGUAGES[value]) return LANGUAGES[value];
  return field === "tool" || field === "source" ? value : inWords(value);
}
