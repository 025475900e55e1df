// The data that answers are computed from.
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { createLru } from "../../kit/lru.ts";
import type { BooksChange } from "../books/changes.ts";
import { readLedger, type TraderLedger } from "../books/ledger.ts";
import type { Money } from "../prices/money.ts";
import type { Directory } from "../roster/directory.ts";
import { createLivePositions, type LivePositions } from "./live-positions.ts";
import { createQuotes, type Quotes } from "./quotes.ts";
import { createStandings, type RosterStandings } from "./standings.ts";
import { openVerdicts, type Verdicts } from "./verdicts.ts";

export interface Answering {
  database: Database;
  clock: Clock;
  directory: Directory;
  money: Money;
  quotes: Quotes;
  live: LivePositions;
  verdicts: Verdicts;
  standings: RosterStandings;
  /** Every change of one trader; the most recently requested ledgers are cached. */
  ledger(userId: string): Promise<TraderLedger>;
}

export interface AnswerParts extends Answering {
  source: string;
  chains: readonly number[];
  /** Pools that hold less money than this don't price anything. */
  depthMinUsd: number;
}

/** The number of changes in cached ledgers, some hundred bytes each. */
const LEDGERS_CHANGES_MAX = 20_000;

export interface FollowedAnswering extends Answering {
  change(change: BooksChange): void;
  /** Applies the operator's new verdicts. */
  hearVerdicts(): Promise<void>;
}

/** With all in-memory state loaded, and the means to keep it in sync. */
export async function openAnswering(parts: {
  database: Database;
  clock: Clock;
  directory: Directory;
  money: Money;
  log: Log;
}): Promise<FollowedAnswering> {
  const { database, clock, money } = parts;
  const quotes = createQuotes(parts);
  const live = createLivePositions({ database, money, now: clock.now });
  await live.load();
  const verdicts = await openVerdicts(database);
  const standings = createStandings({ ...parts, live, quotes, verdicts });
  const sizeOf = ({ booked }: TraderLedger) =>
    [...booked.values()].reduce((sum, list) => sum + list.length, 1);
  const ledgers = createLru<string, TraderLedger>(LEDGERS_CHANGES_MAX, sizeOf);
  let version = 0;
  return {
    ...parts,
    quotes,
    live,
    verdicts,
    standings,
    async ledger(userId) {
      const known = ledgers.get(userId);
      if (known) return known;
      const before = version;
      const read = await readLedger(database.read, userId, money);
      if (before === version) ledgers.set(userId, read);
      return read;
    },
    change(change) {
      version += 1;
      for (const { userId } of change.ledgers) ledgers.delete(userId);
      quotes.forget(change.prices);
      const judgedSince = live.change(change.ledgers, ({ key }) => !quotes.isUnpriced(key));
      standings.change(Math.min(change.sinceMs, judgedSince));
    },
    async hearVerdicts() {
      const changed = await verdicts.refresh();
      let since = Number.POSITIVE_INFINITY;
      for (const key of changed) since = Math.min(since, live.token(key)?.heldSince ?? since);
      if (changed.length > 0) standings.change(since);
    },
  };
}
