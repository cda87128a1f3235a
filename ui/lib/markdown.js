// The little Markdown a guide needs, drawn as elements and never as markup: headings, lists, quotes, code, bold, italic.
// HTML stays the text it is, and a link is its words with the address behind, not something to click.

import { html, nothing } from "../vendor/lit-html.js";
import { shown } from "./words.js";

const INLINE = /(`[^`\n]+`)|(\*\*[^*\n]+\*\*)|(\*[^*\n]+\*|\b_[^_\n]+_\b)|(\[[^\]\n]+\]\([^)\n]+\))/;

function inline(text) {
  const match = INLINE.exec(text);
  if (!match) return shown(text);
  const [found, code, bold, italic] = match;
  const rest = inline(text.slice(match.index + found.length));
  const before = shown(text.slice(0, match.index));
  if (code) return [before, html`<code>${shown(code.slice(1, -1))}</code>`, rest];
  if (bold) return [before, html`<b>${inline(bold.slice(2, -2))}</b>`, rest];
  if (italic) return [before, html`<i>${inline(italic.slice(1, -1))}</i>`, rest];
  const [, words, target] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(found);
  return [before, html`${shown(words)} <code>${shown(target)}</code>`, rest];
}

const heading = (level, text) =>
  level === 1 ? html`<h3>${inline(text)}</h3>` : level === 2 ? html`<h4>${inline(text)}</h4>` : html`<h5>${inline(text)}</h5>`;
/** A heading is at most one level under the one before it, whatever the text says; the first is the highest. */
const levelUnder = (line, before) => Math.min(line.match(/^#+/)[0].length, before + 1, 3);
const ITEM = /^\s*(?:([-*+])|(\d+)[.)])\s+(.*)$/;

/** A guide as a template. */
export function markdown(source) {
  const lines = source.replace(/\r/g, "").split("\n");
  const blocks = [];
  let level = 0;
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    const from = at;
    if (/^\s*```/.test(line)) {
      at += 1;
      while (at < lines.length && !/^\s*```/.test(lines[at])) at += 1;
      blocks.push(html`<pre>${shown(lines.slice(from + 1, at).join("\n"))}</pre>`);
      at += 1;
    } else if (/^#{1,6}\s/.test(line)) {
      level = levelUnder(line, level);
      blocks.push(heading(level, line.replace(/^#+\s+/, "")));
      at += 1;
    } else if (ITEM.test(line)) {
      const items = [];
      const numbered = Boolean(ITEM.exec(line)[2]);
      while (at < lines.length && lines[at].trim()) {
        const item = ITEM.exec(lines[at]);
        if (item) items.push(item[3]);
        else if (/^#{1,6}\s/.test(lines[at])) break;
        else items[items.length - 1] += ` ${lines[at].trim()}`;
        at += 1;
      }
      const rows = items.map((item) => html`<li>${inline(item)}</li>`);
      blocks.push(numbered ? html`<ol>${rows}</ol>` : html`<ul>${rows}</ul>`);
    } else if (/^\s*>/.test(line)) {
      while (at < lines.length && /^\s*>/.test(lines[at])) at += 1;
      blocks.push(
        html`<blockquote>${inline(
          lines
            .slice(from, at)
            .map((one) => one.replace(/^\s*>\s?/, ""))
            .join(" "),
        )}</blockquote>`,
      );
    } else if (line.trim() === "") {
      at += 1;
    } else {
      while (at < lines.length && lines[at].trim() && !/^#{1,6}\s|^\s*```|^\s*>/.test(lines[at]) && !ITEM.test(lines[at])) at += 1;
      blocks.push(
        html`<p>${inline(
          lines
            .slice(from, at)
            .map((one) => one.trim())
            .join(" "),
        )}</p>`,
      );
    }
  }
  return blocks.length ? blocks : nothing;
}
