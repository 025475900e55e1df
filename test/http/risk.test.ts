// Is it bait? Counts next to other traders' rates, which are computed in the background.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AnswerOf } from "../../contract/route.ts";
import type { Routes } from "../../contract/routes.ts";
import { eventually } from "../support/eventually.ts";
import { type ServedService, START_MS_MAX, startServedService } from "../support/live-service.ts";
import { everyUser, still } from "./world.ts";

type Risk = AnswerOf<Routes["getRisk"]>;

let live: ServedService;
let handles: string[];
/** The very first answer. */
let first: Risk;

beforeAll(async () => {
  live = await startServedService({
    traders: 50,
    historyDays: 1,
    eventsPerSecond: 0.01,
    historyEventsPerSecond: 0.01,
  });
  await live.caughtUp();
  await still(live);
  handles = everyUser(live.platform)
    .sort((a, b) => b.swapCount - a.swapCount)
    .map(({ handle }) => handle);
  first = await riskOf(handles[0] as string);
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);

const riskOf = async (handle: string): Promise<Risk> =>
  (await live.get("getRisk", `/v2/users/${handle}/risk`)).body;

const countsOf = ({ counts }: Risk) => Object.values(counts).filter((count) => count !== null);

describe("risk", () => {
  test("counts before other traders' rates are known, and says so", () => {
    expect(first).toMatchObject({ base: null, note: expect.stringContaining("worked out") });
    expect(first.counts.quickDump.n).toBeGreaterThan(0);
    expect(first.counts.soldIntoFollowers.n).toBeGreaterThan(0);
    for (const { rateOfAll, flagged } of countsOf(first)) expect([rateOfAll, flagged]).toEqual([null, null]);
  });

  test(
    "is compared with others as soon as their rates are known",
    async () => {
      // Each trader once, the quiet ones first: an answer is cached for a while.
      const left = handles.slice(1);
      let answer = await riskOf(left.pop() as string);
      await eventually(async () => {
        await Bun.sleep(50);
        answer = await riskOf(left.pop() as string);
        return answer.base !== null;
      }, "the rates of others are known");
      if (answer.base === null) throw new Error("no base");
      expect(answer.base.traders).toBeGreaterThan(10);
      for (const { x, n, rate, rateOfAll, low90, high90, flagged, evidence } of countsOf(answer)) {
        expect(rate).toBe(n === 0 ? null : x / n);
        expect(flagged).toBe(low90 === null || rateOfAll === null ? null : low90 > rateOfAll);
        if (rate !== null) {
          expect(low90).toBeLessThanOrEqual(rate);
          expect(high90).toBeGreaterThanOrEqual(rate);
        }
        expect(evidence.length).toBeLessThanOrEqual(10);
      }
    },
    START_MS_MAX,
  );

  test("says what the platform can't know, and why", async () => {
    const { counts, unknown } = await riskOf(handles[0] as string);
    const missing = Object.entries(counts).flatMap(([name, count]) => (count === null ? [name] : []));
    expect(unknown.map(({ count }): string => count)).toEqual(missing);
    for (const { reason } of unknown) expect(reason).toEndWith(".");
  });

  test("counts the trader's own transactions", async () => {
    const [handle = ""] = handles;
    const { counts } = await riskOf(handle);
    const own = new Set<string>();
    const { body } = await live.get("getPnlProof", `/v2/users/${handle}/pnl/proof?window=all`);
    for (const { moves } of body.positions) for (const { txHash } of moves) if (txHash) own.add(txHash);
    for (const hash of counts.soldIntoFollowers.evidence) expect(own).toContain(hash);
  });

  test("costs 250, and nothing for a trader who does not exist", async () => {
    expect((await live.ask(`/v2/users/${handles.at(-1)}/risk`)).status).toBe(200);
    const { status } = await live.ask("/v2/users/nobody_at_all/risk");
    expect(status).toBe(404);
    expect((await live.ask(`/v2/users/${handles[0]}/risk?window=7d`)).status).toBe(400);
  });
});
