// The test command. Prepares the machine, then runs the checks and every test file over all cores, short files of a room in
// one process. Ends with a summary line, and with an error if anything failed or nothing ran; in CI also if anything was skipped.
//
//   npm test                      everything
//   npm test -- --fast            files that start no process, database, browser, chain or service, and no checks
//   npm test -- service/feed      the files whose path contains this, and no checks
//   npm test -- --record          everything, and records each file's duration for the order of later runs
//   SLOWEST=50 npm test           shows more than ten of the slowest files
//   SEED=7 npm test               the same order within files and the same random values as before
import { chmodSync, mkdirSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { CHECKS } from "./runner/checks.ts";
import { recordTimes, type TestFile, testFiles } from "./runner/files.ts";
import { groupFiles } from "./runner/groups.ts";
import { readJunit } from "./runner/junit.ts";
import { type Job, runJobs } from "./runner/lanes.ts";
import { prepareMachine } from "./runner/machine.ts";
import { scratchRoot } from "./runner/scratch.ts";
import { createTally } from "./runner/tally.ts";
import { BRIEF_PROCESSES } from "./support/brief-processes.ts";
import { throwAwayPostgres } from "./support/postgres.ts";
import { hasProgram } from "./support/programs.ts";

const TEST_MS_MAX = 900_000;
/** Files wait as often as they compute. */
const LANES_PER_CORE = 2;

const flags = new Set(process.argv.slice(2).filter((arg) => arg.startsWith("--")));
const patterns = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
const isFast = flags.has("--fast");
const isWhole = patterns.length === 0;
const isChosen = ({ path, startsNothing }: TestFile) =>
  (!isFast || startsNothing) && (isWhole || patterns.some((pattern) => path.includes(pattern)));

const seed = process.env.SEED ?? String(crypto.getRandomValues(new Uint32Array(1))[0]);
const files = (await testFiles()).filter(isChosen);
const missing = isWhole && !isFast ? prepareMachine() : [];

/** Everything that tests leave behind goes with it. Databases run as an account of their own and have to enter it. */
const folder = mkdtempSync(join(scratchRoot(), "crowdtape-tests-"));
chmodSync(folder, 0o711);
process.env.TMPDIR = folder;
process.env.TEST_PORT_CLAIMS = join(folder, "ports");
mkdirSync(process.env.TEST_PORT_CLAIMS);
/** One server for all files, a database for each test that wants one: making a server takes longer than most tests. */
const postgres =
  hasProgram("postgres") && files.some(({ needsPostgres }) => needsPostgres)
    ? await throwAwayPostgres()
    : null;

const reportOf = (job: string) => join(folder, `${Bun.hash(job).toString(36)}.xml`);
const testing = ["test", "--no-orphans", "--only-failures", `--timeout=${TEST_MS_MAX}`];
const toJob = (group: TestFile[]): Job => {
  const paths = group.map(({ path }) => path);
  const name = paths.join(" ");
  const report = ["--reporter=junit", `--reporter-outfile=${reportOf(name)}`];
  const order = ["--randomize", `--seed=${seed}`];
  const command = [process.execPath, ...testing, ...order, ...report, ...paths.map((path) => `./${path}`)];
  const sum = (key: "seconds" | "cpuSeconds") => group.reduce((total, file) => total + file[key], 0);
  return { name, paths, seconds: sum("seconds"), cpuSeconds: sum("cpuSeconds"), command };
};

console.log(`seed ${seed}, ${files.length} files`);
const tally = createTally(seed);
await runJobs([...(isWhole && !isFast ? CHECKS : []), ...groupFiles(files).map(toJob)], {
  lanes: availableParallelism() * LANES_PER_CORE,
  env: {
    ...process.env,
    ...BRIEF_PROCESSES,
    SEED: seed,
    TEST_WITHOUT: [process.env.TEST_WITHOUT, ...missing].filter(Boolean).join(","),
    ...(postgres ? { TEST_POSTGRES_PORT: String(postgres.port) } : {}),
  },
  async ended(result) {
    const report = Bun.file(reportOf(result.job.name));
    if (CHECKS.includes(result.job)) tally.addCheck(result);
    else tally.addFiles(result, (await report.exists()) ? readJunit(await report.text()) : []);
  },
});
await postgres?.stop();
// A server that was killed a moment ago may still write a file.
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });

const slowestShown = Number(process.env.SLOWEST ?? 10);
const isWell = tally.end({ skipFails: Boolean(process.env.CI), slowestShown });
if (flags.has("--record") && isWell) await recordTimes(tally.costs());
process.exit(isWell ? 0 : 1);
