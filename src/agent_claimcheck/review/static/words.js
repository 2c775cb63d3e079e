// The words of the page: every verdict, record and outcome has a word and a sign, so that nothing is told by colour only.

export const VERDICTS = {
  verified: { word: "Verified", glyph: "✓", tone: "good", means: "the evidence confirms what was claimed" },
  false_success: { word: "False success", glyph: "✕", tone: "bad", means: "the evidence contradicts what was claimed" },
  unverifiable: { word: "Unverifiable", glyph: "?", tone: "open", means: "the evidence does not decide it" },
  skipped: { word: "Skipped", glyph: "–", tone: "mute", means: "nothing was claimed" },
};

export const RECORDS = {
  contradicted: "the trace itself speaks against a claim",
  undecided: "the trace does not settle a claim",
  supported: "the calls succeeded, the outcome was not checked",
  confirmed: "an independent read of the state agrees",
  corroborated: "most other runs of the task made the same changes",
  unread: "words that may claim success were not understood",
  no_claim: "nothing was claimed",
};

export const OUTCOMES = {
  contradicted: { word: "Contradicted", glyph: "✕", tone: "bad" },
  unsupported: { word: "No call could have done it", glyph: "✕", tone: "bad" },
  undecided: { word: "Undecided", glyph: "?", tone: "open" },
  receipt_only: { word: "Receipt only", glyph: "◐", tone: "open" },
  probe_supported: { word: "Confirmed by a state probe", glyph: "✓", tone: "good" },
};

export const STATES = {
  ok: { word: "succeeded", glyph: "✓", tone: "good" },
  failed: { word: "failed", glyph: "✕", tone: "bad" },
  pending: { word: "pending", glyph: "…", tone: "open" },
  empty: { word: "empty", glyph: "∅", tone: "open" },
  unknown: { word: "no status", glyph: "?", tone: "mute" },
  missing: { word: "no result", glyph: "?", tone: "open" },
};

export const FAILURE_KINDS = [
  ["phantom_action", "never done"],
  ["error_ignored", "error ignored"],
  ["wrong_target", "wrong target"],
  ["wrong_value", "wrong value"],
  ["not_persisted", "not persisted"],
  ["partial_completion", "only in part"],
  ["other", "other"],
];

export const SEVERITIES = {
  fail: { glyph: "✕", tone: "bad", word: "Fail" },
  warn: { glyph: "!", tone: "open", word: "Look" },
  pass: { glyph: "✓", tone: "good", word: "Pass" },
};

export const ROLES = {
  user: "User", agent: "Agent", tool: "Tool", environment: "Environment", system: "System", developer: "Developer",
  other_agent: "Other agent",
};

export const LANGUAGES = { none: "no text", unknown: "not recognised" };

/** Return a field's value as a person reads it. */
export function inWords(value) {
  return String(value).replaceAll("_", " ");
}

/** Return a number with its noun: "1 claim", "12 claims". */
export function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** Return a probability with two decimals, or a dash. */
export function score(p) {
  return typeof p === "number" ? p.toFixed(2) : "–";
}
