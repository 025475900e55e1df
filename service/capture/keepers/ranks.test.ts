// Past ranks are what the platform said of a full hour, asked for once; what it can't tell of stays unknown.
import { expect, test } from "bun:test";
import type { Clock } from "../../../kit/clock.ts";
import { createPace } from "../../../kit/pace.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kit/units.ts";
import { PNL_WINDOWS } from "../../../protocol/shapes/trader.ts";
import { MIDNIGHT } from "../../../test/support/nouns.ts";
import { testClock } from "../../../test/support/steered-clock.ts";
import type { Store } from "../../store/store.ts";
import type { Outcome, Upstream } from "../../upstream/port.ts";
import { closedAfterEach } from "../test-support.ts";
import { scriptedUpstream } from "../test-upstream.ts";
import { ranksKeeper } from "./ranks.ts";

const { openStore } = closedAfterEach();
type Ranked = Awaited<ReturnType<Upstream["leaderboard"]>>;

async function keepingRanks(answer: (at: number) => Ranked, store?: Store, source = "here") {
  const kept = store ?? (await openStore());
  const time = { now: MIDNIGHT + 20 * MINUTE_MS };
  const clock: Clock = { ...testClock, now: () => time.now };
  const asked: string[] = [];
  const upstream: Upstream = {
    ...scriptedUpstream(),
    leaderboard: async (window, at) => {
      asked.push(`${window} ${((at ?? Number.NaN) - MIDNIGHT) / HOUR_MS}`);
      return answer(at ?? 0);
    },
  };
  const pages = createPace(testClock, 1_000);
  const keeper = ranksKeeper({ upstream, store: kept, clock, pages, source });
  const round = () => keeper.round(new AbortController().signal);
  return { store: kept, time, asked, round };
}

const found = (asOf: number, ...users: string[]): Ranked =>
  ({
    kind: "found",
    value: { asOf, rows: users.map((userId, index) => ({ userId, rank: index + 1 })) },
  }) as Outcome<never>;

test("each hour is kept once, with the one that boards are compared with now", async () => {
  const { store, time, asked, round } = await keepingRanks((at) => found(at, "a", "b"));
  await round();
  expect(asked).toEqual(["24h -1", "24h 0", "7d -24", "7d 0", "30d -24", "30d 0", "all -24", "all 0"]);
  expect(await store.pastRanks.find("7d", MIDNIGHT - DAY_MS)).toMatchObject({
    asOf: MIDNIGHT - DAY_MS,
    ranks: [
      ["a", 1],
      ["b", 2],
    ],
  });
  await round();
  expect(asked).toHaveLength(8);
  time.now += HOUR_MS;
  await round();
  expect(asked.slice(8)).toEqual(["24h 1", "7d -23", "7d 1", "30d -23", "30d 1", "all -23", "all 1"]);
  // After a day of it nothing of the past is asked for.
  for (let hour = 0; hour < 30; hour++) {
    time.now += HOUR_MS;
    await round();
  }
  asked.length = 0;
  time.now += HOUR_MS;
  await round();
  expect(asked).toEqual(PNL_WINDOWS.map((window) => `${window} 32`));
  expect((await store.pastRanks.hours("7d", 0)).length).toBeLessThanOrEqual(49);
});

test("an answer of another time is not kept as that hour's, and not asked for again", async () => {
  const now = MIDNIGHT + 20 * MINUTE_MS;
  const { store, asked, round } = await keepingRanks(() => found(now, "a"));
  await round();
  await round();
  expect(asked).toHaveLength(8);
  for (const window of PNL_WINDOWS) expect(await store.pastRanks.hours(window, 0)).toEqual([MIDNIGHT]);
  expect(await store.pastRanks.find("7d", MIDNIGHT)).toMatchObject({ asOf: now });
});

test("what is not answered is asked for again, and nobody ranked is no ranking", async () => {
  let answer: Ranked = { kind: "timedOut" };
  const { store, asked, round } = await keepingRanks(() => answer);
  // A round that failed is repeated soon, and it asked for all of them all the same.
  await expect(round()).rejects.toThrow("8 rankings");
  answer = found(MIDNIGHT);
  await round();
  expect(asked).toHaveLength(16);
  for (const window of PNL_WINDOWS) expect(await store.pastRanks.hours(window, 0)).toEqual([]);
});

test("another platform's people are not compared with these", async () => {
  const { store, round } = await keepingRanks((at) => found(at, "a"));
  await round();
  const other = await keepingRanks(() => ({ kind: "timedOut" }), store, "there");
  await expect(other.round()).rejects.toThrow("rankings");
  expect(await store.pastRanks.hours("7d", 0)).toEqual([]);
});
