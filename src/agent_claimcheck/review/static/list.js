// The list of traces: pages that come as one scrolls, the open row marked, rows that leave when they are decided.

import { get } from "./api.js";
import { verdictGlyph } from "./badges.js";
import { fill, h } from "./dom.js";
import { filterOf, isNarrowed, placeAddress } from "./place.js";
import { inWords, score } from "./words.js";

export const COUNTED = 10000;

export class TraceList {
  /** `open` is called with a trace id when a row is chosen, `changed` whenever rows came or went. */
  constructor({ open, changed }) {
    this.rows = [];
    this.total = 0;
    this.after = null;
    this.place = null;
    this.current = null;
    this.open = open;
    this.changed = changed;
    this.request = 0;
    this.element = document.getElementById("list");
    this.end = document.getElementById("list-end");
    this.seen = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && this.more(), { rootMargin: "400px" });
    this.seen.observe(this.end);
  }

  /** Load the list of a place from its beginning. */
  async load(place) {
    this.place = place;
    const request = (this.request += 1);
    const page = await get("queue", filterOf(place));
    if (request !== this.request) return;
    this.rows = page.items;
    this.after = page.after;
    this.total = page.total;
    fill(this.element, this.rows.map((row) => this.item(row)));
    this.mark();
    this.finish();
  }

  /** Load the next page, if there is one. */
  async more() {
    if (!this.after || this.isLoading || !this.place) return;
    this.isLoading = true;
    const request = this.request;
    try {
      const page = await get("queue", { ...filterOf(this.place), after: this.after });
      if (request !== this.request) return;
      this.rows.push(...page.items);
      this.after = page.after;
      this.element.append(...page.items.map((row) => this.item(row)));
      this.mark();
    } finally {
      this.isLoading = false;
    }
    this.finish();
  }

  item(row) {
    const place = { ...this.place, trace: row.trace_id };
    const choose = (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      this.open(row.trace_id);
    };
    const state = row.status === "reviewed" ? " · reviewed" : row.is_judged ? " · judged" : "";
    const link = h(
      "a",
      { class: "row", href: placeAddress(place), on: { click: choose } },
      verdictGlyph(row.verdict),
      h("span", { class: "row-name" }, row.trace_id),
      this.scoreOf(row),
      h("span", { class: "row-why" }, row.why),
      h("span", { class: "row-asked" }, row.held_by ? h("span", { class: "row-held" }, `open at ${row.held_by} · `) : null, `${inWords(row.domain)}${state}`, row.asked ? ` · ${row.asked}` : ""),
    );
    return h("li", { "data-id": row.id }, link);
  }

  /** Return the score of a row: the one that orders the list, in words where that is a learned one and not p(success). */
  scoreOf(row) {
    const isOrdered = ["closest", "teaches"].includes(this.place.sort) && row.order_p !== row.p;
    if (!isOrdered) return h("span", { class: "row-score", title: "p(success)" }, score(row.p));
    return h("span", { class: "row-score", title: `A learned score, which orders this list and decides nothing. p(success) is ${score(row.p)}, a base rate.` }, `sorted by ${score(row.order_p)}`);
  }

  finish() {
    const isEmpty = this.rows.length === 0;
    this.end.textContent = isEmpty ? (isNarrowed(this.place) ? "Nothing matches." : "Nothing here.") : this.after ? "Loading more …" : "";
    // The observer tells changes only: an end that came into sight while a page was loading is asked for again.
    this.seen.unobserve(this.end);
    if (this.after) this.seen.observe(this.end);
    this.changed();
  }

  /** Mark the row of the open trace and bring it into sight. */
  select(traceId) {
    this.current = traceId;
    this.mark();
    this.element.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
  }

  mark() {
    this.rows.forEach((row, index) => {
      const link = this.element.children[index]?.firstElementChild;
      if (row.trace_id === this.current) link?.setAttribute("aria-current", "true");
      else link?.removeAttribute("aria-current");
    });
  }

  /** Return the row `distance` rows from the open one that nobody else has open, or undefined. */
  neighbour(distance) {
    const here = this.rows.findIndex((row) => row.trace_id === this.current);
    let index = here < 0 ? (distance > 0 ? 0 : this.rows.length - 1) : here + distance;
    while (this.rows[index]?.held_by) index += Math.sign(distance);
    return this.rows[index];
  }

  /** Take a row out of the list. */
  remove(traceId) {
    const index = this.rows.findIndex((row) => row.trace_id === traceId);
    if (index < 0) return;
    this.rows.splice(index, 1);
    this.element.children[index].remove();
    this.total = Math.max(0, this.total - 1);
    this.finish();
    if (this.rows.length < 15) this.more();
  }

  /** Change what a row says. */
  update(traceId, values) {
    const index = this.rows.findIndex((row) => row.trace_id === traceId);
    if (index < 0) return;
    Object.assign(this.rows[index], values);
    this.element.children[index].replaceWith(this.item(this.rows[index]));
    this.mark();
  }
}
