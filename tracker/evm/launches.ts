// The origin of an EVM token. Its launch is when a known factory made its first pool; its deployer is the sender of the
// transaction that created the contract, found by the token's first mint if that was part of it. Providers that allow
// whole-chain log queries need few calls; for others the block that created the contract is found by binary search, which takes
// an archive node, and pools are searched right after it. Anything not found that way stays unknown.
import type { ChainQueries, LaunchAnswer } from "../chain.ts";
import { answersInTurn, UNKNOWN_LAUNCH } from "../launch-answers.ts";
import type { RpcClient } from "../rpc/client.ts";
import { RpcUnavailable } from "../rpc/errors.ts";
import { readHeader } from "./headers.ts";
import { hexOf } from "./log-source.ts";
import { TOPICS } from "./topics.ts";
import { quantity, type RawLog, type RawReceipt, topicOf, ZERO_ADDRESS } from "./wire.ts";

/** Per round, at seven calls each. */
const TOKENS_MAX = 20;
/** Of these, how many may use a binary search for the contract's block: thirty calls, and three for each range after it. */
const HALVED_MAX = 2;
/** Ranges after that block, and blocks in each; split where a provider allows fewer. */
const STRETCHES_MAX = 10;
const STRETCH_BLOCKS_MAX = 10_000;
const STRETCH_BLOCKS_MIN = 10;

const POOL_EVENTS = [
  TOPICS.pairCreated,
  TOPICS.poolCreatedV3,
  TOPICS.poolCreatedSolidly,
  TOPICS.poolCreatedBySpacing,
];

/** Undefined, in all of these: the node would not answer. */
type Said<T> = Promise<T | undefined>;

interface LogPlace {
  height: number;
  hash: string;
}

interface Made {
  /** The block that created the contract, if known. */
  created: number | null;
  /** Null: no known factory made a pool. */
  pool: LogPlace | null;
}

export function createEvmLaunches(
  rpc: RpcClient,
  factories: readonly string[],
  chainId: number,
): NonNullable<ChainQueries["launches"]> {
  const one = async (method: string, params: unknown[]): Said<unknown> => {
    const [reply] = await rpc.batch([{ method, params }]);
    return !reply || "refused" in reply ? undefined : reply.result;
  };

  const hasCode = async (token: string, height: number): Said<boolean> => {
    const code = await one("eth_getCode", [token, hexOf(height)]);
    return typeof code === "string" ? code.length > 2 : undefined;
  };

  /** The first event that these filters match. */
  const firstOf = async (filters: readonly object[], from: number, to: number): Said<LogPlace | null> => {
    const range = { fromBlock: hexOf(from), toBlock: hexOf(to) };
    const replies = await rpc.batch(
      filters.map((filter) => ({ method: "eth_getLogs", params: [{ ...filter, ...range }] })),
    );
    const logs: RawLog[] = [];
    for (const reply of replies) {
      if ("refused" in reply || !Array.isArray(reply.result)) return undefined;
      for (const log of reply.result) logs.push(log);
    }
    return earliest(logs);
  };

  const poolIn = (token: string, from: number, to: number) =>
    firstOf(
      poolTopics(topicOf(token)).map((topics) => ({ address: factories, topics })),
      from,
      to,
    );

  const createdBy = async (token: string, height: number): Said<number> => {
    if ((await hasCode(token, height)) !== true) return undefined;
    let [without, withIt] = [-1, height];
    while (withIt - without > 1) {
      const middle = Math.floor((without + withIt) / 2);
      const has = await hasCode(token, middle);
      if (has === undefined) return undefined;
      if (has) withIt = middle;
      else without = middle;
    }
    return withIt;
  };

  const poolBehind = async (token: string, created: number, height: number): Said<LogPlace | null> => {
    let stretch = STRETCH_BLOCKS_MAX;
    let from = created;
    for (let asked = 0; asked < STRETCHES_MAX && from <= height; asked++) {
      const to = Math.min(height, from + stretch - 1);
      const found = await poolIn(token, from, to);
      if (found) return found;
      if (found === null) from = to + 1;
      else if (stretch > STRETCH_BLOCKS_MIN) stretch = Math.max(STRETCH_BLOCKS_MIN, stretch >> 2);
      else return undefined;
    }
    return from > height ? null : undefined;
  };

  /** The sender of the transaction with the first mint, if the contract was created in the same block. */
  const deployerOf = async (token: string, created: number | null, until: number): Said<string | null> => {
    const filter = { address: token, topics: [TOPICS.transfer, topicOf(ZERO_ADDRESS)] };
    const mint = await firstOf([filter], created ?? 0, created ?? until);
    if (!mint) return mint;
    const receipt = (await one("eth_getTransactionReceipt", [mint.hash])) as MintReceipt | null | undefined;
    if (!receipt || typeof receipt.from !== "string" || !Array.isArray(receipt.logs)) return undefined;
    // A bundler sends on behalf of others.
    if (receipt.logs.some(({ topics }) => topics?.[0] === TOPICS.userOperation)) return null;
    const isMaker = receipt.contractAddress?.toLowerCase() === token;
    if (isMaker || created === mint.height) return receipt.from.toLowerCase();
    const wasThere = await hasCode(token, mint.height - 1);
    if (wasThere === undefined) return undefined;
    return wasThere ? null : receipt.from.toLowerCase();
  };

  const timeOf = async (height: number): Said<number> =>
    readHeader((await one("eth_getBlockByNumber", [hexOf(height), false])) ?? null, chainId)?.timeMs;

  const madeOf = async (token: string, height: number, mayHalve: () => boolean): Said<Made | "no turn"> => {
    const pool = await poolIn(token, 0, height).catch(unlessTooMuch);
    if (pool !== undefined) return { created: null, pool };
    if (!mayHalve()) return "no turn";
    const created = await createdBy(token, height);
    if (created === undefined) return undefined;
    const behind = await poolBehind(token, created, height);
    return behind === undefined ? undefined : { created, pool: behind };
  };

  const answerOf = async (
    token: string,
    height: number,
    mayHalve: () => boolean,
  ): Promise<LaunchAnswer | null> => {
    const made = await madeOf(token, height, mayHalve);
    if (made === "no turn") return null;
    if (!made?.pool) return UNKNOWN_LAUNCH;
    const launchedAt = (await timeOf(made.pool.height)) ?? null;
    const deployer = await deployerOf(token, made.created, made.pool.height);
    const isWhole = launchedAt !== null && deployer !== undefined;
    return { launchedAt, deployer: deployer ?? null, graduatedAt: null, again: isWhole ? "never" : "later" };
  };

  return (asked, height) => {
    let halved = 0;
    const mayHalve = () => halved++ < HALVED_MAX;
    return answersInTurn(asked.slice(0, TOKENS_MAX), ({ token }) => answerOf(token, height, mayHalve));
  };
}

/** A query that times out or is too large counts as refused. */
function unlessTooMuch(error: unknown): undefined {
  if (error instanceof RpcUnavailable && (error.kind === "timeout" || error.kind === "size")) return;
  throw error;
}

interface MintReceipt extends Partial<RawReceipt> {
  from?: unknown;
  contractAddress?: string | null;
}

/** A token is a pool's first or second; a singleton's event has the pool id before them. */
const poolTopics = (token: string) => [
  [POOL_EVENTS, token],
  [[...POOL_EVENTS, TOPICS.initializeV4], null, token],
  [[TOPICS.initializeV4], null, null, token],
];

function earliest(logs: readonly RawLog[]): LogPlace | null {
  let first: (LogPlace & { index: bigint }) | null = null;
  for (const { blockNumber, logIndex, transactionHash, removed } of logs) {
    if (removed === true || typeof transactionHash !== "string") continue;
    const height = Number(quantity(blockNumber, "log.blockNumber"));
    const index = quantity(logIndex, "log.logIndex");
    if (!first || height < first.height || (height === first.height && index < first.index))
      first = { height, index, hash: transactionHash };
  }
  return first && { height: first.height, hash: first.hash };
}
