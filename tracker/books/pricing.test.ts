// The source of a value is stored and published with it.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { derivedUuid } from "../../kit/ids.ts";
import type { WireAppItem } from "../../protocol/shapes/event.ts";
import { type BlockRead, type Flow, type FlowKind, type Leg, NATIVE } from "../chain.ts";
import { readItems } from "./feed-items.ts";
import { positionsOfTrader } from "./positions.ts";
import { CHAIN, openBooks, POOL, queries, ROSTER, STABLE, TOKEN_A } from "./test-story.ts";

const wallet = String(ROSTER[1]?.evm[0]);
const tokens = (count: number): Leg => ({ token: TOKEN_A, amountRaw: BigInt(count) * 10n ** 18n });
const dollars = (count: number): Leg => ({ token: STABLE, amountRaw: BigInt(count) * 10n ** 6n });
const ether = (count: number): Leg => ({ token: NATIVE, amountRaw: BigInt(count) * 10n ** 18n });

function read(height: number, kind: FlowKind, [sold, bought]: [Leg[], Leg[]], exact = true): BlockRead {
  const hash = `tx${height}`;
  const flow: Flow = {
    chainId: CHAIN,
    wallet,
    hash,
    index: 0,
    kind,
    sold,
    bought,
    feeRaw: 0n,
    counterparty: null,
    exact,
    swap: kind === "swap",
  };
  const at = { height, hash: `block${height}`, timeMs: height * 1_000 };
  const block = { chainId: CHAIN, parentHash: "", ...at };
  return { block, flows: [flow], pools: [] };
}

test("a fill reports what priced it, that pool's depth, when, and whether its amounts are exact", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-pricing-"));
  const { database, sink, close } = await openBooks(
    { file: join(folder, "tracker.sqlite") },
    (same) => same,
    {
      ...queries,
      balances: async (_, names) => names.map((token) => ({ token, amountRaw: 0n })),
    },
  );
  try {
    const byDollars = read(1, "swap", [[dollars(20)], [tokens(10)]]);
    const reserves = [dollars(60_000)];
    const traded = { pool: POOL, hash: "tx1", index: 0, in: dollars(20), out: tokens(10) };
    byDollars.pools.push({ ...traded, reserves, doubt: null });
    await sink.apply([byDollars], { name: "reader", value: "1" });
    await sink.apply([read(2, "swap", [[ether(1)], [tokens(5)]])], { name: "reader", value: "2" });
    await sink.apply([read(3, "transfer-out", [[tokens(1)], []])], { name: "reader", value: "3" });
    const positions = () => positionsOfTrader(database.read, derivedUuid("trader", "bob"));
    expect((await positions()).map(({ isExact }) => isExact)).toEqual([true]);
    await sink.apply([read(4, "swap", [[tokens(2)], [ether(1)]], false)], { name: "reader", value: "4" });
    expect((await positions()).map(({ isExact }) => isExact)).toEqual([false]);
    await sink.finalize(CHAIN, 9, { name: "reader", value: "5" });
    const { items } = await readItems<WireAppItem>(database.read, "app", 0, 10);
    expect(items.map(({ item }) => [item.kind, item.pricedBy, item.exact, item.fillMatch])).toEqual([
      ["buy", "stable", true, "onchain-exact"],
      ["buy", "native", true, "onchain-exact"],
      ["transfer", undefined, undefined, "onchain-exact"],
      ["sell", "native", false, "onchain"],
    ]);
    // Dollar coins are priced in their own block, the coin at its feed's last update.
    const [byStable, byCoin] = items.map(({ item }) => item.asOf);
    expect(byStable).toBe(1_000);
    expect(byCoin).toBeGreaterThan(1_000_000);
    const [sent] = await database.read.all<object>({
      text: "SELECT priced_by, depth_usd, price_as_of FROM tracker_move WHERE tx_hash = 'tx3'",
      values: [],
    });
    expect(sent).toEqual({ priced_by: "pool", depth_usd: 60_000, price_as_of: 1_000 });
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a surviving later trade that a lost block priced is valued again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-pricing-"));
  const { database, sink, close } = await openBooks({ file: join(folder, "tracker.sqlite") });
  const traded = (height: number, count: number) => {
    const one = read(height, "swap", [[dollars(count)], [tokens(10)]]);
    const pool = { pool: POOL, hash: `tx${height}`, index: 0, in: dollars(count), out: tokens(10) };
    one.pools.push({ ...pool, reserves: [dollars(60_000)], doubt: null });
    return one;
  };
  const valueSent = async () => {
    const query = "SELECT value_usd, price_as_of FROM tracker_move WHERE tx_hash = 'tx3'";
    const [sent] = await database.read.all<object>({ text: query, values: [] });
    return sent;
  };
  try {
    const lost = traded(2, 40);
    const steps = [traded(1, 20), lost, read(3, "transfer-out", [[tokens(1)], []])];
    for (const step of steps) await sink.apply([step], { name: "reader", value: step.block.hash });
    expect(await valueSent()).toEqual({ value_usd: 4, price_as_of: 2_000 });
    await sink.retract(CHAIN, [lost.block], { name: "reader", value: "retracted" });
    expect(await valueSent()).toEqual({ value_usd: 2, price_as_of: 1_000 });
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
});
