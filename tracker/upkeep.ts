// The tracker's periodic jobs: it deletes old rows, retries failed lookups, and checks its books against the chain.
import type { Database } from "../database/database.ts";
import type { Kit } from "../kit/kit.ts";
import { createLoop, type Loop } from "../kit/loop.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/units.ts";
import type { FollowedAnswering } from "./answers/parts.ts";
import { createBalanceChecks } from "./balance-checks.ts";
import { forgetItems, TRACKER_FEEDS } from "./books/feed-items.ts";
import type { BooksSink } from "./books/sink.ts";
import { countUnknowns } from "./books/unknowns.ts";
import { createLaunches } from "./launches.ts";
import type { TrackedChain } from "./open-chain.ts";
import { forgetCoinQuotes } from "./prices/coins.ts";
import { createUnknownMetrics } from "./reader-metrics.ts";
import { createSupplies } from "./supplies.ts";
import { forgetTicks } from "./tape/ticks.ts";

/** Feeds are for following; older items are in the books. */
const FEED_KEPT_MS = 30 * DAY_MS;
/** As long as the service keeps the tape it read from here. */
const TAPE_KEPT_MS = 90 * DAY_MS;
const RETENTION_MS = HOUR_MS;
const VERDICTS_MS = 2 * SECOND_MS;
/** A few milliseconds of deletes. */
const FORGOTTEN_MAX = 500;

async function forgetOld(database: Database, beforeMs: number, tapeBeforeMs: number): Promise<void> {
  while ((await database.write((tx) => forgetTicks(tx, tapeBeforeMs, FORGOTTEN_MAX))) > 0);
  for (const feed of TRACKER_FEEDS)
    while ((await database.write((tx) => forgetItems(tx, feed, beforeMs, FORGOTTEN_MAX))) > 0);
  await database.write((tx) => forgetCoinQuotes(tx, beforeMs));
}

export interface UpkeepParts extends Kit {
  database: Database;
  sink: BooksSink;
  answering: FollowedAnswering;
  chains: readonly TrackedChain[];
  /** How often balances are checked against the chain. */
  checkMs: number;
}

export function createUpkeep(parts: UpkeepParts): Loop[] {
  const { database, sink, answering, clock, log, metrics, checkMs } = parts;
  const { live, directory } = answering;
  const chains = parts.chains.map(({ settings: { chainId, name }, reader, queries }) => ({
    chainId,
    name,
    queries,
    height: () => reader.status().cursor,
  }));
  const asked = { database, live, chains, forget: sink.forgetToken, clock, log };
  const balances = createBalanceChecks({
    database,
    sink,
    directory,
    chains,
    everyMs: checkMs,
    clock,
    log,
    metrics,
  });
  const supplies = createSupplies(asked);
  const launches = createLaunches(asked);
  const showUnknowns = createUnknownMetrics(metrics, chains);
  const countThem = async () => showUnknowns(await countUnknowns(database.read));
  const loop = (
    failure: string,
    everyMs: number,
    round: () => Promise<void>,
    first: "now" | "later" = "later",
  ) => createLoop({ failure, everyMs, first, clock, log, round });
  const soonMs = Math.min(MINUTE_MS, checkMs);
  return [
    loop("could not delete old feed items", RETENTION_MS, () =>
      forgetOld(database, clock.now() - FEED_KEPT_MS, clock.now() - TAPE_KEPT_MS),
    ),
    loop("could not count unknowns", MINUTE_MS, countThem, "now"),
    loop("could not retry unknowns", MINUTE_MS, sink.settleUnknowns),
    loop("could not check balances against the chain", soonMs, balances.round),
    loop("could not refresh supplies", checkMs, supplies.round),
    loop("could not read the operator's verdicts", Math.min(VERDICTS_MS, checkMs), answering.hearVerdicts),
    loop("could not look up tokens' launches", soonMs, launches.round),
  ];
}
