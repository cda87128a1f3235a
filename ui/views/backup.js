// Backup, readable export and restore: each part is shown once the vault has its route.

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { routes } from "../lib/api.js";
import { toast } from "../lib/notices.js";
import { broken, empty, head, skeleton } from "../lib/parts.js";
import { erasing } from "./erase.js";
import { restoring } from "./restore.js";

export function open(page) {
  let has = null;
  let error = null;
  let restore = null;

  const load = () =>
    routes().then(
      (known) => {
        has = known;
        error = null;
        if (has("POST", "/api/restore")) restore ??= restoring(page);
        page.draw();
      },
      (failure) => {
        error = failure;
        page.draw();
      },
    );

  function body() {
    if (error) return broken(error, load);
    if (!has) return skeleton(2);
    const [backup, exports, restores] = [has("GET", "/api/backup"), has("GET", "/api/export"), has("POST", "/api/restore")];
    if (!backup && !exports && !restores) return empty(t.backup.coming, t.backup.comingHelp);
    return html`${backup ? whole() : nothing}${exports ? readable() : nothing}${restores ? restore.template(choose) : nothing}${has("POST", "/api/erase") ? erasing() : nothing}`;
  }
  const begun = () => toast(t.backup.begun);
  const whole = () =>
    html`<section class="section" aria-labelledby="whole">
      <header><h2 id="whole">${t.backup.whole}</h2></header>
      <p class="help gap-s">${t.backup.wholeHelp}</p>
      <div class="row gap">
        <a class="btn primary" href="/api/backup" download @click=${begun}>${t.backup.download}</a>
        <a class="btn" href="/api/backup?embeddings=0" download @click=${begun}>${t.backup.smaller}</a>
      </div>
    </section>`;
  const readable = () =>
    html`<section class="section" aria-labelledby="readable">
      <header><h2 id="readable">${t.backup.readable}</h2></header>
      <p class="help gap-s">${t.backup.readableHelp}</p>
      <div class="row gap">
        <a class="btn" href="/api/export?format=md" download>${t.backup.markdown}</a>
        <a class="btn" href="/api/export?format=json" download>${t.backup.json}</a>
        <a class="btn" href="/api/export?format=csv" download>${t.backup.csv}</a>
      </div>
    </section>`;
  function chosen(event) {
    const [file] = event.target.files;
    event.target.value = "";
    if (file) restore.begin(file);
  }
  const choose = (words = t.backup.choose) =>
    html`<div class="row ${words === t.backup.choose ? "gap" : ""}">
      <button class="btn" type="button" @click=${(event) => event.currentTarget.nextElementSibling.click()}>${words}</button>
      <input class="sr" type="file" accept=".jsonl,.json,application/json,application/x-ndjson" tabindex="-1" aria-hidden="true" @change=${chosen}>
    </div>`;

  load();
  return {
    title: t.places.backup,
    template: () => html`${head(t.places.backup, t.backup.help)}${body()}`,
    close: () => restore?.close(),
  };
}
