import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { toEventHash } from "viem";
import { type Flow, NATIVE } from "../chain.ts";
import { evmChain } from "./chains.ts";
import { type Included, netFlow } from "./netting.ts";
import { PURPOSE_EVENTS } from "./purposes.ts";
import { knownTransactions } from "./test-transactions.ts";
import { SIGNATURES, TOPICS } from "./topics.ts";
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

test("every topic is the hash of the signature beside it", () => {
  for (const [name, topic] of Object.entries(TOPICS))
    expect<string>(toEventHash(SIGNATURES[name as keyof typeof TOPICS])).toBe(topic);
  for (const events of Object.values(PURPOSE_EVENTS))
    for (const [signature, topic] of Object.entries(events))
      expect<string>(toEventHash(signature)).toBe(topic);
});

const WALLET = `0x${"a1".repeat(20)}`;
const ROUTER = `0x${"b2".repeat(20)}`;
const POOL = `0x${"c3".repeat(20)}`;
const VAULT = `0x${"d4".repeat(20)}`;
const COIN = `0x${"e5".repeat(20)}`;
const OTHER = `0x${"f6".repeat(20)}`;
const WETH = String(evmChain(1).wrapped);

const word = (value: bigint): string => value.toString(16).padStart(64, "0");
const transfer = (token: string, from: string, to: string, amount: bigint): RawLog => ({
  address: token,
  topics: [TOPICS.transfer, topicOf(from), topicOf(to)],
  data: `0x${word(amount)}`,
});

function included(logs: RawLog[], value = 0n): Included {
  const hash = `0x${"11".repeat(32)}`;
  return {
    chain: evmChain(1),
    transaction: { hash, from: WALLET, to: ROUTER, value: `0x${value.toString(16)}` },
    receipt: { transactionHash: hash, status: "0x1", gasUsed: "0x0", effectiveGasPrice: "0x1", logs },
  };
}

const still = { before: 10n ** 20n, after: 10n ** 20n };
const kindOf = (logs: RawLog[], gained = 0n): string =>
  netFlow(included(logs), WALLET, { ...still, after: still.after + gained }).kind;

describe("what is a swap", () => {
  test("a token that comes out of a pool, whatever the pool emits", () => {
    expect(kindOf([transfer(COIN, WALLET, POOL, 5n), transfer(OTHER, POOL, WALLET, 7n)])).toBe("swap");
  });

  test("tokens bought while their own contract sells some to the same pool", () => {
    const logs = [transfer(COIN, COIN, POOL, 900n), transfer(COIN, POOL, WALLET, 50n)];
    expect(kindOf(logs, -1_000n)).toBe("swap");
  });

  test("a sale of which a tax is burned", () => {
    const logs = [transfer(COIN, WALLET, ZERO_ADDRESS, 9n), transfer(COIN, WALLET, POOL, 91n)];
    expect(kindOf(logs, 1_000n)).toBe("swap");
  });

  test("a wrapped coin that a router unwraps for a pool of native coin", () => {
    const logs: RawLog[] = [
      transfer(WETH, WALLET, ROUTER, 70n),
      { address: WETH, topics: [TOPICS.withdrawal, topicOf(ROUTER)], data: `0x${word(70n)}` },
      transfer(OTHER, POOL, WALLET, 7n),
    ];
    const flow = netFlow(included(logs), WALLET, still);
    expect([flow.kind, flow.sold]).toEqual(["swap", [{ token: WETH, amountRaw: 70n }]]);
  });

  test("a share that is opened on the way to another token", () => {
    // The vault pays OTHER for its share, the pool takes OTHER and pays in native coin.
    const logs = [
      transfer(VAULT, WALLET, ROUTER, 100n),
      transfer(VAULT, ROUTER, ZERO_ADDRESS, 100n),
      transfer(OTHER, VAULT, ROUTER, 110n),
      transfer(OTHER, ROUTER, POOL, 110n),
    ];
    expect(kindOf(logs, 109n)).toBe("swap");
  });
});

describe("what looks like a swap and is none", () => {
  test("a share minted against a deposit, straight or through a router", () => {
    const deposit = transfer(OTHER, WALLET, VAULT, 100n);
    const straight = [deposit, transfer(VAULT, ZERO_ADDRESS, WALLET, 93n)];
    const through = [
      deposit,
      transfer(VAULT, ZERO_ADDRESS, ROUTER, 93n),
      transfer(VAULT, ROUTER, WALLET, 93n),
    ];
    const fromItself = [deposit, transfer(VAULT, VAULT, WALLET, 93n)];
    for (const logs of [straight, through, fromItself]) expect(kindOf(logs)).toBe("wrap");
  });

  test("a share burned for what it stood for", () => {
    const logs = [
      transfer(VAULT, WALLET, VAULT, 93n),
      transfer(VAULT, VAULT, ZERO_ADDRESS, 93n),
      transfer(OTHER, VAULT, WALLET, 100n),
    ];
    expect(kindOf(logs)).toBe("redeem");
    const market = [transfer(VAULT, WALLET, VAULT, 93n), transfer(OTHER, VAULT, WALLET, 100n)];
    expect(kindOf(market)).toBe("redeem");
  });

  test("a share of a share, minted in one go", () => {
    const inner = [transfer(OTHER, ZERO_ADDRESS, VAULT, 100n), transfer(VAULT, ZERO_ADDRESS, WALLET, 93n)];
    const handedOn = [
      transfer(OTHER, ZERO_ADDRESS, ROUTER, 100n),
      transfer(OTHER, ROUTER, VAULT, 100n),
      transfer(VAULT, ZERO_ADDRESS, WALLET, 93n),
    ];
    const boughtFirst = [transfer(OTHER, POOL, VAULT, 100n), transfer(VAULT, ZERO_ADDRESS, WALLET, 93n)];
    expect([inner, handedOn, boughtFirst].map((logs) => kindOf(logs, -101n))).toEqual([
      "stake",
      "stake",
      "swap",
    ]);
  });

  test("a share that its pool had ready", () => {
    const traded: RawLog = {
      address: POOL,
      topics: [TOPICS.initializeV4, `${COIN}${"0".repeat(24)}`],
      data: "0x",
    };
    const logs = [transfer(OTHER, WALLET, POOL, 9n), transfer(COIN, POOL, WALLET, 8n), traded];
    expect(kindOf(logs)).toBe("lp-add");
  });

  test("a swap whose result leaves by a bridge, less some crumbs", () => {
    const sent: RawLog = {
      address: ROUTER,
      topics: [String(PURPOSE_EVENTS.bridge["OFTSent(bytes32,uint32,address,uint256,uint256)"])],
      data: "0x",
    };
    expect(kindOf([transfer(OTHER, WALLET, POOL, 900n), transfer(COIN, POOL, WALLET, 1n), sent])).toBe(
      "bridge-out",
    );
  });

  test("staking more while rewards are paid out", () => {
    const logs: RawLog[] = [
      transfer(OTHER, POOL, WALLET, 3n),
      transfer(COIN, WALLET, POOL, 500n),
      {
        address: POOL,
        topics: [
          String(PURPOSE_EVENTS.staking["Deposit(address,uint256,uint256)"]),
          topicOf(WALLET),
          `0x${word(4n)}`,
        ],
        data: `0x${word(500n)}`,
      },
    ];
    expect(kindOf(logs)).toBe("stake");
  });

  test("a token handed in for its successor, one for one", () => {
    expect(kindOf([transfer(COIN, WALLET, POOL, 88n), transfer(OTHER, POOL, WALLET, 88n)])).toBe("convert");
  });
});

test("without balances, a settlement's own report of the fill tells what came in native coin", () => {
  const solver = `0x${"77".repeat(20)}`;
  const fill: RawLog = {
    address: POOL,
    topics: [TOPICS.initializeV4, topicOf(WALLET)],
    data: `0x${[BigInt(COIN), BigInt(`0x${"e".repeat(40)}`), 500n, 321n, 9n].map(word).join("")}`,
  };
  // Unwrapped for several orders at once, so that the unwrapping alone says nothing.
  const unwrapping: RawLog = {
    address: WETH,
    topics: [TOPICS.withdrawal, topicOf(POOL)],
    data: `0x${word(1_000n)}`,
  };
  const one = included([transfer(COIN, WALLET, POOL, 500n), fill, unwrapping]);
  const flow = netFlow({ ...one, transaction: { ...one.transaction, from: solver } }, WALLET, null);
  expect([flow.kind, flow.bought, flow.exact]).toEqual(["swap", [{ token: NATIVE, amountRaw: 321n }], false]);
});

test("a balance that two contracts report is counted once", () => {
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
        // Different amounts: equal ones might be taken for one balance that two contracts report.
        const moves = drawn.map((one, index) => ({ ...one, amount: one.amount * 32n + BigInt(index) }));
        const logs = moves.map(({ token, from, to, amount }) => transfer(token, from, to, amount));
        const flow = netFlow(included(logs), WALLET, { ...still, after: still.after + gained });
        const net = new Map<string, bigint>(gained === 0n ? [] : [[NATIVE, gained]]);
        for (const { token, from, to, amount } of moves) {
          if (to === WALLET) net.set(token, (net.get(token) ?? 0n) + amount);
          if (from === WALLET) net.set(token, (net.get(token) ?? 0n) - amount);
        }
        const told = new Map<string, bigint>();
        for (const { token, amountRaw } of flow.bought) told.set(token, amountRaw);
        for (const { token, amountRaw } of flow.sold) {
          expect(told.has(token)).toBe(false);
          told.set(token, -amountRaw);
        }
        for (const [token, amount] of net) expect(told.get(token) ?? 0n).toBe(amount);
        if (flow.swap) expect(flow.sold.length * flow.bought.length).toBeGreaterThan(0);
      },
    ),
  );
});
