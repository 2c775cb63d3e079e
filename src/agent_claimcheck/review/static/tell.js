// Tells the reviewer what happened: a short note on the screen, and the same words for a screen reader.

import { h } from "./dom.js";

const SHOWN_MS = 3500;

/** Show a note; `isWrong` marks an error. */
export function tell(text, { isWrong = false } = {}) {
  const toast = h("div", { class: isWrong ? "toast is-wrong" : "toast", "aria-hidden": "true" }, text);
  const toasts = document.getElementById("toasts");
  toasts.replaceChildren(toast);
  setTimeout(() => toast.remove(), isWrong ? 2 * SHOWN_MS : SHOWN_MS);
  announce(text);
}

/** Say something to screen readers only. */
export function announce(text) {
  document.getElementById("announce").textContent = text;
}

/** Run something and tell when it fails; returns what it gives, or undefined. */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    tell(error.message, { isWrong: true });
    return undefined;
  }
}
