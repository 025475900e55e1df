// Refreshes token supplies once an hour, so that market caps stay right when supply changes: for tokens that roster traders
// hold or traded within a day. What a node won't answer is left unchanged.
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Log } from "../kit/log.ts";
import type { LivePositions, LiveToken } from "./answers/live-positions.ts";
import type { ChainQueries } from "./chain.ts";

/** Per chain and round, by hundreds in one call; the rest wait for the next round. */
const TOKENS_MAX = 2_000;

export interface Supplies {
  round(): Promise<void>;
}

export function createSupplies(parts: {
  database: Database;
  live: Pick<LivePositions, "tokens">;
  chains: readonly { chainId: number; queries: Pick<ChainQueries, "supplies"> }[];
  /** Drops a token's cache entry, so that it is read again. */
  forget(chainId: number, token: string): void;
  log: Log;
}): Supplies {
  const { database, live, log } = parts;
  /** The token after which a chain's next round continues, in order of address. */
  const places = new Map<number, string>();

  const turnOf = (chainId: number): LiveToken[] => {
    const place = places.get(chainId) ?? "";
    const wanted = [...live.tokens()]
      .filter(({ known, holders, recent }) => known.chainId === chainId && holders.size + recent.length > 0)
      .sort((a, b) => (a.known.token < b.known.token ? -1 : 1));
    const some = wanted.filter(({ known }) => known.token > place).slice(0, TOKENS_MAX);
    places.set(chainId, some.length < TOKENS_MAX ? "" : (some.at(-1)?.known.token ?? ""));
    return some;
  };

  const save = async (of: LiveToken, supplyRaw: bigint) => {
    const { chainId, token } = of.known;
    await database.write((tx) =>
      tx.run(
        sql`UPDATE tracker_token SET supply_raw = ${String(supplyRaw)}
          WHERE chain_id = ${chainId} AND token = ${token}`,
      ),
    );
    of.known = { ...of.known, supplyRaw };
    parts.forget(chainId, token);
  };

  const roundOf = async (chainId: number, { supplies }: Pick<ChainQueries, "supplies">) => {
    const tokens = turnOf(chainId);
    const answers = (await supplies?.(tokens.map(({ known }) => known.token))) ?? [];
    for (const [index, of] of tokens.entries()) {
      const supplyRaw = answers[index] ?? null;
      if (supplyRaw !== null && supplyRaw !== of.known.supplyRaw) await save(of, supplyRaw);
    }
  };

  return {
    async round() {
      for (const { chainId, queries } of parts.chains)
        await roundOf(chainId, queries).catch((error) =>
          log.warn("could not refresh supplies", { chainId, error }),
        );
    },
  };
}
