// Builds elements. Text only ever becomes a text node: there is no way from here to markup.

const ATTRIBUTES = /^(aria-[a-z]+|data-[a-z]+|role|id|href|for|type|name|value|title|tabindex|lang|dir|rows|maxlength|placeholder|autocomplete|download|scope|colspan|min|max|open|disabled|hidden|spellcheck|target|rel|enterkeyhint)$/;

/**
 * Return a new element. `properties` holds `class`, attributes, `on` (event -> listener); children are elements, texts,
 * numbers or nothing. An attribute with the value false, null or undefined is left out; true stands for an empty one.
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "class") element.className = value;
    else if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (ATTRIBUTES.test(name)) element.setAttribute(name, value === true ? "" : String(value));
    else throw new Error(`no such attribute: ${name}`);
  }
  append(element, children);
  return element;
}

/** Put children behind what an element has. */
export function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Put children in the place of what an element has. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** Return a part of the page with a heading, or nothing when it has no content. */
export function section(title, content, { count, tools } = {}) {
  const parts = [content].flat(Infinity).filter(Boolean);
  if (!parts.length) return null;
  const heading = h("h3", {}, title, count === undefined ? null : h("span", { class: "section-count" }, ` · ${count}`));
  return h("section", { class: "section" }, tools ? h("div", { class: "section-head" }, heading, tools) : heading, parts);
}
