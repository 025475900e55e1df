import { expect, test } from "bun:test";
import { DEFAULT_CHAINS } from "../../contract/chains.ts";
import { Alert, Notification } from "../../contract/shapes/activity.ts";
import { AlertFrame, RetractFrame, TradeFrame } from "../../contract/shapes/frames.ts";
import { alertFrame, alertOf } from "../../contract/wire/alert.ts";
import { notificationOf } from "../../contract/wire/notification.ts";
import { retractFrame, tradeFrame } from "../../contract/wire/trade.ts";
import { eventMaker } from "../streams/test-events.ts";
import { entryOf } from "./entry.ts";
import { factsOf } from "./facts.ts";

const make = eventMaker("wire");
const placed = { seq: 48211, capturedAt: 1_773_500_966_535 };

test("every kind of event becomes the shape that the contract publishes", () => {
  for (let i = 0; i < 300; i++) {
    const app = { ...make.app(), ...placed };
    const push = { ...make.push(i % 2 === 0 ? {} : { token: null, userId: null, handle: null }), ...placed };
    const trade = { ...make.trade(), ...placed };
    for (const event of [app, push]) {
      Alert.parse(alertOf(event, DEFAULT_CHAINS));
      AlertFrame.parse(alertFrame(event, DEFAULT_CHAINS));
    }
    Notification.parse(notificationOf(push, DEFAULT_CHAINS));
    const sent = TradeFrame.parse(tradeFrame(trade, DEFAULT_CHAINS, i % 2 === 0));
    const taken = RetractFrame.parse(
      retractFrame({ ...make.retract(trade), ...placed }, trade, DEFAULT_CHAINS),
    );
    expect(taken.id).toBe(sent.id);
    expect(taken.eventId).toBe(sent.eventId);
  }
});

test("a push carries none of the ids", () => {
  const alert = alertOf({ ...make.push(), ...placed }, DEFAULT_CHAINS);
  expect(alert).toMatchObject({ eventId: null, userId: null, tradeId: null, swapId: null, transferId: null });
  expect(alert).toMatchObject({ source: "push", type: "push", id: `alrt_${alert.ts}_48211` });
});

test("usdValue is the position's value on a buy and the running profit on a sell; other kinds have no fill", () => {
  const buy = alertOf({ ...make.app({ kind: "buy", positionValueUsd: 70 }), ...placed }, DEFAULT_CHAINS);
  expect(buy.usdValue).toBe(70);
  expect("realizedPnlUsd" in buy).toBe(false);
  const sell = alertOf({ ...make.app({ kind: "sell", realizedPnlUsd: -9 }), ...placed }, DEFAULT_CHAINS);
  expect(sell.usdValue).toBe(-9);
  expect("fillUsd" in alertOf({ ...make.app({ kind: "thesis" }), ...placed }, DEFAULT_CHAINS)).toBe(false);
});

test("a retraction of an alert goes where the alert went, under its id, to every filter that the alert matched", () => {
  const alert = { ...make.app({ kind: "buy" }), ...placed };
  const trade = make.trade();
  const event = { ...make.retract(trade), ...placed, seq: 48212, retractedEventId: alert.eventId };
  const entry = entryOf(event, { chains: DEFAULT_CHAINS, earlier: alert, verified: false });
  expect([entry.stream, entry.facts]).toEqual(["alerts", factsOf(alert)]);
  const frame = RetractFrame.parse(JSON.parse(entry.text(false)));
  expect(frame).toMatchObject({ id: alertOf(alert, DEFAULT_CHAINS).id, eventId: alert.eventId });
});

test("a retraction whose trade is gone is named by the trade's eventId", () => {
  const trade = make.trade();
  const frame = retractFrame({ ...make.retract(trade), ...placed }, null, DEFAULT_CHAINS);
  expect(frame.id).toBe(trade.eventId);
});

test("a fill says what it traded twice over, when its block was made, and how it was matched", () => {
  const buy = make.app({ kind: "buy", fillUsd: 12 });
  const shown = alertOf({ ...buy, ...placed, execAt: null, fillMatch: null }, DEFAULT_CHAINS);
  expect(shown).toMatchObject({ tradeUsd: 12, execTs: null, fillMatch: "app" });
  const joined = { ...buy, ...placed, execAt: 1_773_500_000_000, fillMatch: "onchain-exact" as const };
  expect(alertOf(joined, DEFAULT_CHAINS)).toMatchObject({
    execTs: 1_773_500_000_000,
    fillMatch: "onchain-exact",
  });
});

test("a transfer and a perp say what they are about, and a perp names no token to look up", () => {
  const transfer = make.app({
    kind: "transfer",
    amount: 5,
    valueUsd: 9,
    direction: "in",
    counterparty: "0xrecipient",
  });
  expect(alertOf({ ...transfer, ...placed }, DEFAULT_CHAINS)).toMatchObject({
    direction: "in",
    amount: 5,
    valueUsd: 9,
    counterparty: "0xrecipient",
  });
  const perp = make.app({
    kind: "perp",
    market: "BTC",
    side: "long",
    action: "close",
    leverage: 5,
    sizeUsd: 100,
    realizedPnlUsd: -3,
  });
  const shown = alertOf({ ...perp, ...placed }, DEFAULT_CHAINS);
  expect(shown).toMatchObject({
    market: "BTC",
    side: "long",
    action: "close",
    leverage: 5,
    sizeUsd: 100,
    realizedPnlUsd: -3,
    tokenAddress: null,
  });
  expect("market" in alertOf({ ...make.app({ kind: "buy" }), ...placed }, DEFAULT_CHAINS)).toBe(false);
});

test("a trade's wallet is verified by our directory or not at all", () => {
  const trade = { ...make.trade(), ...placed };
  expect(tradeFrame(trade, DEFAULT_CHAINS, true).verified).toBe("db");
  expect(tradeFrame(trade, DEFAULT_CHAINS, false).verified).toBe(false);
});
