// Which test files there are, which of them need more than this process, and how long each took the last time it was recorded.
import { join } from "node:path";
import { isForTests, readSources, type Source } from "../support/sources.ts";

const TIMES = join(import.meta.dir, "times.json");
/** What a new file is supposed to take until a run is recorded. */
const UNKNOWN_SECONDS = 3;
/** Shorter ones need no place in the record: their order decides nothing. */
const RECORDED_SECONDS_MIN = 3;

/** Helpers that start processes, databases, browsers, chains or whole services. */
const STARTERS =
  /^test\/(support\/(postgres|postgres-replica|redis|browser|supervised|live-service|run-command)\.ts|commands\/program\.ts|nodes\/cluster\.ts|chains\/)/;
const SPAWNS = /\bspawn(?:Sync)?\(|\bnew Worker\(|\bcreateService\(/;
const TEST_FILE = /\.test\.tsx?$/;

export interface TestFile {
  path: string;
  seconds: number;
  /** It starts nothing: it belongs to `npm test -- --fast`. */
  startsNothing: boolean;
  needsPostgres: boolean;
}

/** A test file and the helpers that it uses, and those that they use. */
function helpersOf(path: string, sources: Map<string, Source>, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const next of sources.get(path)?.imports ?? []) if (isForTests(next)) helpersOf(next, sources, seen);
  return seen;
}

export async function testFiles(): Promise<TestFile[]> {
  const sources = new Map((await readSources()).map((source) => [source.path, source]));
  const times = (await Bun.file(TIMES).json()) as Record<string, number>;
  return [...sources.keys()]
    .filter((path) => TEST_FILE.test(path))
    .map((path) => {
      const helpers = [...helpersOf(path, sources)];
      const starts = (helper: string) =>
        STARTERS.test(helper) || SPAWNS.test(sources.get(helper)?.text ?? "");
      return {
        path,
        seconds: times[path] ?? UNKNOWN_SECONDS,
        startsNothing: !helpers.some(starts),
        needsPostgres: helpers.includes("test/support/postgres.ts"),
      };
    });
}

/** Keeps what files took, so that the next run begins with the longest. */
export async function recordTimes(took: ReadonlyMap<string, number>): Promise<void> {
  const long = [...took].filter(([, seconds]) => seconds >= RECORDED_SECONDS_MIN);
  const sorted = long
    .map(([path, seconds]) => [path, Math.round(seconds)] as const)
    .sort(([, a], [, b]) => b - a);
  await Bun.write(TIMES, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
