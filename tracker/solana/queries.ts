// Queries to Solana outside its stream of blocks.
import type { ChainQueries } from "../chain.ts";
import { readBalances } from "./balances.ts";
import { createSolanaCalls, type SolanaRpc } from "./calls.ts";
import { createSolanaHeld } from "./held.ts";
import { readLaunches } from "./launches.ts";
import { swapProgramOf } from "./swaps.ts";
import { readSupplies, readTokens } from "./tokens.ts";

export function createSolanaQueries(rpc: SolanaRpc, programs: readonly string[] = []): ChainQueries {
  const calls = createSolanaCalls(rpc);
  return {
    tokens: (tokens) => readTokens(calls, tokens),
    launches: (asked, height) => readLaunches(calls, asked, height),
    supplies: (tokens) => readSupplies(calls, tokens),
    held: createSolanaHeld(rpc),
    balances: (wallet, tokens, height) => readBalances(calls, wallet, tokens, height),
    // Some programs keep the vaults of all their pools under one authority, others under each pool's own account.
    async isKnownPool(pool, swappedBy) {
      const owner = programs.includes(pool) ? pool : await calls.ownerOf(pool);
      if (owner === null || !programs.includes(owner)) return false;
      const program = swapProgramOf(pool, owner);
      return program === null || program === swappedBy;
    },
  };
}
