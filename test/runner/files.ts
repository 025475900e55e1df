// The test files, which of them need more than this process, and how long each took when last recorded.
import { join } from "node:path";
import { isForTests, readSources, type Source } from "../support/sources.ts";
import type { FileCost } from "./tally.ts";

const TIMES = join(import.meta.dir, "times.json");
/** The assumed duration of an unrecorded file: most are short. */
const UNKNOWN_SECONDS = 1;
/** Shorter ones need no record: their order makes no difference. */
const RECORDED_SECONDS_MIN = 2;

/** Helpers that start processes, databases, browsers, chains or whole services. */
const STARTERS =
  /^test\/(support\/(postgres|postgres-replica|redis|browser|supervised|live-service|run-command)\.ts|commands\/program\.ts|nodes\/cluster\.ts|chains\/)/;
const SPAWNS = /\bspawn(?:Sync)?\(|\bnew Worker\(|\bcreateService\(/;
/** Effects that other files in the same process would notice: on process-wide state, or outliving the test. */
const LEAVES_TRACES = new RegExp(
  [
    /\bsetSystemTime\(|process\.env\[?[.\w]*\]? *=[^=]|delete process\.env/,
    /\bspyOn\((?:performance|console|process|globalThis)\b/,
    // A connection that is never closed may hold a lock, and code waiting for the lock blocks the thread.
    /\bopen(?:Database|Sqlite|Store|Books|Simulator|Tracker)\(|\bnew (?:Database|WebSocket)\(|\b(?:Bun\.)?serve\(|\bcreateServer\(/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
/** A whole service in this process. Stopping it closes everything it opened, so its own imports say nothing about the file. */
const LIVE_SERVICE = "test/support/live-service.ts";
const TEST_FILE = /\.test\.tsx?$/;

export interface TestFile {
  path: string;
  /** Wall time, and processor time over all cores. */
  seconds: number;
  cpuSeconds: number;
  /** It starts nothing: it is part of `npm test -- --fast`. */
  startsNothing: boolean;
  needsPostgres: boolean;
  /** A service runs in its process. */
  hasService: boolean;
  /** It leaves nothing behind, so it may share a process with others. */
  sharesProcess: boolean;
}

/** A test file and its helpers, direct and indirect. */
function helpersOf(path: string, sources: Map<string, Source>, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const next of sources.get(path)?.imports ?? []) if (isForTests(next)) helpersOf(next, sources, seen);
  return seen;
}

export async function testFiles(): Promise<TestFile[]> {
  const sources = new Map((await readSources()).map((source) => [source.path, source]));
  const times = (await Bun.file(TIMES).json()) as Record<string, [number, number]>;
  return [...sources.keys()]
    .filter((path) => TEST_FILE.test(path))
    .map((path) => {
      const helpers = [...helpersOf(path, sources)];
      const others = helpers.filter((helper) => helper !== LIVE_SERVICE);
      const hasService = others.length < helpers.length;
      const says = (what: RegExp) => others.some((helper) => what.test(sources.get(helper)?.text ?? ""));
      const startsNoMore = !others.some((helper) => STARTERS.test(helper)) && !says(SPAWNS);
      const [seconds, cpuSeconds] = times[path] ?? [UNKNOWN_SECONDS, UNKNOWN_SECONDS];
      return {
        path,
        seconds,
        cpuSeconds,
        startsNothing: startsNoMore && !hasService,
        needsPostgres: helpers.includes("test/support/postgres.ts"),
        hasService,
        sharesProcess: startsNoMore && !says(LEAVES_TRACES),
      };
    });
}

/** Records the files' durations, so that the next run starts with the longest. */
export async function recordTimes(costs: readonly FileCost[]): Promise<void> {
  const lines = costs
    .filter(({ tookSeconds }) => tookSeconds >= RECORDED_SECONDS_MIN)
    .sort((a, b) => b.tookSeconds - a.tookSeconds)
    .map(
      ({ path, tookSeconds, cpuSeconds }) =>
        `  ${JSON.stringify(path)}: [${Math.round(tookSeconds)}, ${Math.round(cpuSeconds)}]`,
    );
  await Bun.write(TIMES, `{\n${lines.join(",\n")}\n}\n`);
}
