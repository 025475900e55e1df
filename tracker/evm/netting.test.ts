import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { toEventHash } from "viem";
import { type Flow, NATIVE } from "../chain.ts";
import { evmChain } from "./chains.ts";
import { netFlow } from "./netting.ts";
import { PURPOSE_EVENTS } from "./purposes.ts";
import { eventTopic } from "./signatures.ts";
import {
  COIN,
  included,
  OTHER,
  POOL,
  ROUTER,
  still,
  transfer,
  VAULT,
  WALLET,
  word,
} from "./test-receipts.ts";
import { knownTransactions } from "./test-transactions.ts";
import { TOPICS } from "./topics.ts";
import { type RawLog, topicOf, ZERO_ADDRESS } from "./wire.ts";

const known = await knownTransactions();
const legsOf = (legs: Flow["sold"]): string[][] =>
  legs.map(({ token, amountRaw }) => [token, String(amountRaw)]).sort();

describe("real transactions", () => {
  test.each(known.map((one) => [one.name, one] as const))("%s", (_, one) => {
    const flow = netFlow(one.included, one.wallet, one.balances);
    expect({
      kind: flow.kind,
      swap: flow.swap,
      sold: legsOf(flow.sold),
      bought: legsOf(flow.bought),
      exact: flow.exact,
    }).toEqual({
      kind: one.kind,
      swap: one.kind === "swap",
      sold: one.sold.toSorted(),
      bought: one.bought.toSorted(),
      exact: true,
    });
    for (const [wallet, sold, bought] of one.others) {
      const other = netFlow(one.included, wallet, null);
      expect([legsOf(other.sold), legsOf(other.bought)]).toEqual([sold.toSorted(), bought.toSorted()]);
    }
  });
});

describe("when no node has the balances any more", () => {
  const right = known.filter((one) => {
    const flow = netFlow(one.included, one.wallet, null);
    return flow.kind === one.kind && flow.swap === (one.kind === "swap");
  });
  const namesOf = (some: typeof known) => some.map(({ name }) => name).sort();

  test("every real transaction keeps its kind", () => {
    expect(namesOf(right)).toEqual(namesOf(known));
  });

  test("amounts are right except where no log shows them, and none of those is marked exact", () => {
    const wrong = known.filter((one) => {
      const flow = netFlow(one.included, one.wallet, null);
      const same = (legs: Flow["sold"], rows: string[][]) =>
        JSON.stringify(legsOf(legs)) === JSON.stringify(rows.toSorted());
      const isRight = same(flow.sold, one.sold) && same(flow.bought, one.bought);
      if (!isRight) expect(flow.exact).toBe(false);
      return !isRight;
    });
    expect(namesOf(wrong)).toEqual([
      // Router fees kept from the coin, and a wei that one of them left behind.
      "0x settler token to eth fee",
      "bridge base withdraw eth claim",
      "cow ethflow invalidate refund",
      "kyber token to eth one wei kept",
      "lp add univ4 arb native refund",
      "ur v4 arb usdc to eth with fee",
    ]);
  });
});

test("topics are the hashes that others compute for their signatures, for every signature", () => {
  for (const signature of Object.values(PURPOSE_EVENTS).flat())
    expect<string>(eventTopic(signature)).toBe(toEventHash(signature));
  expect<string>(TOPICS.transfer).toBe(toEventHash("Transfer(address,address,uint256)"));
});

const WETH = String(evmChain(1).wrapped);

test("without balances, a settlement's fill event gives the native coin received", () => {
  const solver = `0x${"77".repeat(20)}`;
  const settlement = "0x9008d19f58aabd9ed0d60971565aa8510560ab41";
  const fill: RawLog = {
    address: settlement,
    topics: [eventTopic("Trade(address,address,address,uint256,uint256,uint256,bytes)"), topicOf(WALLET)],
    data: `0x${[BigInt(COIN), BigInt(`0x${"e".repeat(40)}`), 500n, 321n, 9n].map(word).join("")}`,
  };
  // Unwrapped for several orders at once, so the unwrap alone shows nothing.
  const unwrapping: RawLog = {
    address: WETH,
    topics: [TOPICS.withdrawal, topicOf(settlement)],
    data: `0x${word(1_000n)}`,
  };
  const one = included([transfer(COIN, WALLET, settlement, 500n), fill, unwrapping]);
  const flow = netFlow({ ...one, transaction: { ...one.transaction, from: solver } }, WALLET, null);
  expect([flow.kind, flow.bought, flow.exact]).toEqual(["swap", [{ token: NATIVE, amountRaw: 321n }], false]);
});

test("a balance reported by two contracts is counted once", () => {
  const legacy = "0xcb444e90d8198415266c6a2724b7900fb12fc56e";
  const current = "0x420ca0f9b9b604ce0fd9c18ef134c705e5fa3430";
  for (const [first, second] of [
    [legacy, current],
    [current, legacy],
  ] as const) {
    const logs = [
      transfer(first, WALLET, POOL, 60n),
      transfer(second, WALLET, POOL, 60n),
      transfer(COIN, POOL, WALLET, 7n),
    ];
    expect(netFlow(included(logs), WALLET, still).sold).toEqual([{ token: current, amountRaw: 60n }]);
  }
  const unknown = [
    transfer(COIN, WALLET, ROUTER, 60n),
    transfer(OTHER, WALLET, ROUTER, 60n),
    transfer(COIN, ROUTER, POOL, 60n),
    transfer(OTHER, ROUTER, POOL, 60n),
  ];
  expect(netFlow(included(unknown), WALLET, still).sold).toEqual([{ token: COIN, amountRaw: 60n }]);
  const twoTokens = [transfer(COIN, WALLET, POOL, 60n), transfer(OTHER, WALLET, POOL, 60n)];
  expect(netFlow(included(twoTokens), WALLET, still).sold).toHaveLength(2);
});

test("a repeated or removed log changes nothing", () => {
  for (const one of known) {
    const { receipt } = one.included;
    const first = receipt.logs[0];
    if (!first) continue;
    const noisy = {
      ...receipt,
      logs: [...receipt.logs, first, { ...first, logIndex: "0xffff", removed: true }],
    };
    expect(netFlow({ ...one.included, receipt: noisy }, one.wallet, one.balances)).toEqual(
      netFlow(one.included, one.wallet, one.balances),
    );
  }
});

test("for any transfers, sold and bought are the wallet's net to the unit and never share a token", () => {
  const address = fc.constantFrom(WALLET, ROUTER, POOL, VAULT, ZERO_ADDRESS);
  const move = fc.record({
    token: fc.constantFrom(COIN, OTHER, WETH, VAULT),
    from: address,
    to: address,
    amount: fc.bigInt({ min: 0n, max: 2n ** 250n }),
  });
  fc.assert(
    fc.property(
      fc.array(move, { maxLength: 30 }),
      fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
      (drawn, gained) => {
        // Different amounts: equal ones might be mistaken for one balance reported by two contracts.
        const moves = drawn.map((one, index) => ({ ...one, amount: one.amount * 32n + BigInt(index) }));
        const logs = moves.map(({ token, from, to, amount }) => transfer(token, from, to, amount));
        const flow = netFlow(included(logs), WALLET, { ...still, after: still.after + gained });
        const net = new Map<string, bigint>(gained === 0n ? [] : [[NATIVE, gained]]);
        for (const { token, from, to, amount } of moves) {
          if (to === WALLET) net.set(token, (net.get(token) ?? 0n) + amount);
          if (from === WALLET) net.set(token, (net.get(token) ?? 0n) - amount);
        }
        const stated = new Map<string, bigint>();
        for (const { token, amountRaw } of flow.bought) stated.set(token, amountRaw);
        for (const { token, amountRaw } of flow.sold) {
          expect(stated.has(token)).toBe(false);
          stated.set(token, -amountRaw);
        }
        for (const [token, amount] of net) expect(stated.get(token) ?? 0n).toBe(amount);
        if (flow.swap) expect(flow.sold.length * flow.bought.length).toBeGreaterThan(0);
      },
    ),
  );
});
