import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../database/migrate.ts";
import { openDatabase } from "../../database/open.ts";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { openAnswering } from "../answers/parts.ts";
import { holdingsOf } from "../answers/positions.ts";
import { BOOKS } from "../books/schema.ts";
import { CHAIN, money, openBooks, queriesNaming, ROSTER } from "../books/test-story.ts";
import type { Flow } from "../chain.ts";
import { createDirectory } from "../roster/directory.ts";
import { coinAt } from "./coins.ts";
import { createPriceEndpoint } from "./endpoint.ts";
import { quoteOf } from "./endpoint-quotes.ts";
import { createMoney } from "./money.ts";

const WRAPPED = "0x4200000000000000000000000000000000000006";

test("the deepest pair of each requested token counts, and malformed pairs don't", async () => {
  let body: unknown = [];
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json(body) });
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-prices-"));
  const database = await openDatabase({ file: join(folder, "tracker.sqlite") });
  await migrate(database, 1, BOOKS);
  const endpoint = createPriceEndpoint({
    url: `http://127.0.0.1:${server.port}`,
    chains: [{ chainId: 8453, slug: "base" }],
    database,
    money: createMoney([{ chainId: 8453, wrapped: WRAPPED, stables: [] }]),
    depthMinUsd: 500,
    clock: systemClock(),
    log: createLog("silent", () => 0),
    onQuotes() {},
  });
  const pair = (priceUsd: unknown, usd: number, address: string = WRAPPED) => ({
    baseToken: { address },
    priceUsd,
    liquidity: { usd },
  });
  const now = async () => (await coinAt(database.read, 8453, systemClock().now()))?.priceUsd;
  body = [pair("1", 5), pair("2000.5", 1e6), pair("0", 1e9), pair("NaN", 1e9), null, 5, { baseToken: 1 }];
  await endpoint.refresh();
  expect(await now()).toBe(2000.5);
  body = [pair("9", 1e9, "0x0000000000000000000000000000000000000bad")];
  await endpoint.refresh();
  body = "not a list";
  await endpoint.refresh();
  expect(await now()).toBe(2000.5);
  expect(await quoteOf(database.read, 8453, "0x0000000000000000000000000000000000000bad")).toBeNull();
  await server.stop(true);
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

test("an airdropped token that the endpoint prices is worth no more than the money in its pair", async () => {
  const TOKENS = { THIN: "c1", HUGE: "c2", SHARE: "c3", GIFT: "c4" } as const;
  const addressOf = (name: keyof typeof TOKENS) => `0x${TOKENS[name].repeat(20)}`;
  const names = new Map(
    (Object.keys(TOKENS) as (keyof typeof TOKENS)[]).map((name) => [addressOf(name), name]),
  );
  let pairs: unknown[] = [];
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json(pairs) });
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-quoted-"));
  const named = queriesNaming((token) => names.get(token) ?? "");
  const { database, sink, close } = await openBooks({ file: join(folder, "1.sqlite") }, undefined, named);
  const wallet = String(ROSTER[0]?.evm[0]);
  for (const [at, token] of [...names.keys()].entries()) {
    const block = { chainId: CHAIN, height: at + 1, hash: `block${at}`, parentHash: "", timeMs: 1_000 + at };
    const airdrop: Flow = {
      chainId: CHAIN,
      wallet,
      hash: `tx${at}`,
      index: 0,
      swap: false,
      kind: "transfer-in",
      sold: [],
      bought: [{ token, amountRaw: 1_000_000n * 10n ** 18n }],
      feeRaw: 0n,
      counterparty: null,
      exact: true,
    };
    await sink.apply([{ block, flows: [airdrop], pools: [] }], { name: "reader", value: String(at) });
  }
  const [clock, log] = [systemClock(), createLog("silent", () => 0)];
  const directory = createDirectory(database, clock, log);
  await directory.refresh();
  const answering = await openAnswering({ database, clock, directory, money, log });
  const endpoint = createPriceEndpoint({
    url: `http://127.0.0.1:${server.port}`,
    chains: [{ chainId: CHAIN, slug: "base" }],
    database,
    money,
    depthMinUsd: 500,
    clock,
    log,
    onQuotes: answering.quotes.forgetQuotes,
  });
  const pair = (name: keyof typeof TOKENS, price: number, liquidity: object) => ({
    baseToken: { address: addressOf(name) },
    priceUsd: String(price),
    liquidity,
  });
  const userId = String(directory.byHandle(String(ROSTER[0]?.handle))?.userId);
  const shown = async () =>
    (await holdingsOf(answering, userId)).map(({ position, valueUsd, quote }) => [
      position.of.known.symbol,
      valueUsd,
      quote?.depthUsd,
    ]);
  pairs = [
    pair("THIN", 0.0001, { usd: 1 }),
    pair("HUGE", 5, { usd: 40_000 }),
    // All but a dollar of it is the token itself.
    pair("SHARE", 0.0001, { usd: 1_001, base: 10_000_000, quote: 1 }),
    pair("GIFT", 0.0001, { usd: 2_000, base: 1_000_000, quote: 0.95 }),
  ];
  await endpoint.refresh();
  expect(await shown()).toEqual([["GIFT", 100, 1_900]]);
  // The pair's creator takes the money out again.
  pairs = [pair("GIFT", 0.0001, { usd: 1 })];
  await endpoint.refresh();
  expect(await shown()).toEqual([]);
  await server.stop(true);
  await close();
  rmSync(folder, { recursive: true, force: true });
});
