// Wallets' balances according to a node: coins as of now, tokens as of the last final slots. Nodes keep no old balances, so the
// answers cover a few slots, and report which.
import type { BlockRef, HeldPair, HeldQueries, HeldSnapshot } from "../chain.ts";
import { NATIVE, SOLANA_CHAIN_ID } from "../chain.ts";
import type { RpcCall } from "../rpc/provider.ts";
import { heldOf, valueIn } from "./balances.ts";
import { createSolanaCalls, type SolanaCalls, type SolanaRpc, slotOf } from "./calls.ts";
import { TOKEN_PROGRAMS } from "./programs.ts";

/** The limit of `getMultipleAccounts`. */
const ACCOUNTS_PER_CALL_MAX = 100;
/** Responses for wallets with many accounts are large. */
const WALLETS_A_BATCH = 20;
/** Mint, owner and amount. */
const ACCOUNT_HEAD = { offset: 0, length: 72 };

export function createSolanaHeld(rpc: SolanaRpc): HeldQueries {
  const calls = createSolanaCalls(rpc);
  return {
    // A transfer into an existing account does not name its owner: the reader only finds it when it compares accounts.
    isReadLate: true,
    read: (pairs) => readHeld(calls, pairs),
    async opinions(pairs) {
      const asked = (rpc.each?.() ?? []).map((one) => readHeld(createSolanaCalls(one), pairs));
      const settled = await Promise.allSettled(asked);
      return settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    },
    async hashAt(slot) {
      return (await blockAt(calls, slot))?.hash ?? null;
    },
  };
}

async function readHeld(calls: SolanaCalls, pairs: readonly HeldPair[]): Promise<HeldSnapshot> {
  const coins = pairs.filter(({ token }) => token === NATIVE);
  const tokens = pairs.filter(({ token }) => token !== NATIVE);
  const lamports = await readCoins(calls, [...new Set(coins.map(({ wallet }) => wallet))]);
  const { amounts, first, last } = await readTokenAmounts(calls, tokens);
  return {
    block: last === null ? null : await blockAt(calls, last),
    since: first ?? 0,
    amounts: pairs.map(
      ({ wallet, token }) => (token === NATIVE ? lamports.get(wallet) : amounts.get(wallet)?.(token)) ?? null,
    ),
  };
}

async function blockAt(calls: SolanaCalls, slot: number): Promise<BlockRef | null> {
  const [header] = await calls.headers([slot], "finalized", "none");
  if (typeof header !== "object" || header.timeMs === null) return null;
  const { hash, parentHash, timeMs } = header;
  return { chainId: SOLANA_CHAIN_ID, height: slot, hash, parentHash, timeMs };
}

/** Current balances; wallets that the node would not report are left out. */
async function readCoins(calls: SolanaCalls, wallets: readonly string[]): Promise<Map<string, bigint>> {
  const lamports = new Map<string, bigint>();
  const config = { commitment: "confirmed", encoding: "base64", dataSlice: { offset: 0, length: 0 } };
  for (let at = 0; at < wallets.length; at += ACCOUNTS_PER_CALL_MAX) {
    const some = wallets.slice(at, at + ACCOUNTS_PER_CALL_MAX);
    const [answer] = await calls.results([{ method: "getMultipleAccounts", params: [some, config] }]);
    const accounts = valueIn(answer);
    if (!Array.isArray(accounts) || accounts.length !== some.length) continue;
    some.forEach((wallet, place) => {
      const account = accounts[place] as { lamports?: unknown } | null;
      // A wallet without SOL has no account.
      const held = account === null ? 0 : account.lamports;
      if (Number.isSafeInteger(held)) lamports.set(wallet, BigInt(held as number));
    });
  }
  return lamports;
}

interface TokenAmounts {
  amounts: Map<string, (token: string) => bigint>;
  /** The slots they are from; null without any answer. */
  first: number | null;
  last: number | null;
}

async function readTokenAmounts(calls: SolanaCalls, pairs: readonly HeldPair[]): Promise<TokenAmounts> {
  const found: TokenAmounts = { amounts: new Map(), first: null, last: null };
  const wallets = [...Map.groupBy(pairs, ({ wallet }) => wallet)];
  for (let at = 0; at < wallets.length; at += WALLETS_A_BATCH) {
    const asked = wallets.slice(at, at + WALLETS_A_BATCH).map(([wallet, own]) => ({
      wallet,
      calls: accountCalls(wallet, [...new Set(own.map(({ token }) => token))]),
    }));
    const replies = await calls.replies(asked.flatMap((one) => one.calls));
    for (const one of asked) note(found, one.wallet, replies.splice(0, one.calls.length));
  }
  return found;
}

/** One query for a wallet with one token; otherwise all of its accounts, however many tokens. */
function accountCalls(wallet: string, mints: readonly string[]): RpcCall[] {
  const config = { commitment: "finalized", encoding: "base64", dataSlice: ACCOUNT_HEAD };
  const filters =
    mints.length === 1 ? [{ mint: mints[0] }] : [...TOKEN_PROGRAMS].map((programId) => ({ programId }));
  return filters.map((filter) => ({ method: "getTokenAccountsByOwner", params: [wallet, filter, config] }));
}

function note(found: TokenAmounts, wallet: string, answers: readonly unknown[]): void {
  // A wallet counts only if all of its answers are complete.
  if (answers.some((answer) => !Array.isArray(valueIn(answer)))) return;
  const slots = answers.map((answer) => slotOf((answer as { context?: { slot?: unknown } }).context?.slot));
  found.first = Math.min(found.first ?? Number.POSITIVE_INFINITY, ...slots);
  found.last = Math.max(found.last ?? 0, ...slots);
  const sums = new Map<string, bigint>();
  for (const { mint, amount } of answers.flatMap(heldOf)) sums.set(mint, (sums.get(mint) ?? 0n) + amount);
  found.amounts.set(wallet, (token) => sums.get(token) ?? 0n);
}
