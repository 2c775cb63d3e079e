// The review page: keeps the address, the list and the open trace in step, and takes decisions.

import { address, get, post } from "./api.js";
import { decidePanel, reviewBanner } from "./decide.js";
import { fill, h } from "./dom.js";
import { buildFilters } from "./filters.js";
import { sheet } from "./inspector.js";
import { openJudge } from "./judge.js";
import { listenToKeys, showHelp } from "./keys.js";
import { TraceList } from "./list.js";
import { FIELDS, filterOf, isNarrowed, placeAddress, readPlace, showPlace } from "./place.js";
import { showReports } from "./reports.js";
import { announce, attempt, tell } from "./tell.js";
import { textBlock } from "./values.js";
import { VERDICTS, counted } from "./words.js";

const BUSY_MS = 1000;
const IDLE_MS = 15000;
const LEASE_MS = 60000;
const PAGE_ROWS = 50;

const inspector = document.getElementById("inspector");
const desk = document.querySelector(".desk");
const reviewer = h("input", { class: "field reviewer", type: "text", placeholder: "Your name", "aria-label": "Reviewer name", maxlength: "80", autocomplete: "name" });

let place = readPlace();
let state = { counters: {}, scoring: { state: "reading" }, judge: { state: "idle" } };
let open = null; // the presented trace with its decision panel
let opening = 0;
let isBusy = false;
const decisions = []; // what this page decided, the last one last: {trace_id, seq}

const list = new TraceList({ open: (traceId) => go({ trace: traceId }, { isStep: true, isChosen: true }), changed: () => filters.showTotal(list.total, place) });
const filters = buildFilters((values) => go({ ...values, trace: null }));

/** Go to another place: change the address, then the list and the trace as far as they differ. */
async function go(values, { isStep = false, isChosen = false } = {}) {
  const before = place;
  place = { ...place, ...values };
  showPlace(place, { isStep });
  await show(before, { isChosen });
}

async function show(before, { isChosen = false } = {}) {
  const isReports = place.view === "reports";
  desk.classList.toggle("is-alone", isReports);
  showViews();
  filters.show(place, state.counters);
  if (isReports) {
    leave();
    await attempt(() => showReports(inspector));
    return;
  }
  const isOtherList = !before || before.view === "reports" || placeAddress({ ...before, trace: null }) !== placeAddress({ ...place, trace: null });
  if (isOtherList) {
    await attempt(() => list.load(place));
    if (place.trace === null && list.rows.length && !isNarrow()) {
      place = { ...place, trace: list.neighbour(1)?.trace_id ?? list.rows[0].trace_id };
      showPlace(place);
    }
  }
  if (place.trace === null) showEmpty();
  else if (!open || open.page.trace_id !== place.trace || isOtherList) await openTrace(place.trace, { isChosen });
  desk.classList.toggle("is-reading", place.trace !== null && (isChosen || !isNarrow()));
}

function isNarrow() {
  return matchMedia("(max-width: 56rem)").matches;
}

async function openTrace(traceId, { isChosen = false } = {}) {
  const ticket = (opening += 1);
  let page;
  try {
    [page] = await Promise.all([get("trace", { id: traceId }), lease(traceId)]);
  } catch (error) {
    if (ticket === opening) showMissing(error);
    return;
  }
  if (ticket !== opening) return;
  const panel = decidePanel(page, { decide, skip, undo });
  open = { page, panel };
  fill(inspector, sheet(page, { thresholds: state.thresholds, tools: traceTools(page), banner: reviewBanner(page), foot: panel.element }));
  inspector.scrollTop = 0;
  list.select(traceId);
  desk.classList.toggle("is-reading", isChosen || desk.classList.contains("is-reading"));
  if (isChosen) inspector.querySelector("h2")?.focus({ preventScroll: true });
  if (isNarrow() && isChosen) scrollTo(0, 0);
  announce(`${page.title}. ${VERDICTS[page.verdict]?.word ?? page.verdict}. ${page.why}`);
}

/** Say in the place of a trace why it cannot be shown, and offer the list. */
function showMissing(error) {
  leave();
  const isReading = state.scoring.state === "reading";
  const [title, text] =
    error.code !== "not_found"
      ? ["This trace cannot be shown", error.message]
      : ["This trace is not here", isReading ? "The traces are still being read, so it may come yet." : "The inputs of this server hold no trace of this name."];
  const everything = { ...Object.fromEntries(FIELDS.map((field) => [field, []])), view: "all", q: "", trace: null };
  const showAll = () => go(everything, { isStep: true });
  fill(inspector, h("div", { class: "empty" }, h("strong", {}, title), h("p", {}, text), h("button", { class: "button", type: "button", on: { click: showAll } }, "Show all traces")));
  announce(`${title}. ${text}`);
}

function traceTools(page) {
  const back = () => {
    desk.classList.remove("is-reading");
    go({ trace: null });
  };
  return [
    h("button", { class: "button button-plain button-small back", type: "button", on: { click: back } }, "← List"),
    h("button", { class: "button button-plain button-small", type: "button", on: { click: toggleRaw } }, "Raw JSON ", h("kbd", { "aria-hidden": "true" }, "R")),
    h("a", { class: "button button-plain button-small", href: address("report", { id: page.trace_id }), download: true }, "Save as page"),
  ];
}

function leave() {
  opening += 1;
  if (open) post("lease", {}).catch(() => {});
  open = null;
  list.select(null);
}

function showEmpty() {
  leave();
  desk.classList.remove("is-reading");
  const isReading = state.scoring.state === "reading";
  const [title, text] = list.rows.length
    ? ["No trace is open", "Choose one from the list, or press J."]
    : isNarrowed(place)
      ? ["Nothing matches", "Take a filter away, or look in all traces."]
      : isReading
        ? ["Reading the traces", "They appear here as they are checked."]
        : !state.total
          ? ["No traces", state.scoring.messages?.[0] ?? "The inputs held none that could be read."]
        : place.view === "queue"
          ? ["The queue is empty", "The evidence decides every trace that is left, or you have. All traces are under All."]
          : place.view === "reviewed"
            ? ["Nothing reviewed yet", "Decided traces appear here, and every decision can be changed."]
            : ["Nothing here", "All traces are in another list."];
  fill(inspector, h("div", { class: "empty" }, h("strong", {}, title), text));
}

async function lease(traceId) {
  return post("lease", { trace_id: traceId, reviewer: reviewer.value });
}

// Deciding

async function decide(decision, { note, failure_kind }) {
  if (!open || isBusy) return;
  isBusy = true;
  const { trace_id } = open.page;
  const answer = await attempt(() => post("review", { trace_id, decision, note, failure_kind, reviewer: reviewer.value }));
  isBusy = false;
  if (!answer) return;
  decisions.push({ trace_id, seq: answer.review.seq });
  tell(`${VERDICTS[decision].word}: ${trace_id.slice(0, 60)} · U undoes`);
  await moveOn(trace_id, { isDecided: true });
  refresh();
}

/** Open what comes after a trace, which leaves the queue when it was decided. */
async function moveOn(traceId, { isDecided = false } = {}) {
  const next = (await freeNeighbour(1)) ?? (isDecided ? await freeNeighbour(-1) : undefined);
  if (isDecided && place.view === "queue") list.remove(traceId);
  else if (isDecided) list.update(traceId, { status: "reviewed" });
  if (next) await go({ trace: next.trace_id }, { isChosen: true });
  else if (isDecided && place.view === "queue") await go({ trace: null });
  else if (isDecided) await openTrace(traceId);
  else tell("This is the end of the list");
}

/** Lease and return the nearest row in a direction that nobody else has open, or undefined. */
async function freeNeighbour(distance) {
  for (;;) {
    if (distance > 0 && !list.neighbour(1)) await list.more();
    const next = list.neighbour(distance);
    if (!next) return undefined;
    const answer = await attempt(() => lease(next.trace_id));
    if (!answer?.held_by) return next;
    list.update(next.trace_id, { held_by: answer.held_by });
  }
}

async function skip() {
  if (open) await moveOn(open.page.trace_id);
}

async function undo() {
  const review = open?.page.review;
  const last = decisions.at(-1) ?? (review?.status === "reviewed" ? { trace_id: open.page.trace_id, seq: review.seq } : null);
  if (!last || isBusy) {
    tell("There is nothing to undo");
    return;
  }
  isBusy = true;
  const answer = await attempt(() => post("undo", last));
  isBusy = false;
  decisions.splice(decisions.indexOf(last), 1);
  if (!answer) return;
  tell(`Undone: ${last.trace_id.slice(0, 60)}`);
  open = null;
  await attempt(() => list.load(place));
  await go({ trace: last.trace_id }, { isChosen: true });
  refresh();
}

async function toggleRaw() {
  if (!open) return;
  if (open.isRaw) {
    open.isRaw = false;
    await openTrace(open.page.trace_id, { isChosen: true });
    return;
  }
  const raw = await attempt(() => get("raw", { id: open.page.trace_id }));
  const body = inspector.querySelector(".sheet-body");
  if (!raw || !body) return;
  open.isRaw = true;
  body.replaceWith(h("div", { class: "raw", tabindex: "-1" }, textBlock(raw.text, { code: true, fold: false })));
}

// The bar on top

function showViews() {
  const views = [["queue", "Queue", state.queue], ["reviewed", "Reviewed", state.reviewed], ["all", "All", state.total]];
  if (state.has_reports) views.push(["reports", "Reports"]);
  const nav = document.getElementById("views");
  const focused = [...nav.children].indexOf(document.activeElement);
  fill(
    nav,
    views.map(([view, text, number]) => {
      const target = { ...place, view, trace: null };
      const choose = (event) => {
        event.preventDefault();
        go({ view, trace: null }, { isStep: true });
      };
      return h("a", { class: "view", href: placeAddress(target), "aria-current": place.view === view ? "page" : null, on: { click: choose } }, text, number === undefined ? null : h("span", { class: "view-count" }, number.toLocaleString("en")));
    }),
  );
  if (focused >= 0) nav.children[focused]?.focus();
}

function showProgress() {
  const { scoring, judge } = state;
  const line = document.getElementById("progress");
  const parts = [];
  if (scoring.state === "reading") parts.push(`Checking traces: ${scoring.read.toLocaleString("en")} so far`);
  if (scoring.state === "failed") parts.push(`Reading stopped: ${scoring.messages.at(-1) ?? ""}`);
  if (scoring.problems) parts.push(`${counted(scoring.problems, "line")} could not be read`);
  if (judge.state === "running" || judge.state === "stopping") parts.push(`judge: ${judge.done} of ${judge.total}`);
  line.textContent = parts.join(" · ");
  line.title = scoring.messages?.join("\n") ?? "";
  line.classList.toggle("is-wrong", scoring.state === "failed");
}

function buildActions() {
  const menu = h("details", { class: "menu" }, h("summary", { class: "button", role: "button" }, "Export"));
  const items = h("div", { class: "menu-items" });
  menu.append(items);
  menu.addEventListener("toggle", () => {
    if (!menu.open) return;
    fill(
      items,
      h("a", { href: address("reviews"), download: true }, "Reviews", h("small", {}, "every decision, as labelled traces")),
      h("a", { href: address("results", filterOf(place)), download: true }, "Results of this list", h("small", {}, "claimcheck-result/v2, as filtered now")),
      open ? h("a", { href: address("report", { id: open.page.trace_id }), download: true }, "This trace as a page", h("small", {}, "self-contained HTML for a colleague")) : null,
    );
  });
  document.addEventListener("click", (event) => !menu.contains(event.target) && menu.removeAttribute("open"));
  menu.addEventListener("keydown", (event) => event.key === "Escape" && menu.removeAttribute("open"));
  const judge = h("button", { class: "button", type: "button", on: { click: () => openJudge(place, afterJudging) } }, "Judge");
  const help = h("button", { class: "button", type: "button", "aria-label": "Keys and help", on: { click: () => showHelp(state) } }, h("kbd", { "aria-hidden": "true" }, "?"), "Help");
  reviewer.value = localStorage.getItem("reviewer") ?? "";
  reviewer.addEventListener("change", () => {
    localStorage.setItem("reviewer", reviewer.value);
    if (open) attempt(() => lease(open.page.trace_id));
  });
  fill(document.getElementById("actions"), reviewer, judge, menu, help);
}

async function afterJudging() {
  await refresh();
  await attempt(() => list.load(place));
  if (open && place.trace) await openTrace(place.trace);
}

// Staying in step with the server

async function refresh() {
  try {
    state = await get("state");
  } catch (error) {
    document.getElementById("progress").textContent = error.message;
    document.getElementById("progress").classList.add("is-wrong");
    return;
  }
  showViews();
  showProgress();
  filters.show(place, state.counters);
}

async function follow() {
  const before = state;
  await refresh();
  const hasMore = state.total !== before.total || state.scoring.state !== before.scoring.state;
  // While the first traces come in, the list grows by itself; a long one is left alone under the reader's eyes.
  if (hasMore && place.view !== "reports" && list.rows.length < PAGE_ROWS) {
    await attempt(() => list.load(place));
    if (!open && place.trace === null) {
      if (list.rows.length && !isNarrow()) await go({ trace: list.rows[0].trace_id });
      else showEmpty();
    }
  } else if (hasMore) filters.showTotal((list.total = totalOf(state)), place);
  if (state.scoring.state !== before.scoring.state && !open && place.trace !== null && place.view !== "reports") await openTrace(place.trace);
  const isMoving = state.scoring.state === "reading" || ["running", "stopping"].includes(state.judge.state);
  setTimeout(follow, isMoving ? BUSY_MS : IDLE_MS);
}

function totalOf({ queue, reviewed, total }) {
  return isNarrowed(place) ? list.total : { queue, reviewed, all: total }[place.view];
}

async function start() {
  buildActions();
  listenToKeys({
    next: () => step(1),
    previous: () => step(-1),
    verified: () => open?.panel.send("verified"),
    false_success: () => open?.panel.send("false_success"),
    kind: (index) => open?.panel.chooseKind(index),
    note: () => open?.panel.showNote(),
    skip,
    undo,
    raw: toggleRaw,
    search: () => {
      desk.classList.remove("is-reading");
      filters.search.focus();
      filters.search.select();
    },
    leave: () => {},
    help: () => showHelp(state),
  });
  addEventListener("popstate", () => {
    const before = place;
    place = readPlace();
    show(before, { isChosen: place.trace !== null });
  });
  addEventListener("pagehide", () => open && post("lease", {}, { keepalive: true }).catch(() => {}));
  setInterval(() => open && !document.hidden && lease(open.page.trace_id).catch(() => {}), LEASE_MS);
  await refresh();
  await show(null, { isChosen: place.trace !== null });
  setTimeout(follow, BUSY_MS);
}

async function step(distance) {
  if (place.view === "reports") return;
  if (distance > 0 && !list.neighbour(1)) await list.more();
  const next = list.neighbour(distance);
  if (next) await go({ trace: next.trace_id }, { isChosen: true });
}

start();
