// S18: how long the command line takes from start to exit, as npm installs it: Node starts it, Bun runs it. For comparison,
// the time Node needs to start and do nothing. Run: bun bench/commands.ts [--quick]
import { join } from "node:path";
import { ROOT, withProduct } from "./kit/product.ts";
import { interleaved, spreadOf, spreadText } from "./kit/rounds.ts";
import { type Measured, suite } from "./kit/suite.ts";

const WITHIN_MS = 150;
/** Runs per command, one after the other; their median is the round's figure. */
const RUNS = 9;
const SETTLED_MS = 15_000;
const NOTHING = "node, doing nothing";

/** As in a user's shell: Node would read additional trusted certificates before doing anything. */
const { NODE_EXTRA_CA_CERTS: _, ...ENVIRONMENT } = Bun.env;

async function millisecondsOf(command: string[]): Promise<number> {
  const taken: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const beganAt = performance.now();
    const child = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "pipe", env: ENVIRONMENT });
    if ((await child.exited) !== 0)
      throw new Error(`${command.join(" ")}: ${await new Response(child.stderr).text()}`);
    taken.push(performance.now() - beganAt);
  }
  return spreadOf(taken).median;
}

await suite(async ({ rounds }): Promise<Measured> => {
  const { kept, notes, names } = await withProduct(SETTLED_MS, async (url) => {
    const crowdtape = (...words: string[]) => ["node", join(ROOT, "bin", "crowdtape.js"), ...words];
    const commands: Record<string, string[]> = {
      "crowdtape --help": crowdtape("--help"),
      "crowdtape leaderboard --help": crowdtape("leaderboard", "--help"),
      "crowdtape leaderboard 24h": crowdtape("leaderboard", "24h", "--server", url),
      [NOTHING]: ["node", "-e", "0"],
    };
    const contenders = Object.entries(commands).map(([name, command]) => ({
      name,
      measure: () => millisecondsOf(command),
    }));
    return { ...(await interleaved(contenders, rounds)), names: Object.keys(commands) };
  });
  const of = (name: string) => spreadOf(kept.map((round) => round[name] ?? Number.NaN));
  return {
    findings: names
      .filter((name) => name !== NOTHING)
      .map((name) => ({
        bar: `${name}: within ${WITHIN_MS} ms`,
        result: `${spreadText(of(name), 0)} ms`,
        met: of(name).median <= WITHIN_MS,
      })),
    tables: [
      {
        title: "From typing it to its end",
        columns: ["command", "ms"],
        rows: names.map((name) => [name, spreadText(of(name), 0)]),
      },
    ],
    notes,
  };
});
