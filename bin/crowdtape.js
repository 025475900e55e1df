#!/usr/bin/env node
// Starts the command-line program with the Bun that npm installed beside it, so that `npx crowdtape` needs Node only.
// Signals are passed on, and it ends as the program does: with the same exit code, or by the same signal.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

function noBun() {
  console.error(
    "The Bun that Crowdtape runs on is not installed. Run npm ci in its folder, and let npm run Bun's install script.",
  );
  process.exit(1);
}

function bunPath() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("bun/package.json")), "bin", "bun.exe");
  } catch {
    return noBun();
  }
}

const program = join(dirname(fileURLToPath(import.meta.url)), "..", "service", "cli.ts");
const child = spawn(bunPath(), [program, ...process.argv.slice(2)], { stdio: "inherit" });
for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
child.on("error", noBun);
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  for (const name of SIGNALS) process.removeAllListeners(name);
  process.kill(process.pid, signal);
});
