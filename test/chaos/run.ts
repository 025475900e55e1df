// `npm run chaos -- --seed N --minutes M`: rounds of faults, each with its own seed and the script derived from it, until the
// time is over. Fails if anything was wrong, and prints how to reproduce it.
import { parseArgs } from "node:util";
import { runRound } from "./round.ts";
import { SHAPES } from "./schedule.ts";

const DEFAULT_ROUND_SECONDS = "20";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    minutes: { type: "string", default: "1" },
    /** One shape only; without it they alternate. */
    shape: { type: "string" },
    "round-seconds": { type: "string", default: DEFAULT_ROUND_SECONDS },
    rounds: { type: "string" },
  },
});
const first = Number(values.seed ?? crypto.getRandomValues(new Uint16Array(1))[0]);
const minutes = Number(values.minutes);
const rounds = values.rounds === undefined ? Number.POSITIVE_INFINITY : Number(values.rounds);
const durationMs = Number(values["round-seconds"]) * 1_000;
const shapes = SHAPES.filter((shape) => values.shape === undefined || shape === values.shape);
if (!Number.isInteger(first) || !(minutes > 0) || !(rounds > 0) || !(durationMs > 0) || shapes.length === 0) {
  console.error(
    `Say: npm run chaos -- --seed 1 --minutes 5 [--shape ${SHAPES.join("|")}] [--round-seconds 20] [--rounds 3]`,
  );
  process.exit(2);
}

const endsAt = performance.now() + minutes * 60_000;
const failed: string[] = [];
let ran = 0;
for (let seed = first; performance.now() < endsAt && ran < rounds; seed++, ran++) {
  const shape = shapes[seed % shapes.length] ?? "simulator";
  const replay = `npm run chaos -- --seed ${seed} --shape ${shape} --round-seconds ${durationMs / 1_000} --rounds 1`;
  console.log(`seed ${seed}, ${shape} (${replay})`);
  const { errors, counts } = await runRound({
    seed: String(seed),
    shape,
    durationMs,
    isPunctual: true,
    say: console.log,
  }).catch((error) => ({
    errors: [`the round broke: ${error instanceof Error ? error.stack : error}`],
    counts: null,
  }));
  for (const error of errors) console.log(`  WRONG ${error}`);
  console.log(`  ${errors.length === 0 ? "ok" : "FAILED"} ${JSON.stringify(counts)}`);
  if (errors.length > 0) failed.push(replay);
}
console.log(`${ran} rounds, ${failed.length} failed`);
for (const replay of failed) console.log(`  ${replay}`);
process.exit(failed.length === 0 && ran > 0 ? 0 : 1);
