// Fees that bypass a pool's vaults, as reported by the program's swap event.
import { describe, expect, test } from "bun:test";
import { NATIVE } from "../chain.ts";
import { encodeBase58 } from "./base58.ts";
import { stateAfter } from "./pool-states.ts";
import type { PoolVault } from "./pool-vaults.ts";
import { PUMP_PROGRAM, PUMP_SWAP_PROGRAM } from "./programs.ts";
import { saidSwap } from "./pump-events.ts";
import { transactionOf } from "./test-transactions.ts";
import { readTransaction, type SolanaTransaction } from "./transaction.ts";

const POOL = encodeBase58(new Uint8Array(32).fill(7));
const MINT = encodeBase58(new Uint8Array(32).fill(9));
const TRADE = "bddb7fd34ee661ee";
const SOLD_IN_POOL = "3e2f370aa503dc2a";
const BOUGHT_IN_POOL = "67f4521f2cf57777";
/** As of September 2025: for the program and for the creator. */
const [PROTOCOL, CREATOR] = [95, 30];

/** Figures and keys at their offsets after the kind. */
function eventOf(
  kind: string,
  bytes: number,
  numbers: Record<number, number>,
  key: [number, number],
  name?: [number, string],
) {
  const data = Buffer.alloc(16 + bytes);
  data.write(`e445a52e51cb9a1d${kind}`, "hex");
  for (const [place, value] of Object.entries(numbers))
    data.writeBigUInt64LE(BigInt(value), 16 + Number(place));
  data.fill(key[1], 16 + key[0], 16 + key[0] + 32);
  if (name) {
    data.writeUInt32LE(name[1].length, 16 + name[0]);
    data.write(name[1], 16 + name[0] + 4);
  }
  return encodeBase58(data);
}

const TRADED = { 89: 32_000_000_000, 97: 1_005_937_500_000_000, 153: PROTOCOL };
const trade = (numbers: Record<number, number>, bytes = 274, mint = 9) =>
  eventOf(TRADE, bytes, { ...TRADED, ...numbers }, [0, mint], bytes > 250 ? [250, "buy"] : undefined);

/** A trader's buy: 2 coins into the pool's account for tokens from its vault. */
function swapWith(program: string, ...events: string[]): SolanaTransaction {
  const scene = transactionOf({
    lamports: {
      trader: [10_000_000_000, 7_975_000_000],
      [POOL]: [1_454_640, 2_001_454_640],
      own: [2_039_280, 2_039_280],
      vault: [2_039_280, 2_039_280],
    },
    tokens: [
      ["own", "trader", MINT, "0", "67062500000000"],
      ["vault", POOL, MINT, "1000000000000000", "932937500000000"],
    ],
  });
  const instructions = events.map((data) => ({ programId: program, accounts: [], data }));
  return { ...readTransaction(scene), instructions };
}

describe("pump.fun's report of a swap", () => {
  const asked = { pool: POOL, token: MINT };
  const feeOf = (program: string, ...events: string[]) =>
    saidSwap(swapWith(program, ...events), asked)?.feeBps ?? null;

  test("the program's fee and the creator's are added up", () => {
    expect(feeOf(PUMP_PROGRAM, trade({ 201: CREATOR }))).toBe(125);
  });

  test("the creator's fee counts as paid even if it goes back to the trader", () => {
    // After the name of three letters and a flag.
    expect(feeOf(PUMP_PROGRAM, trade({ 201: 0, 258: CREATOR }))).toBe(125);
  });

  test("an event from before cashback still gives its fees", () => {
    expect(feeOf(PUMP_PROGRAM, trade({ 201: CREATOR }, 217))).toBe(125);
  });

  test("in a pool the liquidity's share is added", () => {
    const fees = { 64: 20, 80: 5, 336: 95 };
    expect(feeOf(PUMP_SWAP_PROGRAM, eventOf(SOLD_IN_POOL, 352, fees, [112, 7]))).toBe(120);
    const back = eventOf(SOLD_IN_POOL, 384, { 64: 20, 80: 5, 352: 95 }, [112, 7]);
    expect(feeOf(PUMP_SWAP_PROGRAM, back)).toBe(120);
    const bought = { ...fees, 336: 0, 400: 95 };
    expect(feeOf(PUMP_SWAP_PROGRAM, eventOf(BOUGHT_IN_POOL, 424, bought, [112, 7], [393, "buy"]))).toBe(120);
  });

  test("the last event of this token counts", () => {
    const [earlier, later] = [trade({ 201: 5 }), trade({ 201: CREATOR })];
    expect(feeOf(PUMP_PROGRAM, earlier, later, trade({ 201: 900 }, 274, 8))).toBe(125);
  });

  test("a truncated event, another program's, or an implausible fee gives nothing", () => {
    expect(feeOf(PUMP_PROGRAM, trade({}, 205))).toBeNull();
    expect(feeOf(PUMP_SWAP_PROGRAM, trade({ 201: CREATOR }))).toBeNull();
    expect(feeOf(POOL, trade({ 201: CREATOR }))).toBeNull();
    expect(feeOf(PUMP_PROGRAM, trade({ 201: 10_000 }))).toBeNull();
    expect(feeOf(PUMP_PROGRAM, "not base58: 0OIl")).toBeNull();
  });
});

describe("a curve's state after a swap", () => {
  const curve = { tokens: 73_000_000_000_000n, coins: 29_998_545_360n, quote: NATIVE };
  const vault: PoolVault = { address: "vault", curve, program: null };
  const stateOf = (...events: string[]) =>
    stateAfter(swapWith(PUMP_PROGRAM, ...events), { pool: POOL, token: MINT }, vault);

  test("comes from its event, or else from its balances plus what its account adds", () => {
    const said = stateOf(trade({ 89: 32_000_000_001, 201: CREATOR }));
    expect(said).toMatchObject({ inSide: 32_000_000_001n, outSide: 1_005_937_500_000_000n, feeBps: 125 });
    const silent = stateOf();
    expect(silent).toMatchObject({ inSide: 32_000_000_000n, outSide: 1_005_937_500_000_000n, feeBps: 125 });
  });
});
