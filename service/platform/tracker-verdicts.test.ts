// The operator's past and new verdicts reach the tracker's books, whichever was there first, and wherever it runs.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../database/migrate.ts";
import { openDatabase } from "../../database/open.ts";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { seededRandom } from "../../kit/random.ts";
import { TestLedger } from "../../test/chains/solana/ledger.ts";
import { TestMarket } from "../../test/chains/solana/market.ts";
import { TestNode } from "../../test/chains/solana/node.ts";
import { eventually } from "../../test/support/eventually.ts";
import { BOOKS } from "../../tracker/books/schema.ts";
import { readVerdicts } from "../../tracker/books/verdicts.ts";
import { SOLANA_CHAIN_ID } from "../../tracker/chain.ts";
import type { Tracker } from "../../tracker/open.ts";
import { importRoster } from "../../tracker/roster/roster.ts";
import { runTracker } from "../../tracker/server/run.ts";
import { servePrices, solanaSettings } from "../../tracker/test-tracker.ts";
import { CHAIN, SIMULATOR } from "../config.ts";
import { trackerLocation } from "../foundation.ts";
import type { TokenVerdict } from "../store/captured/verdicts.ts";
import type { Store } from "../store/store.ts";
import { followVerdicts } from "./tracker-verdicts.ts";

test("verdicts reach the tracker that this service runs, including withdrawn ones", async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), "crowdtape-verdicts-"));
  const base = { networkId: 8453, judgedBy: "operator", judgedAt: 0 };
  const said: TokenVerdict[] = [
    { ...base, address: "0xa", verdict: "fine" },
    { ...base, address: "0xa", verdict: null },
    { ...base, address: "0xb", verdict: "spam" },
  ];
  // One per page.
  const changedAfter = async (version: number) => {
    const rows = said.slice(version, version + 1);
    return { rows, version: version + rows.length, more: rows.length > 0 };
  };
  const store = { verdicts: { changedAfter } } as unknown as Pick<Store, "verdicts">;
  const kit = { clock: systemClock(), log: createLog("silent", () => 0) };
  const config = { databaseUrl: null, dataFolder };
  const closers: (() => Promise<void>)[] = [];
  const follow = (upstream: string) =>
    followVerdicts({ ...config, upstream, tracker: { secret: null } }, store, kit, (close) =>
      closers.push(close),
    );
  follow(SIMULATOR);
  // A third-party platform.
  follow("http://127.0.0.1:9");
  expect(closers).toEqual([]);
  follow(CHAIN);
  const books = await openDatabase(trackerLocation(config));
  const known = () => readVerdicts(books.read).catch(() => []);
  await eventually(async () => (await known())[0]?.token === "0xb", "all of them are there");
  expect(await known()).toEqual([{ chainId: 8453, token: "0xb", verdict: "spam" }]);
  for (const close of closers) await close();
  await books.close();
  rmSync(dataFolder, { recursive: true, force: true });
});

test("verdicts reach a separate tracker, by a shared secret, and then its replacement's books", async () => {
  const SECRET = "a-secret-of-some-length";
  const kit = {
    clock: systemClock(),
    log: createLog("silent", () => 0),
    random: seededRandom("verdicts"),
  };
  const ledger = new TestLedger(kit.clock.now);
  const market = await TestMarket.open(ledger);
  const bob = await market.addTrader();
  const pool = await market.addPool(10n ** 15n, 30n * 10n ** 9n);
  ledger.produce();
  ledger.finalize();
  const node = new TestNode(ledger);
  const prices = servePrices(["So11111111111111111111111111111111111111112"]);
  const folders = ["a", "b"].map(() => mkdtempSync(join(tmpdir(), "crowdtape-apart-")));

  /** The tracker of `crowdtape tracker serve`, with its own books. */
  const serve = async (dataFolder: string) => {
    const location = trackerLocation({ databaseUrl: null, dataFolder });
    const books = await openDatabase(location);
    await migrate(books, kit.clock.now(), BOOKS);
    await importRoster(
      books,
      [{ handle: "bob", displayName: "Bob", solana: [bob.address], evm: [] }],
      kit.clock.now(),
    );
    await books.close();
    const stopping = new AbortController();
    const served = Promise.withResolvers<{ url: string; tracker: Tracker }>();
    const ended = runTracker({
      ...kit,
      metrics: createMetrics(),
      location,
      chains: [solanaSettings(node, [pool.address])],
      pricesUrl: prices.url,
      historyDays: 0,
      depthMinUsd: 500,
      poolsMax: 0,
      host: "127.0.0.1",
      port: 0,
      wakeSecret: null,
      secret: SECRET,
      signal: stopping.signal,
      onListening: (url, tracker) => served.resolve({ url, tracker }),
    });
    const { url, tracker } = await served.promise;
    const stop = async () => {
      stopping.abort();
      await ended;
    };
    return { url, tracker, stop };
  };
  const get = async (url: string, path: string) => {
    const response = await fetch(`${url}${path}`);
    // biome-ignore lint/suspicious/noExplicitAny: read right below
    return (await response.json()) as any;
  };
  const holdings = async (url: string) => {
    const { userId } = await get(url, "/api/handles/bob");
    return (await get(url, `/api/users/${userId}/balances`)).holdings.map(
      ({ token, spam }: { token: { address: string }; spam?: boolean }) => [token.address, spam ?? false],
    );
  };

  const said: TokenVerdict[] = [];
  const changedAfter = async (version: number) => {
    const rows = said.slice(version);
    return { rows, version: version + rows.length, more: false };
  };
  const store = { verdicts: { changedAfter } } as unknown as Pick<Store, "verdicts">;
  const closers: (() => Promise<void>)[] = [];
  const follow = (upstream: string, secret: string) =>
    followVerdicts(
      { databaseUrl: null, dataFolder: "", upstream, tracker: { secret } },
      store,
      kit,
      (close) => closers.push(close),
    );
  const first = await serve(folders[0] ?? "");
  let behind = first.url;
  // The tracker's address as services know it.
  const front = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) =>
      fetch(`${behind}${new URL(request.url).pathname}`, {
        method: request.method,
        headers: request.headers,
        body: await request.text(),
      }),
    // While one tracker is stopped and the other is not up yet.
    error: () => new Response(null, { status: 502 }),
  });
  await eventually(() => first.tracker.status()[0]?.status.cursor !== null, "the tracker has begun");
  await market.buy(bob, pool, 10n ** 9n);
  ledger.produce();
  ledger.finalize();
  await eventually(async () => (await holdings(first.url)).length === 1, "the purchase is booked");
  expect(await holdings(first.url)).toEqual([[pool.mint, false]]);
  expect(await get(first.url, "/health")).toMatchObject({
    ok: true,
    traders: 1,
    chains: [{ chain: "solana", behindSeconds: expect.any(Number) }],
  });

  // Verdicts without the secret are refused.
  const send = (headers: Record<string, string>, body: unknown) =>
    fetch(`${first.url}/tracker/verdicts`, { method: "POST", headers, body: JSON.stringify(body) });
  const word = [{ chainId: SOLANA_CHAIN_ID, token: pool.mint, verdict: "spam" }];
  expect((await send({}, word)).status).toBe(401);
  expect((await send({ "x-tracker-secret": "another-secret-of-it" }, word)).status).toBe(401);
  for (const bad of [{}, [{ ...word[0], verdict: "maybe" }], [{ ...word[0], token: "x" }], [null]])
    expect((await send({ "x-tracker-secret": SECRET }, bad)).status).toBe(400);
  expect(await holdings(first.url)).toEqual([[pool.mint, false]]);

  said.push({
    address: pool.mint,
    networkId: SOLANA_CHAIN_ID,
    verdict: "spam",
    judgedBy: "operator",
    judgedAt: 0,
  });
  follow(front.url.origin, SECRET);
  await eventually(async () => (await holdings(first.url))[0]?.[1] === true, "it is spam there");

  // Another tracker takes its place: it gets the verdicts too, although there are no new ones.
  await first.stop();
  const second = await serve(folders[1] ?? "");
  behind = second.url;
  const books = await openDatabase(trackerLocation({ databaseUrl: null, dataFolder: folders[1] ?? "" }));
  const known = async () => (await readVerdicts(books.read)).map(({ token }) => token);
  await eventually(async () => (await known())[0] === pool.mint, "the other books have it too");
  for (const close of closers) await close();
  await front.stop(true);
  await books.close();
  await node.stop();
  await eventually(async () => (await get(second.url, "/health")).ok === false, "a chain can't be read");
  expect(await get(second.url, "/health")).toMatchObject({
    chains: [{ chain: "solana", reason: expect.any(String) }],
  });
  await second.stop();
  await prices.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test("a tracker whose books change their name each time is called only a few times per round", async () => {
  let calls = 0;
  const tracker = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => Response.json({ source: `books ${++calls}` }),
  });
  const rows: TokenVerdict[] = [
    { networkId: 8453, address: "0xa", verdict: "spam", judgedBy: "operator", judgedAt: 0 },
  ];
  const changedAfter = async () => ({ rows, version: 1, more: true });
  const rested = Promise.withResolvers<void>();
  const clock = {
    now: () => 0,
    // A round has ended; the next one never begins.
    sleep: (_: number, signal?: AbortSignal) => {
      rested.resolve();
      return new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
    },
  };
  const closers: (() => Promise<void>)[] = [];
  followVerdicts(
    { databaseUrl: null, dataFolder: "", upstream: tracker.url.origin, tracker: { secret: "a-secret" } },
    { verdicts: { changedAfter } } as unknown as Pick<Store, "verdicts">,
    { clock, log: createLog("silent", () => 0) },
    (close) => closers.push(close),
  );
  await rested.promise;
  expect(calls).toBe(3);
  for (const close of closers) await close();
  await tracker.stop(true);
});
