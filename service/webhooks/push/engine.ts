// Web Push, delivered by one node at a time. It reads the log as late as any caller without a key does, matches it against all
// browsers at once, and sends; a browser's position moves when its push service took a message, so a restart continues where it
// ended and repeats a message at most, which a browser shows in place of the first.
import type { Chains } from "../../../contract/chains.ts";
import { KEYLESS } from "../../../contract/plans.ts";
import { PUSH } from "../../../contract/push.ts";
import { alertOf } from "../../../contract/wire/alert.ts";
import { chunksOf } from "../../../kit/chunks.ts";
import type { Kit } from "../../../kit/kit.ts";
import { createLoop } from "../../../kit/loop.ts";
import type { Metrics } from "../../../kit/metrics.ts";
import { nextTurn } from "../../../kit/turn.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kit/units.ts";
import type { FeedEntry } from "../../feed/entry.ts";
import { PAGE_EVENTS, type Tail } from "../../feed/tail.ts";
import { holdLease } from "../../store/captured/lease.ts";
import { advancePushes, endUnrenewed, forgetEndedPushes } from "../../store/money/pushes.ts";
import type { Post } from "../post.ts";
import { hear, type PushBrowser, takeBack, type Via } from "./browser.ts";
import { sendNext } from "./send.ts";
import { createTerms, type PushTerm, type TermParts } from "./terms.ts";
import { createAuthorize, type Vapid } from "./vapid.ts";

export interface PushEngineParts extends Kit, Pick<TermParts, "database" | "leases"> {
  tail: Pick<Tail, "recent" | "older" | "newest" | "epoch" | "positionAt">;
  chains: Chains;
  vapid: Vapid;
  post: Post;
}

export interface PushEngine {
  start(): void;
  wake(): void;
  stop(): Promise<void>;
}

const DELAY_MS = KEYLESS.delaySeconds * 1_000;
const ROUND_EVERY_MS = 1_000;
/** Requests under way on this node. */
const SENDING_MAX = 16;
const SAVED_EVERY_MS = MINUTE_MS;
const ROWS_MAX = 500;
const TIDIED_MAX = 100;

export function createPushEngine(parts: PushEngineParts): PushEngine {
  const { database, clock, log, metrics, post } = parts;
  const terms = createTerms({ ...parts, serverKey: parts.vapid.publicKey, delayMs: DELAY_MS });
  const authorize = createAuthorize(parts.vapid, clock);
  const stopping = new AbortController();
  const sending = new Set<Promise<void>>();
  const outcomes = metrics.counter("crowdtape_push_messages_total", "Web Push messages, by outcome.");
  measure(metrics, () => [...(terms.current()?.browsers.values() ?? [])]);

  const send = async (held: PushTerm, browser: PushBrowser) => {
    browser.isBusy = true;
    try {
      const outcome = await sendNext({ clock, post, authorize }, browser, stopping.signal);
      outcomes.of({ outcome }).add();
      if (outcome === "over") await terms.end(held, browser);
      else held.moved.add(browser);
    } catch (error) {
      log.warn("a Web Push message was not sent", { error });
      browser.row.waitUntil = Math.ceil(clock.now() + browser.backoff.nextMs());
    } finally {
      browser.isBusy = false;
    }
  };
  const sendDue = (held: PushTerm) => {
    for (const browser of held.browsers.values()) {
      if (sending.size >= SENDING_MAX) return;
      if (browser.isBusy || browser.ready.length === 0 || browser.row.waitUntil > clock.now()) continue;
      const work = send(held, browser).finally(() => {
        sending.delete(work);
        loop.wake();
      });
      sending.add(work);
    }
  };
  const tidy = async () => {
    const now = clock.now();
    await database.write((tx) => endUnrenewed(tx, now - PUSH.keptDays * DAY_MS, now, TIDIED_MAX));
    await database.write((tx) => forgetEndedPushes(tx, now - HOUR_MS));
  };

  const loop = createLoop({
    failure: "Web Push was not delivered",
    everyMs: ROUND_EVERY_MS,
    clock,
    log,
    async round() {
      const held = await terms.hold();
      if (held === null) return;
      await readOn(parts, held, stopping.signal);
      // Reading may have taken so long that another node has taken over.
      if (clock.now() >= held.heldUntil) return;
      sendDue(held);
      const isAll = clock.now() - held.savedAt >= SAVED_EVERY_MS;
      if (isAll) await tidy();
      if (isAll || held.moved.size > 0) await save(parts, held, isAll);
    },
  });

  return {
    start: loop.start,
    wake: loop.wake,
    async stop() {
      stopping.abort();
      await loop.stop();
      await Promise.all(sending);
      const held = terms.current();
      terms.stop();
      if (held === null) return;
      await save(parts, held, true)
        .then(() => parts.leases.release(held.lease))
        .catch((error) => log.warn("positions of Web Push were not saved", { error }));
    },
  };
}

/** Matches what has become visible since. */
async function readOn(parts: PushEngineParts, held: PushTerm, signal: AbortSignal): Promise<void> {
  const { tail, clock } = parts;
  for (;;) {
    const page = tail.recent(held.cursor, PAGE_EVENTS) ?? (await tail.older(held.cursor, tail.newest()));
    for (const entry of page) {
      if (entry.capturedAt + DELAY_MS > clock.now()) return;
      match(held, entry, parts.chains);
      held.cursor = entry.seq;
    }
    if (page.length < PAGE_EVENTS || signal.aborted || clock.now() >= held.heldUntil) return;
    await nextTurn();
  }
}

function match(held: PushTerm, entry: FeedEntry, chains: Chains): void {
  const { event, facts, stream, isNews, seq } = entry;
  // A retraction finds those that its alert found.
  const undone = entry.undone?.feed === "app" && entry.undone.isHistory !== true ? entry.undone : null;
  const own = event.feed === "chain" ? undone : event;
  if (stream !== "alerts" || !isNews || facts === null || own === null) return;
  const found = new Map<PushBrowser, Set<Via>>();
  for (const { browser, via } of held.index.search(facts))
    found.set(browser, (found.get(browser) ?? new Set<Via>()).add(via));
  if (found.size === 0) return;
  const alert = alertOf(own, chains);
  for (const [browser, vias] of found) {
    if (undone) takeBack(browser, alert, { seq, vias });
    else hear(browser, alert, vias);
  }
}

/** Saves the positions of browsers with new events at once, of all of them periodically. An empty queue means everything matched was sent. */
async function save({ database, clock }: PushEngineParts, held: PushTerm, isAll: boolean): Promise<void> {
  const { epoch, lease } = held;
  const places = new Map<string, { position: number; waitUntil: number; ids: string[] }>();
  for (const { row, ready, isBusy } of isAll ? held.browsers.values() : held.moved) {
    if (ready.length === 0 && !isBusy) row.position = Math.max(row.position, held.cursor);
    const { position, waitUntil } = row;
    const name = `${position} ${waitUntil}`;
    const place = places.get(name) ?? { position, waitUntil, ids: [] };
    places.set(name, place);
    place.ids.push(row.id);
  }
  held.moved.clear();
  if (isAll) held.savedAt = clock.now();
  for (const { position, waitUntil, ids } of places.values())
    for (const some of chunksOf(ids, ROWS_MAX))
      await database.write(async (tx) => {
        await holdLease(tx, lease);
        await advancePushes(tx, { epoch, position, waitUntil }, some);
      });
}

function measure(metrics: Metrics, browsers: () => PushBrowser[]): void {
  metrics.probe("crowdtape_push_browsers", "Browsers this node sends Web Push to.", () => browsers().length);
  metrics.probe(
    "crowdtape_push_failing",
    "Browsers whose last Web Push message failed.",
    () => browsers().filter(({ failingSince }) => failingSince !== null).length,
  );
}
