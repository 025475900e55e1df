import { describe, expect, test } from "bun:test";
import { evmChain } from "./chains.ts";
import { netFlow } from "./netting.ts";
import { PURPOSE_EVENTS, type Purpose } from "./purposes.ts";
import { eventTopic } from "./signatures.ts";
import {
  COIN,
  included,
  kindOf,
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

const WETH = String(evmChain(1).wrapped);

describe("swaps", () => {
  test("a token that comes out of a pool, whatever the pool emits", () => {
    expect(kindOf([transfer(COIN, WALLET, POOL, 5n), transfer(OTHER, POOL, WALLET, 7n)])).toBe("swap");
  });

  test("tokens bought while their own contract sells some to the same pool", () => {
    const logs = [transfer(COIN, COIN, POOL, 900n), transfer(COIN, POOL, WALLET, 50n)];
    expect(kindOf(logs, -1_000n)).toBe("swap");
  });

  test("a sale with a burned tax", () => {
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

  test("a share that is redeemed on the way to another token", () => {
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

describe("what looks like a swap but isn't", () => {
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

  test("a share burned for its underlying", () => {
    const logs = [
      transfer(VAULT, WALLET, VAULT, 93n),
      transfer(VAULT, VAULT, ZERO_ADDRESS, 93n),
      transfer(OTHER, VAULT, WALLET, 100n),
    ];
    expect(kindOf(logs)).toBe("unwrap");
    const market = [transfer(VAULT, WALLET, VAULT, 93n), transfer(OTHER, VAULT, WALLET, 100n)];
    expect(kindOf(market)).toBe("unwrap");
  });

  test("a share of a share, minted in one transaction", () => {
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

  test("a share from the pool's own stock", () => {
    const traded: RawLog = {
      address: POOL,
      topics: [TOPICS.initializeV4, `${COIN}${"0".repeat(24)}`],
      data: "0x",
    };
    const logs = [transfer(OTHER, WALLET, POOL, 9n), transfer(COIN, POOL, WALLET, 8n), traded];
    expect(kindOf(logs)).toBe("lp-add");
  });

  test("a swap whose result leaves through a bridge, minus leftovers", () => {
    const sent: RawLog = {
      address: ROUTER,
      topics: [eventTopic("OFTSent(bytes32,uint32,address,uint256,uint256)")],
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
        topics: [eventTopic("Deposit(address,uint256,uint256)"), topicOf(WALLET), `0x${word(4n)}`],
        data: `0x${word(500n)}`,
      },
    ];
    expect(kindOf(logs)).toBe("stake");
  });

  test("a token exchanged for its successor, one to one", () => {
    expect(kindOf([transfer(COIN, WALLET, POOL, 88n), transfer(OTHER, POOL, WALLET, 88n)])).toBe("convert");
  });
});

/** An event by its signature; indexed words are topics, the rest is data. */
function event(
  address: string,
  purpose: Purpose,
  signature: string,
  indexed: bigint[],
  data: bigint[],
): RawLog {
  if (!PURPOSE_EVENTS[purpose].includes(signature))
    throw new Error(`${signature} is not listed under ${purpose}`);
  return {
    address,
    topics: [eventTopic(signature), ...indexed.map((value) => `0x${word(value)}`)],
    data: `0x${data.map(word).join("")}`,
  };
}
const mintsPair = (pool: string) =>
  event(pool, "liquidity", "Mint(address,uint256,uint256)", [BigInt(ROUTER)], [5n, 6n]);

describe("dollar coins", () => {
  const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
  const DAI = "0x6b175474e89094c44da98b954eedeac495271d0f";
  const USDS = "0xdc035d45d973e3ec169d2276ddab16f1e407384f";

  test("minted or burned for each other are swapped, not shares", () => {
    const minted = [transfer(USDC, WALLET, POOL, 10n ** 6n), transfer(DAI, ZERO_ADDRESS, WALLET, 10n ** 18n)];
    const burned = [
      transfer(DAI, WALLET, ROUTER, 10n ** 18n),
      transfer(DAI, ROUTER, ZERO_ADDRESS, 10n ** 18n),
    ];
    expect(kindOf(minted)).toBe("swap");
    expect(kindOf([...burned, transfer(USDC, POOL, WALLET, 10n ** 6n)])).toBe("swap");
  });

  test("exchanged one to one for their successor are converted", () => {
    const logs = [transfer(DAI, WALLET, ZERO_ADDRESS, 77n), transfer(USDS, ZERO_ADDRESS, WALLET, 77n)];
    expect(kindOf(logs)).toBe("convert");
  });
});

describe("others' actions in the same transaction are not the wallet's", () => {
  test("a token that sells and adds liquidity for itself while it is sent", () => {
    const one = included([
      transfer(COIN, COIN, POOL, 900n),
      transfer(POOL, ZERO_ADDRESS, COIN, 30n),
      mintsPair(POOL),
      transfer(COIN, WALLET, VAULT, 95n),
      transfer(COIN, WALLET, COIN, 5n),
    ]);
    const sent = { ...one, transaction: { ...one.transaction, to: COIN } };
    expect(netFlow(sent, WALLET, still)).toMatchObject({
      kind: "transfer-out",
      sold: [{ token: COIN, amountRaw: 100n }],
    });
    expect(netFlow(sent, VAULT, null).kind).toBe("transfer-in");
  });

  test("a wallet that gets a fee while another adds liquidity only receives it", () => {
    const solver = `0x${"77".repeat(20)}`;
    const one = included([transfer(OTHER, ROUTER, WALLET, 3n), mintsPair(POOL)]);
    const carried = { ...one, transaction: { ...one.transaction, from: solver } };
    expect(netFlow(carried, WALLET, still).kind).toBe("transfer-in");
  });

  test("a bundler that paid more than it got back did not send or trade", () => {
    const operation: RawLog = {
      address: ROUTER,
      topics: [TOPICS.userOperation, `0x${word(1n)}`, topicOf(VAULT), topicOf(ZERO_ADDRESS)],
      data: "0x",
    };
    expect([kindOf([operation], 40n), kindOf([operation], -40n)]).toEqual(["none", "none"]);
  });
});

describe("staking", () => {
  test("zero to collect rewards is not a withdrawal", () => {
    const nothing = event(POOL, "staking", "Withdraw(address,uint256,uint256)", [BigInt(WALLET), 4n], [0n]);
    expect(kindOf([transfer(OTHER, POOL, WALLET, 3n), nothing])).toBe("transfer-in");
    const some = event(POOL, "staking", "Withdraw(address,uint256,uint256)", [BigInt(WALLET), 4n], [9n]);
    expect(kindOf([transfer(OTHER, POOL, WALLET, 9n), some])).toBe("unstake");
  });

  test("for a collectible that represents the lock is not a purchase of it", () => {
    const collectible = (from: string, to: string): RawLog => ({
      address: VAULT,
      topics: [TOPICS.transfer, topicOf(from), topicOf(to), `0x${word(5n)}`],
      data: "0x",
    });
    const lock = event(
      VAULT,
      "staking",
      "Deposit(address,uint256,uint8,uint256,uint256,uint256)",
      [BigInt(WALLET), 5n, 1n],
      [70n, 9n, 8n],
    );
    const locked = [transfer(COIN, WALLET, VAULT, 70n), collectible(ZERO_ADDRESS, WALLET)];
    expect(kindOf([...locked, lock])).toBe("stake");
    expect(kindOf(locked)).toBe("nft-buy");
    const claimed = event(
      VAULT,
      "unstaking",
      "WithdrawalClaimed(uint256,address,address,uint256)",
      [5n, BigInt(WALLET), BigInt(WALLET)],
      [70n],
    );
    expect(kindOf([collectible(WALLET, ZERO_ADDRESS), claimed], 70n)).toBe("unstake");
    expect(kindOf([collectible(WALLET, POOL)], 70n)).toBe("nft-sell");
  });

  test("a queue that takes a share for a claim on its coin counts as unstaking", () => {
    const claim: RawLog = {
      address: POOL,
      topics: [TOPICS.transfer, topicOf(ZERO_ADDRESS), topicOf(WALLET), `0x${word(5n)}`],
      data: "0x",
    };
    const asked = event(
      POOL,
      "unstaking",
      "WithdrawalRequested(uint256,address,address,uint256,uint256)",
      [5n, BigInt(WALLET), BigInt(WALLET)],
      [70n, 69n],
    );
    expect(kindOf([transfer(COIN, WALLET, POOL, 70n), claim, asked])).toBe("unstake");
  });

  test("a token that equals native coin one to one is wrapped, not staked", () => {
    expect(kindOf([transfer(VAULT, ZERO_ADDRESS, WALLET, 100n)], -100n)).toBe("wrap");
    expect(kindOf([transfer(VAULT, WALLET, ZERO_ADDRESS, 100n)], 100n)).toBe("unwrap");
  });

  test("minting a share of native coin is staking, burning it is unstaking", () => {
    expect(kindOf([transfer(VAULT, ZERO_ADDRESS, WALLET, 93n)], -100n)).toBe("stake");
    expect(kindOf([transfer(VAULT, WALLET, ZERO_ADDRESS, 93n)], 100n)).toBe("unstake");
  });
});

describe("liquidity", () => {
  test("a share burned for two things at once, one of them native coin", () => {
    const logs = [transfer(VAULT, WALLET, ZERO_ADDRESS, 9n), transfer(COIN, VAULT, WALLET, 50n)];
    expect(kindOf(logs, 60n)).toBe("lp-remove");
  });

  test("paid for with one token, with leftovers of the other returned", () => {
    const logs = [
      transfer(COIN, POOL, ROUTER, 50n),
      transfer(COIN, ROUTER, POOL, 49n),
      transfer(POOL, ZERO_ADDRESS, WALLET, 12n),
      transfer(COIN, ROUTER, WALLET, 1n),
      mintsPair(POOL),
    ];
    expect(kindOf(logs, -100n)).toBe("lp-add");
  });
});

test("a claim with a native-coin fee is received, a purchase from the same contract is bought", () => {
  const claim: RawLog = {
    address: POOL,
    topics: [eventTopic("Claimed(uint256,address,uint256)")],
    data: `0x${[1n, BigInt(WALLET), 500n].map(word).join("")}`,
  };
  const given = transfer(COIN, POOL, WALLET, 500n);
  expect(kindOf([given, claim], -3n)).toBe("transfer-in");
  expect(kindOf([given], -3n)).toBe("swap");
  expect(kindOf([given, { ...claim, address: OTHER }], -3n)).toBe("swap");
});

test("lending that pays out its own share is a withdrawal", () => {
  const out = event(
    VAULT,
    "lending",
    "Withdraw(address,address,uint256)",
    [BigInt(WALLET), BigInt(WALLET)],
    [100n],
  );
  const logs = [transfer(OTHER, VAULT, WALLET, 100n), transfer(VAULT, WALLET, ZERO_ADDRESS, 99n), out];
  expect(kindOf(logs)).toBe("lend-withdraw");
});

test("two halves minted from one deposit stay two tokens, however similarly they move", () => {
  const logs = [
    transfer(VAULT, WALLET, ROUTER, 90n),
    transfer(COIN, ZERO_ADDRESS, ROUTER, 80n),
    transfer(OTHER, ZERO_ADDRESS, ROUTER, 80n),
    transfer(COIN, ROUTER, WALLET, 80n),
    transfer(OTHER, ROUTER, WALLET, 80n),
  ];
  const { bought } = netFlow(included(logs), WALLET, still);
  expect(bought.map(({ token }) => token).toSorted()).toEqual([COIN, OTHER].toSorted());
});
