// A wallet's holdings, now or at the end of a slot. Nodes keep no old balances, but every transaction includes the balances
// after it: an account's last one up to a slot gives its balance then.
import { type Leg, NATIVE } from "../chain.ts";
import { encodeBase58 } from "./base58.ts";
import type { ListRequest, SignatureEntry, SolanaCalls } from "./calls.ts";
import { SIGNATURES_PAGE_MAX } from "./limits.ts";
import { TOKEN_PROGRAMS, WRAPPED_SOL } from "./programs.ts";
import { readTransaction, type SolanaTransaction } from "./transaction.ts";

/** Pages of an account's history to walk back to a slot; a busier account is left out. */
const PAGES_BACK_MAX = 20;
/** Layout of a token account: the mint, the owner, the amount. */
const AMOUNT_OFFSET = 64;

export interface Held {
  account: string;
  mint: string;
  amount: bigint;
}

/** Only the requested tokens: anyone can open a thousand accounts for a wallet, and each one's history costs calls. */
export async function readBalances(
  calls: SolanaCalls,
  wallet: string,
  tokens: readonly string[],
  slot: number | null,
): Promise<Leg[]> {
  const asked = new Set(tokens);
  const amounts = new Map<string, bigint | null>();
  if (asked.has(NATIVE)) amounts.set(NATIVE, await lamportsAt(calls, wallet, slot));
  for (const { account, mint, amount } of await accountsHeld(calls, wallet)) {
    const token = WRAPPED_SOL.has(mint) ? NATIVE : mint;
    if (!asked.has(token)) continue;
    const then = slot === null ? amount : await amountAt(calls, account, slot);
    const sum = amounts.has(token) ? (amounts.get(token) ?? null) : 0n;
    amounts.set(token, sum === null || then === null ? null : sum + then);
  }
  return tokens.flatMap((token) => {
    const amountRaw = amounts.has(token) ? (amounts.get(token) ?? null) : slot === null ? 0n : null;
    return amountRaw === null ? [] : [{ token, amountRaw }];
  });
}

async function accountsHeld(calls: SolanaCalls, wallet: string): Promise<Held[]> {
  const config = { commitment: "confirmed", encoding: "base64" };
  const programs = [...TOKEN_PROGRAMS];
  const answers = await calls.results(
    programs.map((programId) => ({
      method: "getTokenAccountsByOwner",
      params: [wallet, { programId }, config],
    })),
  );
  return answers.flatMap(heldOf);
}

async function lamportsAt(calls: SolanaCalls, wallet: string, slot: number | null): Promise<bigint | null> {
  if (slot === null) {
    const [now] = await calls.results([
      { method: "getBalance", params: [wallet, { commitment: "confirmed" }] },
    ]);
    return BigInt(Number(valueIn(now)));
  }
  const last = await lastUpTo(calls, wallet, slot);
  if (last === null || last === "none") return last === null ? null : 0n;
  return BigInt(last.lamportsAfter[last.keys.indexOf(wallet)] ?? 0);
}

async function amountAt(calls: SolanaCalls, account: string, slot: number): Promise<bigint | null> {
  const last = await lastUpTo(calls, account, slot);
  if (last === null || last === "none") return last === null ? null : 0n;
  return last.tokenAccounts.find(({ address }) => address === account)?.after ?? 0n;
}

/** An account's last transaction up to a slot; null when it can't be fetched. */
async function lastUpTo(
  calls: SolanaCalls,
  account: string,
  slot: number,
): Promise<SolanaTransaction | "none" | null> {
  let before: string | null = null;
  for (let page = 0; page < PAGES_BACK_MAX; page++) {
    const request: ListRequest = { address: account, until: null, before };
    const found: SignatureEntry[] | null | undefined = (await calls.list([request], slot))[0];
    if (!found) return null;
    const last = found.find((entry) => entry.slot <= slot);
    if (last) {
      const [raw] = await calls.transactions([last.signature]);
      return raw === null || raw === undefined ? null : readTransaction(raw);
    }
    if (found.length < SIGNATURES_PAGE_MAX) return "none";
    before = found.at(-1)?.signature ?? null;
  }
  return null;
}

export function heldOf(answer: unknown): Held[] {
  const value = valueIn(answer);
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: { pubkey?: unknown; account?: { data?: unknown } }) => {
    const [encoded] = Array.isArray(each.account?.data) ? each.account.data : [];
    const data = Buffer.from(String(encoded ?? ""), "base64");
    if (typeof each.pubkey !== "string" || data.length < AMOUNT_OFFSET + 8) return [];
    const mint = encodeBase58(data.subarray(0, 32));
    return [{ account: each.pubkey, mint, amount: data.readBigUInt64LE(AMOUNT_OFFSET) }];
  });
}

export function valueIn(answer: unknown): unknown {
  return (answer as { value?: unknown } | null)?.value;
}
