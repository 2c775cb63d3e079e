// Where the page is: list, filters, sort, search and the open trace, all of it in the address, so that links go deep.

export const FIELDS = ["verdict", "record", "finding", "claim", "tool", "domain", "source", "language", "detector"];
export const VIEWS = ["queue", "reviewed", "all"];

/** Return the place that the address names. */
export function readPlace() {
  const query = new URLSearchParams(location.search);
  const place = { view: query.get("view") ?? "queue", sort: query.get("sort") ?? "closest", q: query.get("q") ?? "", trace: query.get("trace") };
  for (const field of FIELDS) place[field] = query.getAll(field).filter(Boolean);
  return place;
}

/** Return the address of a place. */
export function placeAddress(place) {
  const query = new URLSearchParams();
  if (place.view !== "queue") query.set("view", place.view);
  if (place.sort !== "closest") query.set("sort", place.sort);
  if (place.q) query.set("q", place.q);
  for (const field of FIELDS) for (const value of place[field]) query.append(field, value);
  if (place.trace !== null && place.trace !== undefined) query.set("trace", place.trace);
  const text = query.toString();
  return text ? `/?${text}` : "/";
}

/** Put the place into the address; `isStep` makes it a step that the back button takes back. */
export function showPlace(place, { isStep = false } = {}) {
  const target = placeAddress(place);
  if (target === location.pathname + location.search) return;
  history[isStep ? "pushState" : "replaceState"](null, "", target);
}

/** Return the filter of a place as the server takes it. */
export function filterOf(place) {
  const wanted = { view: VIEWS.includes(place.view) ? place.view : "all", sort: place.sort, q: place.q };
  for (const field of FIELDS) wanted[field] = place[field];
  return wanted;
}

/** Return whether anything narrows the list. */
export function isNarrowed(place) {
  return place.q !== "" || FIELDS.some((field) => place[field].length > 0);
}
