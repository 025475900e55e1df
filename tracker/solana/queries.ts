// The questions that Solana answers beside its stream of blocks.
import type { ChainQueries } from "../chain.ts";
import { readBalances } from "./balances.ts";
import { SolanaCalls, type SolanaRpc } from "./calls.ts";
import { readTokens } from "./tokens.ts";

export function createSolanaQueries(rpc: SolanaRpc): ChainQueries {
  const calls = new SolanaCalls(rpc);
  return {
    tokens: (tokens) => readTokens(calls, tokens),
    balances: (wallet, tokens, height) => readBalances(calls, wallet, tokens, height),
  };
}
