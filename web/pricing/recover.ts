// The pages by which an owner replaces a lost key: ask for a mail, and use the link in it.
import { PLANS, type PlanName } from "../../contract/plans.ts";
import { Html, html } from "../shared/html.ts";
import { type Frame, problemNote } from "./frame.ts";

export interface RecoverPage {
  problem: string | null;
  sent: "link" | "free" | "newKey" | null;
  /** False where no mail server is set up: then a mail is a file on the server. */
  mailsLeave: boolean;
}

const SENT: Record<"link" | "free" | "newKey", string> = {
  newKey: "Your key is ready. A mail with a link to it is on its way; the link works once, for 30 minutes.",
  link: "If this address has a key, a mail with a link is on its way to it. The link works once, for 30 minutes.",
  free: "This address already has a free key, so there is no second one. We have sent it a mail with a link to replace the key.",
};

const WRITTEN: typeof SENT = {
  newKey: "This server sends no mail.",
  link: "This server sends no mail. If the address has a key, its operator finds the link in the outbox folder of the server's data.",
  free: "This address already has a free key, so there is no second one. This server sends no mail; its operator finds a link to replace the key in the outbox folder of the server's data.",
};

export function renderRecover({ problem, sent, mailsLeave }: RecoverPage): Frame {
  const body = html`${problemNote(problem)}${sent === null ? "" : html`<p class="said" role="status">${(mailsLeave ? SENT : WRITTEN)[sent]}</p>`}
<h1>${sent === null ? "Replace a lost key" : mailsLeave ? "Look into your mail" : "Ask the operator"}</h1>
<p class="lead">${sent === null ? "A key can't be shown again, but its owner can have a new one. Enter the address it was bought or made with." : mailsLeave ? "Nothing there? Look in the spam folder, or try another address." : "Whoever runs this server can hand the link to you."}</p>
<form class="card" method="post" action="/recover"><label for="email">Your e-mail address</label>
<input id="email" name="email" type="email" required autocomplete="email" maxlength="254" placeholder="you@example.com">
<div class="actions"><button type="submit" class="${sent === null ? "" : "plain"}">${sent === null ? "Send me a link" : "Send another"}</button></div></form>`;
  return { title: "Lost key", body, narrow: true, current: "/recover" };
}

export interface LinkPage {
  token: string;
  accounts: readonly {
    account: { id: string; plan: string; createdAt: number };
    keys: readonly { hint: string; name: string | null }[];
    renews: boolean;
  }[];
  problem: string | null;
}

export function renderLink({ token, accounts, problem }: LinkPage): Frame {
  const several = accounts.length > 1;
  const body = html`${problemNote(problem)}<h1>Replace a key</h1>
<p class="lead">${several ? "Several accounts belong to this address. This link works once, for one of them." : "This link works once."}</p>
${accounts.map((owned, index) => accountCard(token, owned, index))}`;
  return { title: "Replace a key", body, narrow: true, current: "/recover" };
}

function accountCard(
  token: string,
  { account, keys, renews }: LinkPage["accounts"][number],
  index: number,
): Html {
  const plan = account.plan in PLANS ? PLANS[account.plan as PlanName].title : account.plan;
  const since = new Date(account.createdAt).toISOString().slice(0, 10);
  const hidden = html`<input type="hidden" name="token" value="${token}"><input type="hidden" name="account" value="${account.id}">`;
  const choice = (value: string, text: string, checked: boolean) =>
    html`<label class="choice" for="${value}-${index}"><input type="radio" id="${value}-${index}" name="others" value="${value}" ${checked ? new Html("checked") : ""}><span>${text}</span></label>`;
  return html`<section class="card"><form method="post" action="/recover/link">${hidden}
<p><b>${plan} plan</b>, since ${since}</p>
<p class="soft">${keys.length === 0 ? "No key works now." : html`Working keys: ${keys.map(({ hint }, place) => html`${place > 0 ? ", " : ""}<code>${hint}</code>`)}`}</p>
${
  keys.length === 0
    ? ""
    : html`<fieldset><legend>What becomes of ${keys.length === 1 ? "it" : "them"}?</legend>${choice("revoke", `Revoke: ${keys.length === 1 ? "it stops" : "they stop"} working at once. Right if in doubt.`, true)}${choice("keep", `Keep: ${keys.length === 1 ? "it goes" : "they go"} on working beside the new one.`, false)}</fieldset>`
}
<div class="actions"><button type="submit" name="action" value="replace">Make a new key</button></div></form>
${
  renews
    ? html`<form method="post" action="/recover/link">${hidden}<p class="soft">A card pays for this plan each month.</p><button type="submit" class="plain" name="action" value="stop">Stop renewing</button></form>`
    : ""
}</section>`;
}

export function renderMessage({ title, text }: { title: string; text: string }): Frame {
  const body = html`<h1>${title}</h1><p class="lead">${text}</p><div class="actions"><a class="button" href="/pricing">To the plans</a></div>`;
  return { title, body, narrow: true };
}
