// Status: how the vault is, in a sentence first and in numbers after.

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { call, get } from "../lib/api.js";
import { lacks } from "../lib/health.js";
import { failed as failedAct, toast } from "../lib/notices.js";
import { broken, bytes, head, number, skeleton } from "../lib/parts.js";
import { refresh, state } from "../lib/state.js";
import { long, when } from "../lib/time.js";
import { shown } from "../lib/words.js";

export function open(page) {
  let limits = null;
  let error = null;
  const load = () =>
    get("/api/capabilities", {}, page.signal).then(
      (answer) => {
        limits = answer.limits;
        page.draw();
      },
      (failure) => {
        if (page.signal.aborted) return;
        error = failure;
        page.draw();
      },
    );

  const figure = (name, value, help, href = null) =>
    html`<div><dt>${name}</dt><dd>${href ? html`<a href=${href}>${value}</a>` : value} <small>${help}</small></dd></div>`;
  const part = (name, kind, words, detail) => html`<tr><td>${name}</td><td><span class="state ${kind}">${words}</span></td><td>${detail}</td></tr>`;
  function job(one) {
    const dead = one.state === "dead";
    return html`<li class="line ${dead ? "is-clash" : "is-wait"}">
      <div class="when">${when(one.due_at)}</div>
      <div class="what">
        <p>${t.status.jobs[one.kind] ?? shown(one.kind)} ${one.key ? html`<span class="mono">${shown(one.key)}</span>` : nothing}</p>
        <p class="meta">
          <span>${dead ? t.status.setAside(one.attempts) : t.status.triesAgain(one.attempts)}</span>
          ${one.last_error ? html`<span>${t.status.said} ${shown(one.last_error)}</span>` : nothing}
        </p>
      </div>
    </li>`;
  }
  const figures = ({ memories: counts, batches, exclusions, database_bytes }) =>
    html`<dl class="figures">
      ${figure(t.status.kept, number(counts.active), t.status.others(counts, number), "#/memories")}
      ${figure(t.status.queue, number(counts.proposed), t.status.asked(counts.forget_requested), "#/review")}
      ${figure(t.places.imports, number(batches), t.status.exclusions(exclusions, number(exclusions)), "#/imports")}
      ${figure(t.status.size, bytes(database_bytes), t.status.sizeHelp)}
    </dl>`;
  function parts({ agenda, recall_mode }) {
    const { dead, troubled } = agenda;
    const [kind, words] = dead
      ? ["clash", t.status.deadCount(dead)]
      : troubled.length
        ? ["wait", t.status.troubledCount(troubled.length)]
        : ["", t.status.ok];
    const next = agenda.next_due_at ? html`, ${t.status.next} ${when(agenda.next_due_at, long)}` : nothing;
    return html`<section aria-labelledby="parts">
      <header><h2 id="parts">${t.status.parts}</h2></header>
      <table class="table">
        <thead><tr><th scope="col">${t.status.part}</th><th scope="col">${t.status.state}</th><th scope="col">${t.status.detail}</th></tr></thead>
        <tbody>
          ${part(t.status.store, "", t.status.ok, t.status.storeHelp)}
          ${part(t.status.recall, "", t.status.modes[recall_mode] ?? recall_mode, t.status.recallHelp[recall_mode] ?? nothing)}
          ${part(t.status.agenda, kind, words, html`${t.status.waiting(agenda.waiting)}${next}`)}
        </tbody>
      </table>
    </section>`;
  }
  /** What recall searches: how far it is, what waits, and a way to make it anew. */
  function indexPart({ index }) {
    if (!index) return nothing;
    const { rebuild: under, vectorize } = index;
    const [made, of] = [index.embedded ?? index.loaded, index.total];
    const fact = (name, value) => (value === undefined || value === null ? nothing : html`<dt>${name}</dt><dd>${value}</dd>`);
    const parked = (one) => one && html`${t.status.indexParked(one.jobs)} ${when(one.until, long)}: ${shown(one.reason)}`;
    return html`<section class="section" aria-labelledby="index"><header><h2 id="index">${t.status.index}</h2></header>
      ${under ? html`<progress class="gap" max=${under.total || 1} value=${under.done} aria-label=${t.status.rebuilding}></progress><p class="meta gap-s" role="status">${t.status.rebuiltOf(number(under.done), number(under.total))}</p>` : nothing}
      <dl class="facts gap-s">${fact(t.status.engine, index.engine_in_use ? (t.status.engines[index.engine_in_use] ?? index.engine_in_use) : index.engine)}${fact(t.status.model, index.model && html`<span class="mono">${index.model}</span>`)}
        ${of === undefined ? nothing : fact(t.status.embedded, t.status.ofAll(number(made), number(of)))}${fact(t.status.pending, number(index.pending ?? index.missing))}
        ${fact(t.status.parkedNow, parked(index.parked))}${fact(t.status.given, index.dead ? number(index.dead) : null)}
        ${vectorize ? fact("Vectorize", vectorize.parked ? parked(vectorize.parked) : t.status.told(number(vectorize.told ?? 0), number(vectorize.pending ?? 0))) : nothing}
        ${fact(t.status.memory, index.bytes_allowed ? index.bytes === 0 && !index.loaded && index.total ? t.status.notLoaded : t.status.ofAll(bytes(index.bytes), bytes(index.bytes_allowed)) : null)}${fact(t.status.fault, index.fault)}</dl>
      <div class="row gap"><button class="btn" type="button" ?disabled=${Boolean(under) || making} @click=${reindex}>${t.status.rebuild}</button><a class="btn quiet" href="#/map">${t.status.map}</a></div></section>`;
  }
  let making = false;
  let timer = 0;
  async function reindex() {
    making = true;
    page.draw();
    try {
      await call("POST", "/api/reindex", { query: { reembed: 1 } });
      toast(t.status.rebuildBegun);
    } catch (failure) {
      failedAct(t.status.notRebuilt, failure, reindex);
    }
    making = false;
    await refresh();
    follow();
  }
  /** While something is made anew the page looks again by itself. */
  function follow() {
    clearTimeout(timer);
    if (page.signal.aborted || !state.status?.index?.rebuild) return page.draw();
    timer = setTimeout(() => refresh().then(follow), 1_000);
    return page.draw();
  }
  const inTrouble = (jobs) =>
    html`<section class="section" aria-labelledby="parked">
      <header><h2 id="parked">${t.status.parked}</h2><p class="meta">${t.status.parkedHelp}</p></header>
      <ol class="ledger">${jobs.map(job)}</ol>
    </section>`;
  const limit = ([name, value]) =>
    html`<div>
      <dt>${t.status.limitNames[name] ?? name.replaceAll("_", " ")}</dt><dd>${name.endsWith("_bytes") ? bytes(value) : number(value)}</dd>
    </div>`;
  function limitList() {
    if (error) return broken(error, load);
    return limits ? html`<dl class="facts limits gap-s">${Object.entries(limits).map(limit)}</dl>` : skeleton(3);
  }
  const thisVault = ({ version }, settings) =>
    html`<section aria-labelledby="this">
      <header><h2 id="this">${t.status.thisVault}</h2></header>
      <dl class="facts gap-s">
        <dt>${t.status.version}</dt><dd>${version}</dd>
        <dt>${t.status.address}</dt><dd class="mono">${location.host}</dd>
        <dt>${t.status.mode}</dt><dd>${settings ? t.status.modeWords[settings.mode] : nothing}</dd>
        <dt>${t.settings.zone}</dt><dd>${settings?.time_zone}</dd>
      </dl>
    </section>`;

  load();
  refresh().then(follow);
  return {
    title: t.places.status,
    close: () => clearTimeout(timer),
    template() {
      const { status, settings, failed } = state;
      if (!status) return html`${head(t.places.status)}${failed ? broken(failed, refresh) : skeleton(4)}`;
      const { dead, troubled } = status.agenda;
      const lack = lacks(status);
      const sentence = lack ? lack.title : dead ? t.status.stuck : troubled.length ? t.status.retrying : t.status.fine;
      const help = html`${t.status.asOf} ${when(status.now, long)}. ${lack ? lack.help : t.status.answers(status.recall_mode)}`;
      return html`${head(sentence, help, html`<button class="btn" type="button" @click=${refresh}>${t.status.again}</button>`)}${figures(status)}
        <div class="two section">
          <div>
            ${parts(status)}${indexPart(status)}${troubled.length ? inTrouble(troubled) : nothing}
            <section class="section" aria-labelledby="limits"><header><h2 id="limits">${t.status.limits}</h2></header>${limitList()}</section>
          </div>
          <div class="stack">${thisVault(status, settings)}</div>
        </div>`;
    },
  };
}
