// A node with nothing from before its first block, because it started from a snapshot or prunes old blocks, does not undo
// earlier reads: it leaves those blocks out just as it leaves out lost ones.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../../test/support/eventually.ts";
import { FORGOTTEN_SLOTS, LISTED_SLOTS_MAX } from "./limits.ts";
import { makeWorld, type World } from "./test-world.ts";

// A limit for a machine that is busy with other tests, not a benchmark.
setDefaultTimeout(180_000);

const SOL = 10n ** 9n;
/** Enough calls for several passes. */
const LOOKS_CALLS = 60;

let world: World;
afterEach(() => world.close());

/** A reader that stored a trade when it was confirmed, and was down while it became final. */
async function awayFor(slots: number, listedWalletsMax?: number): Promise<{ tradedAt: number }> {
  world = await makeWorld(listedWalletsMax === undefined ? {} : { listedWalletsMax });
  const { market, pool, traders, sink, ledger } = world;
  await market.buy(traders[0] as World["traders"][0], pool, SOL);
  const { slot: tradedAt } = ledger.produce();
  ledger.confirm();
  await eventually(() => sink.flows({ finalOnly: false }).length === 1, "the trade is read");
  await world.reader.stop();
  ledger.skip(slots);
  ledger.produce();
  ledger.produce();
  ledger.finalize();
  return { tradedAt };
}

for (const [how, listedWalletsMax] of [
  ["wallet by wallet", undefined],
  ["by blocks", 0],
] as const) {
  test(`a trade read ${how} is not undone by a node that began after it, and is final once one knows it`, async () => {
    const { tradedAt } = await awayFor(3, listedWalletsMax);
    const { node, sink } = world;
    node.view.beganAtSlot = tradedAt + 1;
    await world.restart();
    const calls = node.calls.length;
    await eventually(() => node.calls.length > calls + LOOKS_CALLS, "the reader looked several times");
    expect([sink.retractions, sink.flows({ finalOnly: false }).length, sink.flows().length]).toEqual([
      0, 1, 0,
    ]);
    node.view.beganAtSlot = 0;
    await world.caughtUp();
    expect([sink.retractions, sink.flows().length]).toEqual([0, 1]);
  });

  test(`a trade read ${how} that no node knows of any more is final after so long, and that is said`, async () => {
    const { tradedAt } = await awayFor(Math.max(FORGOTTEN_SLOTS, LISTED_SLOTS_MAX) + 1, listedWalletsMax);
    const { node, sink, logged } = world;
    node.view.beganAtSlot = tradedAt + 1;
    await world.restart();
    await eventually(() => sink.flows().length === 1, "the trade is final");
    expect(sink.retractions).toBe(0);
    const said = (line: string) => line.includes("treating them as final") && line.includes(String(tradedAt));
    expect(logged.some(said)).toBe(true);
  });

  test(`blocks that were never read ${how} and that the node does not have any more are reported, and reading continues`, async () => {
    world = await makeWorld(listedWalletsMax === undefined ? {} : { listedWalletsMax });
    const { market, pool, traders, sink, ledger, node, logged } = world;
    const trader = traders[0] as World["traders"][0];
    await market.buy(trader, pool, SOL);
    ledger.produce();
    ledger.finalize();
    await world.caughtUp();
    const before = sink.flows().length;
    await world.reader.stop();
    await market.buy(trader, pool, SOL);
    const { slot: unread } = ledger.produce();
    ledger.produce();
    ledger.finalize();
    node.view.beganAtSlot = unread + 1;
    await world.restart();
    const isGap = (line: string) =>
      line.includes("blocks from before it began") && line.includes(`"to":${unread}`);
    await eventually(() => logged.some(isGap), "the gap is logged");
    await market.buy(trader, pool, SOL);
    ledger.produce();
    ledger.finalize();
    await eventually(() => sink.flows().length === before + 1, "what comes after the gap is read");
    await world.restart();
    await eventually(
      () => node.calls.filter((call) => call === "getFirstAvailableBlock").length > 1,
      "a new start looks again",
    );
    expect(logged.filter(isGap)).toHaveLength(1);
  });
}
