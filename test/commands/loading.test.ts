// A command loads its own code and no more. That is why it starts fast; the bench has the milliseconds.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { run, temporaryData } from "./program.ts";

const root = join(import.meta.dir, "../..");

/** The modules that a command had loaded when it exited, as paths in the project. */
async function loadedBy(words: string[]): Promise<string[]> {
  const script = `
    process.argv = ["bun", "crowdtape", ...${JSON.stringify(words)}];
    await import(${JSON.stringify(join(root, "service/cli.ts"))});
    console.error("loaded " + JSON.stringify(Object.keys(require.cache)));
  `;
  const { err } = await run([process.execPath, "-e", script], { DATA_DIR: temporaryData() });
  const modules = JSON.parse(/^loaded (.*)$/m.exec(err)?.[1] ?? "[]") as string[];
  const own = modules
    .filter((path) => path.startsWith(`${root}/`))
    .map((path) => path.slice(root.length + 1));
  expect(own).toContain("service/cli.ts");
  return own;
}

const outside = (modules: string[], allowed: RegExp) => modules.filter((path) => !allowed.test(path));

describe("a command loads", () => {
  const READS = /^(service\/cli\.ts|kit\/(units|csv)\.ts|client\/(cli|src)\/.+)$/;

  test("only the client, if it reads from a service", async () => {
    const unreachable = ["--server", "http://127.0.0.1:9", "--key", "ct_test_none"];
    for (const words of [
      ["leaderboard", "--help"],
      ["tail", "--help"],
      ["board", "trending", ...unreachable],
    ])
      expect(outside(await loadedBy(words), READS)).toEqual([]);
  });

  test("no verb and no package, if it only prints help", async () => {
    const HELPS =
      /^(service\/commands\/(verbs|run)\.ts|contract\/version\.ts|database\/errors\.ts|kit\/(log|bad-settings)\.ts|simulator\/persist\/identity\.ts)$/;
    for (const words of [["--help"], ["--version"], ["key", "--help"], ["serve", "--help"], ["nonsense"]]) {
      const more = outside(await loadedBy(words), READS);
      expect(outside(more, HELPS)).toEqual([]);
    }
  });

  test("no serving code, if an operator looks at keys and accounts", async () => {
    const SERVES =
      /^(service\/(service\.ts|api|streams|webhooks|capture|upstream|feed|ops)|web\/|tracker\/(server|books|solana|rpc)|simulator\/(world|views|server)|node_modules\/(stripe|nodemailer|preact)\/)/;
    for (const words of [
      ["key", "list"],
      ["account", "show", "acc_nobody"],
    ])
      expect((await loadedBy(words)).filter((path) => SERVES.test(path))).toEqual([]);
  });
});
