// A trade is retracted when nothing prices it any more, and published again when something does.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../kit/clock.ts";
import type { WireAppItem, WireChainItem } from "../../protocol/shapes/event.ts";
import type { BlockRead, Flow, Leg } from "../chain.ts";
import { readItems } from "./feed-items.ts";
import { CHAIN, openBooks, POOL, queries, ROSTER, STABLE, TOKEN_A, TOKEN_B } from "./test-story.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-taken-back-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [wallet = "", other = ""] = ROSTER[0]?.evm ?? [];
const tokens = (count: number): Leg => ({ token: TOKEN_A, amountRaw: BigInt(count) * 10n ** 18n });
const dollars = (count: number): Leg => ({ token: STABLE, amountRaw: BigInt(count) * 10n ** 6n });
const others: Leg = { token: TOKEN_B, amountRaw: 5_000_000n };

function swap(height: number, sold: Leg, bought: Leg, change: Partial<Flow> = {}): BlockRead {
  const shared = { chainId: CHAIN, hash: `tx${height}`, index: 0 };
  const flow: Flow = {
    ...shared,
    wallet,
    swap: true,
    kind: "swap",
    sold: [sold],
    bought: [bought],
    feeRaw: 0n,
    counterparty: null,
    exact: true,
    ...change,
  };
  const block = { chainId: CHAIN, height, hash: `block${height}`, parentHash: "", timeMs: height * 1_000 };
  const pool = { ...shared, pool: POOL, in: sold, out: bought, reserves: [dollars(60_000)], doubt: null };
  return { block, flows: [flow], pools: sold.token === STABLE ? [pool] : [] };
}

let files = 0;

async function open() {
  files += 1;
  const { database, sink, close } = await openBooks(
    { file: join(folder, `${files}.sqlite`) },
    (same) => same,
    queries,
    systemClock().now,
    () => {},
    "confirmed",
  );
  const cursor = { name: "reader", value: "somewhere" };
  const standing = async (feed: "app" | "chain") => {
    const said = new Map<string, string>();
    const reasons: string[] = [];
    const { items } = await readItems<WireAppItem | WireChainItem>(database.read, feed, 0, 100);
    for (const { item } of items)
      if (item.kind === "retract") {
        expect(said.delete(item.retractedEventId)).toBe(true);
        reasons.push(item.reason);
      } else if (item.kind !== "final" && item.kind !== "listing") {
        expect(said.has(item.eventId)).toBe(false);
        const [side, usd] = "usd" in item ? [item.side, item.usd] : [item.kind, item.fillUsd];
        said.set(item.eventId, `${side} ${item.txHash} ${Number(usd)}`);
      }
    return { said: [...said.values()].sort(), reasons };
  };
  return {
    close,
    apply: (read: BlockRead) => sink.apply([read], cursor),
    lose: (read: BlockRead) => sink.retract(CHAIN, [read.block], cursor),
    finalize: (height: number) => sink.finalize(CHAIN, height, cursor),
    /** The items still standing, which are the same on both feeds, and why the rest were retracted. */
    async said() {
      const chain = await standing("chain");
      expect(await standing("app")).toEqual(chain);
      return chain;
    },
  };
}

test("a trade priced only by a lost block is retracted, and published again once it has a price", async () => {
  const { apply, lose, said, finalize, close } = await open();
  const [lost, kept] = [swap(2, dollars(20), tokens(10)), swap(3, tokens(4), others)];
  await apply(lost);
  await apply(kept);
  const valued = (usd: number) => [`buy tx3 ${usd}`, `sell tx3 ${usd}`];
  expect((await said()).said).toEqual(["buy tx2 20", ...valued(8)]);
  await lose(lost);
  expect(await said()).toEqual({ said: [], reasons: ["reorg", "repriced", "repriced"] });
  // The same trade, in the winning block.
  await apply(swap(1, dollars(30), tokens(10)));
  expect((await said()).said).toEqual(["buy tx1 30", ...valued(12)]);
  await finalize(3);
  expect((await said()).said).toEqual(["buy tx1 30", ...valued(12)]);
  await close();
});

test("a trade that turns out to be between a trader's own wallets is retracted", async () => {
  const { apply, said, close } = await open();
  const sale = swap(3, tokens(4), dollars(20));
  await apply(sale);
  expect((await said()).said).toEqual(["sell tx3 20"]);
  // Solana's wallets are read one after the other.
  await apply(swap(3, dollars(20), tokens(4), { wallet: other }));
  expect(await said()).toEqual({ said: [], reasons: ["repriced"] });
  await close();
});
