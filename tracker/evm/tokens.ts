// Token contracts' metadata, and wallets' balances, with one multicall for many tokens where the chain has the usual contract,
// else as a batch. Everything is untrusted: text is truncated and stays text, impossible numbers are null.
import { type ChainQueries, type Leg, NATIVE, type TokenFacts } from "../chain.ts";
import type { RpcClient } from "../rpc/client.ts";
import type { ContractAnswer } from "./contract-answer.ts";
import { createContractCalls, TOKEN_SELECTORS } from "./contract-calls.ts";
import { isMadeByFactory } from "./factories.ts";
import { createEvmHeld } from "./held.ts";
import { createEvmLaunches } from "./launches.ts";
import { hexOf } from "./log-source.ts";
import { inOrder, singletonDepth } from "./singleton-depth.ts";
import { createSingletonPools } from "./singleton-pools.ts";
import { quantity, topicOf, wordAt, ZERO_ADDRESS } from "./wire.ts";

/** Longer texts are not names. */
const TEXT_CHARS_MAX = 128;
const DECIMALS_MAX = 77n;

export function createEvmQueries(
  rpc: RpcClient,
  factories: readonly string[] = [],
  wrapped: string | null = null,
  singletons = createSingletonPools(rpc),
  chainId = 0,
): ChainQueries {
  const makers = new Set(factories);
  const callAll = createContractCalls(rpc);

  return {
    isKnownPool: (pool) => isMadeByFactory(rpc, pool, makers),

    // Without factories, nodes would scan the events of all contracts, and anyone can emit those.
    ...(factories.length > 0 && { launches: createEvmLaunches(rpc, factories, chainId) }),

    async pooled(pool, token, other, height) {
      // Trades treat the coin and its wrapped form as one; a pool has one of them, and its id tells which.
      const forms = (of: string) => (of === NATIVE ? [ZERO_ADDRESS, ...(wrapped ? [wrapped] : [])] : [of]);
      for (const own of forms(token))
        for (const against of forms(other)) {
          const pair = inOrder(own, against);
          const held = await singletonDepth({ rpc, singletons }, pool, pair, height);
          if (held) return held[pair[0] === own ? 0 : 1];
        }
      return null;
    },

    async tokens(tokens) {
      const fields = ["symbol", "name", "decimals", "totalSupply"] as const;
      const calls = tokens.flatMap((to) => fields.map((field) => ({ to, data: TOKEN_SELECTORS[field] })));
      const answers = await callAll(calls, "latest");
      return tokens.map((token, index) =>
        factsOf(token, answers.slice(index * fields.length, (index + 1) * fields.length)),
      );
    },

    async supplies(tokens) {
      const answers = await callAll(
        tokens.map((to) => ({ to, data: TOKEN_SELECTORS.totalSupply })),
        "latest",
      );
      return answers.map((answer) => wordAt(answer ?? "0x", 0) ?? null);
    },

    held: createEvmHeld(rpc, chainId),

    async balances(wallet, tokens, height) {
      const at = height === null ? "latest" : hexOf(height);
      const legs: Leg[] = [];
      if (tokens.includes(NATIVE)) {
        const amountRaw = quantity(await rpc.call("eth_getBalance", [wallet, at]), "balance");
        legs.push({ token: NATIVE, amountRaw });
      }
      const contracts = tokens.filter((token) => token !== NATIVE);
      const data = `${TOKEN_SELECTORS.balanceOf}${topicOf(wallet).slice(2)}`;
      const answers = await callAll(
        contracts.map((to) => ({ to, data })),
        at,
      );
      contracts.forEach((token, index) => {
        const amountRaw = wordAt(answers[index] ?? "0x", 0);
        if (amountRaw !== undefined) legs.push({ token, amountRaw });
      });
      return legs;
    },
  };
}

function factsOf(token: string, answers: readonly ContractAnswer[]): TokenFacts {
  const [symbol, name, decimals, supply] = answers;
  const digits = wordAt(decimals ?? "0x", 0);
  return {
    token,
    symbol: textOf(symbol ?? null),
    name: textOf(name ?? null),
    decimals: digits === undefined || digits > DECIMALS_MAX ? null : Number(digits),
    supplyRaw: wordAt(supply ?? "0x", 0) ?? null,
    ...(answers.includes(undefined) && { isUnread: true }),
  };
}

/** A string as contracts return it: with offset and length, or, in old contracts, as 32 zero-padded bytes. */
export function textOf(data: string | null): string | null {
  if (data === null || data.length < 66) return null;
  const bytes = Buffer.from(data.slice(2), "hex");
  if (bytes.length === 32) return clean(bytes);
  const offset = wordAt(data, 0);
  if (offset === undefined || offset > BigInt(bytes.length - 32)) return null;
  const start = Number(offset) + 32;
  const length = BigInt(`0x${bytes.subarray(start - 32, start).toString("hex")}`);
  if (length > BigInt(bytes.length - start)) return null;
  return clean(bytes.subarray(start, start + Number(length)));
}

function clean(bytes: Uint8Array): string | null {
  const text = new TextDecoder("utf-8").decode(bytes);
  // Control characters don't belong in a name, zeros are padding; the rest is up to the token.
  const kept = text.replaceAll(/\p{Cc}/gu, "").trim();
  return kept === "" ? null : [...kept].slice(0, TEXT_CHARS_MAX).join("");
}
