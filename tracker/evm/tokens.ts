// What token contracts say about themselves, and what wallets hold, by one multicall for many tokens where the chain has
// the usual contract, else by a batch. Everything is untrusted: text is cut and stays text, impossible numbers are null.
import { type BlockRef, type ChainQueries, type Leg, NATIVE, type TokenFacts } from "../chain.ts";
import type { RpcClient } from "../rpc/client.ts";
import { answerOf, type ContractAnswer } from "./contract-answer.ts";
import { isMadeByFactory } from "./factories.ts";
import { readHeader } from "./headers.ts";
import { createEvmLaunches } from "./launches.ts";
import { hexOf } from "./log-source.ts";
import { type ContractCall, decodeAggregate, encodeAggregate, MULTICALL } from "./multicall.ts";
import { inOrder, singletonDepth } from "./singleton-depth.ts";
import { createSingletonPools } from "./singleton-pools.ts";
import { quantity, topicOf, wordAt, ZERO_ADDRESS } from "./wire.ts";

const SELECTORS = {
  symbol: "0x95d89b41",
  name: "0x06fdde03",
  decimals: "0x313ce567",
  totalSupply: "0x18160ddd",
  balanceOf: "0x70a08231",
  getEthBalance: "0x4d2301cc",
} as const;

export const TOKEN_SIGNATURES: Record<keyof typeof SELECTORS, string> = {
  symbol: "symbol()",
  name: "name()",
  decimals: "decimals()",
  totalSupply: "totalSupply()",
  balanceOf: "balanceOf(address)",
  getEthBalance: "getEthBalance(address)",
};
export { SELECTORS as TOKEN_SELECTORS };

/** Calls in one multicall: some contracts burn all the gas they get, and nodes bound the whole. */
const CALLS_MAX = 100;
/** Longer texts are no names. */
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
  /** Null until it is known whether the chain has the multicall contract. */
  let hasMulticall: boolean | null = null;

  const oneByOne = async (calls: readonly ContractCall[], at: string): Promise<ContractAnswer[]> => {
    const replies = await rpc.batch(
      calls.map((call) =>
        isCoinCall(call)
          ? { method: "eth_getBalance", params: [`0x${call.data.slice(-ADDRESS_HEX_LENGTH)}`, at] }
          : { method: "eth_call", params: [call, at] },
      ),
    );
    return replies.map((reply, index) => {
      const answer = answerOf(reply);
      const isCoin = isCoinCall(calls[index] as ContractCall);
      return answer && isCoin ? `0x${answer.slice(2).padStart(WORD_HEX_LENGTH, "0")}` : answer;
    });
  };

  const together = async (calls: readonly ContractCall[], at: string): Promise<ContractAnswer[] | null> => {
    const request = { to: MULTICALL, data: encodeAggregate(calls) };
    const [reply] = await rpc.batch([{ method: "eth_call", params: [request, at] }]);
    if (!reply || "refused" in reply || typeof reply.result !== "string") return null;
    return decodeAggregate(reply.result, calls.length);
  };

  const callAll = async (calls: readonly ContractCall[], at: string): Promise<ContractAnswer[]> => {
    hasMulticall ??= (await rpc.call("eth_getCode", [MULTICALL, "latest"])) !== "0x";
    const answers: ContractAnswer[] = [];
    for (let start = 0; start < calls.length; start += CALLS_MAX) {
      const some = calls.slice(start, start + CALLS_MAX);
      answers.push(...((hasMulticall ? await together(some, at) : null) ?? (await oneByOne(some, at))));
    }
    return answers;
  };

  const headerAt = async (height: number) =>
    readHeader(await rpc.call("eth_getBlockByNumber", [hexOf(height), false]), chainId);

  return {
    isKnownPool: (pool) => isMadeByFactory(rpc, pool, makers),

    // Without any, nodes would look through the events of all contracts, and anybody can write those.
    ...(factories.length > 0 && { launches: createEvmLaunches(rpc, factories, chainId) }),

    async pooled(pool, token, other, height) {
      // Trades show the coin and its wrapped form as one; a pool has one of them, and its id tells which.
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
      const calls = tokens.flatMap((to) => fields.map((field) => ({ to, data: SELECTORS[field] })));
      const answers = await callAll(calls, "latest");
      return tokens.map((token, index) =>
        factsOf(token, answers.slice(index * fields.length, (index + 1) * fields.length)),
      );
    },

    async supplies(tokens) {
      const answers = await callAll(
        tokens.map((to) => ({ to, data: SELECTORS.totalSupply })),
        "latest",
      );
      return answers.map((answer) => wordAt(answer ?? "0x", 0) ?? null);
    },

    async held(pairs, height) {
      const block = await headerAt(height);
      if (!block) return null;
      const answers = await callAll(pairs.map(heldCall), hexOf(height));
      // Another fork may have been read in between, or other nodes may have answered: then these are of no one block.
      const again = pairs.length === 0 ? block : await headerAt(height);
      if (again?.hash !== block.hash) return null;
      return { block: refOf(block), amounts: answers.map((answer) => wordAt(answer ?? "0x", 0) ?? null) };
    },

    async balances(wallet, tokens, height) {
      const at = height === null ? "latest" : hexOf(height);
      const legs: Leg[] = [];
      if (tokens.includes(NATIVE)) {
        const amountRaw = quantity(await rpc.call("eth_getBalance", [wallet, at]), "balance");
        legs.push({ token: NATIVE, amountRaw });
      }
      const contracts = tokens.filter((token) => token !== NATIVE);
      const data = `${SELECTORS.balanceOf}${topicOf(wallet).slice(2)}`;
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

const refOf = ({ height, hash, parentHash, timeMs, chainId }: BlockRef): BlockRef => ({
  chainId,
  height,
  hash,
  parentHash,
  timeMs,
});

/** Coins are asked of the contract that puts calls together. */
function heldCall({ wallet, token }: { wallet: string; token: string }): ContractCall {
  const owner = topicOf(wallet).slice(2);
  return token === NATIVE
    ? { to: MULTICALL, data: `${SELECTORS.getEthBalance}${owner}` }
    : { to: token, data: `${SELECTORS.balanceOf}${owner}` };
}

const ADDRESS_HEX_LENGTH = 40;
const WORD_HEX_LENGTH = 64;

const isCoinCall = ({ to, data }: ContractCall): boolean =>
  to === MULTICALL && data.startsWith(SELECTORS.getEthBalance);

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

/** A string as contracts return it: with offset and length, or, in old ones, as 32 bytes padded with zeros. */
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
  // Control characters have no place in a name, zeros are padding; the rest is the token's own business.
  const kept = text.replaceAll(/\p{Cc}/gu, "").trim();
  return kept === "" ? null : [...kept].slice(0, TEXT_CHARS_MAX).join("");
}
