// How each app is connected: a few steps, with what has to be pasted ready to copy.

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { copyBox } from "../lib/parts.js";

const address = () => `${location.origin}/mcp`;
const step = (text, paste = null) => [text, paste];

/** Steps by app; `paste` is what goes to the clipboard. */
function stepsOf(app) {
  const c = t.connect;
  const [url, rule] = [address(), c.rule];
  return {
    claude: [step(c.claude), step(c.address, url), step(c.ruleFor("Claude"), rule)],
    "claude-code": [
      step(c.run, `claude mcp add --transport http memory-vault ${url}`),
      step(c.claudeCode),
      step(c.ruleIn("CLAUDE.md"), rule),
    ],
    chatgpt: [step(c.chatgpt), step(c.address, url), step(c.ruleFor("ChatGPT"), rule)],
    cursor: [
      step(c.file(".cursor/mcp.json"), JSON.stringify({ mcpServers: { "memory-vault": { url } } }, null, 2)),
      step(c.approve),
      step(c.ruleIn("AGENTS.md"), rule),
    ],
    vscode: [
      step(c.file(".vscode/mcp.json"), JSON.stringify({ servers: { "memory-vault": { type: "http", url } } }, null, 2)),
      step(c.approve),
      step(c.ruleIn(".github/copilot-instructions.md"), rule),
    ],
    codex: [
      step(c.file("~/.codex/config.toml"), `[mcp_servers.memory-vault]\nurl = "${url}"`),
      step(c.run, "codex mcp login memory-vault"),
      step(c.ruleIn("AGENTS.md"), rule),
    ],
    other: [step(c.other, url), step(c.stdio, `npx mcp-remote ${url}`), step(c.ruleFor(c.theApp), rule)],
  }[app];
}

/** The tabs and the steps of the app that is chosen. */
export function howTo(which) {
  const app = Object.hasOwn(t.connect.apps, which) ? which : "claude";
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname) && ["claude", "chatgpt"].includes(app);
  return html`<nav class="tabs" aria-label=${t.connect.which}>${Object.entries(t.connect.apps).map(([name, title]) => html`<a href="#/apps?app=${name}"
    aria-current=${name === app ? "true" : nothing}>${title}</a>`)}</nav>
    ${local ? html`<p class="help gap">${t.connect.localOnly}</p>` : nothing}
    <ol class="steps gap">${stepsOf(app).map(([text, paste]) => html`<li><div><p>${text}</p>${paste ? copyBox(paste, t.connect.copy(text)) : nothing}</div></li>`)}</ol>`;
}
