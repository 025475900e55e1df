import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { derivedUuid } from "../../kit/ids.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import type { WireAppItem } from "../../protocol/shapes/event.ts";
import type { BlockRead, ChainQueries } from "../chain.ts";
import { readItems } from "./feed-items.ts";
import { readLedger } from "./ledger.ts";
import { CHAIN, money, openBooks, queries, ROSTER, STABLE, TOKEN_A } from "./test-story.ts";
import { countUnknowns } from "./unknowns.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-unknowns-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const wallet = String(ROSTER[1]?.evm[0]);
const userId = derivedUuid("trader", "bob");
const START_MS = 1_800_000_000_000;

/** Bob sells ten of the token for twenty dollars. */
const sale: BlockRead = {
  block: { chainId: CHAIN, height: 7, hash: "block7", parentHash: "", timeMs: 7_000 },
  flows: [
    {
      chainId: CHAIN,
      wallet,
      hash: "sale",
      index: 0,
      swap: true,
      kind: "swap",
      sold: [{ token: TOKEN_A, amountRaw: 10n * 10n ** 18n }],
      bought: [{ token: STABLE, amountRaw: 20n * 10n ** 6n }],
      feeRaw: 0n,
      counterparty: null,
      exact: true,
    },
  ],
  pools: [],
};

async function openAt(file: string, chain: ChainQueries) {
  let nowMs = START_MS;
  const books = await openBooks(
    { file: join(folder, file) },
    (database) => database,
    chain,
    () => nowMs,
  );
  return {
    ...books,
    /** One retry round, once it is due. */
    async settleAfter(ms: number) {
      nowMs += ms;
      await books.sink.settleUnknowns();
    },
    unknown: async () =>
      (await countUnknowns(books.database.read)).reduce((sum, { count }) => sum + count, 0),
    ledger: () => readLedger(books.database.read, userId, money),
  };
}

test("missing decimals are retried until a node answers, and the trade is published then", async () => {
  let isSilent = true;
  const chain: ChainQueries = {
    ...queries,
    tokens: async (tokens) => {
      const facts = await queries.tokens(tokens);
      return facts.map((fact) =>
        isSilent && fact.token === TOKEN_A ? { ...fact, decimals: null, isUnread: true } : fact,
      );
    },
  };
  const books = await openAt("facts.sqlite", chain);
  await books.sink.apply([sale], { name: "reader", value: "1" });
  await books.sink.finalize(CHAIN, 7, { name: "reader", value: "2" });
  const published = async () =>
    (await readItems<WireAppItem>(books.database.read, "app", 0, 10)).items.length;
  expect([await books.unknown(), await published()]).toEqual([1, 0]);
  expect((await books.ledger()).positions).toEqual([]);
  await books.settleAfter(2 * MINUTE_MS);
  expect(await books.unknown()).toBe(1);
  isSilent = false;
  // It was just retried; the next retry is not due yet.
  await books.settleAfter(1);
  expect(await books.unknown()).toBe(1);
  await books.settleAfter(10 * MINUTE_MS);
  expect([await books.unknown(), await published()]).toEqual([0, 1]);
  expect((await books.ledger()).positions.map(({ proceedsUsd }) => proceedsUsd)).toEqual([20]);
  await books.close();
});

test("an unknown opening balance is retried until a node answers, and is booked then", async () => {
  let isSilent = true;
  const chain: ChainQueries = {
    ...queries,
    balances: async (holder, tokens, height) => {
      if (isSilent) throw new Error("refused");
      expect([holder, height]).toEqual([wallet, 6]);
      return tokens.map((token) => ({ token, amountRaw: 25n * 10n ** 18n }));
    },
  };
  const books = await openAt("openings.sqlite", chain);
  await books.sink.apply([sale], { name: "reader", value: "1" });
  const held = async () => (await books.ledger()).positions.map(({ heldRaw, isExact }) => [heldRaw, isExact]);
  expect([await books.unknown(), await held()]).toEqual([1, [[0n, false]]]);
  isSilent = false;
  await books.settleAfter(2 * MINUTE_MS);
  expect([await books.unknown(), await held()]).toEqual([0, [[15n * 10n ** 18n, true]]]);
  await books.close();
});

test("an unknown from a lost block is not booked", async () => {
  let isSilent = true;
  const chain: ChainQueries = {
    ...queries,
    balances: async (...asked) => (isSilent ? [] : queries.balances(...asked)),
  };
  const books = await openAt("forks.sqlite", chain);
  await books.sink.apply([sale], { name: "reader", value: "1" });
  await books.sink.retract(CHAIN, [sale.block], { name: "reader", value: "2" });
  isSilent = false;
  await books.settleAfter(2 * MINUTE_MS);
  expect(await books.unknown()).toBe(0);
  expect((await books.ledger()).positions).toEqual([]);
  await books.close();
});

test("an opening balance that a re-org makes unknown again is asked for at the new height", async () => {
  let isSilent = true;
  const chain: ChainQueries = {
    ...queries,
    async balances(_holder, tokens, height) {
      if (isSilent) throw new Error("refused");
      expect(height).toBe(8);
      return tokens.map((token) => ({ token, amountRaw: 25n * 10n ** 18n }));
    },
  };
  const books = await openAt("forks-again.sqlite", chain);
  await books.sink.apply([sale], { name: "reader", value: "1" });
  await books.sink.retract(CHAIN, [sale.block], { name: "reader", value: "2" });
  const block = { ...sale.block, height: 9, hash: "block9", timeMs: 9_000 };
  await books.sink.apply([{ ...sale, block }], { name: "reader", value: "3" });
  expect(await books.unknown()).toBe(1);
  isSilent = false;
  await books.settleAfter(2 * MINUTE_MS);
  expect(await books.unknown()).toBe(0);
  const held = (await books.ledger()).positions.map(({ heldRaw, isExact }) => [heldRaw, isExact]);
  expect(held).toEqual([[15n * 10n ** 18n, true]]);
  await books.close();
});

/** Sold again, in a block that survives when the first is lost. */
const later: BlockRead = {
  ...sale,
  block: { ...sale.block, height: 9, hash: "block9", timeMs: 9_000 },
  flows: sale.flows.map((flow) => ({ ...flow, hash: "later" })),
};

/** A wallet that held 25 before all of this; the node answers only while it talks, and only at these heights. */
const holding = (node: { talks: boolean }, heights: readonly (number | null)[]): ChainQueries => ({
  ...queries,
  async balances(_holder, tokens, height) {
    if (!node.talks) throw new Error("refused");
    expect(heights).toContain(height);
    return tokens.map((token) => ({ token, amountRaw: 25n * 10n ** 18n }));
  },
});

test("an opening balance is kept when its first move is lost and a later one survives", async () => {
  const books = await openAt("stays.sqlite", holding({ talks: true }, [6, 7]));
  for (const read of [sale, later]) await books.sink.apply([read], { name: "reader", value: "1" });
  const held = async () => (await books.ledger()).positions.map(({ heldRaw, isExact }) => [heldRaw, isExact]);
  expect(await held()).toEqual([[5n * 10n ** 18n, true]]);
  await books.sink.retract(CHAIN, [sale.block], { name: "reader", value: "2" });
  expect([await books.unknown(), await held()]).toEqual([0, [[15n * 10n ** 18n, true]]]);
  // The same sale, in the winning block.
  const block = { ...sale.block, height: 8, hash: "block8", timeMs: 8_000 };
  await books.sink.apply([{ ...sale, block }], { name: "reader", value: "3" });
  expect([await books.unknown(), await held()]).toEqual([0, [[5n * 10n ** 18n, true]]]);
  await books.close();
});

test("an unknown opening balance is asked for before the surviving move", async () => {
  const node = { talks: false };
  const books = await openAt("stays-unknown.sqlite", holding(node, [8]));
  for (const read of [sale, later]) await books.sink.apply([read], { name: "reader", value: "1" });
  await books.sink.retract(CHAIN, [sale.block], { name: "reader", value: "2" });
  expect(await books.unknown()).toBe(1);
  node.talks = true;
  await books.settleAfter(2 * MINUTE_MS);
  const held = (await books.ledger()).positions.map(({ heldRaw, isExact }) => [heldRaw, isExact]);
  expect([await books.unknown(), held]).toEqual([0, [[15n * 10n ** 18n, true]]]);
  await books.close();
});
