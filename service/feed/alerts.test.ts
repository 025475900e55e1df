// The alert page against the filter itself: whatever a filter asks, a walk over pages gives exactly the events that a
// socket with the same filter would get.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { DEFAULT_CHAINS } from "../../contract/chains.ts";
import { Fault } from "../../contract/errors.ts";
import { nextTurn } from "../../kit/turn.ts";
import { appEvent, tokenInfo } from "../../test/support/nouns.ts";
import type { LogEvent } from "../model/event.ts";
import type { LogQuery } from "../store/captured/log-page.ts";
import { eventMaker } from "../streams/test-events.ts";
import { startNode, type TestNode } from "../streams/test-support.ts";
import { readAlerts } from "./alerts.ts";
import { storeDirectory } from "./directory.ts";
import { factsOf } from "./facts.ts";
import { canonical, type FeedFilter, matches } from "./filter.ts";
import { filterFromQuery } from "./filter-input.ts";
import { resolveFilter } from "./resolve-filter.ts";

const EVENTS = 1_500;

async function withLog(work: (node: TestNode, log: LogEvent[]) => Promise<void>): Promise<void> {
  const node = await startNode();
  try {
    const log = await node.append([...eventMaker("alerts").many(EVENTS)]);
    await work(node, log);
  } finally {
    await node.close();
  }
}

const wanted = (filter: FeedFilter, log: readonly LogEvent[]) =>
  log.filter(
    (event) => event.kind !== "retract" && event.feed !== "chain" && matches(filter, factsOf(event)),
  );

async function walk(
  node: TestNode,
  filter: FeedFilter,
  order: "asc" | "desc",
  limit: number,
): Promise<number[]> {
  const seqs: number[] = [];
  let bounds: { before?: number; after?: number } = {};
  for (;;) {
    const page = await readAlerts(node.store.log, filter, { limit, order, ...bounds });
    seqs.push(...page.events.map((event) => event.seq));
    if (!page.hasMore) return seqs;
    const at = page.reached ?? page.events.at(-1)?.seq;
    if (at === undefined) throw new Error("a page with more to come must say where to continue");
    bounds = order === "desc" ? { before: at } : { after: at };
  }
}

test("a walk over pages finds exactly what a socket with the same filter gets, for any filter, in both orders", async () => {
  await withLog(async (node, log) => {
    const facts = log.flatMap((event) =>
      event.kind === "retract" || event.kind === "final" ? [] : [factsOf(event)],
    );
    const some = <T>(values: T[], maxLength = 3) =>
      fc.oneof(
        { weight: 2, arbitrary: fc.constant([] as T[]) },
        fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength }),
      );
    const chains = [...new Set(facts.flatMap(({ chainId }) => (chainId === null ? [] : [chainId])))];
    const filters = fc.record({
      traders: some(
        [...new Set(facts.flatMap((one) => one.traders)), "h:nobody"].filter(
          (form) => !form.startsWith("w:"),
        ),
      ),
      tokens: some([...new Set(facts.flatMap((one) => one.tokens)), "s:NOTHING"]),
      chains: some([...chains, 56]),
      types: some(["buy", "sell", "thesis", "perp", "transfer", "listing", "push"]),
      sources: some(["feed", "push"], 1),
      minUsd: fc.constantFrom(0, 0, 50, 5_000),
    });
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.constantFrom("asc" as const, "desc" as const),
        fc.integer({ min: 1, max: 100 }),
        async (given, order, limit) => {
          const filter = canonical(given);
          const expected = wanted(filter, log).map((event) => event.seq);
          if (order === "desc") expected.reverse();
          expect(await walk(node, filter, order, limit)).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });
}, 900_000);

test("what can match nothing is answered without a look at the log", async () => {
  let pages = 0;
  const log = {
    page: async () => {
      pages++;
      return { events: [], hasMore: false, reached: null };
    },
  };
  const filterOf = (query: Parameters<typeof filterFromQuery>[1]) => {
    const { userIds: _, ...filter } = filterFromQuery("alerts", query, DEFAULT_CHAINS);
    return filter;
  };
  for (const query of [
    { source: "push", type: "buy" },
    { source: "feed", type: "push" },
    { type: "thesis", minUsd: 10 },
    { source: "push", minUsd: 1 },
  ]) {
    const page = await readAlerts(log, filterOf(query), { limit: 10, order: "desc" });
    expect(page).toEqual({ events: [], hasMore: false, reached: null });
  }
  expect(pages).toBe(0);
});

test("a filter that matches nothing gives up after a bounded look and says where to continue", async () => {
  await withLog(async (node) => {
    let calls = 0;
    const log = {
      page: (query: Parameters<typeof node.store.log.page>[0]) => {
        calls++;
        return node.store.log.page({ ...query, limit: 10 });
      },
    };
    const filter = canonical({ traders: [], tokens: [], chains: [], types: [], sources: [], minUsd: 1e11 });
    const page = await readAlerts(log, filter, { limit: 10, order: "desc" });
    expect(page.events).toEqual([]);
    expect(page.hasMore).toBe(true);
    expect(page.reached).toBeGreaterThan(0);
    expect(calls).toBeLessThan(50);
  });
});

test("a handle is its owner's id, so one filter follows a renamed trader; trader and userId must agree", async () => {
  const directory = {
    userIdOf: async (handle: string) => (handle === "alice" ? ID : null),
    knownUserIds: async (ids: readonly string[]) => new Set(ids.filter((id) => id === ID)),
    knowsAddress: async () => true,
    knowsSymbol: async (symbol: string) => symbol === "WIF",
  };
  const resolved = (query: Parameters<typeof filterFromQuery>[1]) =>
    resolveFilter(filterFromQuery("alerts", query, DEFAULT_CHAINS), directory);
  expect((await resolved({ trader: "@Alice" })).filter.traders).toEqual([`u:${ID}`]);
  expect((await resolved({ userId: ID.toUpperCase() })).filter.traders).toEqual([`u:${ID}`]);
  expect((await resolved({ token: "$wif" })).filter.tokens).toEqual(["s:WIF"]);
  expect((await resolved({ trader: "bob", token: "nope,WIF" })).unknown).toEqual([
    { param: "trader", value: "bob" },
    { param: "token", value: "NOPE" },
  ]);
  expect((await resolved({ trader: "alice,bob", userId: ID })).filter.traders).toEqual([`u:${ID}`]);
  expect(resolved({ trader: "bob", userId: ID })).rejects.toBeInstanceOf(Fault);
});

const ID = "7c0f6a52-4b1e-5d7a-9f3e-2a6d81c4e5b0";

test("the directory knows a token that was listed and never traded, and nobody else", async () => {
  await withLog(async (node) => {
    const directory = storeDirectory(node.store);
    const listed = tokenInfo({ symbol: "Fresh" });
    await node.store.tokens.save([listed], 1);
    expect(await directory.knowsSymbol("FRESH")).toBe(true);
    expect(await directory.knowsAddress(listed.address)).toBe(true);
    expect(await directory.knowsSymbol("NEVERSEEN")).toBe(false);
    expect(await directory.userIdOf("neverseen")).toBeNull();
  });
});

/** A long log of one trader each, all of it newer than nothing: every run has as many rows as it is asked for. */
function endlessLog() {
  const asked: { rows: number }[] = [];
  const page = async ({ limit, before = 1_000_000 }: LogQuery) => {
    asked.push({ rows: limit });
    const events = Array.from({ length: limit }, (_, index) => ({
      ...appEvent(),
      fillUsd: 1,
      seq: before - 1 - index,
      capturedAt: 0,
    }));
    return { events: events as LogEvent[], hasMore: true, reached: null };
  };
  return { page, asked, rows: () => asked.reduce((sum, { rows }) => sum + rows, 0) };
}

const manyTraders = (count: number, minUsd: number): FeedFilter =>
  canonical({
    traders: Array.from({ length: count }, (_, index) => `u:${index}`),
    tokens: [],
    chains: [],
    types: [],
    sources: [],
    minUsd,
  });

test.each([1, 10, 190])(
  "a call of %p names that match nothing looks through a bounded number of rows",
  async (count) => {
    const log = endlessLog();
    const page = await readAlerts(log, manyTraders(count, 900_000_000), { limit: 100, order: "desc" });
    expect(log.rows()).toBeLessThanOrEqual(10_000);
    expect(page.events).toEqual([]);
    expect(page.hasMore).toBe(true);
    expect(page.reached).toBeGreaterThan(0);
  },
);

test("the work ends when its caller has gone", async () => {
  const log = endlessLog();
  const caller = new AbortController();
  const page: typeof log.page = (query) => {
    if (log.asked.length === 3) caller.abort();
    return log.page(query);
  };
  const walk = { limit: 100, order: "desc" } as const;
  expect(readAlerts({ page }, manyTraders(190, 900_000_000), walk, caller.signal)).rejects.toThrow("gone");
  while (log.asked.length < 4) await nextTurn();
  for (let turns = 0; turns < 20; turns++) await nextTurn();
  expect(log.asked).toHaveLength(4);
});
