import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readFeedPage } from "./feeds.ts";
import { Malformed } from "./schema.ts";
import { fixedPlatform } from "./test-platform.ts";
import { wireBuy, wireChainTrade, wirePush } from "./test-samples.ts";

const platform = fixedPlatform();
platform.grow(20);
const pageAfter = (after: number, limit = 10) => platform.api.appFeed(after, limit);
const positions = (batch: ReturnType<typeof readFeedPage>) => batch.items.map((item) => item.position);

describe("a page of a feed", () => {
  test("becomes events in order", () => {
    const batch = readFeedPage(pageAfter(5, 3), "app", 5, 3);
    expect(positions(batch)).toEqual([6, 7, 8]);
    expect(batch.newest).toBe(20);
    expect(batch.items[0]).toMatchObject({ event: { feed: "app", kind: "buy", fillUsd: 12.5 } });
  });

  test.each(["userId", "handle", "token", "tradeId", "fillUsd", "amount", "priceUsd"])(
    "refuses a buy or sell without %s",
    (field) => {
      const page = pageAfter(0, 2);
      const [first, second] = page.items.map(({ position, item }, index) => ({
        position,
        item: index === 0 ? { ...item, [field]: null } : item,
      }));
      const { items } = readFeedPage({ ...page, items: [first, second] }, "app", 0, 2);
      expect(items.map((item) => "refused" in item)).toEqual([true, false]);
    },
  );

  test("doubled, shuffled and with old items among them, gives each item once and in order", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 19 }),
        fc.integer({ min: 1, max: 12 }),
        fc.infiniteStream(fc.nat()),
        fc.array(fc.nat(11), { maxLength: 3 }),
        (after, limit, order, forgotten) => {
          const page = pageAfter(after, limit);
          const kept = page.items.filter((_, index) => !forgotten.includes(index));
          const mixed = [...kept, ...pageAfter(0, after).items, ...kept]
            .map((item) => ({ item, key: order.next().value ?? 0 }))
            .sort((a, b) => a.key - b.key)
            .map(({ item }) => item);
          const decode = () => positions(readFeedPage({ ...page, items: mixed }, "app", after, limit));
          if (kept.length === 0) expect(decode).toThrow(Malformed);
          else expect(decode()).toEqual(kept.map((item) => item.position));
        },
      ),
    );
  });

  test("never gives what lies beyond its own newest position", () => {
    expect(positions(readFeedPage({ ...pageAfter(0), newest: 4 }, "app", 0, 10))).toEqual([1, 2, 3, 4]);
  });

  test("that begins later than the reader because older items are gone says so by its oldest", () => {
    const page = { ...pageAfter(9), oldest: 10 };
    const batch = readFeedPage(page, "app", 3, 10);
    expect(batch.oldest).toBe(10);
    expect(positions(batch)[0]).toBe(10);
  });

  test("that is empty is an answer only when nothing is newer", () => {
    expect(readFeedPage({ items: [], oldest: 1, newest: 20 }, "app", 20, 10).items).toEqual([]);
    expect(() => readFeedPage({ items: [], oldest: 1, newest: 20 }, "app", 19, 10)).toThrow(Malformed);
  });

  test("keeps the place of a bad item, with the reason and a short sample", () => {
    const items = [
      { position: 1, item: { ...wireBuy(0), fillUsd: "lots" } },
      { position: 2, item: wireBuy(1) },
      { position: 3, item: { ...wireBuy(2), text: 5, padding: "x".repeat(2_000) } },
      { position: 4, item: null },
    ];
    const batch = readFeedPage({ items, oldest: 1, newest: 4 }, "app", 0, 10);
    expect(positions(batch)).toEqual([1, 2, 3, 4]);
    expect(batch.items[0]).toMatchObject({ refused: { reason: "fillUsd" } });
    expect(batch.items[1]).toHaveProperty("event");
    expect(batch.items[2]).toMatchObject({
      refused: { reason: "text", sample: expect.stringMatching(/^.{512}$/) },
    });
    expect(batch.items[3]).toMatchObject({ refused: { sample: "null" } });
  });

  test("with an unreadable position is refused whole, because nothing can be placed", () => {
    const page = pageAfter(0, 2);
    expect(() =>
      readFeedPage({ ...page, items: [{ position: "1", item: wireBuy(0) }] }, "app", 0, 2),
    ).toThrow(Malformed);
  });
});

describe("chain items", () => {
  const decodeOne = (item: unknown) =>
    readFeedPage({ items: [{ position: 1, item }], oldest: 1, newest: 1 }, "chain", 0, 1).items[0];

  test("a trade takes its block's time and a retraction names what it takes back", () => {
    expect(decodeOne(wireChainTrade)).toMatchObject({
      event: { kind: "trade", usd: 300, finality: "confirmed" },
    });
    const retract = {
      kind: "retract",
      eventId: wirePush.eventId,
      retractedEventId: wireChainTrade.eventId,
      reason: "reorg",
      networkId: 8453,
      at: 5,
    };
    expect(decodeOne(retract)).toEqual({
      position: 1,
      event: { ...retract, feed: "chain", kind: "retract" },
    });
  });
});

describe("the raw copy of a push", () => {
  const rawOf = (item: unknown) => {
    const [first] = readFeedPage(
      { items: [{ position: 1, item }], oldest: 1, newest: 1 },
      "push",
      0,
      1,
    ).items;
    if (!first || !("event" in first) || first.event.feed !== "push") throw new Error("not a push");
    return first.event.raw;
  };

  test("is what came, without what could harm", () => {
    const hostile = JSON.parse(
      JSON.stringify({ ...wirePush, deep: { inner: { x: 1 } }, list: [1] }).replace(
        "{",
        '{"__proto__":{"a":1},',
      ),
    );
    expect(rawOf(hostile)).toEqual({ ...wirePush, token: { ...wirePush.token }, deep: {} });
  });

  test("never passes 8 KB, whatever came", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 200 }),
        fc.nat(4_000),
        (extra, size) => {
          const raw = rawOf({
            ...extra,
            ...wirePush,
            a: "é".repeat(size),
            b: "\u0001".repeat(size),
            c: "c".repeat(size),
          });
          expect(Buffer.byteLength(JSON.stringify(raw))).toBeLessThanOrEqual(8 * 1024);
        },
      ),
    );
  });
});
