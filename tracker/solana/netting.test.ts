// The effects of real and synthetic transactions on a wallet, to the raw integer.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { explainSolana } from "./explain.ts";
import { netWallet } from "./netting.ts";
import { poolTrades } from "./pools.ts";
import { FEE, RENT, type Scene, SYSTEM, TOKEN, transactionOf, WRAPPED } from "./test-transactions.ts";
import { readTransaction } from "./transaction.ts";

interface Sample {
  name: string;
  wallet: string;
  swap: boolean;
  sold?: { token: string; amountRaw: string }[];
  bought?: { token: string; amountRaw: string }[];
  transaction: Compiled;
}
interface Compiled {
  meta: { loadedAddresses?: { writable: string[]; readonly: string[] }; innerInstructions: Group[] };
  transaction: {
    message: {
      accountKeys: string[];
      header: { numRequiredSignatures: number };
      instructions: Instruction[];
    };
  };
}
type Group = { index: number; instructions: Instruction[] };
type Instruction = { programIdIndex: number; accounts: number[]; data: string };

const file = join(import.meta.dir, "../../test/chains/solana/transactions.jsonl");
const samples = (await Bun.file(file).text())
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Sample);

for (const sample of samples) {
  test(`mainnet: ${sample.name}`, () => {
    for (const encoding of [sample.transaction, asParsed(sample.transaction)]) {
      const [seen] = explainSolana({ wallet: sample.wallet, transaction: encoding });
      expect(seen?.swap).toBe(sample.swap);
      if (!sample.swap) continue;
      expect(seen?.sold).toEqual(sample.sold ?? []);
      expect(seen?.bought).toEqual(sample.bought ?? []);
    }
  });
}

/** The same transaction as returned in `jsonParsed`, with programs that the node has no parser for. */
function asParsed({ meta, transaction, ...rest }: Compiled): unknown {
  const { accountKeys, header, instructions } = transaction.message;
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {};
  const keys = [...accountKeys, ...writable, ...readonly];
  const parsed = ({ programIdIndex, accounts, ...rest }: Instruction) => ({
    ...rest,
    programId: keys[programIdIndex],
    accounts: accounts.map((at) => keys[at]),
  });
  const named = keys.map((pubkey, at) => ({
    pubkey,
    signer: at < header.numRequiredSignatures,
    source: at < accountKeys.length ? "transaction" : "lookupTable",
  }));
  const innerInstructions = meta.innerInstructions.map((group) => ({
    ...group,
    instructions: group.instructions.map(parsed),
  }));
  const message = { accountKeys: named, instructions: instructions.map(parsed) };
  return { ...rest, meta: { ...meta, innerInstructions }, transaction: { ...transaction, message } };
}

const SOL = 1_000_000_000;
const net = (scene: Scene, wallet = "wallet") => netWallet(readTransaction(transactionOf(scene)), wallet);
const legs = (scene: Scene, wallet = "wallet") => {
  const { kind, sold, bought } = net(scene, wallet);
  const text = (list: typeof sold) => list.map(({ token, amountRaw }) => `${amountRaw} ${token}`);
  return { kind, sold: text(sold), bought: text(bought) };
};

describe("rent", () => {
  const opened = (funder: string): Scene["did"] => [
    [SYSTEM, "createAccount", { source: funder, newAccount: "account" }],
  ];
  const tokens: Scene["tokens"] = [
    ["account", "wallet", "MINT", null, "50"],
    ["vault", "pool", "MINT", "1000", "950"],
    ["usdc", "wallet", "USDC", "30", "10"],
    ["usdcVault", "pool", "USDC", "0", "20"],
  ];
  const vaults: Scene["lamports"] = { vault: [RENT, RENT], usdc: [RENT, RENT], usdcVault: [RENT, RENT] };

  test("for an own account is added back for its payer", () => {
    const own: Scene["lamports"] = { wallet: [SOL, SOL - FEE - RENT], account: [0, RENT], ...vaults };
    expect(legs({ lamports: own, tokens, did: opened("wallet") })).toEqual({
      kind: "swap",
      sold: ["20 USDC"],
      bought: ["50 MINT"],
    });
    const sponsored: Scene["lamports"] = {
      relayer: [SOL, SOL - FEE - RENT],
      wallet: [SOL, SOL],
      account: [0, RENT],
      ...vaults,
    };
    expect(legs({ lamports: sponsored, tokens, signers: 2, did: opened("relayer") }).bought).toEqual([
      "50 MINT",
    ]);
  });

  test("from a closed account is not income for the wallet, nor a loss when it goes to another", () => {
    const sale: Scene["tokens"] = [
      ["account", "wallet", "MINT", "50", null],
      ["vault", "pool", "MINT", "950", "1000"],
      ["usdc", "wallet", "USDC", "0", "20"],
      ["usdcVault", "pool", "USDC", "20", "0"],
    ];
    const closed = (to: string): Scene["did"] => [
      [TOKEN, "closeAccount", { account: "account", destination: to }],
    ];
    const kept: Scene["lamports"] = { wallet: [SOL, SOL - FEE + RENT], account: [RENT, 0], ...vaults };
    expect(legs({ lamports: kept, tokens: sale, did: closed("wallet") }).bought).toEqual(["20 USDC"]);
    const given: Scene["lamports"] = {
      wallet: [SOL, SOL - FEE],
      account: [RENT, 0],
      relayer: [0, RENT],
      ...vaults,
    };
    const seen = legs({ lamports: given, tokens: sale, did: closed("relayer") });
    expect(seen).toEqual({ kind: "swap", sold: ["50 MINT"], bought: ["20 USDC"] });
  });

  test("for a claim's own record does not make the claim a purchase", () => {
    const scene: Scene = {
      lamports: { wallet: [SOL, SOL - FEE - 1_566_000], record: [0, 1_566_000], account: [RENT, RENT] },
      tokens: [["account", "wallet", "MINT", "0", "500"]],
      did: [[SYSTEM, "createAccount", { source: "wallet", newAccount: "record" }]],
    };
    expect(legs(scene)).toEqual({ kind: "transfer-in", sold: ["1566000 native"], bought: ["500 MINT"] });
  });

  test("returned from a closed order does not make a deposit a sale", () => {
    const scene: Scene = {
      lamports: { wallet: [SOL, SOL - FEE + 2_853_600], order: [2_853_600, 0], account: [RENT, RENT] },
      tokens: [["account", "wallet", "MINT", "500", "0"]],
    };
    expect(legs(scene).kind).toBe("transfer-out");
  });
});

describe("a trade smaller than the rent of an account", () => {
  const vault: Scene["lamports"] = { curve: [9_000_000, 9_000_000], vault: [RENT, RENT] };

  test("is a buy, though its account is opened along the way", () => {
    const scene: Scene = {
      lamports: { wallet: [SOL, SOL - FEE - RENT - 900], mine: [0, RENT], ...vault },
      tokens: [
        ["mine", "wallet", "MINT", null, "7"],
        ["vault", "curve", "MINT", "100", "93"],
      ],
      did: [[SYSTEM, "createAccount", { source: "wallet", newAccount: "mine" }]],
    };
    expect(legs(scene)).toEqual({ kind: "swap", sold: ["900 native"], bought: ["7 MINT"] });
  });

  test("is a sale, though the emptied account is closed along the way", () => {
    const scene: Scene = {
      lamports: { wallet: [SOL, SOL - FEE + RENT + 900], mine: [RENT, 0], ...vault },
      tokens: [
        ["mine", "wallet", "MINT", "7", null],
        ["vault", "curve", "MINT", "93", "100"],
      ],
      did: [[TOKEN, "closeAccount", { account: "mine", destination: "wallet" }]],
    };
    expect(legs(scene)).toEqual({ kind: "swap", sold: ["7 MINT"], bought: ["900 native"] });
  });
});

describe("wrapped SOL", () => {
  test("counts as SOL, whether its account is opened, kept or closed", () => {
    const buy = (wrapped: [number, number], amounts: [string | null, string | null]): Scene => ({
      lamports: { wallet: [SOL, SOL - FEE], wsol: wrapped, mine: [RENT, RENT] },
      tokens: [
        ["wsol", "wallet", WRAPPED, ...amounts, 9],
        ["mine", "wallet", "MINT", "0", "7"],
      ],
    });
    expect(legs(buy([RENT + 900, RENT + 300], ["900", "300"])).sold).toEqual(["600 native"]);
    const kept = buy([RENT + 900, RENT + 900], ["0", "900"]);
    expect(legs(kept)).toEqual({ kind: "transfer-in", sold: [], bought: ["7 MINT"] });
  });

  test("wrapping and unwrapping move nothing", () => {
    const scene: Scene = {
      lamports: { wallet: [SOL, SOL - FEE - RENT - 400], wsol: [0, RENT + 400] },
      tokens: [["wsol", "wallet", WRAPPED, null, "400", 9]],
      did: [[SYSTEM, "createAccount", { source: "wallet", newAccount: "wsol" }]],
    };
    expect(legs(scene)).toEqual({ kind: "wrap", sold: [], bought: [] });
    const back: Scene = {
      lamports: { wallet: [SOL, SOL - FEE + RENT + 400], wsol: [RENT + 400, 0] },
      tokens: [["wsol", "wallet", WRAPPED, "400", null, 9]],
      did: [[TOKEN, "closeAccount", { account: "wsol", destination: "wallet" }]],
    };
    expect(legs(back)).toEqual({ kind: "unwrap", sold: [], bought: [] });
  });
});

describe("looks like a swap but isn't", () => {
  const base: Scene["lamports"] = { wallet: [SOL, SOL - FEE], a: [1, 1], b: [1, 1], c: [1, 1] };

  test("a pool share is minted against two tokens, and burned for them", () => {
    const add: Scene["tokens"] = [
      ["a", "wallet", "A", "10", "0"],
      ["b", "wallet", "B", "10", "0"],
      ["c", "wallet", "SHARE", "0", "9"],
    ];
    const scene: Scene = {
      lamports: base,
      tokens: add,
      did: [[TOKEN, "mintTo", { account: "c", amount: "9" }]],
    };
    expect(legs(scene).kind).toBe("lp-add");
    const remove: Scene["tokens"] = [
      ["a", "wallet", "A", "0", "10"],
      ["b", "wallet", "B", "0", "10"],
      ["c", "wallet", "SHARE", "9", "0"],
    ];
    const burn: Scene["did"] = [[TOKEN, "burnChecked", { account: "c", tokenAmount: { amount: "9" } }]];
    expect(legs({ lamports: base, tokens: remove, did: burn }).kind).toBe("lp-remove");
  });

  test("staking mints its receipt; the same receipt at the end of a route through a pool is bought", () => {
    const did: Scene["did"] = [[TOKEN, "mintTo", { account: "c", amount: "9" }]];
    const staked: Scene = {
      lamports: { ...base, wallet: [SOL, SOL - FEE - 10], reserve: [0, 10] },
      tokens: [["c", "wallet", "STAKED", "0", "9"]],
      did,
    };
    expect(legs(staked).kind).toBe("stake");
    const routed: Scene["tokens"] = [
      ["a", "wallet", "USDC", "10", "0"],
      ["b", "pool", "USDC", "0", "10"],
      ["w", "pool", WRAPPED, "10", "0", 9],
      ["c", "wallet", "STAKED", "0", "9"],
    ];
    const lamports: Scene["lamports"] = { ...base, w: [RENT + 10, RENT], reserve: [0, 10] };
    expect(legs({ lamports, tokens: routed, did }).kind).toBe("swap");
  });

  test("an NFT that is bought, sold or sent is not a token", () => {
    const nft = (before: string, after: string): Scene["tokens"] => [
      ["a", "wallet", "ART", before, after, 0],
    ];
    const paid: Scene["lamports"] = { ...base, wallet: [SOL, SOL - FEE - 500], seller: [0, 500] };
    expect(legs({ lamports: paid, tokens: nft("0", "1") })).toEqual({
      kind: "nft-buy",
      sold: ["500 native"],
      bought: [],
    });
    expect(legs({ lamports: base, tokens: nft("1", "0") }).kind).toBe("nft-transfer-out");
  });

  test("a failed transaction moves nothing but its fee", () => {
    const flow = net({ fails: true, lamports: { wallet: [SOL, SOL - FEE] } });
    expect(flow).toMatchObject({ kind: "failed", swap: false, sold: [], bought: [], feeRaw: BigInt(FEE) });
  });
});

describe("transfers", () => {
  test("to an account whose owner is not named are received, with the sender known", () => {
    const scene: Scene = {
      lamports: { sender: [SOL, SOL - FEE], from: [RENT, RENT], to: [RENT, RENT] },
      tokens: [
        ["from", "sender", "MINT", "100", "60"],
        // A Token-2022 fee of 4 is withheld in the receiving account and does not belong to the wallet.
        ["to", "wallet", "MINT", "0", "36"],
      ],
    };
    expect(net(scene)).toMatchObject({ kind: "transfer-in", counterparty: "sender", feeRaw: 0n });
    expect(legs(scene).bought).toEqual(["36 MINT"]);
    expect(net(scene, "sender")).toMatchObject({ kind: "transfer-out", counterparty: "wallet" });
  });

  test("a tip along with a received token does not make it a purchase", () => {
    const tip = "ADuUkR4vqLUMWXxW9gh6D6L8pMSawimctcNZ5pGwDcEt";
    const scene: Scene = {
      lamports: { wallet: [SOL, SOL - FEE - 1_000], [tip]: [0, 1_000], a: [1, 1] },
      tokens: [["a", "wallet", "MINT", "0", "5"]],
    };
    expect(legs(scene).kind).toBe("transfer-in");
  });
});

test("several buyers in one transaction each have their own trade, and only the first paid the fee", () => {
  const scene: Scene = {
    signers: 2,
    lamports: {
      wallet: [SOL, SOL - FEE - 300],
      other: [SOL, SOL - 500],
      curve: [9_000, 9_800],
      vault: [RENT, RENT],
      a: [RENT, RENT],
      b: [RENT, RENT],
    },
    tokens: [
      ["vault", "curve", "MINT", "100", "20"],
      ["a", "wallet", "MINT", "0", "30"],
      ["b", "other", "MINT", "0", "50"],
    ],
  };
  expect(legs(scene)).toEqual({ kind: "swap", sold: ["300 native"], bought: ["30 MINT"] });
  expect(legs(scene, "other")).toEqual({ kind: "swap", sold: ["500 native"], bought: ["50 MINT"] });
  expect(net(scene, "other").feeRaw).toBe(0n);
});

test("an order closed by a keeper only returns its rent to an owner who did not sign", () => {
  const scene: Scene = {
    lamports: { keeper: [SOL, SOL - FEE], order: [2_902_320, 0], wallet: [SOL, SOL + 2_902_320] },
  };
  expect(legs(scene)).toEqual({ kind: "transfer-in", sold: [], bought: ["2902320 native"] });
  expect(legs(scene, "keeper").kind).toBe("none");
});

test("a pool's trade is read from its owner's balances, whether its SOL is wrapped or plain", () => {
  const plain: Scene = {
    lamports: {
      wallet: [SOL, SOL - FEE - 500],
      curve: [9_000, 9_500],
      vault: [RENT, RENT],
      mine: [RENT, RENT],
    },
    tokens: [
      ["vault", "curve", "MINT", "1000", "900"],
      ["mine", "wallet", "MINT", "0", "100"],
    ],
  };
  const [trade, ...others] = poolTrades(readTransaction(transactionOf(plain)), new Set(["wallet"]), 3);
  expect(others).toEqual([]);
  expect(trade).toEqual({
    pool: "curve",
    hash: "signature",
    index: 3 * 256,
    in: { token: "native", amountRaw: 500n },
    out: { token: "MINT", amountRaw: 100n },
    swappedBy: null,
    reserves: [
      { token: "MINT", amountRaw: 900n },
      { token: "native", amountRaw: 9_500n },
    ],
    doubt: null,
  });
});

describe("reserves under an authority with many pools' vaults are unknown when a trade", () => {
  const lamports: Scene["lamports"] = { wallet: [SOL, SOL - FEE] };
  for (const account of ["paid", "got", "vault", "money", "deep", "coins"]) lamports[account] = [RENT, RENT];
  const thin: Scene["tokens"] = [
    ["paid", "wallet", "USDC", "10", "0"],
    ["got", "wallet", "MINT", "0", "100"],
    ["vault", "authority", "MINT", "1000", "900"],
  ];
  test.each<[string, Scene["tokens"]]>([
    [
      "mentions the deeper vault of another pool",
      [
        ["money", "authority", "USDC", "100", "110"],
        ["deep", "authority", "USDC", "9000000", "9000000"],
      ],
    ],
    [
      "is paid into another pool, and the thin one takes its coins",
      [
        ["deep", "authority", "USDC", "9000000", "9000010"],
        ["coins", "authority", WRAPPED, "5000000", "4999993"],
        ["money", "authority", WRAPPED, "70", "77"],
      ],
    ],
    [
      "mentions another pool's vault of a third token",
      [
        ["money", "authority", "USDC", "9000000", "9000010"],
        ["coins", "authority", WRAPPED, "5000000", "5000000"],
      ],
    ],
  ])("%s", (_name, vaults) => {
    const scene: Scene = { lamports, tokens: [...thin, ...(vaults ?? [])] };
    const [trade] = poolTrades(readTransaction(transactionOf(scene)), new Set(["wallet"]), 0);
    expect(trade).toMatchObject({ pool: "authority", in: { token: "USDC" }, out: { token: "MINT" } });
    expect(trade?.reserves).toEqual([]);
  });
});

test("a pool opened in the same transaction gives no price: its balance includes rent", () => {
  const scene: Scene = {
    lamports: {
      wallet: [SOL, SOL - FEE - 900_500],
      curve: [0, 900_500],
      vault: [0, RENT],
      mine: [RENT, RENT],
    },
    tokens: [
      ["vault", "curve", "MINT", null, "900"],
      ["mine", "wallet", "MINT", "0", "100"],
    ],
  };
  expect(poolTrades(readTransaction(transactionOf(scene)), new Set(["wallet"]), 0)).toEqual([]);
});

test("an owner reported only before is the owner after too", () => {
  const scene: Scene = {
    lamports: { wallet: [SOL, SOL - FEE - 500], mine: [RENT, RENT], vault: [RENT, RENT] },
    tokens: [
      ["mine", "wallet", "MINT", "3", "10"],
      ["vault", "curve", "MINT", "100", "93"],
    ],
  };
  const raw = transactionOf(scene) as { meta: { postTokenBalances: { owner?: string }[] } };
  for (const balance of raw.meta.postTokenBalances) delete balance.owner;
  const { kind, bought } = netWallet(readTransaction(raw), "wallet");
  expect([kind, bought]).toEqual(["swap", [{ token: "MINT", amountRaw: 7n }]]);
});

test("a garbled transaction is refused, never netted as empty", () => {
  const whole = transactionOf({ lamports: { wallet: [SOL, SOL - FEE] } }) as Record<string, unknown>;
  for (const part of ["meta", "transaction", "slot"])
    expect(() => readTransaction({ ...whole, [part]: null })).toThrow();
  expect(() => readTransaction({ ...whole, meta: { ...(whole.meta as object), preBalances: [] } })).toThrow();
});
