// Which nodes are believed about a balance: the majority of several, or a single one that repeats itself; a node that lies
// once, or always while others don't, changes nothing.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "../database/sql.ts";
import { systemClock } from "../kit/clock.ts";
import { createLog } from "../kit/log.ts";
import { createMetrics } from "../kit/metrics.ts";
import { type BalanceChecks, createBalanceChecks } from "./balance-checks.ts";
import { createSecondLooks } from "./balance-doubts.ts";
import { type Books, CHAIN, openBooks, ROSTER, TOKEN_A } from "./books/test-story.ts";
import type { BlockRef, Flow, HeldQueries, HeldSnapshot } from "./chain.ts";
import { createDirectory } from "./roster/directory.ts";

const ALICE = String(ROSTER[0]?.evm[0]);
const ONE = 10n ** 18n;
const START: BlockRef = {
  chainId: CHAIN,
  height: 7,
  hash: "block7",
  parentHash: "",
  timeMs: Date.UTC(2026, 0, 1),
};
const RECEIVED: Flow = {
  chainId: CHAIN,
  wallet: ALICE,
  hash: "tx7",
  index: 0,
  swap: false,
  kind: "transfer-in",
  sold: [],
  bought: [{ token: TOKEN_A, amountRaw: ONE }],
  feeRaw: 0n,
  counterparty: null,
  exact: true,
};

let folder: string;
let books: Books;
let checks: BalanceChecks;
/** Each provider's current answer, the first one first; null: no answer. */
let said: (bigint | null)[] = [];
let fork = "a";
let height = 8;
let isReadLate = false;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "crowdtape-balances-"));
  books = await openBooks({ file: join(folder, "1.sqlite") });
  await books.sink.apply([{ block: START, flows: [RECEIVED], pools: [] }], { name: "reader", value: "7" });
  const [clock, log] = [systemClock(), createLog("silent", () => 0)];
  const directory = createDirectory(books.database, clock, log);
  await directory.refresh();
  [said, fork, height, isReadLate] = [[], "a", 8, false];
  const snapshot = (amountRaw: bigint | null, pairs: readonly { token: string }[]): HeldSnapshot => ({
    block: { ...START, height, hash: `${fork}${height}` },
    since: height,
    amounts: pairs.map(({ token }) => (token === TOKEN_A ? amountRaw : 0n)),
  });
  const held: HeldQueries = {
    get isReadLate() {
      return isReadLate;
    },
    read: async (pairs) => snapshot(said[0] ?? null, pairs),
    opinions: async (pairs) => said.map((amount) => snapshot(amount, pairs)),
    hashAt: async (at) => `${fork}${at}`,
  };
  const chains = [{ chainId: CHAIN, name: "test", height: () => height, queries: { held } }];
  const { database, sink } = books;
  checks = createBalanceChecks({
    database,
    sink,
    directory,
    clock,
    log,
    chains,
    everyMs: 0,
    metrics: createMetrics(),
  });
});
afterEach(async () => {
  await books.close();
  rmSync(folder, { recursive: true, force: true });
});

async function booked(): Promise<bigint> {
  const row = await books.database.read.one<{ held_raw: string }>(sql`SELECT held_raw FROM tracker_position`);
  return BigInt(row?.held_raw ?? 0);
}

/** Looks once; then the block becomes final, and the findings are settled. */
async function lookAt(...amounts: (bigint | null)[]): Promise<bigint> {
  said = amounts;
  await checks.round();
  await books.sink.finalize(CHAIN, height, { name: "reader", value: String(height) });
  // The round that settles looks again, and gets no answer.
  said = [null];
  height += 1;
  await checks.round();
  await books.sink.finalize(CHAIN, height, { name: "reader", value: String(height) });
  height += 1;
  return booked();
}

test("nothing is booked before its block is final, from another fork, without an answer, or if implausible", async () => {
  const more = ONE + ONE / 10n;
  said = [more, more];
  await checks.round();
  await checks.round();
  expect(await booked()).toBe(ONE);
  fork = "b";
  await books.sink.finalize(CHAIN, height, { name: "reader", value: "8" });
  said = [null];
  await checks.round();
  expect(await booked()).toBe(ONE);
  expect(await lookAt(null, null)).toBe(ONE);
  expect(await lookAt(ONE * 1_000n, ONE * 1_000n)).toBe(ONE);
  expect(await lookAt(more, more)).toBe(more);
  expect(await lookAt(more, more)).toBe(more);
});

test("a lone provider's single lie changes nothing; a repeated answer is booked", async () => {
  expect(await lookAt(0n)).toBe(ONE);
  expect(await lookAt(ONE)).toBe(ONE);
  expect(await lookAt(0n)).toBe(ONE);
  expect(await lookAt(ONE + ONE / 4n)).toBe(ONE);
  expect(await lookAt(ONE + ONE / 5n)).toBe(ONE + ONE / 5n);
  expect(await lookAt(ONE / 2n)).toBe(ONE + ONE / 5n);
  expect(await lookAt(0n)).toBe(ONE / 2n);
});

test("a provider that always lies changes nothing while another is honest, and is outvoted by two", async () => {
  const less = ONE / 2n;
  for (let look = 0; look < 3; look++) {
    expect(await lookAt(0n, ONE)).toBe(ONE);
    expect(await lookAt(ONE, 0n)).toBe(ONE);
  }
  expect(await lookAt(0n, less, less)).toBe(less);
  expect(await lookAt(0n, 0n)).toBe(0n);
});

test("where transfers may be read late, agreement alone does not prove that one is missing", async () => {
  isReadLate = true;
  expect(await lookAt(0n, 0n)).toBe(ONE);
  expect(await lookAt(ONE, ONE)).toBe(ONE);
  expect(await lookAt(ONE / 2n, ONE / 2n)).toBe(ONE);
  expect(await lookAt(ONE / 2n, ONE / 2n)).toBe(ONE / 2n);
});

test("only the difference that both looks found counts", () => {
  const looks = createSecondLooks();
  expect([looks.confirmed("1", -5n), looks.confirmed("1", -3n)]).toEqual([null, -3n]);
  expect([looks.confirmed("1", 5n), looks.confirmed("1", 8n)]).toEqual([null, 5n]);
  expect([looks.confirmed("1", -5n), looks.confirmed("1", 5n), looks.confirmed("1", -5n)]).toEqual([
    null,
    null,
    null,
  ]);
  looks.forget("1");
  expect(looks.confirmed("1", -5n)).toBeNull();
});
