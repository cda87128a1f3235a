// Settings: the vault's few, each with what it does; this browser's two; and the texts that must not come back.

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { put } from "../lib/api.js";
import { failed, toast } from "../lib/notices.js";
import { broken, head, skeleton } from "../lib/parts.js";
import { choices, refresh, setKeys, setTheme, state } from "../lib/state.js";
import { linked } from "../lib/words.js";

const DAYS = ["short_tier_days", "forget_grace_days"];

export function open(page) {
  const form = { busy: false, wrong: null };

  async function write(settings, said, back = null) {
    Object.assign(form, { busy: true, wrong: null });
    page.draw();
    try {
      state.settings = await put("/api/settings", settings);
      toast(said, { undo: back && (() => write(back, t.settings.undone)) });
      refresh();
    } catch (error) {
      if (back) form.wrong = error;
      else failed(t.settings.notSaved, error, () => write(settings, said));
    }
    form.busy = false;
    page.draw();
  }
  function save(event) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const wanted = { mode: data.get("mode"), time_zone: String(data.get("time_zone")).trim() };
    if (data.has("engine")) wanted.engine = data.get("engine");
    for (const name of DAYS) {
      const text = String(data.get(name)).trim();
      wanted[name] = /^\d+$/.test(text) ? Number(text) : text;
    }
    const changed = Object.keys(wanted).filter((name) => wanted[name] !== state.settings[name]);
    const odd = changed.find((name) => DAYS.includes(name) && typeof wanted[name] !== "number");
    if (odd) {
      form.wrong = { field: odd, sentence: t.settings.wholeDays(t.settings[odd]) };
      return page.draw();
    }
    if (changed.length === 0) return toast(t.settings.same);
    const pick = (from) => Object.fromEntries(changed.map((name) => [name, from[name]]));
    return write(pick(wanted), t.settings.saved, pick(state.settings));
  }

  const zones = () => (Intl.supportedValuesOf ? ["UTC", ...Intl.supportedValuesOf("timeZone")] : ["UTC"]);
  const mode = (name, now) =>
    html`<label class="choice"><input type="radio" name="mode" value=${name}
      .checked=${now === name}><b>${t.settings.modes[name][0]}</b><p>${t.settings.modes[name][1]}</p></label>`;
  const bad = (name) => (form.wrong?.field === name ? "true" : nothing);
  const days = (name, least) => {
    const value = String(state.settings[name]);
    return html`<label class="field">
      <span>${t.settings[name]}</span>
      <span class="days"><input class="input" type="number" name=${name} min=${least} max="3650" .value=${value} aria-invalid=${bad(name)}> ${t.settings.days}</span>
      <small>${t.settings[`${name}_help`]}</small>
    </label>`;
  };
  const zone = (now) => {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return html`<label class="field">
      <span>${t.settings.zone}</span>
      <input class="input" name="time_zone" list="zones" autocomplete="off" .value=${now} aria-invalid=${bad("time_zone")}>
      <datalist id="zones">${zones().map((name) => html`<option value=${name}></option>`)}</datalist>
      <small>${t.settings.zoneHelp}${here && here !== now ? t.settings.zoneHere(here) : nothing}</small>
    </label>`;
  };

  /** Who answers questions by meaning; only where the vault has the choice. */
  const engine = (now) =>
    html`<fieldset class="field"><legend>${t.settings.engine}</legend>${["auto", "vault", "vectorize"].map(
      (name) => html`<label class="choice"><input type="radio" name="engine" value=${name} .checked=${now === name}><b>${t.settings.engines[name][0]}</b><p>${t.settings.engines[name][1]}</p></label>`,
    )}</fieldset>`;
  function vault() {
    const { settings, failed: broke } = state;
    if (!settings) return broke ? broken(broke, refresh) : skeleton(3);
    return html`<form class="settings gap" novalidate @submit=${save}>
      <fieldset class="field"><legend>${t.settings.mode}</legend>${mode("review", settings.mode)}${mode("auto", settings.mode)}</fieldset>
      ${zone(settings.time_zone)}
      ${days("short_tier_days", 1)}${days("forget_grace_days", 0)}
      ${settings.engine ? engine(settings.engine) : nothing}
      ${form.wrong ? html`<p class="wrong" role="alert">${linked(form.wrong.sentence ?? t.errors.own(form.wrong))}</p>` : nothing}
      <div class="row"><button class="btn primary" type="submit" ?disabled=${form.busy}>${t.settings.save}</button></div></form>`;
  }
  const themeButton = (theme) =>
    html`<button class="filter" type="button" aria-pressed=${String(choices.theme === theme)} @click=${() => setTheme(theme)}>${t.themes[theme]}</button>`;
  const browser = () =>
    html`<div class="settings gap">
      <div class="field">
        <span id="theme-label">${t.theme}</span>
        <div class="seg filters" role="group" aria-labelledby="theme-label">${["", "light", "dark"].map(themeButton)}</div>
      </div>
      <label class="choice">
        <input type="checkbox" .checked=${choices.keys} @change=${(event) => setKeys(event.target.checked)}><b>${t.settings.keys}</b>
        <p>${t.settings.keysHelp}</p>
      </label>
    </div>`;

  return {
    title: t.places.settings,
    template: () =>
      html`${head(t.places.settings)}
        <div class="two">
          <div>
            <section aria-labelledby="vault"><header><h2 id="vault">${t.settings.vault}</h2></header>${vault()}</section>
            <p class="help section">${t.settings.more} <a href="#/history">${t.places.history}</a></p>
          </div>
          <div class="stack">
            <section aria-labelledby="browser"><header><h2 id="browser">${t.settings.browser}</h2></header>${browser()}</section>
          </div>
        </div>`,
  };
}
