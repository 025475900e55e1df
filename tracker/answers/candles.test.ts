// A token's candles from chains: which trades they are made of, and that paging returns each candle once and whole.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, insertMany } from "../../database/database.ts";
import { migrate } from "../../database/migrate.ts";
import { openDatabase } from "../../database/open.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import { BOOKS } from "../books/schema.ts";
import type { KnownToken } from "../books/tokens.ts";
import { notePools, poolsOfToken, savePool } from "../tape/kept-pools.ts";
import { saveTicks } from "../tape/ticks.ts";
import { candlesOf } from "./candles.ts";

const CHAIN = 8453;
const TOKEN = "0x00000000000000000000000000000000000000a1";
const [DEEP, THIN, EMPTIED] = ["0xdeep", "0xthin", "0xemptied"];
const START = Date.UTC(2026, 0, 1);
const DEPTH_MIN_USD = 500;

const known: KnownToken = {
  chainId: CHAIN,
  token: TOKEN,
  symbol: "A",
  name: "A",
  decimals: 18,
  supplyRaw: null,
  seenAt: START,
  place: 1,
  launch: { launchedAt: null, deployer: null, graduatedAt: null, tries: 0, askAt: null },
};

const folder = mkdtempSync(join(tmpdir(), "crowdtape-candles-"));
let database: Database;

/** A roster trade in a block of its minute. */
const price = (minute: number, priceUsd: number) => {
  const hash = `0xblock${minute}`;
  return {
    chainId: CHAIN,
    height: minute,
    blockHash: hash,
    place: 0,
    token: TOKEN,
    timeMs: START + minute * MINUTE_MS,
    priceUsd,
    valueUsd: 10,
    depthUsd: 1_000_000,
    bought: 1,
    pool: DEEP,
    own: 1,
    txHash: hash,
  };
};

const tick = (minute: number, index: number, pool: string, priceUsd: number, depthUsd: number) => ({
  chainId: CHAIN,
  token: TOKEN,
  timeMs: START + minute * MINUTE_MS + index * 1_000,
  place: minute * 100 + index,
  height: minute,
  pool,
  priceUsd,
  depthUsd,
  feeBps: 30,
  bought: index % 2,
  usd: 100,
});

beforeAll(async () => {
  database = await openDatabase({ file: join(folder, "tracker.sqlite") });
  await migrate(database, START, BOOKS);
  await database.write(async (tx) => {
    const minutes = Array.from({ length: 10 }, (_, minute) => price(minute, minute + 1));
    await insertMany(tx, "tracker_price", minutes);
    await notePools(tx, CHAIN, TOKEN);
    const [pool] = await poolsOfToken(tx, CHAIN, TOKEN);
    if (!pool) throw new Error("the pool was not noted");
    // The tape covers minutes 3 to 6.
    const span = { fromMs: START + 3 * MINUTE_MS, toMs: START + 7 * MINUTE_MS };
    await savePool(tx, { ...pool, ...span, lastMs: span.toMs, toHeight: 7, feeBps: 30 });
    await saveTicks(tx, [
      tick(3, 0, DEEP, 4, 1_000_000),
      tick(3, 1, DEEP, 6, 1_000_000),
      tick(4, 0, THIN, 900, 600),
      tick(4, 1, DEEP, 5, 1_000_000),
      tick(5, 0, EMPTIED, 0.01, 20),
      tick(5, 1, DEEP, 7, 900_000),
    ]);
  });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const read = (from: number, to: number, limit = 1_000, interval: "1m" | "5m" = "1m") =>
  candlesOf({ database, depthMinUsd: DEPTH_MIN_USD }, known, {
    networkId: CHAIN,
    interval,
    from: START + from * MINUTE_MS,
    to: START + to * MINUTE_MS,
    limit,
  });

test("where the tape covers, every swap of a deep pool counts, elsewhere the trades that priced the token", async () => {
  const { rows } = await read(0, 10);
  const shown = rows.map(({ t, o, c, trades, volumeUsd }) => [
    (t - START) / MINUTE_MS,
    o,
    c,
    trades,
    Number(volumeUsd),
  ]);
  expect(shown).toEqual([
    [0, 1, 1, 1, 10],
    [1, 2, 2, 1, 10],
    [2, 3, 3, 1, 10],
    [3, 4, 6, 2, 200],
    [4, 5, 5, 1, 100],
    [5, 7, 7, 1, 100],
    [7, 8, 8, 1, 10],
    [8, 9, 9, 1, 10],
    [9, 10, 10, 1, 10],
  ]);
});

test("paging returns each candle once, the same as one long page", async () => {
  for (const interval of ["1m", "5m"] as const) {
    const whole = await read(0, 10, 1_000, interval);
    const walked: typeof whole.rows = [];
    for (let from: number | null = START; from !== null; ) {
      const page = await read((from - START) / MINUTE_MS, 10, 2, interval);
      walked.push(...page.rows);
      from = page.nextFrom;
    }
    expect(walked).toEqual(whole.rows);
  }
});
