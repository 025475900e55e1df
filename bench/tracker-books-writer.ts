// Fills through the books of bench/tracker-books.ts, as a backfill delivers them: many blocks at once. Arguments: its folder
// and the size of its world.
import { openDatabase } from "../database/open.ts";
import { systemClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { trackerLocation } from "../service/foundation.ts";
import { createSink } from "../tracker/books/sink.ts";
import type { BlockRead } from "../tracker/chain.ts";
import { createDirectory } from "../tracker/roster/directory.ts";
import type { WriterReport } from "./tracker-books.ts";
import { BLOCK_MS, blockOf, COIN_USD, createWorld, MONEY, type WorldSize } from "./tracker-books-world.ts";

const [dataFolder = "", given = "{}"] = process.argv.slice(2);
const size = JSON.parse(given) as WorldSize;
/** A backfill reads 10,000 blocks at once, and in a month of this world that is several thousand fills. */
const BLOCKS_A_CALL = 1_000;
const FILLS = Math.min(20_000, size.fills);
const WARM_UP_FILLS = 2_000;

const location = trackerLocation({ databaseUrl: null, dataFolder });
const clock = systemClock();
const log = createLog("silent", clock.now);
const database = await openDatabase(location);
const directory = createDirectory(database, clock, log);
await directory.refresh();
const sink = createSink({
  database,
  directory,
  money: MONEY,
  log,
  clock,
  depthMinUsd: 500,
  // A backfill's events are published on one feed.
  alertsAt: () => "final",
  alertBound: () => Number.POSITIVE_INFINITY,
  queriesOf: () => ({
    tokens: async () => [],
    balances: async (_, tokens) => tokens.map((token) => ({ token, amountRaw: 0n })),
    isKnownPool: async () => true,
  }),
  pools: { check: async (reads) => [...reads] },
  coins: { at: async ({ timeMs }) => ({ priceUsd: COIN_USD, by: "feed", asOf: timeMs }) },
  onChange() {},
  onFailure() {},
});
const startedAt = clock.now();
// Another world of the same people and tokens: anything sold beyond the holding counts as received.
const world = createWorld(`news ${startedAt}`, size, (place) => startedAt + place * BLOCK_MS);
const readsOf = (fills: number) => Array.from({ length: fills }, () => blockOf(world.next()));
const apply = async (reads: readonly BlockRead[]) => {
  for (let done = 0; done < reads.length; done += BLOCKS_A_CALL)
    await sink.apply(reads.slice(done, done + BLOCKS_A_CALL), { name: "bench", value: String(done) });
};
await apply(readsOf(WARM_UP_FILLS));
const news = readsOf(FILLS);
const [beganAt, before] = [performance.now(), process.cpuUsage()];
await apply(news);
const { user, system } = process.cpuUsage(before);
const report: WriterReport = {
  fillsPerSecond: FILLS / ((performance.now() - beganAt) / 1_000),
  fillsPerCpuSecond: FILLS / ((user + system) / 1e6),
};
console.log(JSON.stringify(report));
await database.close();
