// S14: the tracker's books at their design size. A file is filled as if a roster had been followed for a month; a tracker
// opens it in its own process and is queried, left idle, and queried again; then new fills go through the books. Run: bun
// bench/tracker-books.ts [--quick] [--folder=PATH, kept and reused]
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../database/migrate.ts";
import { openDatabase } from "../database/open.ts";
import { type Clock, systemClock } from "../kit/clock.ts";
import { DAY_MS, MINUTE_MS } from "../kit/units.ts";
import { BOOKS } from "../tracker/books/schema.ts";
import { importRoster } from "../tracker/roster/roster.ts";
import { type Child, startChild } from "./kit/child.ts";
import { cpuSecondsOf, residentBytesOf } from "./kit/machine.ts";
import { serveQuietChain } from "./kit/quiet-chain.ts";
import { type Measured, suite } from "./kit/suite.ts";
import { BLOCK_MS, createWorld, rosterOf, seedTables, type WorldSize } from "./tracker-books-world.ts";

const FULL: WorldSize = { traders: 1_000, fills: 1_000_000, tokens: 20_000 };
const QUICK: WorldSize = { traders: 100, fills: 50_000, tokens: 2_000 };
const HISTORY_MS = 30 * DAY_MS;
const IDLE_MS = MINUTE_MS;
const IDLE_MS_QUICK = 15_000;
const ASKED = 5;
/** Long enough that nothing of the previous answer is still cached. */
const BETWEEN_MS = 2_500;

const QUESTIONS = [
  ...(["leaderboard24h", "leaderboard7d", "leaderboard30d", "leaderboardAll", "ranking"] as const),
  ...(["trending", "widelyHeld", "tokens", "users", "user"] as const),
];
/** The ones that the bar is about. */
const BARRED: readonly string[] = [
  "leaderboard24h",
  "leaderboard7d",
  "leaderboard30d",
  "leaderboardAll",
  "trending",
  "widelyHeld",
  "tokens",
];

export interface SubjectTask {
  question: (typeof QUESTIONS)[number];
}

export interface SubjectReport {
  /** Only for the first: from process start until it answers, and until its first leaderboard. */
  openMs: number;
  startMs: number;
  cpuMs: number;
  rows: number;
}

export interface WriterReport {
  fillsPerSecond: number;
  fillsPerCpuSecond: number;
}

const BARS = { startMs: 5_000, cpuMs: 20, idleShare: 0.05, fillsPerSecond: 5_000, bytes: 400e6 };
/** With the collector settings of `npm start`. */
const AS_STARTED = {
  MIMALLOC_PURGE_DELAY: "10",
  BUN_JSC_forceRAMSize: "134217728",
  BUN_JSC_minEdenToOldGenerationRatio: "0.1",
};
const FIRST_MOMENT_MS = 40_000;
const program = (name: string) => [process.execPath, join(import.meta.dir, name)];

async function seed(file: string, size: WorldSize): Promise<void> {
  const clock = systemClock();
  const now = clock.now();
  // As much memory as it takes to be fast: hashes go all over the file.
  const database = await openDatabase({ file, cacheKib: 1_000_000 });
  await migrate(database, now, BOOKS);
  await importRoster(database, rosterOf(size), now - HISTORY_MS);
  const stepMs = (HISTORY_MS - 10 * MINUTE_MS) / size.fills;
  const world = createWorld("books", size, (place) => now - HISTORY_MS + place * stepMs);
  await seedTables(database, size, world.next, now);
  await database.close();
}

async function ask(child: Child, question: SubjectTask["question"]): Promise<SubjectReport> {
  child.say({ question });
  return await child.next<SubjectReport>();
}

/** Each query's cost, every time. */
type Costs = Map<string, { rows: number; cpuMs: number[] }>;

async function askAll(child: Child, clock: Clock): Promise<Costs> {
  const costs: Costs = new Map();
  for (let time = 0; time < ASKED; time++) {
    for (const question of QUESTIONS) {
      const { cpuMs, rows } = await ask(child, question);
      costs.set(question, { rows, cpuMs: [...(costs.get(question)?.cpuMs ?? []), cpuMs] });
    }
    await clock.sleep(BETWEEN_MS);
  }
  return costs;
}

interface Figures {
  size: WorldSize;
  first: SubjectReport;
  costs: Costs;
  idleShare: number;
  bytes: number;
  written: WriterReport;
}

async function measureIn(folder: string, size: WorldSize, idleMs: number): Promise<Figures> {
  const clock = systemClock();
  const chain = serveQuietChain(clock, BLOCK_MS);
  const start = () =>
    startChild([...program("tracker-books-subject.ts"), folder, chain.url, String(clock.now())], AS_STARTED);
  const child = start();
  const first = await child.next<SubjectReport>();
  console.log(`first leaderboard after ${first.startMs} ms`);
  // Until the moments of all windows have been computed for the first time.
  await clock.sleep(FIRST_MOMENT_MS);
  const costs = await askAll(child, clock);
  const before = cpuSecondsOf(child.pid);
  await clock.sleep(idleMs);
  const idleShare = ((cpuSecondsOf(child.pid) - before) * 1_000) / idleMs;
  const bytes = residentBytesOf(child.pid);
  await child.stop();
  const writer = startChild(
    [...program("tracker-books-writer.ts"), folder, JSON.stringify(size)],
    AS_STARTED,
  );
  const written = await writer.next<WriterReport>();
  await writer.stop();
  await chain.stop();
  return { size, first, costs, idleShare, bytes, written };
}

const median = (of: readonly number[]) => of.toSorted((a, b) => a - b)[of.length >> 1] ?? Number.NaN;
const count = (value: number) => Math.round(value).toLocaleString("en-US");

function outcomeOf({ size, first, costs, idleShare, bytes, written }: Figures): Measured {
  const worst = Math.max(...BARRED.map((question) => median(costs.get(question)?.cpuMs ?? [])));
  const { fillsPerSecond, fillsPerCpuSecond } = written;
  const sized = `${count(size.traders)} traders, ${count(size.fills)} fills`;
  return {
    findings: [
      {
        bar: `${sized}, start: the first leaderboard within ${BARS.startMs / 1_000} s`,
        result: `answers after ${(first.openMs / 1_000).toFixed(1)} s, the first leaderboard after ${(first.startMs / 1_000).toFixed(1)} s (${(first.cpuMs / 1_000).toFixed(1)} s of CPU)`,
        met: first.startMs <= BARS.startMs,
        cause: "where tens of thousands of positions stood a day ago is read from their moves, once",
      },
      {
        bar: `${sized}, a leaderboard, a board, a page of 500 tokens: at most ${BARS.cpuMs} ms of CPU`,
        result: `${worst.toFixed(1)} ms for the worst of them`,
        met: worst <= BARS.cpuMs,
        cause: "a page of tokens that nobody asked for before looks two prices up for each",
      },
      {
        bar: `${sized}, idle on a chain of 2 s blocks: at most ${BARS.idleShare * 100} % of a core`,
        result: `${(idleShare * 100).toFixed(1)} %`,
        met: idleShare <= BARS.idleShare,
      },
      {
        bar: `${sized}, fills through the books: at least ${count(BARS.fillsPerSecond)} a second`,
        result: `${count(fillsPerSecond)} a second, ${count(fillsPerCpuSecond)} a second of CPU`,
        met: fillsPerSecond >= BARS.fillsPerSecond,
        cause:
          "a fill changes some seven pages all over the file (its trader's and its token's), and each is written twice",
      },
      {
        bar: `${sized}, resident: at most ${BARS.bytes / 1e6} MB`,
        result: `${(bytes / 1e6).toFixed(0)} MB`,
        met: bytes <= BARS.bytes,
      },
    ],
    tables: [
      {
        title: "CPU of an answer",
        columns: ["question", "rows", "median ms", "worst ms"],
        rows: [...costs].map(([question, { rows, cpuMs }]) => [
          question,
          rows,
          median(cpuMs).toFixed(1),
          Math.max(...cpuMs).toFixed(1),
        ]),
      },
    ],
    notes:
      size === FULL
        ? []
        : ["The bars are meant for 1,000 traders and 1,000,000 fills, which a quick run is not."],
  };
}

await suite(async ({ quick }): Promise<Measured> => {
  const size = quick ? QUICK : FULL;
  const given = process.argv.find((word) => word.startsWith("--folder="))?.slice("--folder=".length);
  const folder = given ?? mkdtempSync(join(tmpdir(), "crowdtape-bench-books-"));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "tracker.sqlite");
  if (!existsSync(file)) await seed(file, size);
  const figures = await measureIn(folder, size, quick ? IDLE_MS_QUICK : IDLE_MS);
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
  return outcomeOf(figures);
});
