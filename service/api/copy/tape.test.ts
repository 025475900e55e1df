// Which hours a replay requests from the platform, and which it reads from the store.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOUR_MS, MINUTE_MS } from "../../../kit/units.ts";
import { fill, MIDNIGHT, token } from "../../../test/support/nouns.ts";
import { hourOf, type Stretch } from "../../model/tape.ts";
import { nameOfToken } from "../../model/token.ts";
import { openTestStore, type SuiteStore, silent } from "../../store/suite-support.ts";
import type { TicksPage, TicksQuery, Upstream } from "../../upstream/port.ts";
import { createTapeReader } from "./tape.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-tape-"));
let files = 0;
let store: SuiteStore;
let asked: TicksQuery[];
/** The range that the platform covers. */
let covers: Stretch;

beforeEach(async () => {
  await store?.close();
  files += 1;
  store = await openTestStore({
    location: async () => ({ file: join(folder, `${files}`, "crowdtape.sqlite") }),
  });
  asked = [];
  candlesAsked = [];
  candlesOf = unsupported;
  covers = { from: 0, to: Number.MAX_SAFE_INTEGER };
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const FIRST = hourOf(MIDNIGHT);
const TICK = { block: null, place: 0, pool: null, priceUsd: 2, depthUsd: 5_000, feeBps: 30, usd: 9 };

/** The requests for candles where the platform has no tape. */
let candlesAsked: { from: number; to: number }[];
let candlesOf: Upstream["candles"];
const candles: Upstream["candles"] = (address, query, call) => {
  candlesAsked.push({ from: hourOf(query.from), to: hourOf(query.to) });
  return candlesOf(address, query, call);
};
const unsupported: Upstream["candles"] = async () => ({ kind: "unsupported" });

/** A tick at each half hour, including the elapsed part of the current hour. */
const readerAt = (asOf: number) =>
  createTapeReader({
    store,
    log: silent,
    bytesMax: 1_000_000,
    upstream: {
      candles,
      async ticks(_, query) {
        asked.push(query);
        const rows: TicksPage["rows"] = [];
        for (let at = query.from + 30 * MINUTE_MS; at < Math.min(query.to, asOf); at += HOUR_MS)
          rows.push({ ...TICK, at, side: "buy" });
        const covered = {
          from: Math.max(query.from, covers.from),
          to: Math.min(query.to, asOf, covers.to),
        };
        return { kind: "found", value: { token: token(), rows, covered: [covered], nextCursor: null } };
      },
    },
  });

const readAt = (asOf: number, hours: readonly number[]) =>
  readerAt(asOf).read([{ token: token(), hours: new Set(hours) }], { asOf, deadlineMs: 1_000 });

const HOURS = [0, 1, 2, 8].map((later) => FIRST + later);
const LATER = MIDNIGHT + 20 * HOUR_MS;

describe("the tape of a replay", () => {
  test("is requested once, even by another process, and then only for new hours", async () => {
    const first = await readAt(LATER, HOURS);
    expect(asked.map(({ from, to }) => [hourOf(from), hourOf(to)])).toEqual([
      [FIRST, FIRST + 3],
      [FIRST + 8, FIRST + 9],
    ]);
    asked = [];
    expect(await readAt(LATER + 5 * HOUR_MS, HOURS)).toEqual(first);
    expect(asked).toEqual([]);
    await readAt(LATER, [...HOURS, FIRST + 3]);
    expect(asked.map(({ from }) => hourOf(from))).toEqual([FIRST + 3]);
  });

  test("reports how much of it is covered, and from when to when", async () => {
    covers = { from: MIDNIGHT + 30 * MINUTE_MS, to: MIDNIGHT + 2 * HOUR_MS };
    const { tapes, ...rest } = await readAt(LATER, HOURS);
    expect(rest).toEqual({
      ticks: 4,
      wishedMs: 4 * HOUR_MS,
      coveredMs: 1.5 * HOUR_MS,
      coveredFrom: covers.from,
      coveredTo: covers.to,
    });
    expect([...(tapes.get(nameOfToken(token()))?.at ?? [])].map(hourOf)).toEqual(HOURS);
  });

  test("is requested again where the platform did not cover it, but not immediately", async () => {
    covers = { from: MIDNIGHT + MINUTE_MS, to: Number.MAX_SAFE_INTEGER };
    await readAt(LATER, [FIRST]);
    await readAt(LATER + 9 * MINUTE_MS, [FIRST]);
    expect(asked).toHaveLength(1);
    covers = { ...covers, from: 0 };
    await readAt(LATER + 11 * MINUTE_MS, [FIRST]);
    await readAt(LATER + HOUR_MS, [FIRST]);
    expect(asked).toHaveLength(2);
  });

  test("fails with an explanation if a platform's cursors never end", async () => {
    let pages = 0;
    const ticks = async () => {
      pages += 1;
      const value = { token: token(), rows: [], covered: [], nextCursor: String(pages) };
      return { kind: "found" as const, value };
    };
    const reader = createTapeReader({
      store,
      log: silent,
      bytesMax: 1_000_000,
      upstream: { ticks, candles },
    });
    const wishes = [{ token: token(), hours: new Set([FIRST]) }];
    const error = await reader.read(wishes, { asOf: LATER, deadlineMs: 1_000 }).catch((each) => each);
    expect([error.code, pages]).toEqual(["upstream_timeout", 200]);
  });

  test("has candles for hours that the platform does not cover at all, and for no others", async () => {
    covers = { from: MIDNIGHT + HOUR_MS, to: MIDNIGHT + 3 * HOUR_MS };
    const row = { o: 1, h: 3, l: 1, trades: 1, volumeUsd: 5, buyUsd: 5, sellUsd: 0 };
    candlesOf = async (_, { from }) => ({
      kind: "found",
      value: { token: token(), rows: [{ ...row, t: from, c: 3 }], coveredFrom: 0, nextFrom: null },
    });
    const { tapes } = await readAt(LATER, HOURS);
    expect(candlesAsked).toEqual([0, 8].map((hour) => ({ from: FIRST + hour, to: FIRST + hour + 1 })));
    const tape = tapes.get(nameOfToken(token()));
    expect([...(tape?.candleAt ?? [])]).toEqual([0, 8].map((hour) => MIDNIGHT + hour * HOUR_MS + MINUTE_MS));
    expect([...(tape?.candlePrice ?? [])]).toEqual([3, 3]);
  });

  test("uses the candles of captured fills where the platform has none", async () => {
    covers = { from: 0, to: 0 };
    await store.fills.save([fill({ at: MIDNIGHT, priceUsd: 4 })]);
    const tape = (await readAt(LATER, [FIRST])).tapes.get(nameOfToken(token()));
    expect([...(tape?.candleAt ?? [])]).toEqual([MIDNIGHT + MINUTE_MS]);
    expect([...(tape?.candlePrice ?? [])]).toEqual([4]);
  });

  test("of a holding goes back to its last tick, up to a week, unless there is one shortly before", async () => {
    const at = (hours: number) => MIDNIGHT + hours * HOUR_MS + 5 * MINUTE_MS;
    // A token bought at midnight; its pool was drained two days later, with no trades since.
    const traded = [at(0), at(40), at(41)];
    const ticks: Upstream["ticks"] = async (_, query) => {
      asked.push(query);
      const rows = traded
        .filter((moment) => moment >= query.from && moment < query.to)
        .map((moment) => ({ ...TICK, at: moment, side: "sell" as const }));
      return { kind: "found", value: { token: token(), rows, covered: [query], nextCursor: null } };
    };
    const reader = createTapeReader({
      store,
      log: silent,
      bytesMax: 1_000_000,
      upstream: { ticks, candles },
    });
    const heldFor = async (hours: number, isHeld = true) => {
      const [heldAt, wished] = [at(hours), new Set([FIRST, FIRST + hours])];
      const wish = { token: token(), hours: wished, ...(isHeld ? { heldAt } : {}) };
      asked = [];
      const read = await reader.read([wish], { asOf: heldAt, deadlineMs: 1_000 });
      expect(read.coveredMs).toBe(read.wishedMs);
      return [...(read.tapes.get(nameOfToken(token()))?.at ?? [])];
    };
    expect(await heldFor(41)).toEqual([at(0), at(41)]);
    expect(asked).toHaveLength(2);
    expect(await heldFor(50, false)).toEqual([at(0)]);
    expect(await heldFor(50)).toEqual([at(0), at(41)]);
    expect(await heldFor(100)).toEqual([at(0), at(41)]);
    await heldFor(100);
    expect(asked.filter(({ to }) => to <= at(99))).toEqual([]);
    expect(await heldFor(300)).toEqual([at(0)]);
  });

  test("grows with the current hour, and is not requested twice at one moment", async () => {
    const moment = MIDNIGHT + 20 * MINUTE_MS;
    expect((await readAt(moment, [FIRST])).ticks).toBe(0);
    expect((await readAt(moment, [FIRST])).coveredMs).toBe(20 * MINUTE_MS);
    expect(asked).toHaveLength(1);
    expect((await readAt(moment + 20 * MINUTE_MS, [FIRST])).ticks).toBe(1);
    expect(asked).toHaveLength(2);
  });
});
