// Checks the clients' observations against the stored data: money against the ledger, frames against the log, the log against
// the platform's own record. Each check returns sentences about errors; an empty list means that all is well.

import { FEEDS, type FeedName } from "../../protocol/shapes/event.ts";
import type { Access } from "../../service/access/access.ts";
import type { LogEvent } from "../../service/model/event.ts";
import type { Charge } from "../../service/store/money/journal.ts";
import type { Store } from "../../service/store/store.ts";
import { allCharges } from "../support/charges.ts";
import type { FrameEntry, MintedEntry, RequestEntry } from "./journal.ts";

/** Clocks of two processes on one machine differ by rounding. */
const CLOCKS_APART_MS = 50;
/** At most this many of one kind are shown; the count covers the rest. */
const SHOWN = 5;

/** The platform repeats about one in a hundred, minutes later. */
const REPEATED_SHARE = 0.05;

const some = (what: string, found: readonly unknown[]): string[] =>
  found.length === 0 ? [] : [`${found.length} × ${what}: ${JSON.stringify(found.slice(0, SHOWN))}`];

/** Each answer was charged its stated price, once; unanswered requests at most once; and the books balance. */
export async function checkMoney(
  { store, access }: { store: Store; access: Access },
  accounts: Record<string, string>,
  requests: readonly RequestEntry[],
): Promise<string[]> {
  const errors: string[] = [];
  for (const [lane, accountId] of Object.entries(accounts)) {
    const left = await allCharges(store.database.read, accountId);
    const charges = new Map(left.map((row) => [row.requestId, row]));
    const own = requests.filter((request) => request.lane === lane);
    const wrong: unknown[] = [];
    for (const { answer, path } of own) {
      if (!answer) continue;
      const charged = charges.get(answer.requestId);
      charges.delete(answer.requestId);
      if ((charged?.credits ?? 0) !== answer.cost) wrong.push({ path, answer, charged: charged ?? null });
    }
    errors.push(...some(`${lane}: an answer and its charge differ`, wrong));
    const unknown = own.filter((request) => request.answer === null);
    errors.push(
      ...some(`${lane}: a charge that no request explains`, unexplained([...charges.values()], unknown)),
    );
  }
  errors.push(...some("an account whose books do not balance", await access.imbalances()));
  return errors;
}

/** A key that was requested repeatedly exists once; a refused one does not exist. */
export async function checkMinted(
  { keys }: Pick<Access, "keys">,
  accounts: Record<string, string>,
  minted: readonly MintedEntry[],
): Promise<string[]> {
  const wrong: unknown[] = minted.filter((entry) => entry.wrong.length > 0);
  for (const lane of new Set(minted.map((entry) => entry.lane))) {
    const names = (await keys.list(accounts[lane] ?? "")).map(({ name }) => name);
    for (const entry of minted.filter((each) => each.lane === lane)) {
      const there = names.filter((name) => name === entry.name).length;
      const right = entry.status === 201 ? there === 1 : entry.status === null ? there <= 1 : there === 0;
      if (!right) wrong.push({ ...entry, there });
    }
  }
  return some("a key that was not made as its answer says", wrong);
}

/**
 * Charges that are committed together have the time of the first of them, and on a busy machine others join for as long as the
 * previous commit takes.
 */
const GATHERED_MS_MAX = 5_000;

/** Each unanswered request explains one charge of its route, made after it was sent. */
function unexplained(charges: Charge[], unknown: readonly RequestEntry[]): Charge[] {
  const left = [...unknown].sort((a, b) => a.startedAt - b.startedAt);
  return charges.filter((charge) => {
    const at = left.findIndex(
      (request) => request.routeId === charge.routeId && request.startedAt <= charge.at + GATHERED_MS_MAX,
    );
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

async function* logOf(store: Store, feeds?: readonly FeedName[]): AsyncGenerator<LogEvent> {
  for (let after = 0; ; ) {
    const events = await store.log.readAfter(after, { limit: 2_000, ...(feeds ? { feeds } : {}) });
    if (events.length === 0) return;
    yield* events;
    after = events.at(-1)?.seq ?? after;
  }
}

/** The log has every event that the platform recorded, once, in the feed's order, without a gap in its positions. */
export async function checkLog(store: Store, recordUrl: string): Promise<string[]> {
  const errors: string[] = [];
  const news: Record<FeedName, string[]> = { app: [], push: [], chain: [] };
  const past: Record<FeedName, string[]> = { app: [], push: [], chain: [] };
  const seen = new Set<string>();
  const twice: string[] = [];
  // Below its first event a log has positions that are reserved for history, or that history did not need.
  let last: number | null = null;
  let lastCapturedAt = 0;
  let disorder = 0;
  for await (const { eventId, feed, seq, capturedAt, isHistory } of logOf(store)) {
    if (seq !== (last ?? seq - 1) + 1 || capturedAt < lastCapturedAt) disorder += 1;
    last = seq;
    lastCapturedAt = capturedAt;
    if (seen.has(eventId)) twice.push(eventId);
    seen.add(eventId);
    (isHistory ? past : news)[feed].push(eventId);
  }
  if (disorder > 0) errors.push(`${disorder} positions of the log do not follow on the one before`);
  errors.push(...some("an event that is in the log twice", twice));
  errors.push(...some("a gap that nothing explains", await store.progress.gaps(SHOWN)));

  const refusals = await store.progress.refusals();
  const refused = refusals.reduce((sum, { refused: count }) => sum + count, 0);
  const missing: string[] = [];
  const left = new Map((await store.log.historyLeft()).map(({ feed, next }) => [feed, next]));
  for (const feed of FEEDS) {
    const upTo = (await store.progress.position(feed)) ?? 0;
    // Events from before the start of the log may still be arriving, newest first.
    const record = await recordOf(recordUrl, feed, left.get(feed) ?? 0, upTo);
    const recorded = [...record.keys()];
    const own = new Set(news[feed]);
    // The platform drops data that is several days old, and the log does not.
    const first = recorded.find((eventId) => own.has(eventId)) ?? "";
    const kept = news[feed].slice(Math.max(0, news[feed].indexOf(first)));
    const has = new Set([...kept, ...past[feed]]);
    // An event that it sent twice may be in the log from a time that it has dropped.
    missing.push(...recorded.filter((eventId) => !seen.has(eventId)));
    const earlier = recorded.filter((eventId) => seen.has(eventId) && !has.has(eventId));
    if (earlier.length > recorded.length * REPEATED_SHARE)
      errors.push(...some(`an event of the ${feed} feed that is in the log before its time`, earlier));
    errors.push(...some(`an event of the ${feed} feed that is not at its place`, misplaced(kept, record)));
    // In the history, an event that was sent twice is where it was sent last.
    const once = past[feed].filter((eventId) => record.get(eventId)?.length === 1);
    errors.push(
      ...some(`an event of the ${feed} feed's past that is not at its place`, misplaced(once, record)),
    );
  }
  // Anything unreadable was counted as refused; anything else that is missing was lost.
  if (missing.length > refused) errors.push(...some(`an event lost (${refused} were refused)`, missing));
  return errors;
}

/** News is in feed order: each event at a position where it was sent, after the previous one. */
function misplaced(kept: readonly string[], record: ReadonlyMap<string, readonly number[]>): string[] {
  let place = 0;
  return kept.filter((eventId) => {
    const next = record.get(eventId)?.find((position) => position > place);
    place = next ?? place;
    return next === undefined;
  });
}

/** Where a feed of the platform sends each event, after a position and up to another. */
async function recordOf(
  url: string,
  feed: FeedName,
  from: number,
  upTo: number,
): Promise<Map<string, number[]>> {
  const places = new Map<string, number[]>();
  for (let after = from; after < upTo; ) {
    const answer = await fetch(`${url}/api/feeds/${feed}?after=${after}&limit=1000`);
    const { items } = (await answer.json()) as { items: { position: number; item: { eventId: string } }[] };
    for (const { position, item } of items) {
      if (position > upTo) continue;
      places.set(item.eventId, [...(places.get(item.eventId) ?? []), position]);
    }
    after = items.at(-1)?.position ?? upTo;
  }
  return places;
}

export interface StreamLane {
  lane: string;
  feeds: readonly FeedName[];
  delayMs: number;
}

/** Each socket got everything in the log from its first position to its last, in order, each once, and none of it early. */
export async function checkStreams(
  store: Store,
  lanes: readonly StreamLane[],
  frames: readonly FrameEntry[],
): Promise<string[]> {
  const errors: string[] = [];
  for (const { lane, feeds, delayMs } of lanes) {
    const own = frames.filter((frame) => frame.lane === lane);
    const began = own.find((frame) => frame.kind === "welcome")?.seq;
    const events = own.filter((frame) => frame.kind === "event");
    if (began === undefined) {
      errors.push(`${lane}: no socket was ever welcomed`);
      continue;
    }
    const ended = events.at(-1)?.seq ?? began;
    const wanted = new Map<number, number>();
    for await (const event of logOf(store, feeds)) {
      // Finality notices are sent only to sockets that request them, and never for history.
      const isSent = !("kind" in event && event.kind === "final") && !event.isHistory;
      if (isSent && event.seq > began && event.seq <= ended) wanted.set(event.seq, event.capturedAt);
    }
    const reported = events.map((frame) => frame.seq);
    if (!Bun.deepEquals(reported, [...wanted.keys()])) {
      const got = new Set(reported);
      const missing = [...wanted.keys()].filter((seq) => !got.has(seq));
      const again = reported.filter((seq, index) => reported.indexOf(seq) !== index);
      const foreign = reported.filter((seq) => !wanted.has(seq));
      errors.push(
        `${lane}: ${reported.length} frames for ${wanted.size} events; ` +
          `missing ${missing.slice(0, SHOWN)}, twice ${again.slice(0, SHOWN)}, not in the log ${foreign.slice(0, SHOWN)}`,
      );
    }
    const early = events.filter(({ seq, at }) => at + CLOCKS_APART_MS < (wanted.get(seq) ?? 0) + delayMs);
    errors.push(...some(`${lane}: an event that came early`, early));
    errors.push(
      ...some(
        `${lane}: a gap, another epoch or an incomplete resume`,
        own.filter((f) => f.kind !== "event" && f.note),
      ),
    );
  }
  return errors;
}
