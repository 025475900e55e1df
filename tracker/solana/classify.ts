// Classifies a wallet's net moves. A swap exchanges one thing for another: something minted against a deposit or burned for a
// payout is a share or a receipt, and SOL that only paid rent or a tip bought nothing.
import { type FlowKind, NATIVE, SOLANA_CHAIN_ID } from "../chain.ts";
import { dollarsOf } from "../prices/known.ts";
import type { Effects } from "./instructions.ts";
import { lamportChange, type OwnerMove } from "./moves.ts";
import { poolMoves } from "./pools.ts";
import { TIP_ACCOUNTS, WRAPPED_SOL } from "./programs.ts";
import type { SolanaTransaction } from "./transaction.ts";

export interface Netted {
  transaction: SolanaTransaction;
  wallet: string;
  effects: Effects;
  moves: OwnerMove[];
}

/** The smallest balance that keeps an empty account alive, and what each byte of data adds. In lamports. */
const RENT_MIN = 890_880n;
const RENT_PER_BYTE = 6_960n;

export function classify(netted: Netted): FlowKind {
  const { moves } = netted;
  if (moves.length === 0) return classifyWrap(netted);
  const paid = moves.filter((move) => move.amount < 0n && !isIncidental(netted, move));
  const received = moves.filter((move) => move.amount > 0n && !isIncidental(netted, move));
  const uniquePaid = paid.some((move) => move.unique);
  const uniqueReceived = received.some((move) => move.unique);
  if (uniquePaid || uniqueReceived) return classifyUnique(netted, paid, received);
  if (paid.length > 0 && received.length > 0)
    return believed(netted, paid, classifyExchange(netted, paid, received));
  const inward = paid.length > 0 ? false : received.length > 0 || (moves[0] as OwnerMove).amount > 0n;
  return inward ? "transfer-in" : "transfer-out";
}

/**
 * A token's creator may have kept the right to take it from any account, and can send some SOL in the same transaction. Only
 * money can't be taken that way: a wallet that neither signed nor paid with money sold nothing; its legs are only moves.
 */
function believed({ transaction, wallet }: Netted, paid: readonly OwnerMove[], kind: FlowKind): FlowKind {
  const isSigned = transaction.keys.slice(0, transaction.signers).includes(wallet);
  const isMoney = ({ token }: OwnerMove) => token === NATIVE || dollarsOf(SOLANA_CHAIN_ID).has(token);
  return kind !== "swap" || isSigned || paid.every(isMoney) ? kind : "transfer-in";
}

function classifyExchange(netted: Netted, paid: OwnerMove[], received: OwnerMove[]): FlowKind {
  const minted = received.every((move) => wasMinted(netted, move));
  const burned = paid.every((move) => wasBurned(netted, move));
  if (!minted && !burned) return "swap";
  // A route may end in a mint (a stake pool's token, say): the input was still sold to a pool on the way.
  const pools = poolMoves(netted.transaction);
  const traded = pools.some((pool) => paid.some(({ token }) => token === pool.in.token));
  const payout = pools.some((pool) => received.some(({ token }) => token === pool.out.token));
  if (minted && burned) return "convert";
  if (minted ? traded : payout) return "swap";
  if (minted) return paid.length > 1 ? "lp-add" : paid[0]?.token === NATIVE ? "stake" : "lend-deposit";
  return received.length > 1 ? "lp-remove" : received[0]?.token === NATIVE ? "unstake" : "redeem";
}

/** NFTs, and pool positions held as NFTs: those are minted and burned with the tokens that go in and out. */
function classifyUnique(netted: Netted, paid: OwnerMove[], received: OwnerMove[]): FlowKind {
  const got = received.find((move) => move.unique);
  const gave = paid.find((move) => move.unique);
  const paidTokens = paid.filter((move) => !move.unique);
  const receivedTokens = received.filter((move) => !move.unique);
  if (got && paidTokens.length > 0) {
    const position = wasMinted(netted, got) && paidTokens.some(({ token }) => token !== NATIVE);
    return position ? "lp-add" : "nft-buy";
  }
  if (gave && receivedTokens.length > 0) return wasBurned(netted, gave) ? "lp-remove" : "nft-sell";
  return got ? "nft-transfer-in" : "nft-transfer-out";
}

function classifyWrap({ transaction, wallet }: Netted): FlowKind {
  let wrapped = 0n;
  for (const account of transaction.tokenAccounts) {
    if (!WRAPPED_SOL.has(account.mint)) continue;
    if (account.ownerAfter === wallet) wrapped += account.after ?? 0n;
    if (account.ownerBefore === wallet) wrapped -= account.before ?? 0n;
  }
  if (wrapped === 0n) return "none";
  return wrapped > 0n ? "wrap" : "unwrap";
}

function wasMinted(netted: Netted, move: OwnerMove): boolean {
  return ownAmount(netted, move.token, netted.effects.minted) >= move.amount;
}

function wasBurned(netted: Netted, move: OwnerMove): boolean {
  return ownAmount(netted, move.token, netted.effects.burned) >= -move.amount;
}

function ownAmount({ transaction, wallet }: Netted, mint: string, amounts: Map<string, bigint>): bigint {
  return transaction.tokenAccounts
    .filter((account) => account.mint === mint && [account.ownerBefore, account.ownerAfter].includes(wallet))
    .reduce((sum, { address }) => sum + (amounts.get(address) ?? 0n), 0n);
}

/**
 * SOL that came along with something else: rent of accounts opened or closed, and tips. The rent of the wallet's own token
 * accounts is already excluded from the move, so it can't explain a small purchase or sale either.
 */
function isIncidental(netted: Netted, move: OwnerMove): boolean {
  if (move.token !== NATIVE || netted.moves.length === 1) return false;
  return move.amount < 0n ? -move.amount <= rentAndTips(netted) : move.amount <= rentRefunded(netted);
}

function rentAndTips({ transaction, wallet, effects }: Netted): bigint {
  return transaction.keys.reduce((sum, key, place) => {
    const change = lamportChange(transaction, place);
    const rent =
      effects.allocated.has(key) &&
      effects.fundedBy.get(key) === wallet &&
      !ownsTokensOf(transaction, wallet, place);
    return change > 0n && (rent || TIP_ACCOUNTS.has(key)) ? sum + change : sum;
  }, 0n);
}

function rentRefunded({ transaction, wallet }: Netted): bigint {
  return transaction.keys.reduce((sum, _key, place) => {
    const before = BigInt(transaction.lamportsBefore[place] ?? 0);
    const isOthers = place >= transaction.signers && !ownsTokensOf(transaction, wallet, place);
    const closed = isOthers && transaction.lamportsAfter[place] === 0;
    return closed && before >= RENT_MIN && before % RENT_PER_BYTE === 0n ? sum + before : sum;
  }, 0n);
}

/** Whether the account at this index holds tokens for the wallet. */
const ownsTokensOf = ({ tokenAccounts }: SolanaTransaction, wallet: string, place: number): boolean =>
  tokenAccounts.some(
    ({ index, ownerBefore, ownerAfter }) => index === place && [ownerBefore, ownerAfter].includes(wallet),
  );
