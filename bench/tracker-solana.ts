// S12, Solana's half: transactions read on one core, from a node's text to their effects on watched wallets. Built from real
// transactions: as whole blocks of which few concern us, and one by one as if every one did. Run: bun bench/tracker-solana.ts
// [--quick]
import { join } from "node:path";
import { scanBlock } from "../tracker/solana/blocks.ts";
import { netWallet } from "../tracker/solana/netting.ts";
import { poolTrades } from "../tracker/solana/pools.ts";
import { readTransaction } from "../tracker/solana/transaction.ts";
import { figure, interleaved, spreadOf, spreadText } from "./kit/rounds.ts";
import { type Measured, suite } from "./kit/suite.ts";

const BAR = 15_000;
const WATCHED = 5_000;
/** About as many as a full block contains apart from votes, which are shorter than any of these. */
const BLOCK_TRANSACTIONS = 1_500;
const BLOCKS = 8;
/** One in this many transactions of a block is of a watched wallet. */
const HIT_EVERY = 100;
/** Program output, which nodes include when a transaction is requested on its own. */
const LOG_LINES = 60;

interface Sample {
  wallet: string;
  transaction: {
    slot: number;
    meta: Record<string, unknown> & { loadedAddresses?: { writable: string[]; readonly: string[] } };
    transaction: {
      signatures: string[];
      message: { accountKeys: string[]; header: { numRequiredSignatures: number } };
    };
  };
}

const file = join(import.meta.dir, "../test/chains/solana/transactions.jsonl");
const samples = (await Bun.file(file).text())
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Sample);
const strangers = Array.from({ length: WATCHED }, (_, at) => `Stranger${String(at).padStart(36, "x")}`);

await suite(async ({ quick, rounds }): Promise<Measured> => {
  const passes = quick ? 2 : 5;
  const blocks = Array.from({ length: BLOCKS }, (_, at) => blockText(at));
  const whole = Array.from({ length: BLOCK_TRANSACTIONS }, (_, at) => wholeText(at));
  const contenders = [
    { name: "blocks", measure: async () => rate(passes, () => readBlocks(blocks, whole)) },
    { name: "single", measure: async () => rate(passes, () => readWhole(whole)) },
  ];
  for (const { measure } of contenders) await measure();
  const { kept, notes } = await interleaved(contenders, rounds);
  const spread = (name: string) => spreadOf(kept.map((round) => round[name] ?? Number.NaN));
  const kilobytes = (texts: string[], transactions: number) =>
    figure(texts.reduce((sum, text) => sum + text.length, 0) / transactions / 1_000, 1);
  const [inBlocks, single] = [spread("blocks"), spread("single")];
  return {
    findings: [
      {
        bar: `at least ${figure(BAR, 0)} transactions of whole blocks a second on one core`,
        result: `${spreadText(inBlocks, 0)}/s`,
        met: inBlocks.median >= BAR,
      },
    ],
    tables: [
      {
        title: "Solana transactions read a second of CPU, JSON parsing included",
        columns: ["how", "KB of JSON each", "transactions/s"],
        rows: [
          [
            `whole blocks without votes, ${figure(WATCHED, 0)} wallets watched, 1 in ${HIT_EVERY} netted`,
            kilobytes(blocks, BLOCKS * BLOCK_TRANSACTIONS),
            spreadText(inBlocks, 0),
          ],
          ["each asked for alone and netted", kilobytes(whole, BLOCK_TRANSACTIONS), spreadText(single, 0)],
        ],
      },
    ],
    notes,
  };
});

/** Transactions per second of CPU, including the collector's threads: one core's rate, whatever else runs on the machine. */
function rate(passes: number, read: () => number): number {
  const before = process.cpuUsage();
  let transactions = 0;
  for (let pass = 0; pass < passes; pass++) transactions += read();
  const { user, system } = process.cpuUsage(before);
  return transactions / ((user + system) / 1_000_000);
}

function readBlocks(blocks: string[], whole: string[]): number {
  const watched = new Set([...strangers, "TrackedWallet"]);
  const pools = new Set<string>();
  let netted = 0;
  for (const [slot, text] of blocks.entries()) {
    const { signatures } = scanBlock(JSON.parse(text), slot, watched, pools);
    // A hit is requested once more, with its instructions.
    for (const signature of signatures) netted += readOne(whole[Number(signature.split(" ")[1])] ?? "");
  }
  if (netted !== (BLOCKS * BLOCK_TRANSACTIONS) / HIT_EVERY) throw new Error(`${netted} hits were netted`);
  return BLOCKS * BLOCK_TRANSACTIONS;
}

function readWhole(whole: string[]): number {
  return whole.reduce((sum, text) => sum + readOne(text), 0);
}

function readOne(text: string): number {
  const { wallet, transaction } = JSON.parse(text) as Sample;
  const read = readTransaction(transaction);
  const flow = netWallet(read, wallet);
  poolTrades(read, new Set([wallet]), 0);
  return flow.wallet === wallet ? 1 : 0;
}

/** A block as a node sends it with accounts and balances only; one of our wallets in one of a hundred transactions. */
function blockText(block: number): string {
  const transactions = Array.from({ length: BLOCK_TRANSACTIONS }, (_, at) => {
    const { transaction } = samples[at % samples.length] as Sample;
    const { meta, transaction: inner } = transaction;
    const { writable = [], readonly = [] } = meta.loadedAddresses ?? {};
    const signers = inner.message.header.numRequiredSignatures;
    const keys = [...inner.message.accountKeys, ...writable, ...readonly];
    const isOurs = at % HIT_EVERY === 0;
    const accountKeys = keys.map((pubkey, place) => ({
      pubkey: isOurs && place === keys.length - 1 ? "TrackedWallet" : pubkey,
      signer: place < signers,
      source: place < inner.message.accountKeys.length ? "transaction" : "lookupTable",
      writable: true,
    }));
    const { err, fee, preBalances, postBalances, preTokenBalances, postTokenBalances } = meta;
    return {
      meta: {
        err,
        status: { Ok: null },
        fee,
        preBalances,
        postBalances,
        preTokenBalances,
        postTokenBalances,
      },
      transaction: { signatures: [`signature ${at} of block ${block}`], accountKeys },
      version: 0,
    };
  });
  return JSON.stringify({
    blockhash: "hash",
    previousBlockhash: "parent",
    blockTime: 1,
    parentSlot: 1,
    transactions,
  });
}

function wholeText(at: number): string {
  const sample = samples[at % samples.length] as Sample;
  const line = "Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA consumed 4645 of 72533 compute units";
  const logMessages = Array.from({ length: LOG_LINES }, () => line);
  const { wallet, transaction } = sample;
  return JSON.stringify({
    wallet,
    transaction: { ...transaction, meta: { ...transaction.meta, logMessages } },
  });
}
