// The keyboard: one table of keys, used to act and to show the help.

import { fill, h } from "./dom.js";

export const KEYS = [
  [["j"], "next trace", "next"],
  [["k"], "previous trace", "previous"],
  [["v"], "verified", "verified"],
  [["f"], "false success", "false_success"],
  [["1", "–", "7"], "kind of failure, before F", "kind"],
  [["s"], "skip: leave it undecided and go on", "skip"],
  [["n"], "write a note (Ctrl+Enter goes back to the page)", "note"],
  [["u"], "undo your last decision", "undo"],
  [["r"], "raw JSON", "raw"],
  [["/"], "search", "search"],
  [["Esc"], "leave a field, close what is open", "leave"],
  [["?"], "this help", "help"],
];

/** Call `act[name]` for the keys of the table, unless somebody is typing or a dialog is open. */
export function listenToKeys(act) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const isTyping = event.target.closest?.("input, textarea, select") !== null && event.target.closest?.("input, textarea, select") !== undefined;
    if (isTyping) {
      if (event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey))) {
        event.target.blur();
        document.getElementById("inspector").focus({ preventScroll: true });
        event.preventDefault();
      }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (/^[1-7]$/.test(event.key)) {
      act.kind(Number(event.key) - 1);
      return;
    }
    const found = KEYS.find(([keys]) => keys.length === 1 && keys[0].toLowerCase() === event.key.toLowerCase().replace("escape", "esc"));
    if (!found || (event.repeat && !["next", "previous"].includes(found[2]))) return;
    event.preventDefault();
    act[found[2]]();
  });
}

/** Open a dialog with a title; `build` fills its body. */
export function openDialog(title, build) {
  const dialog = h("dialog", { "aria-label": title });
  const close = h("button", { class: "button button-plain", type: "button", "aria-label": "Close", on: { click: () => dialog.close() } }, "×");
  const body = h("div", { class: "dialog-body" });
  fill(dialog, h("div", { class: "dialog-head" }, h("h2", {}, title), close), body);
  build(body, dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Show the help. */
export function showHelp(state) {
  openDialog("Keys", (body) => {
    const rows = KEYS.map(([keys, text]) => [h("dt", {}, keys.map((key) => (key === "–" ? "–" : h("kbd", {}, key)))), h("dd", {}, text)]);
    fill(
      body,
      h("dl", { class: "keys" }, rows),
      h("p", { class: "hint" }, "The queue holds what the evidence does not decide, nearest to 0.5 first. Every decision is one line in ", state?.reviews_file ?? "the reviews file", "; undoing adds a line too."),
    );
  });
}
