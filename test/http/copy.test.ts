// What following would have earned, over the served interface: the bridge adds up, the leader is the one of /pnl, other
// terms move the figures the way they must, and a second replay asks the platform for no tape.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AnswerOf } from "../../contract/route.ts";
import type { Routes } from "../../contract/routes.ts";
import { type ServedService, START_MS_MAX, startServedService } from "../support/live-service.ts";
import { everyUser, still } from "./world.ts";

type Copy = AnswerOf<Routes["getCopy"]>;

let live: ServedService;
let busy: string[];

beforeAll(async () => {
  live = await startServedService({ traders: 300, historyDays: 3, eventsPerSecond: 0.3 });
  await still(live);
  busy = everyUser(live.platform)
    .sort((a, b) => b.swapCount - a.swapCount)
    .slice(0, 5)
    .map(({ handle }) => handle);
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);

const copyOf = async (handle: string, terms = ""): Promise<Copy> =>
  (await live.get("getCopy", `/v2/users/${handle}/copy?window=7d${terms}`)).body;

const cents = (usd: number) => Math.round(usd * 100);

describe("what following would have earned", () => {
  test("adds up to the cent, from the leader of /pnl to the follower", async () => {
    for (const handle of busy) {
      const { bridge, follower, leader, curve, ladder, terms } = await copyOf(handle);
      const { leaderUsd, skippedUsd, delayUsd, impactUsd, feesUsd, netUsd } = bridge;
      const sum = [leaderUsd, skippedUsd, delayUsd, impactUsd, feesUsd].map(cents).reduce((a, b) => a + b);
      expect([handle, sum]).toEqual([handle, cents(netUsd)]);
      expect(follower.pnlUsd).toBe(netUsd);
      expect(curve.at(-1)?.pnlUsd).toBe(netUsd);
      expect(ladder.find(({ delaySeconds }) => delaySeconds === terms.delaySeconds)?.pnlUsd).toBe(netUsd);
      const pnl = await live.get("getPnl", `/v2/users/${handle}/pnl?window=7d`);
      expect(leader.pnlUsd).toBe(pnl.body.pnlUsd);
    }
  });

  test("rests on the tape for nearly all of its orders", async () => {
    for (const handle of busy) {
      const { coverage, follower } = await copyOf(handle);
      expect(follower.orders).toBeGreaterThan(0);
      expect(coverage?.tape).toBeGreaterThan(0.95);
    }
  });

  test("falls with the bot's fee, and skips what can't be paid", async () => {
    const [handle = ""] = busy;
    const rich = "&capital=1000000";
    const nets = await Promise.all(
      [0, 100, 300].map(async (fee) => (await copyOf(handle, `${rich}&botFeeBps=${fee}`)).bridge.netUsd),
    );
    expect(nets).toEqual(nets.toSorted((a, b) => b - a));
    const poor = await copyOf(handle, "&capital=50");
    expect(poor.follower.orders).toBe(0);
    expect(poor.skipped.find(({ reason }) => reason === "capital")?.count).toBeGreaterThan(0);
  });

  test("says too few, as a miss with a note, of a trader with nothing to copy", async () => {
    const [handle = ""] = busy;
    const answer = await live.get("getCopy", `/v2/users/${handle}/copy?window=7d&capital=50`);
    expect(answer.body).toMatchObject({ verdict: "too_few", coverage: null, note: expect.any(String) });
    expect(answer.cost).toBe(250);
  });

  test("refuses wrong terms in a sentence that names them", async () => {
    for (const [term, value] of [
      ["delay", "3601"],
      ["size", "0"],
      ["exit", "later"],
      ["window", "all"],
    ]) {
      const { status, body } = await live.ask(`/v2/users/${busy[0]}/copy?${term}=${value}`);
      expect([status, (body as { param?: string }).param]).toEqual([400, term]);
    }
  });
});
