// A swap that only the chain reported is a fill, a candle and a change of its position; a retraction undoes all of it.
import { expect, test } from "bun:test";
import { derivedUuid } from "../../kit/ids.ts";
import { eventually } from "../../test/support/eventually.ts";
import { appEvent, chainTrade, position } from "../../test/support/nouns.ts";
import { testClock } from "../../test/support/steered-clock.ts";
import { heldAmount } from "../model/position.ts";
import { applyFill, applyTrade } from "./apply-fill.ts";
import { captureOn, closedAfterEach } from "./test-support.ts";
import { scriptedUpstream } from "./test-upstream.ts";

const { openStore, cleanUps } = closedAfterEach();
/** The beginning of a minute, so that what follows within it is in the same candle. */
const now = Math.floor(testClock.now() / 60_000) * 60_000;
const trade = (index: number, change: Parameters<typeof chainTrade>[0] = {}) =>
  chainTrade({
    eventId: derivedUuid("chain", index),
    swapId: derivedUuid("swap", index),
    txHash: `tx-${index}`,
    userId: derivedUuid("user"),
    tradeId: derivedUuid("trade"),
    at: now - 60_000,
    usd: 100,
    amount: 50,
    wallet: "0x000000000000000000000000000000000000dead",
    ...change,
  });
const retraction = (of: string) => ({
  ...({
    feed: "chain",
    kind: "retract",
    eventId: derivedUuid("retract", of),
    at: now,
    networkId: 8453,
  } as const),
  retractedEventId: of,
  reason: "reorg",
});

test("fills and candles follow the chain, once, and go when it takes a trade back", async () => {
  const store = await openStore();
  const upstream = scriptedUpstream();
  const capture = captureOn(upstream, store);
  capture.start();
  cleanUps.push(() => capture.stop());
  const [kept, undone] = [trade(1), trade(2)];
  const derived = (count: number) =>
    eventually(() => capture.status().derivedSeq === count, `${count} events are derived`);
  upstream.put("chain", kept, undone);
  await derived(2);
  const { token, tradeId } = kept;
  const minute = { networkId: token.networkId, length: "1m", from: 0, to: now, limit: 9 } as const;
  const txHashes = async () =>
    (await store.fills.byTrade(tradeId, { limit: 9 })).rows.map((fill) => fill.txHash).sort();
  const trades = async () => (await store.candles.range(token.address, minute))[0]?.trades;
  expect(await txHashes()).toEqual(["tx-1", "tx-2"]);
  expect(await trades()).toBe(2);

  const { userId, txHash } = kept;
  upstream.put("app", appEvent({ userId, tradeId, token, txHash, fillUsd: 100, amount: 50, at: now }));
  await derived(3);
  expect(await trades()).toBe(2);

  const again = trade(3, { swapId: undone.swapId, txHash: "tx-moved", at: undone.at + 1_000 });
  upstream.put("chain", retraction(undone.eventId));
  await derived(4);
  expect(await txHashes()).toEqual(["tx-1"]);
  expect(await trades()).toBe(1);
  upstream.put("chain", again);
  await derived(5);
  expect(await txHashes()).toEqual(["tx-1", "tx-moved"]);
  expect(await trades()).toBe(2);
});

test("a trade that arrives after its own retraction counts for nothing", async () => {
  const store = await openStore();
  const upstream = scriptedUpstream();
  const capture = captureOn(upstream, store);
  cleanUps.push(() => capture.stop());
  const late = trade(4);
  upstream.put("chain", retraction(late.eventId), late);
  capture.start();
  await eventually(() => capture.status().derivedSeq === 2, "both are derived");
  expect((await store.fills.byTrade(late.tradeId, { limit: 9 })).rows).toEqual([]);
});

test("a position takes a swap of the chain once, at what its holding cost on average", () => {
  const held = position({ boughtAmount: 100, costBasisUsd: 100, priceUsd: 1, lastActivityAt: now - 90_000 });
  const sold = trade(5, { side: "sell", amount: 40, usd: 80, priceUsd: 2 });
  const times = { at: sold.at, capturedAt: now, knownAt: now - 90_000 };
  const first = applyTrade(held, sold, times);
  if (first.kind !== "applied") throw new Error(first.kind);
  expect(heldAmount(first.position)).toBeCloseTo(60, 9);
  // What the chain does not tell is not known: the fee, and with it what was taken.
  expect([first.position.realizedPnlUsd, first.position.feesUsd]).toEqual([null, null]);
  expect(first.position.unrealizedPnlUsd).toBeCloseTo(60, 9);
  expect(applyTrade(first.position, sold, times).kind).toBe("included");
  expect(applyTrade(held, sold, { ...times, knownAt: now }).kind).toBe("included");
  expect(applyTrade(held, sold, { ...times, knownAt: sold.at + 1 }).kind).toBe("doubtful");
  const charged = applyTrade(held, { ...sold, feeUsd: 1 }, times);
  expect(charged).toMatchObject({ position: { realizedPnlUsd: 39, feesUsd: 1, unrealizedPnlUsd: 60 } });
  // The platform knows the fee: its word on the gain stands.
  const shown = appEvent({
    kind: "sell",
    at: now,
    amount: 40,
    priceUsd: 2,
    fillUsd: 80,
    positionValueUsd: 120,
    realizedPnlUsd: 39,
    realizedPnlUsdDelta: 39,
  });
  const corrected = applyFill(first.position, shown, sold.at);
  expect(corrected).toMatchObject({
    kind: "applied",
    position: { realizedPnlUsd: 39, unrealizedPnlUsd: 60 },
  });
});
