// Talks to the server this page came from.

export class ApiError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Return the address of a route with a query; values may be lists. */
export function address(path, query = {}) {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value].flat()) if (item !== "" && item !== null && item !== undefined) parts.append(name, item);
  }
  const text = parts.toString();
  return text ? `/api/${path}?${text}` : `/api/${path}`;
}

export function get(path, query) {
  return ask(address(path, query), { headers: { accept: "application/json" } });
}

/** Send a body; with `keepalive` it arrives even when the page is being left. */
export function post(path, body, { keepalive = false } = {}) {
  return ask(address(path), { method: "POST", keepalive, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

async function ask(url, options) {
  let response;
  try {
    response = await fetch(url, { ...options, credentials: "same-origin" });
  } catch {
    throw new ApiError(0, "unreachable", "The server does not answer. Is it still running?");
  }
  if (response.status === 401) {
    // The server was started anew; loading the page gives a new session.
    if (!sessionStorage.getItem("reloaded")) {
      sessionStorage.setItem("reloaded", "1");
      location.reload();
    }
    throw new ApiError(401, "no_session", "The server was started anew. Open the address it printed.");
  }
  sessionStorage.removeItem("reloaded");
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(response.status, answer.error ?? "error", answer.message ?? `The server said ${response.status}.`);
  return answer;
}
