// For tests: a forking chain, as a reader would feed it to the books. All of it is seeded, and each step is one call with the
// step's number as the cursor, so that a reader can resume.
import type { Database } from "../../database/database.ts";
import { migrate } from "../../database/migrate.ts";
import { type DatabaseLocation, openDatabase } from "../../database/open.ts";
import { systemClock } from "../../kit/clock.ts";
import { derivedUuid } from "../../kit/ids.ts";
import { createLog } from "../../kit/log.ts";
import type { Random } from "../../kit/random.ts";
import type { AlertsAt } from "../alerts-at.ts";
import {
  type BlockPlace,
  type BlockRead,
  type ChainQueries,
  type Flow,
  type Leg,
  NATIVE,
  type Sink,
} from "../chain.ts";
import { createMoney } from "../prices/money.ts";
import { createPoolChecks } from "../prices/pool-checks.ts";
import { createDirectory } from "../roster/directory.ts";
import { importRoster } from "../roster/roster.ts";
import { BOOKS } from "./schema.ts";
import { type BooksSink, createSink, type SinkParts } from "./sink.ts";

export const CHAIN = 8453;
const wallet = (digit: number) => `0x${String(digit).repeat(40)}`;
export const TOKEN_A = wallet(1);
export const TOKEN_B = wallet(2);
export const STABLE = wallet(3);
export const WRAPPED = wallet(4);
export const POOL = wallet(5);
const STRANGER = wallet(9);
const CHECKED = { reserves: null, doubt: null } as const;
const HELD_RAW = 10n ** 20n;
export const ROSTER = [
  { handle: "alice", displayName: "Alice", solana: [], evm: [wallet(6), wallet(7)] },
  { handle: "bob", displayName: "Bob", solana: [], evm: [wallet(8)] },
];
const WALLETS = ROSTER.flatMap(({ evm }) => evm);
const DECIMALS: Record<string, number> = { [TOKEN_A]: 18, [TOKEN_B]: 6, [STABLE]: 6, [WRAPPED]: 18 };
const GENESIS_MS = 1_790_000_000_000;
export const money = createMoney([{ chainId: CHAIN, wrapped: WRAPPED, stables: [STABLE] }]);
const log = createLog("silent", () => 0);
const clock = systemClock();

/** As below, but with empty opening balances and these token symbols. */
export const queriesNaming = (symbolOf: (token: string) => string): ChainQueries => ({
  ...queries,
  balances: async () => [],
  tokens: async (asked) =>
    asked.map((token) => ({
      token,
      symbol: symbolOf(token),
      name: "",
      decimals: token === STABLE ? 6 : 18,
      supplyRaw: null,
    })),
});

export const queries: ChainQueries = {
  tokens: async (tokens) =>
    tokens.map((token) => ({
      token,
      symbol: `T${token.at(-1)}`,
      name: "Token",
      decimals: DECIMALS[token] ?? null,
      supplyRaw: 10n ** 27n,
    })),
  // Every wallet held a little of one token before; pools hold money.
  balances: async (holder, tokens) =>
    tokens.map((token) => ({ token, amountRaw: holder === POOL ? HELD_RAW : token === TOKEN_B ? 777n : 0n })),
  isKnownPool: async (pool) => pool === POOL,
};

export interface Books {
  database: Database;
  sink: BooksSink;
  close(): Promise<void>;
}

/** `around` can wrap the database for the books. */
export async function openBooks(
  location: DatabaseLocation,
  around: (database: Database) => Database = (database) => database,
  chain: ChainQueries = queries,
  now: () => number = clock.now,
  onChange: SinkParts["onChange"] = () => {},
  alertsAt: AlertsAt = "final",
  alertBound: () => number = () => Number.POSITIVE_INFINITY,
): Promise<Books> {
  const database = around(await openDatabase(location));
  await migrate(database, GENESIS_MS, BOOKS);
  await importRoster(database, ROSTER, GENESIS_MS);
  const directory = createDirectory(database, clock, log);
  await directory.refresh();
  const sink = createSink({
    database,
    directory,
    money,
    log,
    queriesOf: () => chain,
    pools: createPoolChecks({ queriesOf: () => chain, money }),
    coins: { at: async ({ height }) => ({ priceUsd: 2_000 + height, by: "feed", asOf: GENESIS_MS }) },
    alertsAt: () => alertsAt,
    alertBound,
    depthMinUsd: 0.01,
    clock: { now },
    onChange,
    onFailure() {},
  });
  return { database, sink, close: () => database.close() };
}

/** Blocks of a forking chain: a block's hash determines its contents. */
function makeBlock(random: Random, height: number, parentHash: string): BlockRead {
  const hash = derivedUuid("block", height, parentHash, random.next());
  const block = { chainId: CHAIN, height, hash, parentHash, timeMs: GENESIS_MS + height * 2_000 };
  const flows: Flow[] = [];
  const pools: BlockRead["pools"] = [];
  const count = random.below(4);
  for (let index = 0; index < count; index++) {
    const txHash = derivedUuid("tx", hash, index);
    const from = random.pick(WALLETS);
    const token = random.pick([TOKEN_A, TOKEN_B]);
    const amount: Leg = {
      token,
      amountRaw: BigInt(1 + random.below(1_000_000)) * 10n ** BigInt(random.below(12)),
    };
    const paid: Leg = random.chance(0.5)
      ? { token: NATIVE, amountRaw: BigInt(1 + random.below(1_000_000)) * 10n ** 12n }
      : { token: STABLE, amountRaw: BigInt(1_000 + random.below(1_000_000_000)) };
    const flow = (change: Partial<Flow>): Flow => ({
      chainId: CHAIN,
      wallet: from,
      hash: txHash,
      index,
      swap: false,
      kind: "transfer-in",
      sold: [],
      bought: [],
      feeRaw: 21_000n,
      counterparty: STRANGER,
      exact: true,
      ...change,
    });
    const swap = { swap: true, kind: "swap", counterparty: null } as const;
    const kind = random.below(8);
    if (kind <= 1) flows.push(flow({ ...swap, sold: [paid], bought: [amount] }));
    else if (kind === 2) flows.push(flow({ ...swap, sold: [amount], bought: [paid] }));
    else if (kind === 3) {
      const other = {
        token: token === TOKEN_A ? TOKEN_B : TOKEN_A,
        amountRaw: BigInt(1 + random.below(1_000_000)),
      };
      flows.push(flow({ ...swap, sold: [amount], bought: [other] }));
    } else if (kind === 4) flows.push(flow({ bought: [amount] }));
    else if (kind === 5) flows.push(flow({ kind: "transfer-out", sold: [amount] }));
    else if (kind === 6) {
      // One token held inside another.
      const share = { token: token === TOKEN_A ? TOKEN_B : TOKEN_A, amountRaw: amount.amountRaw / 2n + 1n };
      flows.push(flow({ kind: "wrap", counterparty: null, sold: [amount], bought: [share] }));
    } else {
      // Between two wallets of one trader: no net effect.
      const [own = "", second = ""] = ROSTER[0]?.evm ?? [];
      flows.push(flow({ wallet: own, kind: "transfer-out", sold: [amount], counterparty: second }));
      flows.push(flow({ wallet: second, bought: [amount], counterparty: own }));
    }
    if (kind <= 2) {
      const [put, got] = kind === 2 ? [amount, paid] : [paid, amount];
      pools.push({ pool: POOL, hash: txHash, index, in: put, out: got, ...CHECKED });
    }
  }
  return { block, flows, pools };
}

/** A block where the node shows only some transactions, and no trades of strangers. */
function partOf(random: Random, { block, flows, pools }: BlockRead): BlockRead {
  const hashes = new Set(flows.map(({ hash }) => hash).filter(() => random.chance(0.5)));
  return {
    block,
    flows: flows.filter(({ hash }) => hashes.has(hash)),
    pools: pools.filter(({ hash }) => hashes.has(hash)),
  };
}

export type Step =
  | { what: "apply"; reads: BlockRead[] }
  | { what: "retract"; blocks: BlockPlace[] }
  | { what: "finalize"; height: number };

export interface Story {
  steps: Step[];
  /** The final chain. */
  chain: BlockRead[];
}

const STEPS = 25;

/** Back and forth, with some of it twice. */
export function makeStory(random: Random): Story {
  const chain: BlockRead[] = [makeBlock(random, 1, "genesis")];
  const steps: Step[] = [{ what: "apply", reads: [...chain] }];
  let late: BlockRead[] = [];
  const complete = () => {
    const reads = late.filter((read) => chain.includes(read));
    if (reads.length > 0) steps.push({ what: "apply", reads });
    late = [];
  };
  let final = 0;
  while (steps.length < STEPS) {
    const what = random.below(9);
    if (what < 5) {
      const fresh: BlockRead[] = [];
      for (let n = 1 + random.below(3); n > 0; n--) {
        const last = (fresh.at(-1) ?? chain.at(-1))?.block;
        fresh.push(makeBlock(random, (last?.height ?? 0) + 1, last?.hash ?? ""));
      }
      // A node may omit part of a block at first; the rest is read before the block is final.
      const isLate = random.chance(0.5);
      steps.push({ what: "apply", reads: isLate ? fresh.map((read) => partOf(random, read)) : fresh });
      if (isLate) late.push(...fresh);
      else if (random.chance(0.2)) steps.push({ what: "apply", reads: fresh });
      chain.push(...fresh);
    } else if (what < 7) {
      const depth = Math.min(1 + random.below(4), chain.length - final);
      if (depth <= 0) continue;
      // On some chains, blocks after a lost one survive.
      const place = chain.length - depth;
      const lost = chain.splice(place, random.chance(0.4) ? 1 : depth);
      steps.push({ what: "retract", blocks: lost.map(({ block }) => block).reverse() });
      // The same fork may win again.
      if (random.chance(0.3)) {
        steps.push({ what: "apply", reads: lost });
        chain.splice(place, 0, ...lost);
      }
    } else {
      complete();
      final = Math.max(final, Math.min(chain.length, final + random.below(4)));
      steps.push({ what: "finalize", height: chain[final - 1]?.block.height ?? 0 });
    }
  }
  complete();
  steps.push({ what: "finalize", height: chain.at(-1)?.block.height ?? 0 });
  return { steps, chain };
}

const CURSOR = "reader";

/** Resumes after the last step stored in the books, and returns how many were stored. */
export async function tell(sink: Sink, steps: readonly Step[]): Promise<number> {
  const known = Number((await sink.cursor(CURSOR)) ?? 0);
  for (const [index, step] of steps.entries()) {
    if (index < known) continue;
    const cursor = { name: CURSOR, value: String(index + 1) };
    if (step.what === "apply") await sink.apply(step.reads, cursor);
    else if (step.what === "retract") await sink.retract(CHAIN, step.blocks, cursor);
    else await sink.finalize(CHAIN, step.height, cursor);
  }
  return known;
}
