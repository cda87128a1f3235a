// Backup, readable export and restore: each part is shown once the vault has its route.

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { post, routes } from "../lib/api.js";
import { ask } from "../lib/dialogs.js";
import { toast } from "../lib/notices.js";
import { broken, bytes, empty, head, number, skeleton } from "../lib/parts.js";
import { refresh, state } from "../lib/state.js";
import { shown } from "../lib/words.js";

export function open(page) {
  let has = null;
  let error = null;
  let wrong = null;

  const load = () =>
    routes().then(
      (known) => {
        has = known;
        error = null;
        page.draw();
      },
      (failure) => {
        error = failure;
        page.draw();
      },
    );

  async function restore(file) {
    wrong = null;
    let backup;
    try {
      backup = JSON.parse(await file.text());
    } catch {
      wrong = t.backup.noBackup(file.name);
      return page.draw();
    }
    const counts = state.status?.memories;
    const here = counts ? counts.active + counts.proposed + counts.superseded + counts.rejected : 0;
    const done = await ask({
      title: here ? t.backup.restoreOver(number(here)) : t.backup.restoreAsk,
      paragraphs: [t.backup.restoreFrom(file.name, bytes(file.size)), here ? t.backup.restoreOverHelp : t.backup.restoreHelp],
      safe: t.backup.keepHere,
      danger: t.backup.restore,
      act: () => post("/api/restore", backup, { query: here ? { replace: 1 } : {} }),
    });
    if (!done) return;
    toast(t.backup.restored);
    refresh();
  }

  function body() {
    if (error) return broken(error, load);
    if (!has) return skeleton(2);
    const [backup, exports, restores] = [has("GET", "/api/backup"), has("GET", "/api/export"), has("POST", "/api/restore")];
    if (!backup && !exports && !restores) return empty(t.backup.coming, t.backup.comingHelp);
    return html`${backup ? whole() : nothing}${exports ? readable() : nothing}${restores ? back() : nothing}`;
  }
  const whole = () =>
    html`<section class="section" aria-labelledby="whole">
      <header><h2 id="whole">${t.backup.whole}</h2></header>
      <p class="help gap-s">${t.backup.wholeHelp}</p>
      <div class="row gap">
        <a class="btn primary" href="/api/backup" download>${t.backup.download}</a>
        <a class="btn" href="/api/backup?embeddings=0" download>${t.backup.smaller}</a>
      </div>
    </section>`;
  const readable = () =>
    html`<section class="section" aria-labelledby="readable">
      <header><h2 id="readable">${t.backup.readable}</h2></header>
      <p class="help gap-s">${t.backup.readableHelp}</p>
      <div class="row gap">
        <a class="btn" href="/api/export?format=md" download>${t.backup.markdown}</a>
        <a class="btn" href="/api/export?format=json" download>${t.backup.json}</a>
      </div>
    </section>`;
  function chosen(event) {
    const [file] = event.target.files;
    event.target.value = "";
    if (file) restore(file);
  }
  const choose = (event) => event.currentTarget.nextElementSibling.click();
  const back = () =>
    html`<section class="section" aria-labelledby="restore">
      <header><h2 id="restore">${t.backup.restoreTitle}</h2></header>
      <p class="help gap-s">${t.backup.restoreIntro}</p>
      ${wrong ? html`<p class="wrong gap-s" role="alert">${shown(wrong)}</p>` : nothing}
      <div class="row gap">
        <button class="btn danger" type="button" @click=${choose}>${t.backup.choose}</button>
        <input class="sr" type="file" accept=".json,application/json" tabindex="-1" aria-hidden="true" @change=${chosen}>
      </div>
    </section>`;

  load();
  return { title: t.places.backup, template: () => html`${head(t.places.backup, t.backup.help)}${body()}` };
}
