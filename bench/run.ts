// `npm run bench [names] [-- --quick]`: runs the benchmarks one after the other, each in its own process, most on the load's
// core, and writes docs/benchmarks.md and its charts from their outcomes. `history --fills N`, `history --store N` and
// `history --parts N` only print.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MINUTE_MS } from "../kit/units.ts";
import { drawChart } from "./kit/chart.ts";
import { describeMachine, onLoadCore } from "./kit/machine.ts";
import { type KeptResult, renderPage } from "./kit/page.ts";
import { PEER_VERSIONS } from "./kit/peers.ts";
import type { Measured } from "./kit/suite.ts";

const SUITES = [
  ["reads", "S1", "a metered, durably charged, cached read"],
  ["stages", "S1c", "each stage of a request by itself"],
  ["fanout", "S2", "fan-out to 1,000 sockets"],
  ["latency", "S3", "upstream event to client frame"],
  ["filters", "S4", "5,000 filters over 10,000 sockets"],
  ["idle", "S5", "idle sockets"],
  ["capture", "S6", "capture, normalise, dedupe, append"],
  ["pages", "S7", "the same pages at 100 × the data"],
  ["start", "S8", "cold start, default world"],
  ["misses", "S9", "1,000 identical misses at once"],
  ["scale", "S10", "from one API process to two, on PostgreSQL and Redis"],
  ["journal", "S10b", "a charge in the journal, in each form it could have"],
  ["held", "S11b", "the longest hold of the thread by one request"],
  ["held-thread", "S11", "the longest turn of the event loop over 1,000,000 events"],
  ["tracker", "S12", "the tracker: logs and transactions read"],
  ["tracker-solana", "S12b", "tracker: Solana transactions read"],
  ["tracker-books", "S14", "tracker: the books of 1,000 traders"],
  ["tracker-calls", "S15", "tracker: calls that a chain costs"],
  ["tape", "S13", "the explorer in a browser"],
  ["site", "S13b", "every page of the site in a browser"],
  ["commands", "S18", "the command line, from typing to its end"],
  ["profit", "P1", "one profit on every route"],
  ["profit-chain", "P3", "one profit on a real chain, against books kept by hand"],
  ["replay", "S16", "what following would have earned, over 10,000 leader fills"],
  ["copy-board", "S19", "the board of who was worth following, of 2,000 traders"],
  ["history", "S20", "a busy day closed into Parquet files"],
  ["copiers", "P6", "what copiers earned against what a replay says"],
  ["bait", "P7", "who is flagged in worlds with baiters"],
] as const;

/** They measure what a user gets from all cores, so they are not pinned to the load's. */
const ON_ALL_CORES: readonly string[] = [
  "start",
  "scale",
  "tape",
  "site",
  "commands",
  "profit",
  "profit-chain",
];

/** Longer than the slowest benchmark takes on a busy machine. */
const SUITE_TIMEOUT_MS = 25 * MINUTE_MS;

const docs = join(import.meta.dir, "..", "docs");
const charts = join(docs, "bench");
const resultsFile = join(charts, "results.json");

const given = process.argv.slice(2);
/** Measurements at one size, whose tables are copied by hand. */
const LOOKS: Record<string, string> = {
  "--fills": "history-fills.ts",
  "--store": "history-store.ts",
  "--parts": "history-parts.ts",
};
const look = given[0] === "history" ? LOOKS[String(given[1])] : undefined;
if (look !== undefined) {
  const program = join(import.meta.dir, look);
  const stdio = ["ignore", "inherit", "inherit"] as const;
  process.exit(await Bun.spawn([process.execPath, program, ...given.slice(1)], { stdio: [...stdio] }).exited);
}
const quick = given.includes("--quick");
const names = given.filter((word) => !word.startsWith("-"));
const unknown = names.filter((word) => !SUITES.some(([name, id]) => word === name || word === id));
if (unknown.length > 0 || given.some((word) => word.startsWith("-") && word !== "--quick")) {
  console.error(`usage: npm run bench -- [${SUITES.map(([name]) => name).join("|")}]… [--quick]`);
  process.exit(2);
}
const chosen = SUITES.filter(
  ([name, id]) => names.length === 0 || names.includes(name) || names.includes(id),
);

const folder = mkdtempSync(join(tmpdir(), "crowdtape-bench-run-"));
const known: KeptResult[] = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, "utf8")) : [];
let failed = 0;
for (const [name, id, what] of chosen) {
  console.log(`\n== ${id} ${name}: ${what}`);
  const file = join(folder, `${name}.json`);
  const beganAt = performance.now();
  const outcome = await runSuite(name, file);
  if (outcome === null || outcome.findings.some(({ met, mustHold }) => mustHold && !met)) failed++;
  if (outcome === null) continue;
  const kept: KeptResult = {
    name,
    id,
    what,
    ...outcome,
    date: new Date().toISOString().slice(0, 16).replace("T", " ").concat(" UTC"),
    machine: describeMachine(),
    command: `npm run bench -- ${name}${quick ? " --quick" : ""}`,
    seconds: (performance.now() - beganAt) / 1_000,
  };
  const at = known.findIndex((one) => one.name === name);
  if (at >= 0) known[at] = kept;
  else known.push(kept);
  write(known, kept);
}
rmSync(folder, { recursive: true, force: true });
console.log(
  `\nwritten to docs/benchmarks.md${failed > 0 ? `; ${failed} could not be run or must not be so` : ""}`,
);
process.exit(failed > 0 ? 1 : 0);

/** Null when it could not be run; the reason is on the screen. */
async function runSuite(name: string, file: string): Promise<Measured | null> {
  const program = join(import.meta.dir, `${name}.ts`);
  const command = [process.execPath, program, ...(quick ? ["--quick"] : []), `--outcome=${file}`];
  const child = Bun.spawn(ON_ALL_CORES.includes(name) ? command : onLoadCore(command), {
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), SUITE_TIMEOUT_MS);
  const code = await child.exited;
  clearTimeout(timer);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  console.error(`${name} could not be run (it ended with ${code ?? "a signal"})`);
  return null;
}

function write(all: readonly KeptResult[], fresh: KeptResult): void {
  mkdirSync(charts, { recursive: true });
  for (const chart of fresh.charts ?? []) writeFileSync(join(charts, `${chart.file}.svg`), drawChart(chart));
  const order = SUITES.map(([name]) => String(name));
  const sorted = all.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  writeFileSync(resultsFile, `${JSON.stringify(sorted, null, 1)}\n`);
  const page = join(docs, "benchmarks.md");
  writeFileSync(page, renderPage(sorted, toolsText()));
  // Formatted as the checks require; the figures are right without it.
  Bun.spawnSync([join(docs, "..", "node_modules", ".bin", "biome"), "format", "--write", page, resultsFile]);
}

function toolsText(): string {
  const packages = Object.entries(PEER_VERSIONS).map(([name, version]) => `${name} ${version}`);
  const version = (command: string[]) => {
    const program = Bun.which(command[0] ?? "", { PATH: `${Bun.env.PATH ?? ""}:/usr/sbin` });
    if (program === null) return "missing";
    const { stdout, stderr } = Bun.spawnSync([program, ...command.slice(1)]);
    return /\d+\.\d+\.\d+/.exec(`${stdout}${stderr}`)?.[0] ?? "unknown";
  };
  return `Bun ${Bun.version}, Node ${version(["node", "--version"])}, nginx ${version(["nginx", "-v"])}, nats-server ${version(["nats-server", "--version"])}, ${packages.join(", ")}.`;
}
