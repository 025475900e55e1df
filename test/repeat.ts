// `npm run repeat -- --runs 20 --busy 5`: whole runs of the suite in a row, some of them next to a busy loop on each core, until
// one fails. Finds tests that fail only now and then. Ends with the failed run's output; `--seed N` repeats a row.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type EndedRun, type PlannedRun, planRuns, runInRow } from "./runner/repeat.ts";

/** The test runner takes 32 bits, and each run counts one up. */
const SEED_MAX = 0x7fff_ffff;
const RUNS_MAX = 1_000;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    busy: { type: "string", default: "5" },
    seed: { type: "string" },
  },
});
const runs = Number(values.runs);
const busy = Number(values.busy);
const seed = Number(values.seed ?? crypto.getRandomValues(new Uint16Array(1))[0]);
const isIn = (value: number, from: number, to: number) =>
  Number.isInteger(value) && value >= from && value <= to;
if (!isIn(runs, 1, RUNS_MAX) || !isIn(busy, 0, runs) || !isIn(seed, 0, SEED_MAX)) {
  console.error(
    `Say: npm run repeat -- [--runs 20] [--busy 5] [--seed 1]: 1 to ${RUNS_MAX} runs, no more busy ones, a seed up to ${SEED_MAX}`,
  );
  process.exit(2);
}

let output = "";
const isWell = await runInRow(planRuns({ runs, busy, seed }), runSuite, console.log);
if (!isWell) console.log(output);
process.exit(isWell ? 0 : 1);

async function runSuite({ seed, isBusy }: PlannedRun): Promise<EndedRun> {
  const loops = Array.from({ length: isBusy ? availableParallelism() : 0 }, () => spawn(["-e", "for (;;);"]));
  const startedAt = performance.now();
  const suite = spawn(["test/run.ts"], { SEED: seed });
  const [out, err, code] = await Promise.all([
    new Response(suite.stdout).text(),
    new Response(suite.stderr).text(),
    suite.exited,
  ]);
  for (const loop of loops) loop.kill();
  output = out + err;
  const summary = out.trimEnd().split("\n").at(-1) || `ended with ${code}`;
  return { code, summary, tookSeconds: (performance.now() - startedAt) / 1_000 };
}

/** It ends when this process does, even if that is killed. */
function spawn(args: readonly string[], env: Record<string, string> = {}) {
  return Bun.spawn([process.execPath, "--no-orphans", ...args], {
    cwd: join(import.meta.dir, ".."),
    env: { ...process.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}
