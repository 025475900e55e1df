// Failure modes of EVM nodes, for the fault proxy: logs not indexed yet, logs sent twice or marked as removed, missing blocks
// and receipts, refused ranges, and a node that makes things up.
import { type Fault, REFUSED } from "../fault-proxy.ts";

interface LogLike {
  blockNumber: string;
  removed?: boolean;
  logIndex: string;
  blockHash: string;
}

const logs = (result: unknown): LogLike[] => (Array.isArray(result) ? (result as LogLike[]) : []);

/** The chain's newest block has no logs yet, two times out of five; older ones, which a reader may treat as final, have them. */
function unindexed(): Fault {
  let head = -1;
  return {
    percent: 100,
    methods: ["eth_getLogs", "eth_getBlockByNumber"],
    spoil(result, [asked], chance) {
      if (asked === "latest") head = Number((result as { number?: string } | null)?.number ?? head);
      if (typeof asked === "string") return result;
      const newest = logs(result).reduce((height, log) => Math.max(height, Number(log.blockNumber)), -1);
      if (newest < head || chance() > UNINDEXED_SHARE) return result;
      return logs(result).filter((log) => Number(log.blockNumber) < newest);
    },
  };
}

const UNINDEXED_SHARE = 0.4;

const repeated: Fault = {
  percent: 10,
  methods: ["eth_getLogs"],
  spoil: (result) => logs(result).flatMap((log) => [log, { ...log }]),
};

/** Logs of a losing fork, sent along with those of the winning one. */
const removed: Fault = {
  percent: 10,
  methods: ["eth_getLogs"],
  spoil: (result) => [
    ...logs(result),
    ...logs(result).map((log) => ({ ...log, removed: true, blockHash: `0x${"dd".repeat(32)}` })),
  ],
};

const absent: Fault = {
  percent: 6,
  methods: ["eth_getTransactionReceipt", "eth_getBlockByNumber"],
  spoil: () => null,
};

const refusedRange: Fault = {
  percent: 30,
  methods: ["eth_getLogs"],
  spoil(result, [filter]) {
    const { fromBlock, toBlock } = filter as { fromBlock?: string; toBlock?: string };
    return Number(toBlock ?? 0) - Number(fromBlock ?? 0) > 2 ? REFUSED : result;
  },
};

/** Blocks and receipts with made-up hashes. */
const lies: Fault = {
  percent: 3,
  methods: ["eth_getBlockByNumber", "eth_getTransactionReceipt"],
  spoil(result, _, chance) {
    if (typeof result !== "object" || result === null) return result;
    const made = `0x${Math.floor(chance() * 0xffff_ffff)
      .toString(16)
      .padStart(64, "e")}`;
    return "transactionHash" in result ? { ...result, blockHash: made } : { ...result, hash: made };
  },
};

/** New instances for each proxy: some remember what they saw. */
export const evmFaults = (): Fault[] => [unindexed(), repeated, removed, absent, refusedRange, lies];
