// Seeded tests that cover more with every seed: the campaign runs them repeatedly.
import { join } from "node:path";
import type { Outcome, Trial } from "./trial.ts";

const root = join(import.meta.dir, "../..");

/** A test file, run with a fresh seed each time. */
const suite = (name: string, file: string, holds: string, runs = 1): Trial => ({
  name,
  holds,
  async run({ seed, factor }): Promise<Outcome> {
    const errors: string[] = [];
    let tried = 0;
    for (let run = 0; run < runs * factor; run++) {
      const own = String(seed + run);
      const child = Bun.spawn([process.execPath, "test", "--timeout=600000", file], {
        cwd: root,
        env: { ...process.env, SEED: own },
        stdout: "pipe",
        stderr: "pipe",
      });
      const [, said] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      const code = await child.exited;
      tried += Number(/^ *(\d+) pass$/m.exec(said)?.[1] ?? 0);
      for (const [, failed] of said.matchAll(/^\(fail\) (.*?)(?: \[[\d.]+ms\])?$/gm))
        errors.push(`SEED=${own} ${file}: ${failed}`);
      if (code !== 0 && errors.length === 0) errors.push(`SEED=${own} ${file}: ended with ${code}`);
    }
    return { tried, errors };
  },
});

export const SUITES: readonly Trial[] = [
  suite(
    "EVM: hostile RPC answers, forks of any depth and restarts, by a seed",
    "tracker/evm/reader.test.ts",
    "the books end as those of a clean reading, to the raw integer",
  ),
  suite(
    "EVM: providers that grant little, refuse, prune or lag",
    "tracker/evm/strict-provider.test.ts",
    "everything is read, nothing is guessed, and what is missing is said",
  ),
  suite(
    "Solana: blocks out of order, lost, repeated and rolled back",
    "tracker/solana/reader-property.test.ts",
    "the books end as those of a clean reading",
  ),
  suite(
    "books through forks, restarts and faults, on SQLite and PostgreSQL",
    "tracker/books/books-property.test.ts",
    "books and feeds equal a clean replay",
  ),
  suite(
    "the tracker killed anywhere while forks come",
    "tracker/kills.test.ts",
    "it ends where one does that was never disturbed",
  ),
  suite(
    "kill -9, freezes and broken wires under metered load",
    "test/chaos/campaign.test.ts",
    "no credit and no event is lost or doubled; it recovers by itself",
    2,
  ),
  suite(
    "the wall clock stepped a day ahead and a day back",
    "test/chaos/clock.test.ts",
    "delays, windows, caches and expiries stay where they were",
  ),
  suite(
    "a full disk",
    "test/chaos/full-disk.test.ts",
    "calls are free 503s, health says so, and it recovers",
  ),
  suite(
    "a sick platform: stalls, errors, HTML, 50 MB, NaN, wrong types, polluted prototypes",
    "test/chaos/sick-upstream.test.ts",
    "no crash, no 500, nothing bad is kept, an answer within the deadline",
  ),
  suite(
    "every parameter, header, body field and frame with generated values",
    "test/fuzz/fuzz.test.ts",
    "no 5xx but 503, every body by its schema, errors cost nothing",
  ),
];
