// Whatever forks were read on the way, and wherever the process ended: the books and the feeds equal a clean replay of the
// final chain, to the raw integer; no alert is ever taken back, and every retraction names a trade that was told.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../database/database.ts";
import { migrate } from "../../database/migrate.ts";
import { type DatabaseLocation, openDatabase } from "../../database/open.ts";
import { systemClock } from "../../kit/clock.ts";
import { derivedUuid } from "../../kit/ids.ts";
import { createLog } from "../../kit/log.ts";
import { type Random, seededRandom } from "../../kit/random.ts";
import type { WireAppItem, WireChainItem } from "../../protocol/shapes/event.ts";
import { sharedPostgres } from "../../test/support/postgres.ts";
import { type BlockRead, type ChainQueries, type Flow, type Leg, NATIVE, type Sink } from "../chain.ts";
import { createMoney } from "../prices/money.ts";
import { createDirectory } from "../roster/directory.ts";
import { importRoster } from "../roster/roster.ts";
import { readItems } from "./feed-items.ts";
import { readLedger } from "./ledger.ts";
import { BOOKS } from "./schema.ts";
import { createSink } from "./sink.ts";

const CHAIN = 8453;
const wallet = (digit: number) => `0x${String(digit).repeat(40)}`;
const [TOKEN_A, TOKEN_B, STABLE, WRAPPED, POOL, STRANGER] = [
  wallet(1),
  wallet(2),
  wallet(3),
  wallet(4),
  wallet(5),
  wallet(9),
];
const ROSTER = [
  { handle: "alice", displayName: "Alice", solana: [], evm: [wallet(6), wallet(7)] },
  { handle: "bob", displayName: "Bob", solana: [], evm: [wallet(8)] },
];
const WALLETS = ROSTER.flatMap(({ evm }) => evm);
const DECIMALS: Record<string, number> = { [TOKEN_A]: 18, [TOKEN_B]: 6, [STABLE]: 6, [WRAPPED]: 18 };
const GENESIS_MS = 1_790_000_000_000;
const money = createMoney([{ chainId: CHAIN, wrapped: WRAPPED, stables: [STABLE] }]);
const log = createLog("silent", () => 0);
const clock = systemClock();

const queries: ChainQueries = {
  tokens: async (tokens) =>
    tokens.map((token) => ({
      ...{
        token,
        symbol: `T${token.at(-1)}`,
        name: "Token",
        decimals: DECIMALS[token] ?? null,
        supplyRaw: 10n ** 27n,
      },
    })),
  // Everybody held a little of everything before.
  balances: async (_wallet, tokens) =>
    tokens.map((token) => ({ token, amountRaw: token === TOKEN_B ? 777n : 0n })),
};

interface Books {
  db: Database;
  sink: Sink;
  close(): Promise<void>;
}

async function openBooks(location: DatabaseLocation): Promise<Books> {
  const db = await openDatabase(location);
  await migrate(db, GENESIS_MS, BOOKS);
  await importRoster(db, ROSTER, GENESIS_MS);
  const directory = createDirectory(db, clock, log);
  await directory.refresh();
  const sink = createSink({ ...{ db, directory, money, log }, queriesOf: () => queries, onChange() {} });
  return { db, sink, close: () => db.close() };
}

/** Blocks of a chain that forks: what is in a block follows from its hash. */
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
      ...{ chainId: CHAIN, wallet: from, hash: txHash, index, swap: false, kind: "transfer-in" },
      ...{ sold: [], bought: [], feeRaw: 21_000n, counterparty: STRANGER, exact: true, ...change },
    });
    const swap = { swap: true, kind: "swap", counterparty: null } as const;
    const kind = random.below(6);
    if (kind <= 1) flows.push(flow({ ...swap, sold: [paid], bought: [amount] }));
    else if (kind === 2) flows.push(flow({ ...swap, sold: [amount], bought: [paid] }));
    else if (kind === 3) {
      const other = {
        token: token === TOKEN_A ? TOKEN_B : TOKEN_A,
        amountRaw: BigInt(1 + random.below(1_000_000)),
      };
      flows.push(flow({ ...swap, sold: [amount], bought: [other] }));
    } else if (kind === 4) flows.push(flow({ bought: [amount] }));
    else {
      // Between two wallets of one trader: nothing happened.
      const [own = "", second = ""] = ROSTER[0]?.evm ?? [];
      flows.push(flow({ wallet: own, kind: "transfer-out", sold: [amount], counterparty: second }));
      flows.push(flow({ wallet: second, bought: [amount], counterparty: own }));
    }
    if (kind <= 2) {
      const [put, got] = kind === 2 ? [amount, paid] : [paid, amount];
      pools.push({ pool: POOL, hash: txHash, index, in: put, out: got });
    }
    if (random.chance(0.3))
      pools.push({
        ...{ pool: `${POOL}:coin`, hash: txHash, index: 100 + index },
        in: { token: STABLE, amountRaw: BigInt(1_000_000 + random.below(1_000_000)) * 2_000n },
        out: { token: NATIVE, amountRaw: 10n ** 18n },
      });
  }
  return { block, flows, pools };
}

/** Reads a chain as a reader would: on and on, back and forth, again after a kill, twice. */
async function wander(random: Random, location: DatabaseLocation): Promise<BlockRead[]> {
  let books = await openBooks(location);
  const chain: BlockRead[] = [makeBlock(random, 1, "genesis")];
  let final = 0;
  let written = 0;
  const cursor = () => ({ name: "reader", value: String(++written) });
  await books.sink.apply(chain, cursor());
  for (let step = 0; step < 25; step++) {
    const what = random.below(10);
    if (what < 5) {
      const fresh: BlockRead[] = [];
      for (let n = 1 + random.below(3); n > 0; n--) {
        const last = (fresh.at(-1) ?? chain.at(-1))?.block;
        fresh.push(makeBlock(random, (last?.height ?? 0) + 1, last?.hash ?? ""));
      }
      await books.sink.apply(fresh, cursor());
      if (random.chance(0.2)) await books.sink.apply(fresh, cursor());
      chain.push(...fresh);
    } else if (what < 7) {
      const depth = Math.min(1 + random.below(4), chain.length - final);
      if (depth <= 0) continue;
      const lost = chain.splice(chain.length - depth);
      await books.sink.retract(CHAIN, lost.map(({ block }) => block.hash).reverse(), cursor());
      // The same fork may win again.
      if (random.chance(0.3)) {
        await books.sink.apply(lost, cursor());
        chain.push(...lost);
      }
    } else if (what < 9) {
      final = Math.max(final, Math.min(chain.length, final + random.below(4)));
      await books.sink.finalize(CHAIN, chain[final - 1]?.block.height ?? 0, cursor());
    } else {
      await books.close();
      books = await openBooks(location);
      expect(await books.sink.cursor("reader")).toBe(String(written));
    }
  }
  await books.sink.finalize(CHAIN, chain.at(-1)?.block.height ?? 0, cursor());
  await books.close();
  return chain;
}

async function replay(chain: readonly BlockRead[], location: DatabaseLocation): Promise<void> {
  const books = await openBooks(location);
  for (const read of chain) await books.sink.apply([read], { name: "reader", value: "x" });
  await books.sink.finalize(CHAIN, chain.at(-1)?.block.height ?? 0, { name: "reader", value: "y" });
  await books.close();
}

async function whatIsKept(location: DatabaseLocation) {
  const { db, close } = await openBooks(location);
  const ledgers = [];
  for (const { handle } of ROSTER) {
    const { booked, positions } = await readLedger(db.read, derivedUuid("trader", handle), money);
    ledgers.push({ handle, booked: [...booked.values()], positions });
  }
  const app = (await readItems<WireAppItem>(db.read, "app", 0, 10_000)).items.map(({ item }) => item);
  const trades = (await readItems<WireChainItem>(db.read, "chain", 0, 10_000)).items.map(({ item }) => item);
  await close();
  const plain = JSON.parse(
    JSON.stringify(ledgers, (_, value) => (typeof value === "bigint" ? `${value}n` : value)),
  );
  return { ledgers: plain, app, trades };
}

/** What the chain feed leaves standing, each retraction and finality being about a trade told before. */
function standing(items: readonly WireChainItem[]): string[] {
  const told = new Map<string, string>();
  const isFinal = new Set<string>();
  for (const item of items) {
    if (item.kind === "trade") {
      expect(told.has(item.eventId)).toBe(false);
      told.set(item.eventId, `${item.swapId} ${item.txHash} ${item.side} ${item.usd}`);
    } else if (item.kind === "retract") {
      expect(isFinal.has(item.retractedEventId)).toBe(false);
      expect(told.delete(item.retractedEventId)).toBe(true);
    } else {
      expect(told.has(item.finalizedEventId)).toBe(true);
      isFinal.add(item.finalizedEventId);
    }
  }
  expect([...told.keys()].sort()).toEqual([...isFinal].sort());
  return [...told.values()].sort();
}

const SEED = process.env.SEED ?? "books";
const RUNS = 12;

async function compare(run: number, placeFor: (name: string) => Promise<DatabaseLocation>): Promise<number> {
  const [wandered, clean] = [await placeFor(`wandered-${run}`), await placeFor(`clean-${run}`)];
  const chain = await wander(seededRandom(`${SEED} ${run}`), wandered);
  await replay(chain, clean);
  const [ours, right] = [await whatIsKept(wandered), await whatIsKept(clean)];
  expect(ours.ledgers).toEqual(right.ledgers);
  expect(ours.app).toEqual(right.app);
  expect(standing(ours.trades)).toEqual(standing(right.trades));
  // Nothing that was an alert is missing from the final chain.
  const hashes = new Set(chain.flatMap(({ flows }) => flows.map(({ hash }) => hash)));
  expect(ours.app.every(({ txHash }) => txHash !== null && hashes.has(txHash))).toBe(true);
  return ours.app.length;
}

test(`books and feeds equal a clean replay of the final chain (seed ${SEED})`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-books-"));
  let alerts = 0;
  try {
    for (let run = 0; run < RUNS; run++)
      alerts += await compare(run, async (name) => ({ file: join(folder, `${name}.db`) }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  expect(alerts).toBeGreaterThan(RUNS);
}, 120_000);

test(`so they do on PostgreSQL (seed ${SEED})`, async () => {
  const postgres = await sharedPostgres();
  expect(await compare(0, async () => ({ url: await postgres.createDatabase() }))).toBeGreaterThan(0);
}, 120_000);
