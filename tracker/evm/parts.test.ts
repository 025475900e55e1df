import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { keccak256 } from "viem";
import { manualClock, systemClock } from "../../kit/clock.ts";
import { NATIVE } from "../chain.ts";
import { RpcRefused } from "../rpc/errors.ts";
import { evmChain, findEvmChain } from "./chains.ts";
import { mayHoldTransfers, readHeader, TRANSFER_BLOOM_BITS } from "./headers.ts";
import { createSpan } from "./log-source.ts";
import { readMoves } from "./moves.ts";
import {
  contentAbove,
  cutAbove,
  decodePlace,
  encodePlace,
  extended,
  finalizedAt,
  newestOf,
  type Place,
} from "./place.ts";
import { type PoolTokens, SWAP_TOPICS, tokensByTransfers, tradeOf, unnamedTrades } from "./pools.ts";
import { knownTransactions } from "./test-transactions.ts";
import type { TokenMove } from "./token-move.ts";
import { TOPICS } from "./topics.ts";
import type { RawLog } from "./wire.ts";

const hashOf = (height: number, fork = 0): string =>
  `0x${(height * 16 + fork).toString(16).padStart(64, "0")}`;

describe("a reader's place", () => {
  const start: Place = { marks: [{ height: 100, hash: hashOf(100), content: null }] };

  test("blocks with content are never dropped before they are final, and the rest stays small", () => {
    let place = start;
    for (let height = 101; height <= 5_000; height += 1)
      place = extended(place, [{ height, hash: hashOf(height), content: height % 500 === 0 ? "c" : null }]);
    expect(contentAbove(place, 100).map(({ height }) => height)).toEqual([
      5_000, 4_500, 4_000, 3_500, 3_000, 2_500, 2_000, 1_500, 1_000, 500,
    ]);
    expect(place.marks.length).toBeLessThan(250);
    expect(newestOf(place).height).toBe(5_000);
    expect(decodePlace(encodePlace(place))).toEqual(place);
    const final = finalizedAt(place, { height: 4_900, hash: hashOf(4_900), content: null });
    expect(contentAbove(final, 0).map(({ height }) => height)).toEqual([5_000]);
    expect(newestOf(cutAbove(final, 4_900)).height).toBe(4_900);
  });

  test("a cursor from another program or version is refused", () => {
    for (const text of ["{}", '{"version":2,"marks":[[1,"0x",null]]}', '{"version":1,"marks":[]}'])
      expect(() => decodePlace(text)).toThrow("cursor");
    expect(() => decodePlace("x")).toThrow();
  });
});

describe("headers", () => {
  test("the Transfer topic's bloom bits match the chain's own rule", () => {
    const hash = Buffer.from(keccak256(TOPICS.transfer).slice(2), "hex");
    expect(TRANSFER_BLOOM_BITS).toEqual([0, 2, 4].map((at) => hash.readUInt16BE(at) & 2_047));
  });

  test("a header tells whether its block may hold transfers", () => {
    const bits = TRANSFER_BLOOM_BITS.reduce((bloom, bit) => bloom | (1n << BigInt(bit)), 0n);
    const header = (bloom: bigint) =>
      readHeader(
        {
          number: "0x1",
          hash: hashOf(1),
          parentHash: hashOf(0),
          timestamp: "0x5",
          logsBloom: `0x${bloom.toString(16).padStart(512, "0")}`,
        },
        1,
      );
    const all = header(bits);
    const some = header(bits & ~(1n << BigInt(TRANSFER_BLOOM_BITS[0] ?? 0)));
    expect(all && mayHoldTransfers(all)).toBe(true);
    expect(some && mayHoldTransfers(some)).toBe(false);
    expect(readHeader(null, 1)).toBeNull();
    expect(() => readHeader({ number: "0x1", hash: "0x12", parentHash: hashOf(0) }, 1)).toThrow("hash");
  });
});

test("a refused range shrinks until it is allowed, and grows again", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 1, max: 400 }),
      async (granted, length) => {
        const span = createSpan(256, { preferred: () => "node" }, systemClock());
        const asked: number[] = [];
        let next = 1;
        while (next <= length) {
          const from = next;
          const { to } = await span.run(from, length, async (end) => {
            if (end - from + 1 > granted) throw new RpcRefused("eth_getLogs", -32005, "too many", "node");
            for (let height = from; height <= end; height += 1) asked.push(height);
          });
          next = to + 1;
        }
        expect(asked).toEqual(Array.from({ length }, (_, index) => index + 1));
      },
    ),
  );
  const always = createSpan(8, { preferred: () => "node" }, systemClock()).run(1, 8, async () => {
    throw new RpcRefused("eth_getLogs", -32601, "no such method", "node");
  });
  await expect(always).rejects.toThrow(RpcRefused);
});

test("a provider's range limit is found once and not exceeded again; overlapping blocks never get in the way", async () => {
  const clock = manualClock(0);
  const span = createSpan(2_000, { preferred: () => "node" }, clock);
  const asked: number[] = [];
  const ask = async (end: number, start: number) => {
    asked.push(end - start + 1);
    if (end - start + 1 > 5) throw new RpcRefused("eth_getLogs", -32005, "block range too wide", "node");
  };
  for (let next = 100; next < 300; ) next = (await span.run(next, 300, ask, 8)).to + 1;
  expect(asked.slice(-20, -1)).toEqual(Array(19).fill(5));
  const tries = asked.length;
  for (let next = 300; next < 400; ) next = (await span.run(next, 400, ask, 0)).to + 1;
  expect(asked.slice(tries).every((blocks) => blocks <= 5)).toBe(true);
});

/** For a pool with its own address, whose two tokens are sorted. */
function tokensOfOwn({ address }: RawLog, moves: readonly TokenMove[]): PoolTokens | null {
  const here = moves.filter((move) => [move.from, move.to].includes(address.toLowerCase()));
  const [first, second, ...more] = [...new Set(here.map(({ token }) => token))].sort();
  return first !== undefined && second !== undefined && more.length === 0 ? [first, second] : null;
}

describe("pools", () => {
  test("in real transactions, each pool's event names two tokens that really moved there", async () => {
    let trades = 0;
    for (const { included } of await knownTransactions()) {
      const { receipt, chain } = included;
      const { fungible } = readMoves(receipt.logs, chain.wrapped, chain.mirrors);
      for (const log of receipt.logs) {
        if (!SWAP_TOPICS.includes(String(log.topics[0]))) continue;
        const tokens = tokensByTransfers(log, fungible) ?? tokensOfOwn(log, fungible);
        const trade = tokens && tradeOf({ ...log, transactionHash: receipt.transactionHash }, tokens, chain);
        if (!trade) continue;
        trades += 1;
        expect(trade.in.token).not.toBe(trade.out.token);
        expect(trade.in.amountRaw > 0n && trade.out.amountRaw > 0n).toBe(true);
      }
      const wallets = new Set([included.transaction.from]);
      for (const trade of unnamedTrades(receipt, chain, wallets))
        expect(trade.in.token).not.toBe(trade.out.token);
    }
    expect(trades).toBeGreaterThan(40);
  });

  test("a market maker without a pool event is found by what it took and paid", async () => {
    const one = (await knownTransactions()).find(({ name }) => name === "1inch v4 rfq no amm event");
    if (!one) throw new Error("the fixture is gone");
    const [trade, ...more] = unnamedTrades(one.included.receipt, one.included.chain, new Set([one.wallet]));
    expect(more).toEqual([]);
    expect([[trade?.in.token, String(trade?.in.amountRaw)]]).toEqual(one.sold);
    expect([[trade?.out.token, String(trade?.out.amountRaw)]]).toEqual(one.bought);
  });

  test("a native pool's coin is native, as seen from the pool", async () => {
    const one = (await knownTransactions()).find(({ name }) => name === "ur v4 eth to usdc");
    const log = one?.included.receipt.logs.find(({ topics }) => topics[0] === TOPICS.swapV4);
    if (!one || !log) throw new Error("the fixture is gone");
    const { chain } = one.included;
    const { fungible } = readMoves(one.included.receipt.logs, chain.wrapped, chain.mirrors);
    const tokens = tokensByTransfers(log, fungible);
    const trade = tokens && tradeOf(log, tokens, chain);
    expect(trade?.in.token).toBe(NATIVE);
    expect(trade?.out.token).toBe(String(one.bought[0]?.[0]));
  });
});

test("chains are found by name, alias or number, and a setting may name the wrapped coin", () => {
  expect(findEvmChain("Base")?.chainId).toBe(8453);
  expect(findEvmChain("arb")?.chainId).toBe(42161);
  expect(findEvmChain("4664")).toMatchObject({ chainId: 4664, wrapped: null });
  expect(findEvmChain("nowhere")).toBeUndefined();
  expect(evmChain(4663, "0xABCD").wrapped).toBe("0xabcd");
});
