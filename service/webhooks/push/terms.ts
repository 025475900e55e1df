// Which node delivers Web Push: the one that holds the lease. A term begins with all browsers and a place in the log, and ends
// before another node may begin one.
import type { Database } from "../../../database/database.ts";
import { createBackoff } from "../../../kit/backoff.ts";
import { freshUuid } from "../../../kit/ids.ts";
import type { Kit } from "../../../kit/kit.ts";
import { nextTurn } from "../../../kit/turn.ts";
import { HOUR_MS } from "../../../kit/units.ts";
import { createFilterIndex, type FilterIndex } from "../../feed/filter-index.ts";
import type { Tail } from "../../feed/tail.ts";
import type { Lease, LeaseStore } from "../../store/captured/lease.ts";
import { anyPush, endPush, pushesAfter, type StoredPush } from "../../store/money/pushes.ts";
import { browserOf, filtersOf, type PushBrowser, renew, type Via } from "./browser.ts";

export interface PushTerm {
  lease: Lease;
  heldUntil: number;
  renewedAt: number;
  epoch: string;
  browsers: Map<string, PushBrowser>;
  index: FilterIndex<{ browser: PushBrowser; via: Via }>;
  /** Changes up to here were read. */
  revision: number;
  /** The log up to here was matched. */
  cursor: number;
  savedAt: number;
  /** Those whose positions moved since they were saved. */
  moved: Set<PushBrowser>;
}

export interface TermParts extends Pick<Kit, "clock" | "random"> {
  database: Database;
  leases: LeaseStore;
  tail: Pick<Tail, "newest" | "epoch" | "positionAt">;
  /** The server's public key: a browser that was made for another is of no use. */
  serverKey: string;
  /** How late these callers see the log. */
  delayMs: number;
}

export interface Terms {
  /** The term this node works under, with all changes read, if it is its turn. */
  hold(): Promise<PushTerm | null>;
  current(): PushTerm | null;
  end(term: PushTerm, browser: PushBrowser): Promise<void>;
  stop(): void;
}

const PUSH_LEASE = "web-push";
const LEASE_MS = 10_000;
/** A holder stops this long before another may start. */
const STOP_EARLY_MS = 2_000;
const RENEWED_AFTER_MS = 3_000;
/** Older events are stale: a node that takes over goes no further back. */
const LOOK_BACK_MS = HOUR_MS;
const RETRY_FIRST_MS = 5_000;
const ROWS_MAX = 500;
const NOTHING_READ = -1;

export function createTerms(parts: TermParts): Terms {
  const { database, leases, tail, clock } = parts;
  const holder = freshUuid();
  let term: PushTerm | null = null;

  const end: Terms["end"] = async (held, browser) => {
    forget(held, browser);
    await database.write((tx) => endPush(tx, browser.row.id, clock.now()));
  };

  /** Where a term begins to read: at its earliest browser, and where crowds are counted, early enough to count them. */
  const placeOf = async ({ browsers }: PushTerm) => {
    const back = await tail.positionAt(clock.now() - parts.delayMs - LOOK_BACK_MS);
    const positions = [...browsers.values()].map(({ crowd, coveredTo }) => (crowd ? back : coveredTo));
    return positions.reduce((least, one) => Math.max(back, Math.min(least, one)), tail.newest());
  };

  const begin = async (lease: Lease, askedAt: number): Promise<PushTerm> => {
    const held: PushTerm = {
      lease,
      heldUntil: askedAt + LEASE_MS - STOP_EARLY_MS,
      renewedAt: askedAt,
      epoch: tail.epoch(),
      browsers: new Map(),
      index: createFilterIndex(),
      revision: NOTHING_READ,
      cursor: 0,
      savedAt: clock.now(),
      moved: new Set(),
    };
    await takeChanges(parts, held, end);
    held.cursor = await placeOf(held);
    return held;
  };

  /** Also after a long stall, if no other node held it meanwhile: messages sent but not yet saved are still known then. */
  const renewed = async (held: PushTerm, askedAt: number): Promise<PushTerm | null> => {
    if (held.epoch !== tail.epoch()) return null;
    if (askedAt - held.renewedAt < RENEWED_AFTER_MS) return held;
    if ((await leases.renew(held.lease, LEASE_MS)) === null) return null;
    held.renewedAt = askedAt;
    held.heldUntil = askedAt + LEASE_MS - STOP_EARLY_MS;
    return held;
  };

  return {
    async hold() {
      const askedAt = clock.now();
      term &&= await renewed(term, askedAt);
      if (term) await takeChanges(parts, term, end);
      else if (await anyPush(database.read)) {
        const lease = await leases.acquire(PUSH_LEASE, holder, LEASE_MS);
        term = lease && (await begin(lease, askedAt));
      }
      return term;
    },
    current: () => term,
    end,
    stop: () => {
      term = null;
    },
  };
}

function forget({ browsers, index, moved }: PushTerm, browser: PushBrowser): void {
  browsers.delete(browser.row.id);
  for (const via of ["trader", "token"]) index.remove(`${browser.row.id} ${via}`);
  moved.delete(browser);
}

async function takeChanges(
  { database, tail, random, serverKey }: TermParts,
  held: PushTerm,
  end: Terms["end"],
): Promise<void> {
  const take = (row: StoredPush): PushBrowser => {
    const known = held.browsers.get(row.id);
    if (known) {
      forget(held, known);
      renew(known, row);
    }
    const browser = known ?? browserOf(row, createBackoff(random, RETRY_FIRST_MS, HOUR_MS));
    // Of another log: it begins at this one's end.
    if (browser.row.epoch !== held.epoch) {
      browser.coveredTo = tail.newest();
      const position = browser.coveredTo;
      browser.row = { ...browser.row, epoch: held.epoch, position, askedAfter: position };
    }
    held.browsers.set(row.id, browser);
    for (const [via, filter] of filtersOf(browser.wish))
      held.index.add(`${row.id} ${via}`, filter, { browser, via });
    held.moved.add(browser);
    return browser;
  };
  for (let isFull = true; isFull; ) {
    const rows = await pushesAfter(database.read, held.revision, ROWS_MAX);
    for (const row of rows) {
      const known = held.browsers.get(row.id);
      if (row.endedAt === null) {
        const browser = take(row);
        if (row.serverKey !== serverKey) await end(held, browser);
      } else if (known) forget(held, known);
      held.revision = row.revision;
    }
    isFull = rows.length === ROWS_MAX;
    if (isFull) await nextTurn();
  }
}
