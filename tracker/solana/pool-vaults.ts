// A pool's token vault: the account whose transactions are the pool's swaps. A launchpad's curve prices as if it held more than
// it does; its account says how much more, and a swap does not change that.
import { createLru } from "../../kit/lru.ts";
import { NATIVE, type TapedPool, tapedName } from "../chain.ts";
import { encodeBase58 } from "./base58.ts";
import { accountsAt, accountsOf, type SolanaCalls } from "./calls.ts";
import { SYSTEM_PROGRAM } from "./programs.ts";
import { swapProgramOf } from "./swaps.ts";

export interface PoolVault {
  address: string;
  /** What the curve adds to the vault's balance, and to the money it holds; null for other pools. */
  curve: CurveExtra | null;
  /** The program that must do the swap for a trade to count; null where its swaps aren't known. */
  program: string | null;
}

export interface CurveExtra {
  tokens: bigint;
  coins: bigint;
  /** The money: coins in the curve's own account, or another token in a vault. */
  quote: string;
}

export interface Vaults {
  /** Null: it has none, or how it prices is unknown. */
  of(pool: TapedPool): Promise<PoolVault | null>;
}

const POOLS_MAX = 20_000;
/**
 * The discriminator of a pump.fun curve's account (BondingCurve), and its field offsets, from the program's published
 * interface. The fields are five figures of eight bytes, whether it sold out, its creator, two more flags, and the token it is
 * sold for. Accounts created before a field was added are shorter.
 */
export const CURVE_MARK = "17b7f83760d8ac60";
export const CURVE = {
  virtualTokens: 8,
  virtualCoins: 16,
  realCoins: 32,
  complete: 48,
  bytes: 49,
  quoteMint: 83,
  quoteEnd: 115,
} as const;
/** Where a token account stores its amount. */
const AMOUNT_OFFSET = 64;

export function createVaults(calls: SolanaCalls): Vaults {
  const known = createLru<string, PoolVault>(POOLS_MAX);
  return {
    async of(pool) {
      const kept = known.get(tapedName(pool));
      if (kept) return kept;
      // Some programs keep the vaults of all their pools under one authority: the token's deepest vault counts.
      const [address] = [...(await accountsOf(calls, pool.pool, pool.token))].reduce(
        (most, each) => (each[1] > most[1] ? each : most),
        ["", -1n] as [string, bigint],
      );
      if (address === "") return null;
      const [own, vault] = await accountsAt(calls, [pool.pool, address]);
      const extra = own && vault ? curveExtra(own, vault.data) : null;
      if (extra === "over") return null;
      const found = { address, curve: extra, program: swapProgramOf(pool.pool, own?.owner ?? null) };
      known.set(tapedName(pool), found);
      return found;
    },
  };
}

/** Null if it is not a curve; a sold-out curve no longer shows how it priced. */
function curveExtra(
  { data, lamports }: { data: Buffer; lamports: bigint },
  vault: Buffer,
): CurveExtra | "over" | null {
  if (data.length < CURVE.bytes || data.toString("hex", 0, 8) !== CURVE_MARK) return null;
  if (data[CURVE.complete] !== 0 || vault.length < AMOUNT_OFFSET + 8) return "over";
  const quote = quoteOf(data);
  const held = quote === NATIVE ? lamports : data.readBigUInt64LE(CURVE.realCoins);
  return {
    tokens: data.readBigUInt64LE(CURVE.virtualTokens) - vault.readBigUInt64LE(AMOUNT_OFFSET),
    coins: data.readBigUInt64LE(CURVE.virtualCoins) - held,
    quote,
  };
}

/** A curve that names no quote token, like all early ones, is sold for SOL. */
function quoteOf(data: Buffer): string {
  if (data.length < CURVE.quoteEnd) return NATIVE;
  const mint = encodeBase58(data.subarray(CURVE.quoteMint, CURVE.quoteEnd));
  return mint === SYSTEM_PROGRAM ? NATIVE : mint;
}
