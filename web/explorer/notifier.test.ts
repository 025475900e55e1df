// When a visitor is notified: of each trade of those they follow, and of several of them in one token, once.
import { expect, test } from "bun:test";
import { createCrowd } from "../../contract/crowd.ts";
import type { TapeEvent } from "../shared/feed.ts";
import { readNotifyChoice } from "../shared/notify-choice.ts";
import { callOf, crowdCall, pushedCall } from "./notifier-calls.ts";

const MINUTE = 60_000;
const buy = (trader: string, minute: number, more = {}) =>
  ({
    alertType: "buy",
    trader,
    token: "BONK",
    tokenAddress: "0xa",
    chainId: 8453,
    ts: minute * MINUTE,
    seq: minute,
    tradeId: null,
    fillUsd: 250,
    text: null,
    ...more,
  }) as TapeEvent;

test("a crowd is different traders within ten minutes, and is notified once", () => {
  const crowd = createCrowd(3);
  expect([buy("a", 0), buy("a", 1), buy("b", 2)].map((event) => crowd.add(event))).toEqual([
    null,
    null,
    null,
  ]);
  // The first two are too old by now.
  expect(crowd.add(buy("c", 12))).toBeNull();
  const news = crowd.add(buy("d", 12));
  expect(news?.traders).toEqual(["b", "c", "d"]);
  expect(crowd.add(buy("e", 13))).toBeNull();
  expect(crowd.add(buy("f", 13, { alertType: "sell" }))).toBeNull();
  expect(crowd.add(buy("g", 13, { tokenAddress: "0xb" }))).toBeNull();
  for (const [trader, minute] of [
    ["a", 50],
    ["b", 51],
  ] as const)
    expect(crowd.add(buy(trader, minute))).toBeNull();
  expect(crowd.add(buy("c", 52))?.traders).toEqual(["a", "b", "c"]);
});

test("a notification says who did what and links to it; a platform push makes none", () => {
  expect(callOf(buy("ana", 1))).toEqual({
    title: "@ana bought BONK",
    body: "$250",
    href: "/tokens/0xa?networkId=8453",
    tag: "crowdtape 1",
  });
  expect(callOf(buy("ana", 1, { alertType: "sell", tradeId: "t1" }))?.href).toBe("/trades/t1");
  expect(callOf(buy("ana", 1, { alertType: "thesis", text: "x".repeat(900) }))?.body.length).toBe(200);
  expect(callOf(buy("ana", 1, { alertType: "push" }))).toBeNull();
  const traders = ["a", "b", "c", "d", "e", "f"];
  expect(crowdCall({ symbol: "BONK", address: "0xa", networkId: 1, count: 6, traders })).toMatchObject({
    title: "6 traders you follow bought BONK within 10 minutes",
    body: "@a, @b, @c, @d and 2 more",
  });
});

test("a server push has the same words, and many at once are one notification", () => {
  const alert = { ...buy("ana", 1), fillUsd: 250 };
  expect(pushedCall({ kind: "alert", alert })).toEqual(callOf(alert) as never);
  // With the tag of the notification that it retracts, so that a system replaces that one.
  expect(pushedCall({ kind: "gone", alert })).toEqual({
    title: "Taken back: @ana bought BONK",
    body: "The chain undid this trade.",
    href: "/following",
    tag: String(callOf(alert)?.tag),
  });
  expect(pushedCall({ kind: "many", count: 12, seq: 7 })).toMatchObject({
    title: "12 things happened",
    href: "/following",
    tag: "crowdtape 7",
  });
});

test("an invalid stored choice enables nothing", () => {
  const none = { each: false, crowd: 0, push: false, tokens: false };
  expect(readNotifyChoice('{"each":true,"crowd":5}')).toEqual({ ...none, each: true, crowd: 5 });
  expect(readNotifyChoice('{"push":true,"tokens":true}')).toEqual({ ...none, push: true, tokens: true });
  for (const text of ["", "null", "[]", '{"each":"yes","crowd":4}', '{"crowd":1e99}'])
    expect(readNotifyChoice(text)).toEqual(none);
});
