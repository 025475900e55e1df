// Which sales are believed when someone else sent the transaction: a token's own contract can claim that anyone sold it.
import { describe, expect, test } from "bun:test";
import { evmChain } from "./chains.ts";
import { netFlow } from "./netting.ts";
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
import { TOPICS } from "./topics.ts";
import { type RawLog, topicOf, ZERO_ADDRESS } from "./wire.ts";

const STRANGER = `0x${"77".repeat(20)}`;
const ENTRY_POINT = "0x0000000071727de22e5e9d8baf0edac6f37da032";
const SETTLEMENT = "0x9008d19f58aabd9ed0d60971565aa8510560ab41";
const REACTOR = "0x00000011f84b9aa48e5f8aa8b9897600006289be";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const WETH = String(evmChain(1).wrapped);
const FAKE = COIN;

/** The kind of the wallet's flow in a transaction that someone else sent. */
function strangersKind(logs: RawLog[], gained = 0n, to = ROUTER): string {
  const one = included(logs);
  const sent = { ...one, transaction: { ...one.transaction, from: STRANGER, to } };
  return netFlow(sent, WALLET, { ...still, after: still.after + gained }).kind;
}

const sale = (token: string) => [transfer(token, WALLET, POOL, 900n), transfer(USDC, POOL, WALLET, 70n)];
const executing: RawLog = { address: ENTRY_POINT, topics: [eventTopic("BeforeExecution()")], data: "0x" };
const operation = (account: string, address = ENTRY_POINT): RawLog => ({
  address,
  topics: [TOPICS.userOperation, `0x${word(1n)}`, topicOf(account), topicOf(ZERO_ADDRESS)],
  data: `0x${[1n, 1n, 5n, 5n].map(word).join("")}`,
});
const settled = (sellToken: string, address = SETTLEMENT): RawLog => ({
  address,
  topics: [eventTopic("Trade(address,address,address,uint256,uint256,uint256,bytes)"), topicOf(WALLET)],
  data: `0x${[BigInt(sellToken), BigInt(USDC), 900n, 70n, 0n].map(word).join("")}`,
});
const filled = (address = REACTOR): RawLog => ({
  address,
  topics: [
    eventTopic("Fill(bytes32,address,address,uint256)"),
    `0x${word(1n)}`,
    topicOf(STRANGER),
    topicOf(WALLET),
  ],
  data: `0x${word(4n)}`,
});

describe("a sale claimed by a stranger's transaction is not a trade:", () => {
  const claims: Record<string, RawLog[]> = {
    "a token that claims it was sold for a dollar coin": sale(FAKE),
    "a token that claims it was exchanged for another": [
      transfer(FAKE, WALLET, POOL, 900n),
      transfer(OTHER, POOL, WALLET, 70n),
    ],
    "an operation made up by another contract": [...sale(FAKE), operation(WALLET, POOL)],
    "a sale before a bundle with an operation of the wallet": [...sale(FAKE), executing, operation(WALLET)],
    "a sale after the wallet's operation": [executing, operation(WALLET), ...sale(FAKE)],
    "a sale within someone else's operation": [
      executing,
      operation(WALLET),
      ...sale(FAKE),
      operation(STRANGER),
    ],
    "an order settled only according to another contract": [...sale(FAKE), settled(FAKE, POOL)],
    "a different token from the one that the settled order sold": [
      ...sale(OTHER),
      ...sale(FAKE),
      settled(OTHER),
    ],
    "an order filled only according to another contract": [...sale(FAKE), filled(POOL)],
    "another token next to a filled order": [...sale(OTHER), ...sale(FAKE), filled()],
    "another token next to an order whose token was returned": [
      ...sale(OTHER),
      ...sale(FAKE),
      transfer(OTHER, STRANGER, WALLET, 900n),
      filled(),
    ],
  };
  test.each(Object.entries(claims))("%s", (_name, logs) => expect(strangersKind(logs)).toBe("transfer-in"));

  test("a token that claims it was sold for the chain's coin", () => {
    expect(strangersKind([transfer(FAKE, WALLET, POOL, 900n)], 5n)).toBe("transfer-in");
  });

  test("without balances, coin seemingly paid by a forged operation", () => {
    const wrapped: RawLog = {
      address: WETH,
      topics: [TOPICS.deposit, topicOf(POOL)],
      data: `0x${word(10n ** 18n)}`,
    };
    const one = included([wrapped, transfer(FAKE, POOL, WALLET, 900n), operation(WALLET, POOL)]);
    const sent = { ...one, transaction: { ...one.transaction, from: STRANGER } };
    expect(netFlow(sent, WALLET, null)).toMatchObject({ kind: "transfer-in", sold: [] });
  });
});

describe("a trade submitted by someone else is still a trade", () => {
  test("for a smart account, bundled with others'", () => {
    const bundle = [executing, operation(STRANGER), ...sale(COIN), operation(WALLET), operation(VAULT)];
    expect(strangersKind(bundle)).toBe("swap");
  });

  test("for an account that was called directly", () => {
    expect(strangersKind(sale(COIN), 0n, WALLET)).toBe("swap");
  });

  test("for an order that was settled in a batch, or filled", () => {
    expect(strangersKind([settled(COIN), ...sale(COIN)])).toBe("swap");
    expect(strangersKind([...sale(COIN), filled()])).toBe("swap");
  });

  test("where money was paid, to anyone", () => {
    const got = transfer(COIN, POOL, WALLET, 900n);
    expect(strangersKind([transfer(USDC, WALLET, POOL, 70n), got])).toBe("swap");
    expect(strangersKind([transfer(WETH, WALLET, POOL, 70n), got])).toBe("swap");
    expect(strangersKind([got], -70n)).toBe("swap");
  });
});
