// Types, lint and format, unused code and dependencies. Each runs whatever the others say, so one run shows all.
const CHECKS: { name: string; command: string[] }[] = [
  { name: "types", command: ["tsc", "--noEmit", "-p", "."] },
  { name: "lint and format", command: ["biome", "check", "--error-on-warnings", "."] },
  { name: "unused code and dependencies", command: ["knip"] },
];

let failed = 0;
for (const { name, command } of CHECKS) {
  const [tool, ...rest] = command as [string, ...string[]];
  const child = Bun.spawn([`node_modules/.bin/${tool}`, ...rest], { stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  console.log(`check ${name}: ${code === 0 ? "ok" : "failed"}`);
  if (code !== 0) {
    failed++;
    console.log(out, err);
  }
}
process.exit(failed === 0 ? 0 : 1);
