// What our own checks find on a page, as a list of sentences: names of controls, labels, order of headings, contrast of text.
(() => {
  const found = [];
  const isSeen = (element) => element.checkVisibility({ checkVisibilityCSS: true, opacityProperty: true }) && element.getClientRects().length > 0;
  const name = (element) =>
    (element.getAttribute("aria-label") || element.labels?.[0]?.textContent || element.getAttribute("title") || element.textContent || "").trim();
  for (const element of document.querySelectorAll("a[href], button, input, select, textarea, summary")) {
    if (isSeen(element) && !name(element)) found.push(`no name: ${element.outerHTML.slice(0, 120)}`);
  }
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  for (const id of new Set(ids)) if (ids.filter((other) => other === id).length > 1) found.push(`id twice: ${id}`);
  if (!document.documentElement.lang) found.push("no language");
  if (document.querySelectorAll("main").length !== 1) found.push("not one main part");

  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const channels = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return { rgb: [r, g, b], alpha: a / 255 };
  };
  const light = ([r, g, b]) => {
    const part = (c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const ground = (element) => {
    for (let here = element; here; here = here.parentElement) {
      const { rgb, alpha } = channels(getComputedStyle(here).backgroundColor);
      if (alpha > 0.99) return rgb;
    }
    return channels("Canvas").rgb;
  };
  for (const element of document.body.querySelectorAll("*")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!hasText || !isSeen(element) || element.closest(".unseen, :disabled, dialog:not([open]), script, noscript")) continue;
    if (document.querySelector("dialog[open]") && !element.closest("dialog")) continue;
    const [one, other] = [light(channels(getComputedStyle(element).color).rgb), light(ground(element))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    if (ratio < 4.5) found.push(`contrast ${ratio.toFixed(2)}: ${element.className || element.tagName} "${element.textContent.trim().slice(0, 40)}"`);
  }
  return found;
})();
