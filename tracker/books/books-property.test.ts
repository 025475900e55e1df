// Whatever forks were read, whatever failed, and wherever the process was killed: the books and the feeds equal a clean replay
// of the final chain, to the raw integer; no alert is ever retracted, every retraction names a published trade, and feed items
// that a follower has seen never change. `RUNS=200 SEED=… bun test` on this file runs longer.
import { afterAll, expect } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database, Queries } from "../../database/database.ts";
import type { DatabaseLocation } from "../../database/open.ts";
import { type Random, seededRandom } from "../../kit/random.ts";
import { needing } from "../../test/support/needing.ts";
import { sharedPostgres } from "../../test/support/postgres.ts";
import type { BlockRead } from "../chain.ts";
import { expectTable, standing, whatIsKept } from "./test-kept.ts";
import { CHAIN, makeStory, openBooks, type Story, tell } from "./test-story.ts";

const CHILD = new URL("./test-child.ts", import.meta.url).pathname;
const SEED = process.env.SEED ?? "books";
const FAULTY_RUNS = Number(process.env.RUNS ?? 6);
const KILLED_RUNS = Number(process.env.RUNS ?? 2);
const RUN_MS_MAX = 900_000;
/** Statements until a process is killed: some of the longest steps take more than a hundred. */
const STATEMENTS_MAX = 400;
/** Some stories have no alert; among this many in a row some do. */
const RUNS_MAX = Math.max(40, FAULTY_RUNS);
/** For the first life: less than the shortest story takes, so that each run is killed. */
const FIRST_STATEMENTS_MAX = 60;
/** Far more lives than a story of about two thousand statements needs. */
const LIVES_MAX = 100;

const folder = mkdtempSync(join(tmpdir(), "crowdtape-books-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Place = (name: string) => Promise<DatabaseLocation>;
const inFile: Place = async (name) => ({ file: join(folder, `${name}.sqlite`) });
const inPostgres: Place = async () => ({ url: await (await sharedPostgres()).createDatabase() });

class Fault extends Error {}

/** A database that fails now and then: in the middle of a transaction, or after the commit but before reporting it. */
function faulty(database: Database, random: Random): Database {
  return {
    ...database,
    async write(work, options) {
      const failsAt = random.chance(0.2) ? 1 + random.below(40) : 0;
      let statements = 0;
      const strike = async <T>(run: () => Promise<T>): Promise<T> => {
        statements += 1;
        if (statements === failsAt) throw new Fault("in the middle");
        return run();
      };
      const result = await database.write((tx) => {
        const queries: Queries = {
          dialect: tx.dialect,
          all: (statement) => strike(() => tx.all(statement)),
          one: (statement) => strike(() => tx.one(statement)),
          run: (statement) => strike(() => tx.run(statement)),
        };
        return work(queries);
      }, options);
      if (random.chance(0.1)) throw new Fault("the answer is lost");
      return result;
    },
  };
}

/** Like a reader: after a failure it re-reads its cursor. */
async function tellThroughFaults(
  { steps }: Story,
  location: DatabaseLocation,
  seed: string,
): Promise<number> {
  const random = seededRandom(seed, "faults");
  let faults = 0;
  for (let isSent = false; !isSent; ) {
    try {
      const books = await openBooks(location, (database) => faulty(database, random));
      try {
        await tell(books.sink, steps);
        isSent = true;
      } finally {
        await books.close();
      }
    } catch (error) {
      // The database may wrap unexpected errors.
      const isOurs = error instanceof Fault || (error as Error).cause instanceof Fault;
      if (!isOurs) throw error;
      faults += 1;
    }
  }
  return faults;
}

/** Restarts until the story is over; after each life the feeds are unchanged except for new items. */
async function tellThroughKills(location: DatabaseLocation, seed: string): Promise<number> {
  const random = seededRandom(seed, "kills");
  let kills = 0;
  let before = { app: [] as unknown[], trades: [] as unknown[] };
  for (; kills < LIVES_MAX; kills++) {
    const statements = String(1 + random.below(kills === 0 ? FIRST_STATEMENTS_MAX : STATEMENTS_MAX));
    const child = Bun.spawn([process.execPath, CHILD, JSON.stringify(location), seed, statements], {
      stdout: "ignore",
      stderr: "pipe",
    });
    await child.exited;
    if (child.signalCode !== "SIGKILL") {
      expect({ code: child.exitCode, said: await new Response(child.stderr).text() }).toEqual({
        code: 0,
        said: "",
      });
      return kills;
    }
    const { app, trades } = await whatIsKept(location);
    expect(app.slice(0, before.app.length)).toEqual(before.app as typeof app);
    expect(trades.slice(0, before.trades.length)).toEqual(before.trades as typeof trades);
    standing(trades);
    before = { app, trades };
  }
  throw new Error(`not finished after ${LIVES_MAX} lives`);
}

async function replay(chain: readonly BlockRead[], location: DatabaseLocation): Promise<void> {
  const books = await openBooks(location);
  for (const read of chain) await books.sink.apply([read], { name: "reader", value: "x" });
  await books.sink.finalize(CHAIN, chain.at(-1)?.block.height ?? 0, { name: "reader", value: "y" });
  await books.close();
}

/** Returns the number of alerts. */
async function compare(chain: readonly BlockRead[], tried: DatabaseLocation, clean: DatabaseLocation) {
  await replay(chain, clean);
  const [ours, right] = [await whatIsKept(tried), await whatIsKept(clean)];
  expect(ours.ledgers).toEqual(right.ledgers);
  expectTable(ours);
  expect(ours.app).toEqual(right.app);
  const trades = standing(ours.trades);
  expect(trades.published).toEqual(standing(right.trades).published);
  expect(trades.final).toEqual(trades.ids);
  // Every alert is in the final chain.
  const hashes = new Set(chain.flatMap(({ flows }) => flows.map(({ hash }) => hash)));
  expect(ours.app.every(({ txHash }) => txHash !== null && hashes.has(txHash))).toBe(true);
  return ours.app.length;
}

async function throughFaults(run: number, place: Place): Promise<{ faults: number; alerts: number }> {
  const seed = `${SEED} ${run}`;
  const [tried, clean] = [await place(`faulty-${run}`), await place(`faulty-clean-${run}`)];
  const story = makeStory(seededRandom(seed));
  const faults = await tellThroughFaults(story, tried, seed);
  return { faults, alerts: await compare(story.chain, tried, clean) };
}

async function throughKills(run: number, place: Place): Promise<{ kills: number; alerts: number }> {
  const seed = `${SEED} kill ${run}`;
  const [tried, clean] = [await place(`killed-${run}`), await place(`killed-clean-${run}`)];
  const kills = await tellThroughKills(tried, seed);
  return { kills, alerts: await compare(makeStory(seededRandom(seed)).chain, tried, clean) };
}

for (const [engine, place, runs] of [
  ["SQLite", inFile, { faulty: FAULTY_RUNS, killed: KILLED_RUNS }],
  ["PostgreSQL", inPostgres, { faulty: 1, killed: 1 }],
] as const) {
  const { test } = engine === "PostgreSQL" ? needing("postgres") : needing();
  test(
    `on ${engine}, through forks, restarts and faults, books and feeds equal a clean replay (seed ${SEED})`,
    async () => {
      let [faults, alerts] = [0, 0];
      for (let run = 0; run < RUNS_MAX && (run < runs.faulty || alerts * faults === 0); run++) {
        const result = await throughFaults(run, place);
        faults += result.faults;
        alerts += result.alerts;
      }
      expect(faults).toBeGreaterThan(0);
      expect(alerts).toBeGreaterThan(0);
    },
    RUN_MS_MAX * runs.faulty,
  );

  test(
    `on ${engine}, the same holds when the process is killed inside and between transactions (seed ${SEED})`,
    async () => {
      let [kills, alerts] = [0, 0];
      for (let run = 0; run < RUNS_MAX && (run < runs.killed || alerts === 0); run++) {
        const result = await throughKills(run, place);
        kills += result.kills;
        alerts += result.alerts;
      }
      expect(kills).toBeGreaterThanOrEqual(runs.killed);
      expect(alerts).toBeGreaterThan(0);
    },
    RUN_MS_MAX * runs.killed,
  );
}
