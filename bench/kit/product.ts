// Runs the product like its own start script: with the same runtime settings, so that a benchmark measures what a user gets,
// without a shell in between.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./child.ts";

export const ROOT = join(import.meta.dir, "..", "..");

const { scripts }: { scripts: { start: string } } = JSON.parse(
  readFileSync(join(ROOT, "package.json"), "utf8"),
);

/** `NAME=${NAME:-value}` before the command. */
export const START_ENVIRONMENT: Record<string, string> = Object.fromEntries(
  [...scripts.start.matchAll(/(?:^|\s)(\w+)=\$\{\w+:-([^}]*)\}/g)].map(([, name, value]) => [
    String(name),
    String(value),
  ]),
);

export const START_PROGRAM: string = scripts.start.split(" ").at(-1) ?? "";

/** The product in its own process and folder, for the duration of the work; it has had time to read its world. */
export async function withProduct<T>(
  settledMs: number,
  work: (url: string) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-bench-product-"));
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = Bun.spawn([process.execPath, START_PROGRAM], {
    cwd: ROOT,
    stdout: "ignore",
    stderr: "inherit",
    env: {
      ...Bun.env,
      ...START_ENVIRONMENT,
      PORT: String(port),
      LOG_LEVEL: "error",
      DATA_DIR: folder,
      ...settings,
    },
  });
  try {
    while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
      if (child.exitCode !== null) throw new Error("the service ended");
      await Bun.sleep(READY_POLL_MS);
    }
    await Bun.sleep(settledMs);
    return await work(url);
  } finally {
    child.kill("SIGTERM");
    await child.exited;
    rmSync(folder, { recursive: true, force: true });
  }
}

const READY_POLL_MS = 50;
