/** @jsxImportSource preact */
// The pages for replacing a lost key: request a mail, and use the link in it.
import { PLANS, type PlanName } from "../../contract/plans.ts";
import { EmailField, ErrorNote, type PageFrame } from "./frame.tsx";

export interface RecoverPage {
  error: string | null;
  sent: "link" | "free" | "freeKey" | null;
  /** False if no mail server is set up: then a mail is a file on the server. */
  mailsLeave: boolean;
}

const SENT: Record<"link" | "free" | "freeKey", string> = {
  freeKey: "A mail with a link to your free key is on its way. The link works once, for 30 minutes.",
  link: "If this address has a key, a mail with a link is on its way to it. The link works once, for 30 minutes.",
  free: "A mail with a link to your free key is on its way. The link works once, for 30 minutes.",
};

const WRITTEN: typeof SENT = {
  freeKey: "This server sends no mail.",
  link: "This server sends no mail. If the address has a key, its operator finds the link in the outbox folder of the server's data.",
  free: "This address already has a free key, so there is no second one. This server sends no mail; its operator finds a link to replace the key in the outbox folder of the server's data.",
};

export function renderRecover({ error, sent, mailsLeave }: RecoverPage): PageFrame {
  const { title, lead } = recoverText(sent !== null, mailsLeave);
  const body = (
    <>
      <ErrorNote error={error} />
      {sent === null ? null : (
        <p class="said" role="status">
          {(mailsLeave ? SENT : WRITTEN)[sent]}
        </p>
      )}
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      <form class="card" method="post" action="/recover">
        <EmailField id="email" label="Your e-mail address" />
        <div class="actions">
          <button type="submit" class={sent === null ? "" : "plain"}>
            {buttonText(sent !== null, mailsLeave)}
          </button>
        </div>
      </form>
    </>
  );
  return { title: "Lost key", body, narrow: true, current: "/recover" };
}

function buttonText(isSent: boolean, mailsLeave: boolean): string {
  if (!mailsLeave) return isSent ? "Write another link" : "Write a link for the operator";
  return isSent ? "Send another" : "Send me a link";
}

const HOW_IT_GOES = {
  mailed: "You get a mail with a link that works once, for 30 minutes.",
  written:
    "This server sends no mail: the link is written to a file in the outbox folder of its data, and its operator hands it to you. It works once, for 30 minutes.",
};

function recoverText(isSent: boolean, mailsLeave: boolean): { title: string; lead: string } {
  if (!isSent)
    return {
      title: "Replace a lost key",
      lead: `A key can't be shown again, but its owner can have a new one. Enter the address it was bought or made with. ${mailsLeave ? HOW_IT_GOES.mailed : HOW_IT_GOES.written}`,
    };
  return mailsLeave
    ? {
        title: "Check your mail",
        lead: "Nothing there? Look in the spam folder, or try another address.",
      }
    : { title: "Ask the operator", lead: "The operator of this server can hand the link to you." };
}

export interface LinkPage {
  token: string;
  accounts: readonly {
    account: { id: string; plan: string; createdAt: number };
    keys: readonly { hint: string; name: string | null }[];
    renews: boolean;
  }[];
  error: string | null;
}

export function renderLink({ token, accounts, error }: LinkPage): PageFrame {
  const body = (
    <>
      <ErrorNote error={error} />
      <h1>Replace a key</h1>
      <p class="lead">
        {accounts.length > 1
          ? "Several accounts belong to this address. This link works once, for one of them."
          : "This link works once."}
      </p>
      {accounts.map((owned, index) => (
        <AccountCard key={owned.account.id} token={token} owned={owned} index={index} />
      ))}
    </>
  );
  return { title: "Replace a key", body, narrow: true, current: "/recover" };
}

function AccountCard(props: { token: string; owned: LinkPage["accounts"][number]; index: number }) {
  const { account, keys, renews } = props.owned;
  const plan = account.plan in PLANS ? PLANS[account.plan as PlanName].title : account.plan;
  const since = new Date(account.createdAt).toISOString().slice(0, 10);
  const hidden = (
    <>
      <input type="hidden" name="token" value={props.token} />
      <input type="hidden" name="account" value={account.id} />
    </>
  );
  return (
    <section class="card">
      <form method="post" action="/recover/link">
        {hidden}
        <p>
          <b>{plan} plan</b>, since {since}
        </p>
        {keys.length === 0 ? (
          <p class="soft">No key works now.</p>
        ) : (
          <>
            <p class="soft">
              Working keys:{" "}
              {keys.map(({ hint }, place) => (
                <>
                  {place > 0 ? ", " : ""}
                  <code>{hint}</code>
                </>
              ))}
            </p>
            <OtherKeys isOne={keys.length === 1} index={props.index} />
          </>
        )}
        <div class="actions">
          <button type="submit" name="action" value="replace">
            Make a new key
          </button>
        </div>
      </form>
      {renews ? (
        <form method="post" action="/recover/link">
          {hidden}
          <p class="soft">A card pays for this plan each month.</p>
          <button type="submit" class="plain" name="action" value="stop">
            Stop renewing
          </button>
        </form>
      ) : null}
    </section>
  );
}

function OtherKeys({ isOne, index }: { isOne: boolean; index: number }) {
  const choices = [
    ["revoke", `Revoke: ${isOne ? "it stops" : "they stop"} working at once. Right if in doubt.`],
    ["keep", `Keep: ${isOne ? "it goes" : "they go"} on working next to the new one.`],
  ];
  return (
    <fieldset>
      <legend>What becomes of {isOne ? "it" : "them"}?</legend>
      {choices.map(([value, text]) => (
        <label key={value} class="choice" for={`${value}-${index}`}>
          <input
            type="radio"
            id={`${value}-${index}`}
            name="others"
            value={value}
            checked={value === "revoke"}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

export function renderMessage({ title, text }: { title: string; text: string }): PageFrame {
  const body = (
    <>
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      <div class="actions">
        <a class="button" href="/pricing">
          To the plans
        </a>
      </div>
    </>
  );
  return { title, body, narrow: true };
}
