import { expect, test } from "bun:test";
import { appEvent, chainRetract, chainTrade, MIDNIGHT } from "../../test/support/nouns.ts";
import { createChainPlaces } from "./chain-places.ts";
import { derive } from "./derive.ts";

test("a swap that a re-org moved has its new block and that block's time, as upstream tells it", () => {
  const places = createChainPlaces();
  const first = chainTrade({ at: MIDNIGHT, block: 100, txHash: "undone" });
  const again = chainTrade({
    ...first,
    eventId: "again",
    at: MIDNIGHT + 5_000,
    block: 109,
    txHash: "stayed",
  });
  places.note(first);
  places.note(again);
  const shown = appEvent({ tradeId: first.tradeId, txHash: "stayed", at: MIDNIGHT + 15_000 });
  expect(places.find(shown)).toEqual({ swapId: first.swapId, block: 109, at: MIDNIGHT + 5_000 });
});

test("a swap whose block lost, and that no other block has yet, is nowhere, whether it arrives before or after its retraction", () => {
  const lost = chainTrade({ at: MIDNIGHT, block: 100 });
  const shown = appEvent({ tradeId: lost.tradeId, txHash: lost.txHash, at: MIDNIGHT + 15_000 });
  const undone = chainRetract({ retractedEventId: lost.eventId });
  const again = chainTrade({ ...lost, eventId: "again", at: MIDNIGHT + 5_000, block: 109 });
  for (const events of [
    [lost, undone],
    [undone, lost],
  ]) {
    const places = createChainPlaces();
    derive(events, places);
    expect(derive([shown], places).changes).toMatchObject([{ at: shown.at }]);
    expect([...derive([again], places).doubtful]).toEqual([lost.tradeId]);
  }
  const places = createChainPlaces();
  derive([lost, again, undone], places);
  expect(places.find(shown)).toMatchObject({ block: 109 });
});

test("a swap that stayed is where it was", () => {
  const places = createChainPlaces();
  const trade = chainTrade({ at: MIDNIGHT, block: 100 });
  places.note(trade);
  expect(places.find(appEvent({ tradeId: trade.tradeId, txHash: trade.txHash }))).toMatchObject({
    block: 100,
    at: MIDNIGHT,
  });
  expect(places.find(appEvent({ tradeId: trade.tradeId, txHash: "another" }))).toBeUndefined();
});

test("a swap that the app showed first is known as such when its chain tells of it, and no other is", () => {
  const places = createChainPlaces();
  const late = chainTrade({ txHash: "late" });
  const early = chainTrade({ txHash: "early" });
  expect(places.note(early)).toBe(false);
  for (const { tradeId, txHash } of [early, late]) places.find(appEvent({ tradeId, txHash }));
  expect(places.note(late)).toBe(true);
  expect(places.note(early)).toBe(false);
});

test("positions with such a swap are to be asked about, whichever batch has the two", () => {
  const places = createChainPlaces();
  const trade = chainTrade();
  const shown = appEvent({ kind: "sell", tradeId: trade.tradeId, txHash: trade.txHash });
  expect([...derive([shown], places).doubtful]).toEqual([]);
  expect([...derive([trade], places).doubtful]).toEqual([trade.tradeId]);
  expect([...derive([shown, trade], createChainPlaces()).doubtful]).toEqual([]);
});

test("a swap that the chain reported in the past has the block that the app says", () => {
  const shown = appEvent({ at: MIDNIGHT + 15_000, execAt: MIDNIGHT, block: 100 });
  const { fills, changes } = derive([shown], createChainPlaces());
  expect(fills).toMatchObject([{ at: MIDNIGHT, block: 100 }]);
  expect(changes).toMatchObject([{ at: MIDNIGHT }]);
  const silent = derive([{ ...shown, execAt: null }], createChainPlaces());
  expect(silent.changes).toMatchObject([{ at: MIDNIGHT + 15_000 }]);
});

test("what was read from the newest down is taken back by a retraction that was read before it, or with it", () => {
  const places = createChainPlaces();
  const [before, within] = [chainTrade({ eventId: "before" }), chainTrade({ eventId: "within" })];
  derive([chainRetract({ retractedEventId: before.eventId })], places);
  places.forgetTrades();
  const derived = derive([before, within, chainRetract({ retractedEventId: within.eventId })], places);
  expect(derived.fills).toEqual([]);
  expect(derived.retracted).toEqual([within]);
  places.forgetTrades();
  expect(places.trade(within.eventId)).toBeUndefined();
  expect(places.isRetracted(before.eventId)).toBe(true);
});
