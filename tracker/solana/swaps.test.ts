// Whether a pool's vault changes were a single swap of its program: nothing else may price a token.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { NATIVE } from "../chain.ts";
import { encodeBase58 } from "./base58.ts";
import { stateAfter } from "./pool-states.ts";
import { poolTrades } from "./pools.ts";
import {
  METEORA_DLMM_PROGRAM,
  PUMP_PROGRAM,
  RAYDIUM_AMM_PROGRAM,
  RAYDIUM_CLMM_PROGRAM,
  RAYDIUM_CPMM_PROGRAM,
  TOKEN_PROGRAM,
} from "./programs.ts";
import { swapProgramOf } from "./swaps.ts";
import { FEE, RENT, type Scene, transactionOf, WRAPPED } from "./test-transactions.ts";
import { type RawInstruction, readTransaction, type SolanaTransaction } from "./transaction.ts";

const SWAP = "f8c69e91e17587c8";
const DECREASE_LIQUIDITY = "a026d06f685b2c01";
const TOKENS_SENT = ["vault", "own", "pool"];
const COINS_PAID = ["paid", "coins", "trader"];

const hex = (text: string) => encodeBase58(Uint8Array.from(Buffer.from(text, "hex")));
const call = (programId: string, data: string, stackHeight = 1): RawInstruction => ({
  programId,
  accounts: [],
  data: hex(data),
  stackHeight,
});
const move = (accounts: string[], stackHeight = 2): RawInstruction => ({
  ...call(TOKEN_PROGRAM, "030100000000000000", stackHeight),
  accounts,
});

/** A concentrated pool pays out a million tokens and gets one unit of coins. */
function transactionWith(...instructions: RawInstruction[]): SolanaTransaction {
  const scene: Scene = {
    lamports: {
      trader: [10 ** 9, 10 ** 9 - FEE],
      own: [RENT, RENT],
      paid: [RENT, RENT],
      vault: [RENT, RENT],
      coins: [RENT, RENT],
    },
    tokens: [
      ["own", "trader", "MINT", "0", "1000000"],
      ["paid", "trader", WRAPPED, "1", "0", 9],
      ["vault", "pool", "MINT", "9000000", "8000000"],
      ["coins", "pool", WRAPPED, "5000000000", "5000000001", 9],
    ],
  };
  return { ...readTransaction(transactionOf(scene)), instructions };
}

const swapperOf = (...instructions: RawInstruction[]) =>
  poolTrades(transactionWith(...instructions), new Set(["trader"]), 0)[0]?.swappedBy;
const swap = call(RAYDIUM_CLMM_PROGRAM, `${SWAP}00`);

describe("a pool's trade", () => {
  test("is a swap where a single one moved both vaults, even when called by a router", () => {
    expect(swapperOf(swap, move(COINS_PAID), move(TOKENS_SENT))).toBe(RAYDIUM_CLMM_PROGRAM);
    const routed = call(RAYDIUM_CLMM_PROGRAM, `${SWAP}00`, 2);
    const router = call("router", "00");
    expect(swapperOf(router, routed, move(COINS_PAID, 3), move(TOKENS_SENT, 3), call("log", "00", 2))).toBe(
      RAYDIUM_CLMM_PROGRAM,
    );
  });

  test("may be read in either encoding", () => {
    const parsed = ([source, destination, authority]: string[]): RawInstruction => ({
      programId: TOKEN_PROGRAM,
      parsed: { type: "transfer", info: { source, destination, authority, amount: "1" } },
      stackHeight: 2,
    });
    expect(swapperOf(swap, parsed(COINS_PAID), parsed(TOKENS_SENT))).toBe(RAYDIUM_CLMM_PROGRAM);
  });

  test.each<[string, RawInstruction[]]>([
    [
      "liquidity removed on one side, with a unit paid back by hand",
      [call(RAYDIUM_CLMM_PROGRAM, DECREASE_LIQUIDITY), move(TOKENS_SENT), move(COINS_PAID, 1)],
    ],
    [
      "a liquidity removal that also pays one unit in",
      [call(RAYDIUM_CLMM_PROGRAM, DECREASE_LIQUIDITY), move(TOKENS_SENT), move(COINS_PAID)],
    ],
    [
      "liquidity removed after a tiny swap",
      [
        swap,
        move(COINS_PAID),
        move(TOKENS_SENT),
        call(RAYDIUM_CLMM_PROGRAM, DECREASE_LIQUIDITY),
        move(TOKENS_SENT),
      ],
    ],
    [
      "a purchase and a sale of almost the same amount",
      [
        swap,
        move(COINS_PAID),
        move(TOKENS_SENT),
        ...[swap, move(["own", "vault", "trader"]), move(["coins", "paid", "pool"])].map((each) => ({
          ...each,
        })),
      ],
    ],
    ["a swap with coins given to the pool", [swap, move(COINS_PAID), move(TOKENS_SENT), move(COINS_PAID, 1)]],
    ["a token's maker taking from the vault", [call("maker", SWAP), move(COINS_PAID), move(TOKENS_SENT)]],
    [
      "another program's call by the same name",
      [call("other", `${SWAP}00`), move(COINS_PAID), move(TOKENS_SENT)],
    ],
    [
      "transfers requested by another program within the swap",
      [swap, call("hook", "00", 2), move(COINS_PAID, 3), move(TOKENS_SENT, 3)],
    ],
    [
      "calls whose callers the node doesn't name",
      [swap, move(COINS_PAID), move(TOKENS_SENT)].map(({ stackHeight: _, ...rest }) => rest),
    ],
    ["balances without instructions", []],
  ])("is not a swap if it was %s", (_what, instructions) => {
    expect(swapperOf(...instructions)).toBeNull();
    const vault = { address: "vault", curve: null, program: RAYDIUM_CLMM_PROGRAM };
    expect(stateAfter(transactionWith(...instructions), { pool: "pool", token: "MINT" }, vault)).toBeNull();
  });
});

describe("on a launch pad's curve", () => {
  const MINT = encodeBase58(new Uint8Array(32).fill(9));
  const CURVE = encodeBase58(new Uint8Array(32).fill(7));
  const traded = (coins: bigint) => {
    const data = Buffer.alloc(16 + 121);
    data.write("e445a52e51cb9a1dbddb7fd34ee661ee", "hex");
    data.fill(9, 16, 48);
    data.writeBigUInt64LE(coins, 48);
    return { ...call(PUMP_PROGRAM, "", 2), data: encodeBase58(data) };
  };
  /** The curve's own account ends up with this many more lamports. */
  const tradeWith = (lamports: number, ...events: RawInstruction[]) => {
    const scene = transactionOf({
      lamports: {
        trader: [10 ** 9, 10 ** 9 - FEE],
        [CURVE]: [2_000_000, 2_000_000 + lamports],
        own: [RENT, RENT],
        vault: [RENT, RENT],
      },
      tokens: [
        ["own", "trader", MINT, "5000", "0"],
        ["vault", CURVE, MINT, "1000000", "1005000"],
      ],
    });
    const sold = [call(PUMP_PROGRAM, "33e685a4017f83ad"), move(["own", "vault", "trader"]), ...events];
    const transaction = { ...readTransaction(scene), instructions: sold };
    return poolTrades(transaction, new Set(["trader"]), 0)[0];
  };

  test("the event gives the amount paid, whatever any program added to the curve's account", () => {
    expect(tradeWith(-1, traded(400_000n))).toMatchObject({
      swappedBy: PUMP_PROGRAM,
      in: { token: MINT, amountRaw: 5_000n },
      out: { token: NATIVE, amountRaw: 400_000n },
    });
  });

  test("without an event it is unknown", () => {
    expect(tradeWith(-400_000)?.swappedBy).toBeNull();
  });
});

test("pools in real transactions are recognized by the program that swapped", async () => {
  const file = join(import.meta.dir, "../../test/chains/solana/transactions.jsonl");
  const lines = (await Bun.file(file).text()).trim().split("\n");
  const swappers = lines.flatMap((line) => {
    const { transaction, wallet, swap } = JSON.parse(line);
    const trades = poolTrades(readTransaction(transaction), new Set([wallet]), 0);
    return swap ? trades.map((trade) => trade.swappedBy ?? "unknown") : [];
  });
  const counts = Object.groupBy(swappers, (program) => program);
  for (const program of [
    RAYDIUM_AMM_PROGRAM,
    RAYDIUM_CPMM_PROGRAM,
    RAYDIUM_CLMM_PROGRAM,
    METEORA_DLMM_PROGRAM,
    PUMP_PROGRAM,
  ])
    expect(counts[program]?.length ?? 0).toBeGreaterThan(0);
  // An order book, whose trades never price anything.
  expect(counts.unknown?.length).toBe(1);
});

test("an authority's pools belong to its program, and unknown programs need no swap", () => {
  const raydium = "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1";
  expect(swapProgramOf(raydium, null)).toBe(RAYDIUM_AMM_PROGRAM);
  expect(swapProgramOf("pool", METEORA_DLMM_PROGRAM)).toBe(METEORA_DLMM_PROGRAM);
  expect(swapProgramOf("pool", "program of a setting")).toBeNull();
});
