// `npm run campaign -- --seed N --factor M`: tries everything that has ever broken this service, and every failure that would
// be unforgivable, then writes docs/reliability.md: what was tried, how often, what held. `--only TEXT` runs a part and writes
// nothing.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../../kit/clock.ts";
import { startSubject } from "../fuzz/subject.ts";
import { BODIES, READERS } from "./bodies.ts";
import { tlsEndpoints } from "./endpoints.ts";
import { hostileNames } from "./hostile-names.ts";
import { KEPT_DATA } from "./kept-data.ts";
import { SUITES } from "./suites.ts";
import type { Outcome, Trial } from "./trial.ts";
import { PAGES, TRIGGERS } from "./triggers.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    factor: { type: "string", default: "3" },
    only: { type: "string" },
  },
});
const seed = Number(values.seed ?? crypto.getRandomValues(new Uint16Array(1))[0]);
const factor = Number(values.factor);
if (!Number.isInteger(seed) || !(factor >= 1)) {
  console.error("Say: npm run campaign -- [--seed 1] [--factor 3] [--only hostile]");
  process.exit(2);
}

const ALL: readonly Trial[] = [
  ...TRIGGERS,
  ...PAGES,
  ...BODIES,
  ...READERS,
  tlsEndpoints,
  hostileNames,
  ...KEPT_DATA,
  ...SUITES,
];
const chosen = ALL.filter(({ name }) => values.only === undefined || name.includes(values.only));
const rows: { trial: Trial; outcome: Outcome }[] = [];
const subject = await startSubject();
try {
  const { key } = await subject.makeKey("scale");
  for (const trial of chosen) {
    console.log(trial.name);
    const outcome = await trial
      .run({ subject, key, seed, factor })
      .catch((error): Outcome => ({ tried: 0, errors: [`it broke: ${error}`] }));
    if (!subject.isAlive()) outcome.errors.push("the program ended");
    for (const error of outcome.errors) console.log(`  WRONG ${error}`);
    console.log(`  ${outcome.skipped ?? `${outcome.tried} tried, ${outcome.errors.length} wrong`}`);
    rows.push({ trial, outcome });
    if (!subject.isAlive()) break;
  }
} finally {
  await subject.stop();
}
if (values.only === undefined) await Bun.write(join(import.meta.dir, "../../docs/reliability.md"), page());
const failed = rows.filter(({ outcome }) => outcome.errors.length > 0);
console.log(`${rows.length} trials, ${failed.length} did not hold; seed ${seed}`);
process.exit(failed.length === 0 ? 0 : 1);

function page(): string {
  const day = new Date(systemClock().now()).toISOString().slice(0, 10);
  const table = rows.map(({ trial, outcome }) => [trial.name, trial.holds, times(outcome), verdict(outcome)]);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    "# What was tried against it, and what held",
    "",
    `Written by \`npm run campaign -- --seed ${seed} --factor ${factor}\` on ${day}; run it to see for yourself. A larger factor tries everything that much more`,
    "often. What a seed found comes back with the same seed. `npm run chaos` and `npm run fuzz` continue for as long as you like.",
    "Times are attempts, or tests where a suite of them was run.",
    "",
    line(["what was tried", "what must hold", "times", "did it"]),
    line(["---", "---", "---:", "---"]),
    ...table.map(line),
    "",
  ].join("\n");
}

function times({ tried, skipped }: Outcome): string {
  return skipped ? "0" : tried.toLocaleString("en-US");
}

function verdict({ errors, skipped }: Outcome): string {
  if (skipped) return `not tried: ${skipped}`;
  if (errors.length === 0) return "held";
  return `**no**, ${errors.length} times: ${errors[0]?.replaceAll(/[|\n]/g, " ").slice(0, 160)}`;
}
