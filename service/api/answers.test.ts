// Answers that depend on timing: pending wallets, a trade that the app has not shown, one list for every limit.

import { expect, test } from "bun:test";
import { DEFAULT_CHAINS } from "../../contract/chains.ts";
import { Fault } from "../../contract/errors.ts";
import type { CacheRule } from "../../contract/route.ts";
import { manualClock } from "../../kit/clock.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import { chainTrade, MIDNIGHT, trader } from "../../test/support/nouns.ts";
import type { Call } from "../upstream/port.ts";
import type { RouteCall } from "./answer.ts";
import { createByteCache } from "./byte-cache.ts";
import { compressible } from "./compress.ts";
import { createLabels } from "./present/labels.ts";
import { createBooksReader } from "./profit/books-reader.ts";
import { traderRoutes } from "./routes/traders.ts";
import { tradeRoutes } from "./routes/trades.ts";
import { createSharedLists, type SharedList } from "./shared-lists.ts";

const CALL = { requestId: "r", delayMs: 0, deadlineMs: 1_000 } as RouteCall;
const labels = createLabels(DEFAULT_CHAINS, () => "https://tape.example");
const notFound = async () => ({ kind: "notFound" }) as const;

test("a new trader whose wallets are being resolved is a free 409; an old one is shown without them, for free", async () => {
  const clock = manualClock(MIDNIGHT);
  const wallets = { ...trader().wallets, status: "resolving" as const, solana: null, evm: null };
  const answer = (ageMs: number) => {
    const fresh = trader({ wallets, createdAt: MIDNIGHT - ageMs });
    const upstream = { traderById: async () => ({ kind: "found", value: fresh }) };
    const profits = { books: { read: async () => ({ isLive: false }) } };
    const routes = traderRoutes({ upstream, profits, labels, clock } as never, undefined as never);
    return routes.getTraderById({ params: { userId: fresh.userId } } as never, CALL);
  };
  expect(await answer(MINUTE_MS).catch((error) => error)).toMatchObject({
    code: "resolving",
    status: 409,
  });
  const shown = await answer(25 * MINUTE_MS);
  expect([shown.free, shown.body.wallets.status, shown.body.wallets.solana]).toEqual([
    true,
    "resolving",
    null,
  ]);
});

test("a trade that the chain just reported and the app has not shown is a free 409 with a retry time", async () => {
  const clock = manualClock(MIDNIGHT);
  const onChain = { ...chainTrade(), seq: 7, capturedAt: MIDNIGHT };
  const store = {
    positions: { byId: async () => null },
    log: { head: async () => ({ seq: 7 }), readAfter: async () => [onChain] },
  };
  const upstream = { trade: notFound };
  const { getTrade } = tradeRoutes({ upstream, store, chains: DEFAULT_CHAINS, labels, clock } as never);
  const ask = (tradeId: string): Promise<Fault> =>
    getTrade({ params: { tradeId }, query: {} } as never, CALL).catch((error) => error);
  const early = await ask(onChain.tradeId);
  expect(early).toBeInstanceOf(Fault);
  expect([early.code, early.status, early.details.retryAfterSeconds]).toEqual(["not_shown_yet", 409, 5]);
  expect((await ask("another")).code).toBe("not_found");
  await clock.advance(3 * MINUTE_MS);
  expect((await ask(onChain.tradeId)).code).toBe("not_found");
});

test("a list is read once for all callers while it is fresh, and no slice of it outlives it", async () => {
  const clock = manualClock(MIDNIGHT);
  let reads = 0;
  const read = async (): Promise<SharedList<number>> => ({
    value: ++reads,
    capturedAt: clock.now(),
    isLive: true,
  });
  const lists = createSharedLists<"a", number>(clock, 30_000, read);
  const [one, two] = await Promise.all([lists.read("a", CALL), lists.read("a", CALL)]);
  expect([one.list.value, two.list.value, reads]).toEqual([1, 1, 1]);
  await clock.advance(20_000);
  expect(await lists.read("a", CALL)).toMatchObject({ list: { value: 1 }, freshSeconds: 10 });
  await clock.advance(10_000);
  expect(await lists.read("a", CALL)).toMatchObject({ list: { value: 2 }, freshSeconds: 30 });
});

test("a list whose read was aborted, because all callers disconnected, is not cached", async () => {
  const clock = manualClock(MIDNIGHT);
  const read = (_name: "a", { signal }: { signal?: AbortSignal }): Promise<SharedList<string>> => {
    const list = (value: string, isLive: boolean) => ({ value, capturedAt: clock.now(), isLive });
    return new Promise((resolve) => {
      signal?.addEventListener("abort", () => resolve(list("stand-in", false)));
      setImmediate(() => resolve(list("live", true)));
    });
  };
  const lists = createSharedLists<"a", string>(clock, 30_000, read);
  const hasty = new AbortController();
  const cut = lists.read("a", { ...CALL, signal: hasty.signal });
  hasty.abort();
  expect((await cut).list.value).toBe("stand-in");
  expect((await lists.read("a", CALL)).list.value).toBe("live");
});

test("books that several callers wait for are the live ones, although the first caller disconnected", async () => {
  const letGo = Promise.withResolvers<void>();
  const upstream = {
    books: (_userId: string, asOf: number, { signal }: Call) =>
      new Promise((resolve) => {
        signal?.addEventListener("abort", () => resolve({ kind: "timedOut" }));
        void letGo.promise.then(() => resolve({ kind: "found", value: { asOf, rows: [] } }));
      }),
  };
  const store = { captures: { find: () => Promise.reject(new Error("captured ones were asked for")) } };
  const books = createBooksReader({ upstream, store } as never);
  const [first, second] = [new AbortController(), new AbortController()];
  const read = ({ signal }: AbortController) =>
    books.read({ userId: "u", handle: "h" }, MIDNIGHT, { deadlineMs: 1_000, signal });
  const asked = [read(first), read(second)];
  first.abort();
  letGo.resolve();
  expect((await Promise.all(asked)).map(({ isLive }) => isLive)).toEqual([true, true]);
});

test("a stale answer is refreshed to the end, although the caller who got it disconnected", async () => {
  const clock = manualClock(MIDNIGHT);
  const cache = createByteCache(clock, () => undefined);
  const rule = { kind: "shared", freshSeconds: 1, staleSeconds: 60 } as CacheRule;
  const signals: AbortSignal[] = [];
  const read = async (caller: AbortController) => {
    const { bytes } = await cache.read("k", rule, async (signal) => ({ body: signals.push(signal) }), caller);
    return new TextDecoder().decode(bytes);
  };
  expect(await read(new AbortController())).toBe("1");
  await clock.advance(2_000);
  const leaving = new AbortController();
  expect(await read(leaving)).toBe("1");
  leaving.abort();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  expect(await read(new AbortController())).toBe("2");
});

test("a fixed document is sent compressed to clients that accept it, with a Vary header", async () => {
  const text = "crowdtape ".repeat(1_000);
  let made = 0;
  const send = compressible(async () => {
    made++;
    return text;
  });
  const ask = (encoding: string) =>
    send(new Request("http://here/", { headers: { "accept-encoding": encoding } }), { "x-own": "1" });
  const [packed] = await Promise.all([ask("br, gzip"), ask("gzip")]);
  expect([packed.headers.get("content-encoding"), packed.headers.get("vary")]).toEqual([
    "gzip",
    "accept-encoding",
  ]);
  const bytes = new Uint8Array(await packed.arrayBuffer());
  expect(bytes.length).toBeLessThan(text.length / 10);
  expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(text);
  for (const encoding of ["identity", "gzip;q=0"]) {
    const plain = await ask(encoding);
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await plain.text()).toBe(text);
  }
  expect(made).toBe(1);
});
