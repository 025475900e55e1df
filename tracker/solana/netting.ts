// The effect of one transaction on one wallet, from balances before and after. No exchange is decoded: an unknown program nets
// as well as a famous one.
import { type Flow, NATIVE, SOLANA_CHAIN_ID } from "../chain.ts";
import { classify } from "./classify.ts";
import { readEffects } from "./instructions.ts";
import { lamportChange, netNative, netTokens, type OwnerMove, tokenChange } from "./moves.ts";
import type { SolanaTransaction } from "./transaction.ts";

export function netWallet(transaction: SolanaTransaction, wallet: string, index = 0): Flow {
  const feeRaw = transaction.keys[0] === wallet ? transaction.feeRaw : 0n;
  const flow = {
    chainId: SOLANA_CHAIN_ID,
    wallet,
    hash: transaction.signature,
    index,
    feeRaw,
    exact: true,
  };
  if (transaction.failed)
    return { ...flow, swap: false, kind: "failed", sold: [], bought: [], counterparty: null };

  const effects = readEffects(transaction);
  const native = netNative(transaction, wallet, effects);
  const moves = netTokens(transaction, wallet);
  if (native !== 0n) moves.unshift({ token: NATIVE, amount: native, unique: false });
  const kind = classify({ transaction, wallet, effects, moves });
  const legs = moves.filter((move) => !move.unique);
  return {
    ...flow,
    swap: kind === "swap",
    kind,
    sold: legs
      .filter(({ amount }) => amount < 0n)
      .map(({ token, amount }) => ({ token, amountRaw: -amount })),
    bought: legs
      .filter(({ amount }) => amount > 0n)
      .map(({ token, amount }) => ({ token, amountRaw: amount })),
    counterparty: kind.startsWith("transfer-") ? counterpartyOf(transaction, wallet, legs) : null,
  };
}

/** The one other owner whose balance of the token moved the other way; null when there are several or none. */
function counterpartyOf(transaction: SolanaTransaction, wallet: string, legs: OwnerMove[]): string | null {
  const tokens = legs.filter(({ token }) => token !== NATIVE);
  const [move, ...others] = tokens.length > 0 ? tokens : legs;
  if (!move || others.length > 0) return null;
  const changes = new Map<string, bigint>();
  const add = (owner: string | null, change: bigint) => {
    if (owner && owner !== wallet) changes.set(owner, (changes.get(owner) ?? 0n) + change);
  };
  if (move.token === NATIVE) {
    const accountOwners = new Map(
      transaction.tokenAccounts.map((account) => [account.index, account.ownerAfter ?? account.ownerBefore]),
    );
    transaction.keys.forEach((key, place) => {
      const fee = place === 0 ? transaction.feeRaw : 0n;
      add(accountOwners.get(place) ?? key, lamportChange(transaction, place) + fee);
    });
  } else {
    for (const account of transaction.tokenAccounts.filter(({ mint }) => mint === move.token))
      for (const owner of new Set([account.ownerBefore, account.ownerAfter]))
        if (owner) add(owner, tokenChange(account, owner));
  }
  const opposite = [...changes].filter(([, change]) => change !== 0n && change < 0n !== move.amount < 0n);
  return opposite.length === 1 ? (opposite[0]?.[0] ?? null) : null;
}
