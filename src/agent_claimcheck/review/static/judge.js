// The judge panel: what it would cost at most, a run on the list or on the open trace, its progress, a way to stop it.

import { address, get, post } from "./api.js";
import { fill, h } from "./dom.js";
import { openDialog } from "./keys.js";
import { filterOf, isNarrowed } from "./place.js";
import { counted } from "./words.js";

const ENDED = ["idle", "done", "failed", "cancelled"];

/** Open the panel for a place; `changed` is called when results may have changed. */
export async function openJudge(place, changed) {
  openDialog("Ask the judge", (body, dialog) => {
    fill(body, h("p", { class: "hint", role: "status" }, "Reckoning what it would cost …"));
    showPanel(body, dialog, place, changed).catch((error) => fill(body, h("p", { class: "settle", role: "alert" }, error.message)));
  });
}

async function showPanel(body, dialog, place, changed) {
  const { unconfigured, run } = await get("judge");
  if (unconfigured) {
    fill(body, h("p", {}, "No judge is set up."), h("p", { class: "hint" }, unconfigured), h("p", { class: "hint" }, "Prices come from the server’s list; for a model that has none, set price_in_per_m and price_out_per_m (0 is a price)."));
    return;
  }
  if (!ENDED.includes(run.state)) {
    follow(body, run.run_id, changed);
    return;
  }
  const scopes = [["list", listName(place)]];
  if (place.trace !== null) scopes.push(["one", `The open trace, ${place.trace}`]);
  let scope = "list";
  const said = h("div", { role: "status" });
  const go = h("button", { class: "button button-main", type: "button", disabled: true }, "Ask");
  const choices = scopes.map(([value, text]) => {
    const input = h("input", { type: "radio", name: "scope", value });
    input.checked = value === scope;
    input.addEventListener("change", () => {
      scope = value;
      estimate();
    });
    return h("label", {}, input, " ", text);
  });
  const estimate = async () => {
    go.disabled = true;
    fill(said, h("p", { class: "hint" }, "Reckoning …"));
    const found = await get("judge/estimate", scope === "one" ? { id: [place.trace] } : filterOf(place));
    fill(said, found.error ? h("p", { class: "settle" }, found.message) : estimateText(found));
    go.disabled = Boolean(found.error) || found.calls + found.cached === 0;
  };
  go.addEventListener("click", async () => {
    try {
      const started = await post("judge/run", scope === "one" ? { trace_ids: [place.trace] } : { filter: filterOf(place) });
      follow(body, started.run_id, changed);
    } catch (error) {
      fill(said, h("p", { class: "settle", role: "alert" }, error.message));
    }
  });
  const last = run.run_id ? h("p", { class: "hint" }, `Last run: ${runText(run)}`) : null;
  fill(body, choices, said, h("div", { class: "dialog-actions" }, go, h("button", { class: "button", type: "button", on: { click: () => dialog.close() } }, "Not now")), last);
  await estimate();
}

function listName(place) {
  const name = { queue: "The queue", reviewed: "All reviewed traces", all: "All traces" }[place.view] ?? "All traces";
  return isNarrowed(place) ? `${name}, as filtered now` : name;
}

function estimateText(found) {
  const about = found.is_reckoned ? "about " : "";
  return [
    h("p", {}, `${counted(found.queued, "trace")}: ${about}${counted(found.calls, "paid call")} to ${found.model}, ${about}${found.cached} answered from the cache.`),
    h("p", {}, `At most ${about}$${found.worst_case_usd.toFixed(4)}; the budget of this server has $${found.left_usd.toFixed(2)} left. No call is made that could cross it.`),
  ];
}

/** Show a run until it ends. */
function follow(body, runId, changed) {
  const meter = h("progress", { class: "meter", "aria-label": "Traces judged" });
  const said = h("p", { role: "status" });
  const stop = h("button", { class: "button", type: "button" }, "Stop");
  stop.addEventListener("click", () => {
    stop.disabled = true;
    post("judge/cancel", { run_id: runId });
  });
  fill(body, meter, said, h("div", { class: "dialog-actions" }, stop), h("p", { class: "hint" }, "The run goes on when this panel is closed."));
  const events = new EventSource(address("judge/events", { run: runId }));
  const show = (event) => {
    const run = JSON.parse(event.data);
    meter.max = Math.max(1, run.total ?? 1);
    meter.value = run.done ?? 0;
    said.textContent = runText(run);
    return run;
  };
  events.addEventListener("progress", show);
  events.addEventListener("end", (event) => {
    show(event);
    events.close();
    stop.hidden = true;
    changed();
  });
  body.closest("dialog").addEventListener("close", () => events.close());
}

function runText(run) {
  const words = { running: "Asking", stopping: "Stopping", done: "Done", failed: "Failed", cancelled: "Stopped" };
  const parts = [`${words[run.state] ?? run.state}: ${run.done ?? 0} of ${run.total ?? 0}`, `${counted(run.changed ?? 0, "verdict")} changed`, `$${(run.spent_usd ?? 0).toFixed(4)} spent`];
  for (const [why, number] of Object.entries(run.unanswered ?? {})) parts.push(`${number} without an answer (${why})`);
  if (run.message) parts.push(run.message);
  return parts.join(" · ");
}
