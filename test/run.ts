// The whole test command: first the checks, then every test in random order over all cores. Ends with one line
// that counts, and with a failure if anything failed, or if nothing ran.
import { availableParallelism } from "node:os";

const seed = process.env.SEED ?? String(crypto.getRandomValues(new Uint32Array(1))[0]);
const bun = process.execPath;

async function run(command: string[]): Promise<{ code: number; output: string }> {
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe", env: { ...process.env, SEED: seed } });
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

const passed = count(tests.output, "pass") + (checks.code === 0 ? 1 : 0);
const broken = tests.code !== 0 && count(tests.output, "fail") === 0;
const failed = count(tests.output, "fail") + (checks.code === 0 ? 0 : 1) + (broken ? 1 : 0);
const skipped = count(tests.output, "skip");
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(failed === 0 && passed > 1 ? 0 : 1);
