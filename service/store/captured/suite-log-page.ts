// Pages of the log: the same answer as filtering the whole log by hand, for any filter, and never by scanning it.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { FeedEvent } from "../../../protocol/shapes/event.ts";
import {
  appEvent,
  BASE,
  chainTrade,
  MIDNIGHT,
  pushEvent,
  SOLANA,
  token,
} from "../../../test/support/nouns.ts";
import type { LogEvent } from "../../model/event.ts";
import { expectBounded, recording, type StoreBench, withStore } from "../suite-support.ts";
import { type LogQuery, readPage } from "./log-page.ts";

const USERS = ["user-a", "user-b", "user-c"];
const HANDLES = ["Ansem", "Cented", "Frank"];
const EVM = "0x6982508145454Ce325dDbE47a25d4ec3d2311933";
/** Another token with the same symbol. */
function namesake(n: number) {
  return token({ address: `0x${n.toString(16).padStart(40, "0")}`, networkId: BASE, symbol: "Pepe" });
}
const TOKENS = [
  token(),
  token({ address: EVM, networkId: BASE, symbol: "pepe" }),
  token({ address: EVM, networkId: 1, symbol: "PEPE" }),
  namesake(1),
];
const KINDS = ["buy", "sell", "thesis"] as const;

function world(size: number): FeedEvent[] {
  return Array.from({ length: size }, (_, n) => {
    const whose = { userId: USERS[n % 3] ?? null, handle: HANDLES[n % 3] ?? null };
    const at = MIDNIGHT + n * 1_000 - (n % 5) * 60_000;
    const traded = TOKENS[Math.floor(n / 3) % TOKENS.length] ?? null;
    if (n % 7 === 3 && traded) return chainTrade({ at, token: traded, userId: "user-a" });
    if (n % 11 === 5) {
      return pushEvent({ at, token: traded, notificationType: n % 2 === 0 ? "LARGE_BUY" : null });
    }
    return appEvent({ ...whose, at, token: traded, kind: KINDS[n % 4] ?? "listing" });
  });
}

/** The reference implementation in a few lines, without an index. */
function naive(log: LogEvent[], query: LogQuery): { events: LogEvent[]; hasMore: boolean } {
  const matches = log.filter((event) => {
    if (event.feed === "chain") return false;
    const { token: of } = event;
    return (
      (query.feed === undefined || event.feed === query.feed) &&
      (query.kinds === undefined || query.kinds.includes(event.kind)) &&
      (query.networkId === undefined || of?.networkId === query.networkId) &&
      (query.userId === undefined || event.userId === query.userId) &&
      (query.handle === undefined ||
        event.handle?.toLowerCase() === query.handle.toLowerCase().replace("@", "")) &&
      (query.tokenAddress === undefined || of?.address.toLowerCase() === query.tokenAddress.toLowerCase()) &&
      (query.tokenSymbol === undefined || of?.symbol.toUpperCase() === query.tokenSymbol.toUpperCase()) &&
      (query.notificationType === undefined ||
        (event.feed === "push" && event.notificationType === query.notificationType)) &&
      (query.since === undefined || event.at >= query.since || event.capturedAt >= query.since) &&
      (query.capturedBy === undefined || event.capturedAt <= query.capturedBy) &&
      (query.before === undefined || event.seq < query.before) &&
      (query.after === undefined || event.seq > query.after)
    );
  });
  if (query.order !== "asc") matches.reverse();
  return { events: matches.slice(0, query.limit), hasMore: matches.length > query.limit };
}

const optional = <T>(values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 });

export function logPageSuite(bench: StoreBench): void {
  describe("a page of the log", () => {
    test(
      "holds what filtering the whole log would, for any filter and any cursor",
      withStore(bench, async (store) => {
        const events = world(300);
        const log: LogEvent[] = [];
        for (let n = 0; n < events.length; n += 20) {
          const batch = { events: events.slice(n, n + 20), capturedAt: MIDNIGHT + n * 1_000 };
          log.push(...(await store.log.append(store.lease, batch)));
        }
        const times = Array.from({ length: 8 }, (_, n) => MIDNIGHT - 90_000 + n * 60_000);
        const query = fc.record({
          limit: fc.integer({ min: 1, max: 60 }),
          feed: optional(["app", "push"] as const satisfies ("app" | "push")[]),
          kinds: fc.option(fc.subarray([...KINDS, "listing", "push"], { minLength: 1 }), { nil: undefined }),
          networkId: optional([SOLANA, BASE, 56]),
          userId: optional([...USERS, "stranger"]),
          handle: optional(["ansem", "@CENTED", "stranger"]),
          tokenAddress: optional([EVM.toLowerCase(), token().address]),
          tokenSymbol: optional(["Pepe", "BONK"]),
          notificationType: optional(["LARGE_BUY"]),
          since: optional(times),
          capturedBy: optional(times),
          before: optional([1, 50, 200, 301]),
          after: optional([0, 100, 250, 300]),
          order: optional(["asc", "desc"] as const satisfies ("asc" | "desc")[]),
        });
        await fc.assert(
          fc.asyncProperty(query, async (generated) => {
            const asked = JSON.parse(JSON.stringify(generated)) as LogQuery;
            const page = await store.log.page(asked);
            const expected = naive(log, asked);
            expect(page.events.map((event) => event.seq)).toEqual(expected.events.map((event) => event.seq));
            expect(page.hasMore).toBe(expected.hasMore);
          }),
          { numRuns: 250 },
        );
      }),
    );

    test(
      "reads a bounded part of the log, says how far it got, and continues from there to every match",
      withStore(bench, async (store) => {
        const mine = { userId: "user-a", at: MIDNIGHT };
        const wanted = [1, 2_500, 7_000];
        for (let seq = 1; seq <= 8_000; ) {
          const events = Array.from({ length: 1_000 }, () =>
            appEvent({ ...mine, kind: wanted.includes(seq++) ? "thesis" : "buy" }),
          );
          await store.log.append(store.lease, { events, capturedAt: MIDNIGHT });
        }
        for (const order of ["asc", "desc"] as const) {
          const found: number[] = [];
          let bounds: Partial<LogQuery> = {};
          for (let pages = 0; ; pages++) {
            const { database, statements } = recording(store.database);
            const query: LogQuery = { limit: 10, userId: "user-a", kinds: ["thesis"], order, ...bounds };
            const page = await readPage(database.read, query);
            expect(statements.length).toBeLessThan(20);
            found.push(...page.events.map((event) => event.seq));
            if (!page.hasMore) break;
            expect(page.reached).not.toBeNull();
            expect(pages).toBeLessThan(4);
            bounds = order === "asc" ? { after: page.reached ?? 0 } : { before: page.reached ?? 0 };
          }
          expect(found).toEqual(order === "asc" ? wanted : wanted.toReversed());
        }
      }),
    );

    test(
      "of a symbol is full and takes the same few statements, for any number of tokens that share it",
      withStore(bench, async (store) => {
        const append = (events: FeedEvent[]) =>
          store.log.append(store.lease, { events, capturedAt: MIDNIGHT });
        const rare = await append(
          Array.from({ length: 12 }, () => appEvent({ at: MIDNIGHT, token: TOKENS[1] ?? null, kind: "buy" })),
        );
        await append(
          Array.from({ length: 1_500 }, (_, n) =>
            appEvent({ at: MIDNIGHT, token: namesake(n + 1), kind: "sell" }),
          ),
        );
        const { database, statements } = recording(store.database);
        const newest = await readPage(database.read, { limit: 100, tokenSymbol: "PEPE" });
        expect(newest.events.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, n) => 1_512 - n));
        const buys = await readPage(database.read, { limit: 10, tokenSymbol: "pepe", kinds: ["buy"] });
        expect(buys.events.map(({ seq }) => seq)).toEqual(
          rare
            .slice(-10)
            .map(({ seq }) => seq)
            .toReversed(),
        );
        expect(statements.length).toBeLessThan(20);
      }),
    );

    test(
      "never scans or sorts the log, whichever filters lead",
      withStore(bench, async (store) => {
        await store.log.append(store.lease, { events: world(50), capturedAt: MIDNIGHT });
        const { database, statements } = recording(store.database);
        const bounds = { since: MIDNIGHT, capturedBy: MIDNIGHT, before: 40 };
        const filters: [index: string, filter: Partial<LogQuery>][] = [
          ["PRIMARY KEY", {}],
          ["log_event_actor", { userId: "user-a", kinds: ["buy"], networkId: BASE }],
          ["log_event_actor", { handle: "ansem", tokenSymbol: "pepe" }],
          ["log_event_token", { tokenAddress: EVM, kinds: ["buy", "sell"] }],
          ["log_event_symbol", { tokenSymbol: "PEPE", networkId: 1 }],
          ["log_event_kind_network", { kinds: ["thesis"], networkId: BASE }],
          ["log_event_kind ", { kinds: ["thesis", "listing"] }],
          ["log_event_network", { networkId: BASE, feed: "app" }],
          ["log_event_notification", { feed: "push", notificationType: "LARGE_BUY" }],
        ];
        for (const [index, filter] of filters) {
          statements.length = 0;
          await readPage(database.read, { limit: 10, ...filter });
          await readPage(database.read, { limit: 10, ...filter, ...bounds });
          await readPage(database.read, { limit: 10, ...filter, after: 3 });
          for (const statement of statements) {
            const onTime = statement.text.includes("WHERE captured_at");
            const onName = statement.text.includes("log_alias");
            const byNumber = statement.text.includes("WHERE seq IN");
            const expected = onTime
              ? "log_event_captured"
              : onName
                ? "log_alias"
                : byNumber
                  ? "PRIMARY KEY"
                  : index;
            await expectBounded(store.database, statement, expected);
          }
        }
      }),
    );
  });
}
