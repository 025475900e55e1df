// The whole test command: first the checks, then every test in random order over all cores. Ends with one line
// that counts, and with a failure if anything failed, or if nothing ran.
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

const seed = process.env.SEED ?? String(crypto.getRandomValues(new Uint32Array(1))[0]);
const bun = process.execPath;
// Whatever is still running when the tests end is killed, with it who would have tidied up: the folders go with this one.
const folder = mkdtempSync(join(tmpdir(), "crowdtape-tests-"));
// Databases run as an account of their own, and have to find their folders in here.
chmodSync(folder, 0o711);
const REMOVED_WITHIN_TRIES = 20;
const REMOVED_AGAIN_MS = 250;

async function run(command: string[]): Promise<{ code: number; output: string }> {
  const child = Bun.spawn(command, {
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, SEED: seed, TMPDIR: folder },
  });
  const chunks: string[] = [];
  const echo = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      process.stdout.write(chunk);
      chunks.push(decoder.decode(chunk, { stream: true }));
    }
  };
  await Promise.all([echo(child.stdout), echo(child.stderr)]);
  return { code: await child.exited, output: chunks.join("") };
}

const count = (output: string, word: string): number => {
  const lines = [...output.matchAll(new RegExp(`^\\s*(\\d+) ${word}$`, "gm"))];
  return lines.reduce((sum, line) => sum + Number(line[1]), 0);
};

console.log(`seed ${seed} (SEED=${seed} npm test replays it)`);
const checks = await run([bun, "test/check.ts"]);
const tests = await run([
  bun,
  "test",
  "--no-orphans",
  `--parallel=${availableParallelism()}`,
  "--randomize",
  `--seed=${seed}`,
  "--only-failures",
  "--timeout=180000",
  ...process.argv.slice(2),
]);

// A server that was killed a moment ago may still leave a file behind.
for (let tries = 0; tries < REMOVED_WITHIN_TRIES && existsSync(folder); tries++) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    await Bun.sleep(REMOVED_AGAIN_MS);
  }
}

const passed = count(tests.output, "pass") + (checks.code === 0 ? 1 : 0);
const broken = tests.code !== 0 && count(tests.output, "fail") === 0;
const failed = count(tests.output, "fail") + (checks.code === 0 ? 0 : 1) + (broken ? 1 : 0);
const skipped = count(tests.output, "skip");
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(failed === 0 && passed > 1 ? 0 : 1);
