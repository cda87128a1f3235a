// Apps: who has a key to the vault, what each may do, how to take it away, and how to connect another.

import { html, nothing, repeat } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { get, remove, routes } from "../lib/api.js";
import { ask } from "../lib/dialogs.js";
import { toast } from "../lib/notices.js";
import { broken, copyBox, empty, head, number, skeleton } from "../lib/parts.js";
import { state } from "../lib/state.js";
import { day, when } from "../lib/time.js";
import { linked, shown } from "../lib/words.js";
import { howTo } from "./connect.js";

export function open(page) {
  const apps = { has: null, grants: null, clients: [], error: null };
  const self = { running: false, answer: null, error: null };
  // Claude's servers cannot reach a vault on one's own computer; a program on it can.
  const first = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname) ? "claude-code" : "claude";
  let which = page.place.query.app ?? first;

  async function load() {
    try {
      apps.has = await routes();
      if (apps.has("GET", "/api/oauth/grants")) {
        const [grants, clients] = await Promise.all([
          get("/api/oauth/grants", {}, page.signal),
          apps.has("GET", "/api/oauth/clients") ? get("/api/oauth/clients", {}, page.signal) : { clients: [] },
        ]);
        Object.assign(apps, { grants: grants.grants, clients: clients.clients ?? [] });
      }
      apps.error = null;
    } catch (error) {
      if (page.signal.aborted) return;
      apps.error = error;
    }
    page.draw();
  }

  async function disconnect(grant) {
    const name = grant.client.name || t.apps.unnamed;
    const done = await ask({
      title: t.apps.disconnectAsk(name),
      paragraphs: [t.apps.disconnectHelp],
      safe: t.apps.leave,
      danger: t.apps.disconnectNow,
      act: () => remove(`/api/oauth/grants/${encodeURIComponent(grant.id)}`),
    });
    if (!done) return;
    toast(t.apps.disconnected(name));
    load();
  }
  async function removeClient(client) {
    const name = client.name || t.apps.unnamed;
    const done = await ask({
      title: t.apps.removeAsk(name),
      paragraphs: [t.apps.removeHelp],
      safe: t.apps.leave,
      danger: t.apps.removeNow,
      act: () => remove(`/api/oauth/clients/${encodeURIComponent(client.id)}`),
    });
    if (!done) return;
    toast(t.apps.removed(name));
    load();
  }
  async function check() {
    Object.assign(self, { running: true, error: null });
    page.draw();
    try {
      self.answer = await get("/api/status/connection", {}, page.signal);
    } catch (error) {
      self.error = error;
    }
    self.running = false;
    page.draw();
  }

  const sigil = (name) => [...(name ?? "").trim()][0]?.toUpperCase() ?? "?";
  const host = (grant) => {
    if (grant.client.verified_host) return html`${shown(grant.client.verified_host)}`;
    try {
      const { hostname } = new URL(grant.redirect_uri);
      return ["127.0.0.1", "localhost", "[::1]"].includes(hostname) ? t.apps.thisComputer(hostname) : shown(hostname);
    } catch {
      return shown(grant.redirect_uri ?? "");
    }
  };
  function grantLine(grant) {
    const name = grant.client.name || t.apps.unnamed;
    const seen = grant.last_used_at ? html`${t.apps.lastHere} ${when(grant.last_used_at)}` : t.apps.never;
    const ends = grant.expires_at ? html`; ${t.apps.until} ${when(grant.expires_at, day)}` : nothing;
    return html`<li class="app">
      <span class="sigil" aria-hidden="true">${shown(sigil(name))}</span>
      <div>
        <h3><bdi>${shown(name)}</bdi> <span class="meta">${host(grant)}</span></h3>
        <p class="meta">${seen}; ${t.apps.since} ${when(grant.connected_at, day)}${ends}</p>
        ${grant.writes ? writesOf(grant.writes, name) : nothing}
      </div>
      <div class="scopes">${grant.scopes.map(scopeChip)}</div>
      <div class="row actions">
        <button class="btn small danger" type="button" aria-label=${t.apps.disconnectLabel(name)} @click=${() => disconnect(grant)}>${t.apps.disconnect}</button>
      </div>
    </li>`;
  }
  const scopeChip = (scope) => html`<span class="chip" title=${scope}>${t.apps.scopes[scope]?.(state.settings?.mode) ?? shown(scope)}</span>`;
  /** What it wrote; the bar comes out only when an app has used up half of what it may. */
  const writesOf = ({ total, recent, limit, window_minutes }, name) =>
    html`<p class="meta">${t.apps.writes(number(total), number(recent), number(limit), window_minutes)}</p>
      ${recent * 2 > limit ? html`<progress class="gap-s" max=${limit} value=${recent} aria-label=${t.apps.writesLabel(name)}></progress>` : nothing}`;
  function connected() {
    if (apps.error) return broken(apps.error, load);
    if (!apps.has || (apps.has("GET", "/api/oauth/grants") && !apps.grants)) return skeleton(2);
    if (!apps.has("GET", "/api/oauth/grants")) return nothing;
    const used = new Set(apps.grants.map((grant) => grant.client.id));
    const idle = apps.clients.filter((client) => !used.has(client.id));
    return html`<section aria-labelledby="connected">
        <h2 class="sr" id="connected">${t.apps.connected}</h2>
        ${apps.grants.length ? html`<ul>${repeat(apps.grants, (grant) => grant.id, grantLine)}</ul>` : empty(t.apps.none, t.apps.noneHelp)}
      </section>
      ${idle.length ? known(idle) : nothing}`;
  }
  const known = (clients) =>
    html`<section class="section" aria-labelledby="idle">
      <header><h2 id="idle">${t.apps.idle}</h2><p class="meta">${t.apps.idleHelp}</p></header>
      <ul class="checks">${repeat(clients, (client) => client.id, clientLine)}</ul>
    </section>`;
  function clientLine(client) {
    const name = client.name || t.apps.unnamed;
    return html`<li>
      <span><bdi>${shown(name)}</bdi> <span class="meta mono">${shown(client.verified_host ?? client.id)}</span></span>
      <button class="btn small danger" type="button" aria-label=${t.apps.removeLabel(name)} @click=${() => removeClient(client)}>${t.apps.remove}</button>
    </li>`;
  }

  const byItself = () =>
    html`<p class="help gap-s">${t.apps.byItselfHelp}</p>
      <div class="gap-s">${copyBox(`${location.origin}/connect`, t.apps.copyConnect)}</div>`;
  function checkLine({ name, passed, detail, setting }) {
    const more = html`<p class="meta">${linked(detail ?? "")}${setting ? html` <span class="mono">${shown(setting)}</span>` : nothing}</p>`;
    return html`<li>
      <span>${shown(name)}</span><span class="state ${passed ? "" : "clash"}">${passed ? t.apps.passed : t.apps.notPassed}</span>
      ${detail || setting ? more : nothing}
    </li>`;
  }
  function findings() {
    const { answer, error } = self;
    if (error) return broken(error, check);
    if (!answer) return html`<p class="help gap-s">${t.apps.checkHelp}</p>`;
    return html`<ul class="checks">${answer.checks.map(checkLine)}</ul>
      ${answer.note ? html`<p class="help gap-s">${shown(answer.note)}</p>` : nothing}`;
  }
  function selfCheck() {
    if (!apps.has?.("GET", "/api/status/connection")) {
      return html`<section aria-labelledby="agents"><header><h2 id="agents">${t.apps.byItself}</h2></header>${byItself()}</section>`;
    }
    const label = self.running ? t.apps.checking : self.answer ? t.apps.checkAgain : t.apps.checkNow;
    return html`<section aria-labelledby="check">
      <header><h2 id="check">${t.apps.check}</h2><button class="btn small" type="button" ?disabled=${self.running} @click=${check}>${label}</button></header>
      <div role="status">${findings()}</div>
      ${byItself()}
    </section>`;
  }

  load();
  return {
    title: t.places.apps,
    template: () => html`${head(t.places.apps, apps.grants?.length ? t.apps.share(apps.grants.length) : t.apps.help)}${connected()}
      <div class="two section"><section aria-labelledby="connect"><header><h2 id="connect">${apps.grants?.length ? t.apps.another : t.apps.connect}</h2></header>${howTo(which)}</section>${selfCheck()}</div>`,
    update: (place) => {
      which = place.query.app ?? first;
    },
  };
}
