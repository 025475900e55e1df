// The directory of tokens, by network and address. The same EVM address may exist on several networks, so a lookup by
// address alone returns a list.

import { countOf, insertMany, type Queries } from "../../../database/database.ts";
import { list, sql, tuples } from "../../../database/sql.ts";
import { chunksOf } from "../../../kit/chunks.ts";
import { servingTurn } from "../../../kit/turn.ts";
import { UNKNOWN_PRICING } from "../../../protocol/shapes/pricing.ts";
import type { TokenInfo } from "../../../protocol/shapes/token.ts";
import { normaliseAddress } from "../../../protocol/values.ts";
import type { Repository, RepositoryHandle } from "../repository.ts";
import { saveAliases, symbolKeyOf } from "./aliases.ts";
import { codec } from "./bodies.ts";
import { type Changes, nextVersion } from "./directory.ts";

interface TokenBodyRow {
  address_key: string;
  network_id: number;
  version: number;
  body: string;
}

const ADDRESSES_PER_LOOKUP_MAX = 512;

export function tokenKey(address: string): string {
  return normaliseAddress(address) ?? address;
}

const BODY = codec<TokenInfo>("token", ["address", "networkId"], UNKNOWN_PRICING);

async function findToken(queries: Queries, address: string, networkId: number): Promise<TokenInfo | null> {
  const row = await queries.one<TokenBodyRow>(
    sql`SELECT body FROM token WHERE address_key = ${tokenKey(address)} AND network_id = ${networkId}`,
  );
  return row && BODY.decode(row.body);
}

/** With the capture time of its figures. */
async function findCapturedToken(
  queries: Queries,
  address: string,
  networkId: number,
): Promise<{ token: TokenInfo; capturedAt: number } | null> {
  const row = await queries.one<TokenBodyRow & { captured_at: number }>(
    sql`SELECT body, captured_at FROM token
      WHERE address_key = ${tokenKey(address)} AND network_id = ${networkId}`,
  );
  return row && { token: BODY.decode(row.body), capturedAt: row.captured_at };
}

/** The known ones, in no particular order. */
async function tokensByRefs(
  queries: Queries,
  refs: readonly { address: string; networkId: number }[],
): Promise<TokenInfo[]> {
  const found: TokenInfo[] = [];
  for (const part of chunksOf(refs, ADDRESSES_PER_LOOKUP_MAX)) {
    const places = tuples(part.map(({ address, networkId }) => [tokenKey(address), networkId]));
    const rows = await queries.all<TokenBodyRow>(
      sql`SELECT body FROM token WHERE (address_key, network_id) IN (VALUES ${places})`,
    );
    found.push(...rows.map((row) => BODY.decode(row.body)));
    await servingTurn();
  }
  return found;
}

/** On every network that has it, ordered by network. */
async function tokensOfAddress(queries: Queries, address: string): Promise<TokenInfo[]> {
  const rows = await queries.all<TokenBodyRow>(
    sql`SELECT body FROM token WHERE address_key = ${tokenKey(address)} ORDER BY network_id`,
  );
  return rows.map((row) => BODY.decode(row.body));
}

/** With `asOf`: the platform's time of the figures, or else their capture time. */
async function tokensChangedAfter(
  queries: Queries,
  version: number,
  limit: number,
): Promise<Changes<TokenInfo>> {
  const rows = await queries.all<TokenBodyRow & { captured_at: number }>(
    sql`SELECT version, captured_at, body FROM token WHERE version > ${version} AND version <= COALESCE(
        (SELECT version FROM token WHERE version > ${version} ORDER BY version LIMIT 1 OFFSET ${limit - 1}),
        (SELECT version FROM directory_version WHERE name = 'token'))
      ORDER BY version, address_key, network_id`,
  );
  return {
    rows: rows.map((row) => dated(BODY.decode(row.body), row.captured_at)),
    version: rows.at(-1)?.version ?? version,
    more: rows.length >= limit,
  };
}

const dated = (token: TokenInfo, capturedAt: number): TokenInfo => ({
  ...token,
  asOf: token.asOf ?? capturedAt,
});

function countTokens(queries: Queries): Promise<number> {
  return countOf(queries, sql`FROM token`);
}

/** Returns how many were new or different. */
async function saveTokens(tx: Queries, tokens: readonly TokenInfo[], capturedAt: number): Promise<number> {
  const idOf = (addressKey: string, networkId: number) => `${networkId}:${addressKey}`;
  const wanted = new Map(tokens.map((token) => [idOf(tokenKey(token.address), token.networkId), token]));
  const addresses = [...new Set(tokens.map((token) => tokenKey(token.address)))];
  const version = await nextVersion(tx, "token");
  const known = new Map<string, string>();
  for (const part of chunksOf(addresses, ADDRESSES_PER_LOOKUP_MAX)) {
    const rows = await tx.all<TokenBodyRow>(
      sql`SELECT address_key, network_id, body FROM token WHERE address_key IN (${list(part)})`,
    );
    for (const row of rows) known.set(idOf(row.address_key, row.network_id), row.body);
  }
  const changed = [...wanted]
    .map(([id, token]) => ({ id, token, body: BODY.encode(token) }))
    .filter(({ id, body }) => known.get(id) !== body);
  await insertMany(
    tx,
    "token",
    changed.map(({ token, body }) => ({
      addressKey: tokenKey(token.address),
      networkId: token.networkId,
      version,
      capturedAt,
      body,
    })),
    `ON CONFLICT (address_key, network_id) DO UPDATE SET
      version = excluded.version, captured_at = excluded.captured_at, body = excluded.body`,
  );
  await saveAliases(
    tx,
    changed.map(({ token }) => ({
      kind: "symbol",
      alias: symbolKeyOf(token.symbol),
      standsFor: tokenKey(token.address),
    })),
  );
  return changed.length;
}

export const tokens = {
  reads: {
    find: findToken,
    findCaptured: findCapturedToken,
    byAddress: tokensOfAddress,
    byRefs: tokensByRefs,
    changedAfter: tokensChangedAfter,
    count: countTokens,
  },
  writes: { save: saveTokens },
} satisfies Repository;

export type TokenStore = RepositoryHandle<typeof tokens>;
