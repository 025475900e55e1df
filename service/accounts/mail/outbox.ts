// Mail is queued in the transaction that causes it and sent afterwards, by any node, with patience: a restart or a mail
// server's outage loses none. A link's secret is generated on sending and stored nowhere.

import { createHash } from "node:crypto";
import type { Database, Queries } from "../../../database/database.ts";
import { freshUuid } from "../../../kit/ids.ts";
import type { Kit } from "../../../kit/kit.ts";
import { createLoop } from "../../../kit/loop.ts";
import { secureBytes } from "../../../kit/random.ts";
import { DAY_MS, HOUR_MS } from "../../../kit/units.ts";
import {
  claimMail,
  closeMail,
  dueMail,
  forgetMail,
  insertLink,
  insertMail,
  postponeMail,
  type StoredMail,
} from "../../store/money/mail-links.ts";
import { type Text, write } from "./letters.ts";
import { MailRefused, type MailTransport } from "./transport.ts";

export interface Outbox {
  /** Queues a mail inside the transaction; the same id is queued once. */
  queue(
    tx: Queries,
    letter: { mailId: string; kind: "paid" | "refused"; recipient: string; plan: string },
  ): Promise<void>;
  /** Says that a webhook was paused; the same id is queued once. */
  queueWebhook(
    tx: Queries,
    letter: { mailId: string; recipient: string; webhookId: string; host: string; days: number },
  ): Promise<void>;
  /** A link with which the owner of an address proves ownership. Sent only if the address has an account. */
  queueLink(tx: Queries, email: string): Promise<void>;
  /** After the commit: do not wait for the next look. */
  wake(): void;
  /** Sends everything that is due, once; returns how many were processed. */
  pass(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

export interface OutboxParts extends Kit {
  database: Database;
  transport: MailTransport;
  from: string;
  publicUrl: () => string;
  /** Whether anything belongs to this address: a useless link is not sent. */
  hasAccount(email: string): Promise<boolean>;
}

/** Long enough for a slow mailbox, short enough that a mail found later opens nothing. */
const LINK_MINUTES = 30;
const TOKEN_BYTES = 32;
const DUE_PER_PASS_MAX = 20;
/** Longer than any attempt takes; a crashed node's mail waits this long. */
const CLAIM_MS = 120_000;
/** Waits of 15 s, 30 s, 1 min … up to an hour: nine tries last about three hours. */
const TRIES_MAX = 9;
const FIRST_WAIT_MS = 15_000;
const WAIT_MS_MAX = HOUR_MS;
/** How soon mail that another node queued is noticed. One indexed read. */
const IDLE_MS = 5_000;
/** For questions about what happened to a mail. */
const KEPT_MS = 30 * DAY_MS;
const FORGOTTEN_PER_PASS_MAX = 500;

export function hashOfToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

export function createOutbox(parts: OutboxParts): Outbox {
  const { database, clock, log } = parts;
  const deliver = createDelivery(parts);

  const put = (tx: Queries, mailId: string, kind: string, recipient: string, data: object) => {
    const now = clock.now();
    const text = JSON.stringify(data);
    return insertMail(tx, {
      mailId,
      kind,
      recipient,
      data: text,
      attempts: 0,
      nextTryAt: now,
      createdAt: now,
    });
  };

  const pass = async (signal?: AbortSignal) => {
    const due = await dueMail(database.read, clock.now(), DUE_PER_PASS_MAX);
    for (const mail of due) {
      if (signal?.aborted) break;
      await deliver(mail);
    }
    if (due.length > 0)
      await database.write((tx) => forgetMail(tx, clock.now() - KEPT_MS, FORGOTTEN_PER_PASS_MAX));
    return due.length;
  };

  const loop = createLoop({
    failure: "the outbox was not read",
    everyMs: IDLE_MS,
    clock,
    log,
    round: async (signal) => ((await pass(signal)) === DUE_PER_PASS_MAX ? 0 : IDLE_MS),
  });

  return {
    queue: (tx, { mailId, kind, recipient, plan }) => put(tx, mailId, kind, recipient, { plan }),
    queueWebhook: (tx, { mailId, recipient, ...data }) => put(tx, mailId, "webhook", recipient, data),
    queueLink: (tx, email) => put(tx, `link:${freshUuid()}`, "link", email, {}),
    wake: loop.wake,
    pass: () => pass(),
    start: loop.start,
    stop: loop.stop,
  };
}

/** Tries one mail and records the outcome. */
function createDelivery(parts: OutboxParts): (mail: StoredMail) => Promise<void> {
  const { database, transport, clock, random, log } = parts;
  const fates = parts.metrics.counter("crowdtape_mail_total", "Mails, by what became of them.");
  const close = async (mailId: string, fate: "sent" | "dropped" | "failed") => {
    await database.write((tx) => closeMail(tx, mailId, fate, clock.now()));
    fates.of({ fate }).add();
  };
  return async (mail) => {
    const { mailId, recipient } = mail;
    if (!(await database.write((tx) => claimMail(tx, mail, clock.now() + CLAIM_MS)))) return;
    const attempts = mail.attempts + 1;
    try {
      const text = await compose(parts, mail);
      if (!text) return await close(mailId, "dropped");
      await transport.deliver({ mailId, from: parts.from, to: recipient, ...text, at: clock.now() });
      await close(mailId, "sent");
    } catch (error) {
      const reason = reasonOf(error);
      if (error instanceof MailRefused || attempts >= TRIES_MAX) {
        log.error("a mail could not be sent; giving up", { mailId, attempts, reason });
        return close(mailId, "failed");
      }
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), WAIT_MS_MAX);
      log.warn("a mail could not be sent yet", { mailId, attempts, reason });
      // Half of the wait is jitter, so that mails which failed together are not retried together.
      const until = clock.now() + waitMs / 2 + random.below(waitMs / 2);
      await database.write((tx) => postponeMail(tx, mailId, until));
    }
  };
}

/** Null when there is nothing to send after all. */
async function compose(parts: OutboxParts, { kind, recipient, data }: StoredMail): Promise<Text | null> {
  const { database, publicUrl, clock } = parts;
  if (kind === "webhook") {
    const fields = JSON.parse(data) as { webhookId: string; host: string; days: number };
    return write({ kind, ...fields }, publicUrl());
  }
  if (kind !== "link") {
    const { plan } = JSON.parse(data) as { plan: string };
    return write({ kind: kind === "paid" ? "paid" : "refused", plan }, publicUrl());
  }
  if (!(await parts.hasAccount(recipient))) return null;
  const token = Buffer.from(secureBytes(TOKEN_BYTES)).toString("base64url");
  const expiresAt = clock.now() + LINK_MINUTES * 60_000;
  await database.write((tx) =>
    insertLink(tx, { tokenHash: hashOfToken(token), email: recipient, expiresAt }),
  );
  const url = `${publicUrl()}/recover/link?token=${token}`;
  return write({ kind: "link", url, minutes: LINK_MINUTES }, publicUrl());
}

/** A mail server's words may repeat the mail; its code does not. */
function reasonOf(error: unknown): string {
  const { code, responseCode, name } = (error ?? {}) as Record<string, unknown>;
  return String(responseCode ?? code ?? name ?? "unknown");
}
