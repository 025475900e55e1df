// S12, EVM: how many logs per second one core turns from a node's answer into watched wallets' moves: the answer's text
// parsed, filtered by the wallets, and every transaction of a hit netted. For comparison: parsing alone, and decoding each log
// by its ABI as a general library does. Run: bun bench/tracker.ts [--quick]
import { parseEventLogs } from "viem";
import { seededRandom } from "../kit/random.ts";
import { evmChain } from "../tracker/evm/chains.ts";
import { hitsOf, walletTopics } from "../tracker/evm/hits.ts";
import { netFlow } from "../tracker/evm/netting.ts";
import { knownTransactions } from "../tracker/evm/test-transactions.ts";
import { TOPICS } from "../tracker/evm/topics.ts";
import { type RawLog, type RawReceipt, type RawTransaction, topicOf } from "../tracker/evm/wire.ts";
import { interleaved, spreadOf, spreadText } from "./kit/rounds.ts";
import { type Measured, suite } from "./kit/suite.ts";

const BAR_LOGS_PER_SECOND = 250_000;
const WALLETS = 10_000;
/** One answer, as a busy chain gives it for a few blocks. */
const LOGS_PER_ANSWER = 20_000;
/** Logs of a watched wallet, out of a thousand: far more than any roster will have. */
const HITS_PER_THOUSAND = 5;

const TRANSFER_ABI = [
  {
    type: "event",
    name: "Transfer",
    inputs: [
      { name: "from", type: "address", indexed: true },
      { name: "to", type: "address", indexed: true },
      { name: "value", type: "uint256", indexed: false },
    ],
  },
] as const;

interface BlockAnswer {
  text: string;
  wallets: ReturnType<typeof walletTopics>;
  /** The transactions of the hits, as a second request would return them. */
  included: Map<string, { transaction: RawTransaction; receipt: RawReceipt }>;
}

/** Realistic transfers between made-up addresses; now and then one of a watched wallet, as part of a real transaction. */
async function makeAnswer(): Promise<BlockAnswer> {
  const random = seededRandom("S12");
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => random.below(16).toString(16)).join("");
  const wallets = Array.from({ length: WALLETS }, () => `0x${hex(40)}`);
  const known = (await knownTransactions()).filter(({ kind }) => kind === "swap");
  const included: BlockAnswer["included"] = new Map();
  const logs: RawLog[] = [];
  for (let index = 0; index < LOGS_PER_ANSWER; index++) {
    const isHit = random.below(1_000) < HITS_PER_THOUSAND;
    const hash = `0x${hex(64)}`;
    const from = isHit ? random.pick(wallets) : `0x${hex(40)}`;
    if (isHit) {
      const { receipt, transaction } = random.pick(known).included;
      included.set(hash, { transaction: { ...transaction, hash }, receipt });
    }
    logs.push({
      address: `0x${hex(40)}`,
      topics: [TOPICS.transfer, topicOf(from), topicOf(`0x${hex(40)}`)],
      data: `0x${hex(16).padStart(64, "0")}`,
      blockNumber: `0x${(20_000_000 + Math.floor(index / 200)).toString(16)}`,
      transactionHash: hash,
      blockHash: `0x${hex(64)}`,
      logIndex: `0x${(index % 200).toString(16)}`,
      removed: false,
    });
  }
  return {
    text: JSON.stringify({ jsonrpc: "2.0", id: 1, result: logs }),
    wallets: walletTopics(wallets),
    included,
  };
}

const whole = (value: number): string => Math.round(value).toLocaleString("en-US");

await suite(async ({ quick, rounds }): Promise<Measured> => {
  const answer = await makeAnswer();
  const chain = evmChain(8453);
  const often = quick ? 10 : 40;
  const parse = () => (JSON.parse(answer.text) as { result: RawLog[] }).result;

  const read = (): number => {
    let netted = 0;
    for (const block of hitsOf(parse(), answer.wallets, chain.wrapped).values()) {
      for (const [hash, concerned] of block.transactions) {
        const one = answer.included.get(hash);
        if (!one) throw new Error("a hit has no receipt");
        for (const wallet of concerned) netted += netFlow({ chain, ...one }, wallet, null).index + 1;
      }
    }
    return netted;
  };
  const byAbi = (): number =>
    parseEventLogs({
      abi: TRANSFER_ABI,
      logs: parse() as unknown as Parameters<typeof parseEventLogs>[0]["logs"],
    }).length;

  const perSecond = (work: () => number, repeats: number) => async (): Promise<number> => {
    // Processor time over all threads: other load on the machine doesn't count.
    const before = process.cpuUsage();
    for (let count = 0; count < repeats; count++) if (work() === 0) throw new Error("nothing was found");
    const { user, system } = process.cpuUsage(before);
    return (repeats * LOGS_PER_ANSWER * 1_000_000) / (user + system);
  };
  // One uncounted run, so that all of them are compiled.
  for (const work of [read, byAbi]) work();
  const { kept, notes } = await interleaved(
    [
      { name: "crowdtape", measure: perSecond(read, often) },
      { name: "parsing alone", measure: perSecond(() => parse().length, often) },
      { name: "every log by its ABI (viem)", measure: perSecond(byAbi, 1) },
    ],
    rounds,
  );
  const spreads = Object.keys(kept[0] ?? {}).map((name) => ({
    name,
    spread: spreadOf(kept.map((round) => round[name] ?? 0)),
  }));
  const ours = spreads.find(({ name }) => name === "crowdtape")?.spread.median ?? 0;
  return {
    findings: [
      {
        bar: `EVM logs filtered and decoded on one core ≥ ${whole(BAR_LOGS_PER_SECOND)}/s`,
        result: `${whole(ours)}/s`,
        met: ours >= BAR_LOGS_PER_SECOND,
      },
    ],
    tables: [
      {
        title: `Logs a second, ${whole(WALLETS)} wallets, ${HITS_PER_THOUSAND} of 1,000 logs concern one`,
        columns: ["reader", "logs/s"],
        rows: spreads.map(({ name, spread }) => [name, spreadText(spread)]),
      },
    ],
    charts: [
      {
        file: "tracker",
        title: "EVM logs a second on one core",
        unit: "logs/s",
        bars: spreads.map(({ name, spread: { median, low, high } }) => ({
          label: name,
          value: median,
          low,
          high,
          isOurs: name === "crowdtape",
        })),
        mark: { label: "bar", value: BAR_LOGS_PER_SECOND },
      },
    ],
    notes,
  };
});
