// The decision at the foot of a trace: verified or false success, what kind of failure, a note, and how it stands.

import { fill, h } from "./dom.js";
import { FAILURE_KINDS, VERDICTS } from "./words.js";

const NOTE_LIMIT = 1000;

/** Return the foot of a sheet. `act` holds `decide(decision, {note, failure_kind})`, `skip()` and `undo()`. */
export function decidePanel(page, act) {
  const review = page.review;
  const decided = review.status === "reviewed" ? review.decision : null;
  const isBarred = Boolean(page.held_by) || !review.can_decide;
  let kind = decided?.failure_kind ?? "";
  const note = h("textarea", { class: "field", id: "note", rows: "2", maxlength: NOTE_LIMIT, "aria-label": "Note", placeholder: "Note: why you decided so (kept in the reviews file)" });
  note.value = decided?.note ?? "";
  note.hidden = !note.value;
  const left = h("span", { class: "hint" });
  note.addEventListener("input", () => (left.textContent = note.value.length > NOTE_LIMIT - 200 ? `${NOTE_LIMIT - note.value.length} left` : ""));

  const kinds = h("fieldset", { class: "kinds" }, h("legend", {}, "Kind of failure"));
  const chips = FAILURE_KINDS.map(([value, text], index) => {
    const chip = h("button", { class: "chip", type: "button", "aria-pressed": String(kind === value), disabled: isBarred }, h("kbd", { "aria-hidden": "true" }, index + 1), text);
    chip.addEventListener("click", () => chooseKind(value));
    return chip;
  });
  kinds.append(...chips);
  const chooseKind = (value) => {
    kind = kind === value ? "" : value;
    chips.forEach((chip, index) => chip.setAttribute("aria-pressed", String(kind === FAILURE_KINDS[index][0])));
  };

  const send = (decision) => act.decide(decision, { note: note.value.trim(), failure_kind: decision === "false_success" ? kind : "" });
  const button = (text, key, style, onClick, disabled = false) => h("button", { class: `button ${style}`, type: "button", disabled, on: { click: onClick } }, text, h("kbd", { "aria-hidden": "true" }, key));
  const showNote = () => {
    note.hidden = false;
    note.focus({ preventScroll: true });
  };
  const element = h(
    "section",
    { class: "decide", "aria-label": "Decision" },
    kinds,
    note,
    h(
      "div",
      { class: "decide-row" },
      button("Verified", "V", "button-good", () => send("verified"), isBarred),
      button("False success", "F", "button-bad", () => send("false_success"), isBarred),
      button("Skip", "S", "", act.skip),
      button("Note", "N", "", showNote, isBarred),
      button("Undo", "U", "", act.undo),
      left,
      h("span", { class: "decide-state" }, stateText(page, decided)),
    ),
  );
  return { element, send: isBarred ? () => {} : send, showNote: isBarred ? () => {} : showNote, chooseKind: (index) => !isBarred && FAILURE_KINDS[index] && chooseKind(FAILURE_KINDS[index][0]) };
}

function stateText(page, decided) {
  if (page.held_by) return `${page.held_by} has this trace open`;
  if (!page.review.can_decide) return "Only the result of this trace is here, so it cannot be reviewed";
  if (!decided) return "";
  const by = decided.reviewer ? ` by ${decided.reviewer}` : "";
  const at = decided.reviewed_at ? `, ${decided.reviewed_at.replace("T", " ").slice(0, 16)} UTC` : "";
  const changes = page.review.earlier ? `, decided ${page.review.earlier + 1} times` : "";
  return `Decided: ${VERDICTS[decided.decision]?.word ?? decided.decision}${by}${at}${changes}`;
}

/** Return the note on top of a sheet: a lease in the way, or the label that may be shown after a decision. */
export function reviewBanner(page) {
  if (page.held_by) return h("p", { class: "sheet-banner tone-open" }, `${page.held_by} has this trace open. You can read it; the decision is theirs until they move on.`);
  const label = page.review.label;
  if (!label) return null;
  const word = { success: "success", failure: "failure" }[label.outcome] ?? "unknown";
  const by = { human: "set by a person", state_probe: "set by a state probe", none: "with no source named" }[label.checked_by];
  const banner = h("p", { class: "sheet-banner tone-mute" });
  return fill(banner, `The input labels this trace: ${word}, ${by}. It is shown because you have decided.`);
}
