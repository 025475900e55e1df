// Books computed from the stored moves: every change in order, with the state of its position.
import type { Queries } from "../../database/database.ts";
import type { Money } from "../prices/money.ts";
import { type Booked, book, type Change, type PositionState, positionsOf } from "./accounting.ts";
import { changesOf, type MoveQuery, type MoveRow, readMoves } from "./moves.ts";
import { type OpeningRow, openingChange, readOpenings } from "./openings.ts";
import { type KnownToken, knownTokens } from "./tokens.ts";

/** One trader's activity in one token. */
export interface TraderToken {
  userId: string;
  chainId: number;
  token: string;
}

export interface TokenLedger extends TraderToken {
  /** null: the token has no usable decimals, so nothing is booked. */
  known: KnownToken | null;
  /** In order. */
  booked: readonly Booked[];
}

export interface TraderLedger {
  userId: string;
  /** By chain and token, each in order. */
  booked: ReadonlyMap<string, readonly Booked[]>;
  /** All of them, oldest first. */
  positions: readonly PositionState[];
  tokens: ReadonlyMap<string, KnownToken>;
  /** The money paid or received for one token in a transaction, by `paidKey`; left out if several kinds were involved. */
  paid: ReadonlyMap<string, PaidMoney>;
}

export interface PaidMoney {
  known: KnownToken;
  amountRaw: bigint;
}

export const paidKey = ({ chainId, txHash }: Pick<Change, "chainId" | "txHash">): string =>
  `${chainId} ${txHash}`;

export const tokenKey = (chainId: number, token: string): string => `${chainId}:${token}`;
export const traderTokenKey = ({ userId, chainId, token }: TraderToken): string =>
  `${userId} ${tokenKey(chainId, token)}`;

const inOrder = (a: Change, b: Change): number =>
  a.timeMs - b.timeMs || a.chainId - b.chainId || a.height - b.height || a.txIndex - b.txIndex;

/** Trader-token pairs read per statement. */
const READ_MAX = 128;

/** The books of some traders in some tokens of one chain; empty for pairs without stored moves. */
export async function readTokenLedgers(
  queries: Queries,
  chainId: number,
  wanted: readonly TraderToken[],
  money: Money,
  tokensOf = knownTokens,
): Promise<TokenLedger[]> {
  const found = new Map<string, TokenLedger>();
  for (let start = 0; start < wanted.length; start += READ_MAX) {
    const pairs = wanted.slice(start, start + READ_MAX);
    const rows = await readMoves(queries, { chainId, pairs });
    for (const ledger of await bookedIn(queries, { chainId, pairs }, rows, money, tokensOf))
      found.set(traderTokenKey(ledger), ledger);
  }
  return wanted.map((one) => found.get(traderTokenKey(one)) ?? { ...one, known: null, booked: [] });
}

export async function readLedger(queries: Queries, userId: string, money: Money): Promise<TraderLedger> {
  const booked = new Map<string, readonly Booked[]>();
  const tokens = new Map<string, KnownToken>();
  const rows = await readMoves(queries, { userId });
  const paid = await paidIn(queries, rows, money);
  for (const ledger of await bookedIn(queries, { userId }, rows, money)) {
    if (!ledger.known) continue;
    const key = tokenKey(ledger.chainId, ledger.token);
    booked.set(key, ledger.booked);
    tokens.set(key, ledger.known);
  }
  const positions = [...booked.values()].flatMap(positionsOf).sort((a, b) => a.openedAt - b.openedAt);
  return { userId, booked, positions, tokens, paid };
}

async function paidIn(
  queries: Queries,
  rows: readonly MoveRow[],
  money: Money,
): Promise<Map<string, PaidMoney>> {
  const isMoney = (row: MoveRow) => money.kindOf(row.chain_id, row.token) !== null;
  const tokens = new Map<string, KnownToken>();
  for (const [chainId, group] of Map.groupBy(rows.filter(isMoney), (row) => row.chain_id)) {
    const names = [...new Set(group.map((row) => row.token))];
    for (const [token, known] of await knownTokens(queries, chainId, names))
      tokens.set(tokenKey(chainId, token), known);
  }
  const paid = new Map<string, PaidMoney>();
  const byTransaction = Map.groupBy(rows, (row) => paidKey({ chainId: row.chain_id, txHash: row.tx_hash }));
  for (const [key, group] of byTransaction) {
    const traded = new Set(group.filter((row) => !isMoney(row)).map((row) => row.token));
    const sums = new Map<string, bigint>();
    for (const { chain_id, token, came_in, amount_raw } of group.filter(isMoney)) {
      const name = tokenKey(chain_id, token);
      sums.set(name, (sums.get(name) ?? 0n) + (came_in === 1 ? 1n : -1n) * BigInt(amount_raw));
    }
    const [only, ...others] = [...sums].filter(([, sum]) => sum !== 0n);
    const known = only && tokens.get(only[0]);
    if (traded.size !== 1 || !only || others.length > 0 || !known || known.decimals === null) continue;
    paid.set(key, { known, amountRaw: only[1] });
  }
  return paid;
}

/** `moves` are the result of the query. */
async function bookedIn(
  queries: Queries,
  query: MoveQuery,
  moves: readonly MoveRow[],
  money: Money,
  tokensOf = knownTokens,
): Promise<TokenLedger[]> {
  const rows = moves.filter((row) => money.kindOf(row.chain_id, row.token) === null);
  const keyOf = (row: MoveRow | OpeningRow) =>
    traderTokenKey({ userId: row.user_id, chainId: row.chain_id, token: row.token });
  const openings = Map.groupBy(await readOpenings(queries, query), keyOf);
  const tokens = new Map<string, KnownToken>();
  for (const [chainId, group] of Map.groupBy(rows, (row) => row.chain_id)) {
    const names = [...new Set(group.map((row) => row.token))];
    for (const [token, known] of await tokensOf(queries, chainId, names))
      tokens.set(tokenKey(chainId, token), known);
  }
  return [...Map.groupBy(rows, keyOf)].map(([key, group]) => {
    const { user_id: userId, chain_id: chainId, token } = group[0] as MoveRow;
    const known = tokens.get(tokenKey(chainId, token));
    // Without decimals, amounts are meaningless.
    if (!known || known.decimals === null) return { userId, chainId, token, known: null, booked: [] };
    const { decimals } = known;
    const held = openings.get(key) ?? [];
    const before = held.filter((row) => row.known !== 0).map((row) => openingChange(row, decimals));
    const changes = [...before, ...changesOf(group)].sort(inOrder);
    const isOpeningKnown = before.length === held.length;
    return { userId, chainId, token, known, booked: book(userId, changes, decimals, isOpeningKnown) };
  });
}
