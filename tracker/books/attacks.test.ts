// Attempts to manipulate a price, a rank or an alert, none of which work. Each attack happens after an honest trade that made
// the token worth two dollars.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseLocation } from "../../database/open.ts";
import { derivedUuid } from "../../kit/ids.ts";
import type { WireAppItem } from "../../protocol/shapes/event.ts";
import { needing } from "../../test/support/needing.ts";
import { sharedPostgres } from "../../test/support/postgres.ts";
import { type BlockRead, type ChainQueries, type Flow, type Leg, NATIVE, type PoolTrade } from "../chain.ts";
import { bookPriceAt, seenPriceAt } from "../prices/believed.ts";
import { readItems } from "./feed-items.ts";
import { readLedger } from "./ledger.ts";
import { CHAIN, money, openBooks, POOL, queries, ROSTER, STABLE, TOKEN_A, TOKEN_B } from "./test-story.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-attacks-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [alice = "", alicesOther = ""] = ROSTER[0]?.evm ?? [];
const bob = String(ROSTER[1]?.evm[0]);
const ATTACKER = `0x${"a".repeat(40)}`;
const FAKE_USDC = `0x${"b".repeat(40)}`;
const TOKENS = 10n ** 18n;
const DOLLARS = 10n ** 6n;
/** Above every block here; blocks are a second apart. */
const HEIGHT_MAX = 100_000_000;
const BLOCKS_A_DAY = 86_400;
const leg = (token: string, amountRaw: bigint): Leg => ({ token, amountRaw });
const tokens = (count: number) => leg(TOKEN_A, BigInt(count) * TOKENS);
const dollars = (count: number) => leg(STABLE, BigInt(count) * DOLLARS);

function flow(wallet: string, kind: Flow["kind"], sold: Leg[], bought: Leg[], hash: string): Flow {
  const shared = { chainId: CHAIN, wallet, hash, index: 0, kind, sold, bought, feeRaw: 0n };
  return { ...shared, swap: kind === "swap", counterparty: null, exact: true };
}

function trade(hash: string, paid: Leg, out: Leg, more: Partial<PoolTrade> = {}): PoolTrade {
  return { pool: POOL, hash, index: 1, in: paid, out, reserves: [dollars(100_000)], doubt: null, ...more };
}

function block(height: number, flows: Flow[], pools: PoolTrade[]): BlockRead {
  const hash = `block${height}`;
  const timeMs = height * 1_000;
  return { block: { chainId: CHAIN, height, hash, parentHash: "", timeMs }, flows, pools };
}

const honest = block(
  1,
  [flow(bob, "swap", [dollars(20)], [tokens(10)], "honest")],
  [trade("honest", dollars(20), tokens(10))],
);

interface Attack {
  reads: BlockRead[];
  chain?: ChainQueries;
  /** The past is read last, as in a back-fill. */
  isHonestLast?: boolean;
  location?: DatabaseLocation;
}

let count = 0;

/** The state of the books after the honest trade, the attack, and everything being final. */
async function after({ reads, chain = queries, isHonestLast = false, location }: Attack) {
  count += 1;
  const { database, sink, close } = await openBooks(
    location ?? { file: join(folder, `${count}.sqlite`) },
    (same) => same,
    { ...chain, balances: async () => [] },
  );
  try {
    for (const read of isHonestLast ? [...reads, honest] : [honest, ...reads])
      await sink.apply([read], { name: "reader", value: String(read.block.height) });
    await sink.finalize(CHAIN, HEIGHT_MAX, { name: "reader", value: "final" });
    const ledgers = await Promise.all(
      ["alice", "bob"].map((handle) => readLedger(database.read, derivedUuid("trader", handle), money)),
    );
    const { items } = await readItems<WireAppItem>(database.read, "app", 0, 100);
    return {
      booked:
        (await bookPriceAt(database.read, CHAIN, TOKEN_A, { height: HEIGHT_MAX, timeMs: 1e12 }))?.priceUsd ??
        null,
      quoted: (await seenPriceAt(database.read, CHAIN, TOKEN_A, 1e12))?.priceUsd ?? null,
      positions: ledgers.map(({ positions }) => positions),
      alerts: items.map(({ item }) => item),
    };
  } finally {
    await close();
  }
}

const swapTo = (wallet: string, paid: Leg, got: Leg, more: Partial<PoolTrade>, height = 2): BlockRead => {
  const hash = `attack${height}`;
  return block(height, [flow(wallet, "transfer-in", [], [got], hash)], [trade(hash, paid, got, more)]);
};

/** As many dust trades as a block has room for, each in a transaction that sends the dust to her. */
const dustIn = (height: number, more: Partial<PoolTrade>, count = 32): BlockRead => {
  const got = leg(TOKEN_A, 10n ** 12n);
  const hashes = Array.from({ length: count }, (_, index) => `dust${height}-${index}`);
  return block(
    height,
    hashes.map((hash) => flow(alice, "transfer-in", [], [got], hash)),
    hashes.map((hash, index) => trade(hash, leg(STABLE, 10_000n), got, { index, ...more })),
  );
};
const allKnown: ChainQueries = { ...queries, isKnownPool: async () => true };

const patient: Attack = {
  reads: [2, 90 * BLOCKS_A_DAY, 90 * BLOCKS_A_DAY + 1].map((height) =>
    dustIn(height, { pool: ATTACKER, reserves: [dollars(500)] }, 40),
  ),
  chain: allKnown,
};

const ATTACKS: Record<string, Attack> = {
  "an event made up by an attacker's contract": {
    reads: [swapTo(alice, dollars(1_000_000), tokens(1), { pool: ATTACKER })],
  },
  "an event whose amounts did not move": {
    reads: [swapTo(alice, dollars(1_000_000), tokens(1), { doubt: "amounts" })],
  },
  "a pool with only a hundred dollars in it": {
    reads: [swapTo(alice, dollars(50), leg(TOKEN_A, 10n ** 12n), { reserves: [leg(STABLE, 9_999n)] })],
  },
  "a pool that holds only the token": {
    reads: [swapTo(alice, dollars(1_000_000), tokens(1), { reserves: [tokens(1_000_000_000)] })],
  },
  "a pool with unknown reserves": {
    reads: [swapTo(alice, dollars(1_000_000), tokens(1), { pool: `${POOL}:1`, reserves: null })],
  },
  "a token that calls itself USDC": {
    reads: [swapTo(alice, leg(FAKE_USDC, 10n ** 12n), tokens(1), {})],
    chain: {
      ...queries,
      tokens: async (asked) =>
        (await queries.tokens(asked)).map((facts) =>
          facts.token === FAKE_USDC ? { ...facts, symbol: "USDC", name: "USD Coin", decimals: 6 } : facts,
        ),
    },
  },
  "a thin pool with enough trades to crowd out the deep one": {
    reads: [2, 3].map((height) => dustIn(height, { pool: ATTACKER, reserves: [dollars(500)] }, 16)),
    chain: allKnown,
  },
  "a thin pool that crowds it out for hours": {
    reads: [2, 30_000, 60_000].map((height) =>
      dustIn(height, { pool: ATTACKER, reserves: [dollars(500)] }, 40),
    ),
    chain: allKnown,
  },
  "a thin pool whose owner waits out months without trades in the deep one": patient,
  "a jump in the deep pool, and enough trades in a thin one to crowd out earlier prices": {
    reads: [
      swapTo(alice, dollars(1), leg(TOKEN_A, 10n ** 15n), {}, 2),
      ...[3, 3 * BLOCKS_A_DAY].map((height) =>
        dustIn(height, { pool: ATTACKER, reserves: [dollars(500)] }, 40),
      ),
    ],
    chain: allKnown,
  },
  "a jump in one block of many trades, hours after the last one": {
    reads: [dustIn(30_000, {}, 40)],
  },
  "a jump in one block": {
    reads: [swapTo(alice, dollars(1_000_000), tokens(1), {})],
  },
  "a price of the chain's coin in an attacker's pool": {
    reads: [
      block(
        2,
        [flow(alice, "transfer-in", [], [leg(TOKEN_A, 1n)], "coin")],
        [trade("coin", dollars(105_300), leg(NATIVE, TOKENS), { pool: ATTACKER })],
      ),
    ],
  },
};

describe("none of these moves a price or makes anyone richer:", () => {
  test.each(Object.entries(ATTACKS))("%s", async (_name, attack) => {
    const { booked, quoted, positions } = await after(attack);
    expect({ booked, quoted }).toEqual({ booked: 2, quoted: 2 });
    const [received] = positions[0] ?? [];
    // Tokens dropped on her are worth the market price, or nothing.
    expect((received?.inValueUsd ?? 0) <= 2.000001).toBe(true);
  });
});

needing("postgres").test("the deep pool is found again on PostgreSQL too", async () => {
  const location = { url: await (await sharedPostgres()).createDatabase() };
  const { booked, quoted } = await after({ ...patient, location });
  expect({ booked, quoted }).toEqual({ booked: 2, quoted: 2 });
});

test("a second trade in another block confirms a jump", async () => {
  const jump = (height: number) => swapTo(alice, dollars(1_000), tokens(1), {}, height);
  expect((await after({ reads: [jump(2), jump(3)] })).booked).toBe(1_000);
});

test("a thinner pool counts once the deep one has been quiet long enough for its depth, or is drained", async () => {
  const thin = (height: number) => dustIn(height, { pool: ATTACKER, reserves: [dollars(10_000)] }, 40);
  const booked = async (reads: BlockRead[]) => (await after({ reads, chain: allKnown })).booked;
  const dustPrice = 10_000;
  const waited = (days: number) => [days * BLOCKS_A_DAY, days * BLOCKS_A_DAY + 1].map(thin);
  // A tenth as deep; half of the deepest is enough.
  expect(await booked(waited(4))).toBe(2);
  expect(await booked(waited(6))).toBe(dustPrice);
  const drained = block(
    2,
    [flow(bob, "swap", [tokens(1)], [dollars(2)], "drained")],
    [trade("drained", tokens(1), dollars(2), { reserves: [dollars(700)] })],
  );
  expect(
    await booked([
      drained,
      ...[3, 4].map((height) => dustIn(height, { pool: ATTACKER, reserves: [dollars(600)] }, 10)),
    ]),
  ).toBe(dustPrice);
});

test("an unpriced spam drop has no value and causes no alert and no rank", async () => {
  const spam = leg(TOKEN_B, 10n ** 15n);
  const drop = block(
    2,
    [flow(alice, "transfer-in", [], [spam], "drop")],
    [trade("drop", dollars(5_000_000), leg(TOKEN_B, 1n), { pool: ATTACKER })],
  );
  const { alerts, positions } = await after({ reads: [drop] });
  expect(alerts.filter(({ handle }) => handle === "alice")).toEqual([]);
  expect(positions[0]?.map(({ inValueUsd, realizedUsd }) => [inValueUsd, realizedUsd])).toEqual([[null, 0]]);
});

test("a transfer of a look-alike token, or one that only the token itself claims, is not an alert", async () => {
  const calledUsdc: ChainQueries = {
    ...queries,
    tokens: async (asked) =>
      (await queries.tokens(asked)).map((facts) =>
        facts.token === TOKEN_B ? { ...facts, symbol: "U\u0405D\u0421", name: "USD Coin" } : facts,
      ),
  };
  // A pool of a known factory, deep enough, prices it at a dollar.
  const drop = (amount: bigint) =>
    block(
      2,
      [flow(alice, "transfer-in", [], [leg(TOKEN_B, amount * 10n ** 6n)], "drop")],
      [trade("drop", dollars(1), leg(TOKEN_B, 10n ** 6n))],
    );
  // The token claims that she sent some to an address that looks like one she knows.
  const claimed = block(3, [flow(alice, "transfer-out", [leg(TOKEN_B, 5n)], [], "claimed")], []);
  const own = async (chain: ChainQueries, reads: BlockRead[]) =>
    (await after({ reads, chain })).alerts.filter(({ handle }) => handle === "alice");
  expect(await own(calledUsdc, [drop(100n), claimed])).toEqual([]);
  expect(await own(queries, [claimed])).toEqual([]);
  // The same drop of a token with its own name is news, but not beyond what its pool could ever pay out.
  expect(await own(queries, [drop(100n)])).toHaveLength(1);
  expect(await own(queries, [drop(1_000_000n)])).toEqual([]);
});

test("a wash between two wallets of one trader is neither a trade nor profit", async () => {
  const wash = block(
    2,
    [
      flow(alice, "swap", [dollars(1_000_000)], [tokens(1)], "wash"),
      flow(alicesOther, "swap", [tokens(1)], [dollars(1_000_000)], "wash"),
    ],
    [],
  );
  const { alerts, positions, booked } = await after({ reads: [wash] });
  expect(booked).toBe(2);
  expect(alerts.filter(({ handle }) => handle === "alice")).toEqual([]);
  expect(positions[0]).toEqual([]);
});

test("a token that changes its decimals still uses the first ones it reported", async () => {
  let decimals = 18;
  const chain: ChainQueries = {
    ...queries,
    async tokens(asked) {
      const facts = await queries.tokens(asked);
      const answer = facts.map((each) => (each.token === TOKEN_A ? { ...each, decimals } : each));
      decimals = 0;
      return answer;
    },
  };
  const { booked, positions } = await after({ chain, reads: [swapTo(alice, dollars(2), tokens(1), {})] });
  expect(booked).toBe(2);
  expect(positions[0]?.[0]?.inValueUsd).toBeCloseTo(2);
});

test("values from a thin pool alone are recomputed when the deep pool's trades are read last", async () => {
  const crowd = [2, 3].map((height) => dustIn(height, { pool: ATTACKER, reserves: [dollars(500)] }, 16));
  const gift = block(4, [flow(alice, "transfer-in", [], [tokens(1)], "gift")], []);
  const attack = { reads: [...crowd, gift], chain: allKnown };
  const [inOrder, pastLast] = [await after(attack), await after({ ...attack, isHonestLast: true })];
  expect(pastLast.positions).toEqual(inOrder.positions);
  expect(pastLast.positions[0]?.[0]?.inValueUsd).toBeCloseTo(2, 3);
});
