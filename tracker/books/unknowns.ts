// Lookups that a node did not answer when needed: a token's decimals, a wallet's opening balance. Stored as unknown, counted in
// the operator's metrics, and retried with backoff until known.
import { insertMany, type Queries } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import { DAY_MS, MINUTE_MS } from "../../kit/units.ts";
import type { TokenFacts } from "../chain.ts";
import type { Opening } from "./openings.ts";

export interface Unknown {
  chainId: number;
  kind: "facts" | "opening";
  /** Empty for facts, which belong to no wallet. */
  wallet: string;
  token: string;
  /** The block at whose end it is needed; 0 where that does not matter. */
  height: number;
}

interface UnknownRow {
  chain_id: number;
  kind: Unknown["kind"];
  wallet: string;
  token: string;
  height: number;
  tries: number;
}

/** Retried after a minute, then with the interval doubled each time. */
const FIRST_MS = MINUTE_MS;
const LAST_MS = DAY_MS;
/** Lookups per round; the rest wait for the next. */
const DUE_MAX = 100;

/** The ones that the chain did not answer. */
export function unknownsOf(
  chainId: number,
  facts: readonly TokenFacts[],
  openings: readonly Opening[],
): Unknown[] {
  return [
    ...facts
      .filter(({ isUnread }) => isUnread === true)
      .map(({ token }): Unknown => ({ chainId, kind: "facts", wallet: "", token, height: 0 })),
    ...openings
      .filter(({ amountRaw }) => amountRaw === null)
      .map(({ wallet, token, height }): Unknown => ({ chainId, kind: "opening", wallet, token, height })),
  ];
}

export async function noteUnknowns(tx: Queries, unknowns: readonly Unknown[], nowMs: number): Promise<void> {
  await insertMany(
    tx,
    "tracker_unknown",
    unknowns.map(({ chainId, kind, wallet, token, height }) => ({
      chainId,
      kind,
      wallet,
      token,
      height,
      tries: 0,
      askAt: nowMs + FIRST_MS,
    })),
    `ON CONFLICT (chain_id, kind, wallet, token) DO UPDATE
      SET height = excluded.height, tries = 0, ask_at = excluded.ask_at
      WHERE tracker_unknown.height > excluded.height`,
  );
}

export async function dueUnknowns(queries: Queries, nowMs: number): Promise<(Unknown & { tries: number })[]> {
  const rows = await queries.all<UnknownRow>(
    sql`SELECT chain_id, kind, wallet, token, height, tries FROM tracker_unknown
      WHERE ask_at <= ${nowMs} ORDER BY ask_at LIMIT ${DUE_MAX}`,
  );
  return rows.map(({ chain_id: chainId, ...row }) => ({ chainId, ...row }));
}

/** Includes the height: after a re-org there may be a new question about the same wallet and token. */
const same = ({ chainId, kind, wallet, token, height }: Unknown) =>
  sql`chain_id = ${chainId} AND kind = ${kind} AND wallet = ${wallet} AND token = ${token} AND height = ${height}`;

export async function forgetUnknown(tx: Queries, known: Unknown): Promise<void> {
  await tx.run(sql`DELETE FROM tracker_unknown WHERE ${same(known)}`);
}

/** For openings removed by a re-org: the next first move is at another height, with its own question. */
export async function forgetOpenings(tx: Queries, chainId: number, lost: Sql): Promise<void> {
  await tx.run(
    sql`DELETE FROM tracker_unknown WHERE chain_id = ${chainId} AND kind = 'opening' AND (wallet, token) IN
      (SELECT wallet, token FROM tracker_opening WHERE ${lost})`,
  );
}

export async function postponeUnknown(
  tx: Queries,
  unknown: Unknown & { tries: number },
  nowMs: number,
): Promise<void> {
  const tries = unknown.tries + 1;
  const restMs = Math.min(LAST_MS, FIRST_MS * 2 ** Math.min(tries, 16));
  await tx.run(
    sql`UPDATE tracker_unknown SET tries = ${tries}, ask_at = ${nowMs + restMs} WHERE ${same(unknown)}`,
  );
}

export interface UnknownCount {
  chainId: number;
  /** `coin-price`: blocks whose trades are waiting for the price of the chain's coin. */
  kind: Unknown["kind"] | "coin-price";
  count: number;
}

/** The number of unknowns, by chain and kind. */
export async function countUnknowns(queries: Queries): Promise<UnknownCount[]> {
  const asked = await queries.all<UnknownCount>(
    sql`SELECT chain_id AS "chainId", kind, COUNT(*) AS count FROM tracker_unknown GROUP BY chain_id, kind`,
  );
  // Grouped by an expression that no index covers: otherwise SQLite scans all blocks instead of the waiting ones.
  const waiting = await queries.all<Omit<UnknownCount, "kind">>(
    sql`SELECT b.chain_id AS "chainId", COUNT(*) AS count FROM tracker_block b
      WHERE b.coin_usd IS NULL AND EXISTS (SELECT 1 FROM tracker_move m
        WHERE m.chain_id = b.chain_id AND m.height = b.height AND m.block_hash = b.hash)
      GROUP BY +b.chain_id`,
  );
  return [...asked, ...waiting.map((row) => ({ ...row, kind: "coin-price" as const }))];
}
