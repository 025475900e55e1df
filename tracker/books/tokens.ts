// Known tokens: looked up on the chain when first seen, stored, and never trusted to be sane.
import { insertMany, type Queries } from "../../database/database.ts";
import { list, sql } from "../../database/sql.ts";
import { createLru, type Lru } from "../../kit/lru.ts";
import { type ChainQueries, NATIVE, SOLANA_CHAIN_ID, type TokenFacts } from "../chain.ts";
import type { KeptLaunch } from "./launches.ts";

export interface KnownToken {
  chainId: number;
  token: string;
  symbol: string;
  name: string;
  /** null: the contract has none, so its amounts are unknown. */
  decimals: number | null;
  supplyRaw: bigint | null;
  seenAt: number;
  /** The order in which tokens were first seen. */
  place: number;
  launch: KeptLaunch;
}

interface TokenRow {
  chain_id: number;
  token: string;
  symbol: string;
  name: string;
  decimals: number | null;
  supply_raw: string | null;
  seen_at: number;
  place: number;
  launched_at: number | null;
  deployer: string | null;
  graduated_at: number | null;
  launch_tries: number;
  launch_ask_at: number | null;
}

const TOKENS_PER_READ_MAX = 200;
/** EVM contracts can return anything up to 255; the protocol allows no more either. */
const DECIMALS_MAX = 255;
const NATIVE_FACTS: TokenFacts = { token: NATIVE, symbol: "", name: "", decimals: 18, supplyRaw: null };

const keyOf = (chainId: number, token: string): string => `${chainId}:${token}`;

export async function knownTokens(
  queries: Queries,
  chainId: number,
  tokens: readonly string[],
): Promise<Map<string, KnownToken>> {
  const known = new Map<string, KnownToken>();
  for (let start = 0; start < tokens.length; start += TOKENS_PER_READ_MAX) {
    const some = list(tokens.slice(start, start + TOKENS_PER_READ_MAX));
    const rows = await queries.all<TokenRow>(
      sql`SELECT * FROM tracker_token WHERE chain_id = ${chainId} AND token IN (${some})`,
    );
    for (const row of rows) known.set(row.token, tokenOf(row));
  }
  return known;
}

/** Stored tokens with known decimals, which never change. If anything else changes, the entry is dropped. */
export type SettledTokens = Lru<string, KnownToken>;

/** A few megabytes. */
const SETTLED_MAX = 20_000;
export const createSettledTokens = (): SettledTokens => createLru(SETTLED_MAX);

export const forgetSettled = (settled: SettledTokens, chainId: number, token: string): void => {
  settled.delete(keyOf(chainId, token));
};

/** Looks each token up once; for one transaction, after it has written its own token rows. */
export function rememberTokens(settled: SettledTokens): typeof knownTokens {
  const own = new Map<string, KnownToken>();
  return async (queries, chainId, wanted) => {
    const found = new Map<string, KnownToken>();
    const missing: string[] = [];
    for (const token of wanted) {
      const known = own.get(keyOf(chainId, token)) ?? settled.get(keyOf(chainId, token));
      if (known) found.set(token, known);
      else missing.push(token);
    }
    for (const [token, known] of await knownTokens(queries, chainId, missing)) {
      own.set(keyOf(chainId, token), known);
      found.set(token, known);
    }
    return found;
  };
}

/** Asks the chain for unknown tokens. Fails if the chain doesn't answer: without decimals nothing can be priced. */
export async function askNewTokens(
  queries: Queries,
  chain: ChainQueries,
  chainId: number,
  tokens: readonly string[],
  settled: SettledTokens,
): Promise<TokenFacts[]> {
  const wanted = tokens.filter((token) => !settled.get(keyOf(chainId, token)));
  const known = await knownTokens(queries, chainId, wanted);
  // Only committed tokens are cached: a failed transaction rolls its tokens back.
  for (const [token, one] of known) if (one.decimals !== null) settled.set(keyOf(chainId, token), one);
  const unknown = wanted.filter((token) => !known.has(token));
  if (unknown.length === 0) return [];
  const asked = unknown.filter((token) => token !== NATIVE);
  const facts = asked.length > 0 ? await chain.tokens(asked) : [];
  return unknown.includes(NATIVE) ? [nativeFacts(chainId), ...facts] : facts;
}

export const coinDecimals = (chainId: number): number => (chainId === SOLANA_CHAIN_ID ? 9 : 18);

function nativeFacts(chainId: number): TokenFacts {
  return { ...NATIVE_FACTS, decimals: coinDecimals(chainId) };
}

/** Part of the transaction that first mentions them. */
export async function saveTokens(
  tx: Queries,
  chainId: number,
  facts: readonly TokenFacts[],
  seenAt: number,
): Promise<void> {
  if (facts.length === 0) return;
  const last = await tx.one<{ place: number | null }>(sql`SELECT MAX(place) AS place FROM tracker_token`);
  const rows = facts.map((fact, index) => ({
    chainId,
    token: fact.token,
    symbol: fact.symbol ?? "",
    name: fact.name ?? "",
    decimals: sensibleDecimals(fact),
    supplyRaw: fact.supplyRaw === null ? null : String(fact.supplyRaw),
    seenAt,
    place: (last?.place ?? 0) + index + 1,
  }));
  await insertMany(tx, "tracker_token", rows, "ON CONFLICT (chain_id, token) DO NOTHING");
}

/** Once a token's missing facts are known. */
export async function updateToken(tx: Queries, chainId: number, fact: TokenFacts): Promise<void> {
  await tx.run(
    sql`UPDATE tracker_token SET symbol = ${fact.symbol ?? ""}, name = ${fact.name ?? ""},
        decimals = ${sensibleDecimals(fact)}, supply_raw = ${fact.supplyRaw === null ? null : String(fact.supplyRaw)}
      WHERE chain_id = ${chainId} AND token = ${fact.token}`,
  );
}

const sensibleDecimals = ({ decimals }: TokenFacts): number | null =>
  decimals !== null && decimals >= 0 && decimals <= DECIMALS_MAX ? decimals : null;

/** In the order they were first seen, after a given place. */
export async function tokensAfter(queries: Queries, place: number, limit: number): Promise<KnownToken[]> {
  const rows = await queries.all<TokenRow>(
    sql`SELECT * FROM tracker_token WHERE place > ${place} ORDER BY place LIMIT ${limit}`,
  );
  return rows.map(tokenOf);
}

export async function tokensByAddress(queries: Queries, token: string): Promise<KnownToken[]> {
  const rows = await queries.all<TokenRow>(
    sql`SELECT * FROM tracker_token WHERE token = ${token} ORDER BY chain_id`,
  );
  return rows.map(tokenOf);
}

export async function countTokens(queries: Queries): Promise<number> {
  const row = await queries.one<{ n: number }>(sql`SELECT COUNT(*) AS n FROM tracker_token`);
  return row?.n ?? 0;
}

function tokenOf(row: TokenRow): KnownToken {
  return {
    chainId: row.chain_id,
    token: row.token,
    symbol: row.symbol,
    name: row.name,
    decimals: row.decimals,
    supplyRaw: row.supply_raw === null ? null : BigInt(row.supply_raw),
    seenAt: row.seen_at,
    place: row.place,
    launch: {
      launchedAt: row.launched_at,
      deployer: row.deployer,
      graduatedAt: row.graduated_at,
      tries: row.launch_tries,
      askAt: row.launch_ask_at,
    },
  };
}
