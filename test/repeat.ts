// `npm run repeat -- --runs 20 --busy 5`: whole runs of the suite in a row, some of them next to a busy loop on each core, until
// one fails. Finds tests that fail only now and then. Ends with the failed run's output; `--seed N` repeats a row.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type EndedRun, type PlannedRun, planRuns, runInRow } from "./runner/repeat.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    busy: { type: "string", default: "5" },
    seed: { type: "string" },
  },
});
const runs = Number(values.runs);
const busy = Number(values.busy);
const seed = Number(values.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]);
const isCount = (value: number, from: number) => Number.isSafeInteger(value) && value >= from;
if (!isCount(runs, 1) || !isCount(busy, 0) || busy > runs || !isCount(seed, 0)) {
  console.error("Say: npm run repeat -- [--runs 20] [--busy 5] [--seed 1], with no more busy runs than runs");
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
