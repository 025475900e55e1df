// On-chain prices of a chain's coin: the newest round of a price feed, and the median of deep pools against dollar coins. Both
// are read as of a block, so they are facts of the chain; a feed's rounds stay readable on nodes without old state.
import { HOUR_MS } from "../../kit/units.ts";
import type { BlockRef } from "../chain.ts";
import { type CoinQuote, type CoinSource, median } from "../prices/coins.ts";
import type { RpcClient } from "../rpc/client.ts";
import { hexOf } from "./log-source.ts";
import { selectorOf } from "./signatures.ts";
import { addressIn, signedWordAt, wordAt } from "./wire.ts";

export const COIN_SELECTORS = {
  latestRoundData: selectorOf("latestRoundData()"),
  getRoundData: selectorOf("getRoundData(uint80)"),
  slot0: selectorOf("slot0()"),
  getReserves: selectorOf("getReserves()"),
  token0: selectorOf("token0()"),
  token1: selectorOf("token1()"),
  decimals: selectorOf("decimals()"),
} as const;

const FEED_UNIT = 1e8;
/** The slowest feeds update once a day; one that is silent for longer is dead. */
const FEED_MS_MAX = 26 * HOUR_MS;
/** A round's number within its phase. */
const ROUND_MASK = (1n << 64n) - 1n;

interface Round extends CoinQuote {
  id: bigint;
}

async function callsAt(
  rpc: RpcClient,
  calls: readonly { to: string; data: string }[],
  at: string,
): Promise<(string | null)[]> {
  const replies = await rpc.batch(calls.map((call) => ({ method: "eth_call", params: [call, at] })));
  return replies.map((reply) =>
    "result" in reply && typeof reply.result === "string" && reply.result.length > 2 ? reply.result : null,
  );
}

/** `delayMs`: for a feed on another chain, whose blocks arrive later than those it prices. */
export function createFeedSource(rpc: RpcClient, feed: string, delayMs = 0): CoinSource {
  const round = async (data: string, at: string): Promise<Round | null> => {
    const [answer] = await callsAt(rpc, [{ to: feed, data }], at);
    return answer ? roundOf(answer) : null;
  };
  const byId = (id: bigint) =>
    round(`${COIN_SELECTORS.getRoundData}${id.toString(16).padStart(64, "0")}`, "latest");

  /** The newest round at a time: steps back from the latest one, doubling the step, then a binary search. */
  const roundAt = async (timeMs: number): Promise<Round | null> => {
    const latest = await round(COIN_SELECTORS.latestRoundData, "latest");
    if (!latest || latest.asOf <= timeMs) return latest;
    let after = latest;
    let before: Round | null = null;
    for (let step = 1n; before === null; step *= 2n) {
      const back =
        step < (latest.id & ROUND_MASK) ? latest.id - step : latest.id - (latest.id & ROUND_MASK) + 1n;
      if (back === after.id) return null;
      const found = await byId(back);
      if (!found) return null;
      if (found.asOf <= timeMs) before = found;
      else after = found;
    }
    while (after.id - before.id > 1n) {
      const middle = await byId((before.id + after.id) / 2n);
      if (!middle) return null;
      if (middle.asOf <= timeMs) before = middle;
      else after = middle;
    }
    return before;
  };

  const alive = (found: Round | null, timeMs: number): CoinQuote | null =>
    found && timeMs - found.asOf <= FEED_MS_MAX ? { priceUsd: found.priceUsd, asOf: found.asOf } : null;
  return {
    name: "feed",
    async at({ height, timeMs }: BlockRef) {
      const there = delayMs === 0 ? await round(COIN_SELECTORS.latestRoundData, hexOf(height)) : null;
      return alive(there ?? (await roundAt(timeMs - delayMs)), timeMs);
    },
    async now() {
      return round(COIN_SELECTORS.latestRoundData, "latest");
    },
  };
}

function roundOf(answer: string): Round | null {
  const [id, price, at] = [wordAt(answer, 0), signedWordAt(answer, 1), wordAt(answer, 3)];
  if (id === undefined || price === undefined || at === undefined || price <= 0n || at === 0n) return null;
  return { id, priceUsd: Number(price) / FEED_UNIT, asOf: Number(at) * 1_000 };
}

interface DeepPool {
  address: string;
  isCoinFirst: boolean;
  decimals: [number, number];
}

export function createPoolsSource(rpc: RpcClient, pools: readonly string[], wrapped: string): CoinSource {
  const known = new Map<string, DeepPool | null>();

  const describe = async (address: string): Promise<DeepPool | null> => {
    const kept = known.get(address);
    if (kept !== undefined) return kept;
    const sides = [COIN_SELECTORS.token0, COIN_SELECTORS.token1];
    const tokens = await callsAt(
      rpc,
      sides.map((data) => ({ to: address, data })),
      "latest",
    );
    const [first, second] = tokens.map((word) => (word ? addressIn(word) : null));
    if (!first || !second) return null;
    const digits = await callsAt(
      rpc,
      [first, second].map((to) => ({ to, data: COIN_SELECTORS.decimals })),
      "latest",
    );
    const [one, two] = digits.map((word) => Number(wordAt(word ?? "0x", 0) ?? -1));
    const isPool = first === wrapped || second === wrapped;
    if (one === undefined || two === undefined || one < 0 || two < 0) return null;
    const pool = isPool
      ? { address, isCoinFirst: first === wrapped, decimals: [one, two] as [number, number] }
      : null;
    known.set(address, pool);
    return pool;
  };

  const priceOf = async (pool: DeepPool, at: string): Promise<number | null> => {
    const { address: to, decimals, isCoinFirst } = pool;
    const [slot, reserves] = await callsAt(
      rpc,
      [COIN_SELECTORS.slot0, COIN_SELECTORS.getReserves].map((data) => ({ to, data })),
      at,
    );
    const root = wordAt(slot ?? "0x", 0);
    const [first, second] = [wordAt(reserves ?? "0x", 0), wordAt(reserves ?? "0x", 1)];
    const ratio =
      root !== undefined
        ? (Number(root) / 2 ** 96) ** 2
        : first !== undefined && second !== undefined && first > 0n
          ? Number(second) / Number(first)
          : 0;
    // The price of the first token in units of the second.
    const price = ratio * 10 ** (decimals[0] - decimals[1]);
    const priceUsd = isCoinFirst ? price : 1 / price;
    return priceUsd > 0 && Number.isFinite(priceUsd) ? priceUsd : null;
  };

  const medianAt = async (at: string): Promise<number | null> => {
    const prices: number[] = [];
    for (const address of pools) {
      const pool = await describe(address);
      const price = pool && (await priceOf(pool, at));
      if (price) prices.push(price);
    }
    return median(prices);
  };
  return {
    name: "pools",
    async at({ height, timeMs }: BlockRef) {
      const priceUsd = await medianAt(hexOf(height));
      return priceUsd === null ? null : { priceUsd, asOf: timeMs };
    },
    async now() {
      const [header, priceUsd] = [
        await rpc.call("eth_getBlockByNumber", ["latest", false]),
        await medianAt("latest"),
      ];
      const { timestamp } = (header ?? {}) as { timestamp?: string };
      return priceUsd === null || !timestamp ? null : { priceUsd, asOf: Number(timestamp) * 1_000 };
    },
  };
}
