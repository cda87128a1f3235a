// How the vault is, in words: what is missing, since when, and what still works; and whether it is to be erased.

import { html, nothing } from "../vendor/lit-html.js";
import { t } from "../texts.js";
import { remove } from "./api.js";
import { failed, toast } from "./notices.js";
import { icon } from "./parts.js";
import { refresh, state } from "./state.js";
import { long, short, when } from "./time.js";

/** What works less well than it should: `{ title, help }`, or null while all is well. */
export function lacks({ index = {}, recall_mode }) {
  if (index.fault) return { title: t.health.fault, help: `${index.fault} ${t.health.stillFound(recall_mode)}` };
  const parked = index.parked ?? index.vectorize?.parked;
  if (parked) {
    const what = index.parked ? t.health.ai : t.health.vectorize;
    return { title: what, help: `${t.health.parked(parked.jobs, short(parked.until))} ${t.health.stillFound(recall_mode)}` };
  }
  if (recall_mode === "keyword-only") return { title: t.health.wordsOnly, help: t.health.wordsOnlyHelp };
  return null;
}

/** Calls the erasing of the vault off. */
export async function keepVault() {
  try {
    await remove("/api/erase");
    toast(t.erase.kept);
  } catch (error) {
    failed(t.erase.notKept, error, keepVault);
  }
  await refresh();
}

/** On every page while the vault is to be erased. */
export const eraseBanner = () =>
  state.status?.erase_at
    ? html`<div class="banner clash" role="alert">${icon("warn")}<p><b>${t.erase.banner}</b> ${when(state.status.erase_at, long)}. ${t.erase.bannerHelp}</p><button
        class="btn small" type="button" @click=${keepVault}>${t.erase.keep}</button></div>`
    : nothing;
