#!/usr/bin/env node
// Starts the command-line program with the Bun that npm installed beside it, so that `npx crowdtape` needs Node only.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const bun = join(dirname(require.resolve("bun/package.json")), "bin", "bun.exe");
const program = join(dirname(fileURLToPath(import.meta.url)), "..", "service", "cli.ts");
const child = spawn(bun, [program, ...process.argv.slice(2)], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
