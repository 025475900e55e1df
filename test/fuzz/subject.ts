// The program under attack: a real process with its own folder and full logging. Its output, its memory and whether it is
// still alive can be checked at any time.
import { mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/supervised.ts";

const root = join(import.meta.dir, "../..");

export interface MadeKey {
  key: string;
  id: string;
}

export interface Subject {
  url: string;
  port: number;
  metricsUrl: string;
  dataFolder: string;
  /** The Scale plan's key from the program's greeting, which prints it on purpose. */
  greeted: string;
  /** Its whole output so far, stdout and stderr. */
  output(): string;
  residentBytes(): number;
  isAlive(): boolean;
  /** A key without a rate limit in its way. */
  /** Without an override of its rate a key may manage keys. */
  makeKey(plan: "free" | "starter" | "growth" | "scale", paced?: boolean): Promise<MadeKey>;
  /** Its data is deleted with it, unless it is to be kept somewhere. */
  stop(options?: { keepAs?: string }): Promise<void>;
}

/** More than any run sends: rate limits have tests of their own. */
const REQUESTS_PER_MINUTE = 1_000_000;

/** `build` is the folder of another build's sources. */
export async function startSubject(settings: Record<string, string> = {}, build = root): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-fuzz-"));
  const dataFolder = settings.DATA_DIR ?? join(folder, "data");
  const metricsPort = await freePort();
  const { PATH = "", HOME = tmpdir() } = process.env;
  const environment = {
    PATH,
    HOME,
    NO_COLOR: "1",
    DATA_DIR: dataFolder,
    PORT: "0",
    METRICS_PORT: String(metricsPort),
    LOG_LEVEL: "debug",
    SIMULATOR_EVENTS_PER_SECOND: "20",
    // A paper follow that an attack happens to start would be charged later than any answer, so not during the check.
    PAPER_SETTLE_SECONDS: "600",
    BUN_JSC_forceRAMSize: "134217728",
    ...settings,
  };
  const spawn = (file: string, ...given: string[]) =>
    Bun.spawn([process.execPath, join(build, file), ...given], {
      cwd: build,
      env: environment,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
  const child = spawn("service/main.ts");
  let output = "";
  const listen = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) output += decoder.decode(chunk, { stream: true });
  };
  void listen(child.stdout);
  void listen(child.stderr);
  const said = (pattern: RegExp) => pattern.exec(output)?.[1] ?? "";
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`The program ended: ${output}`);
    return /Three things to paste/.test(output);
  }, "the program greeted");
  const url = said(/listens on (http:\S+)/);

  return {
    url,
    port: Number(new URL(url).port),
    metricsUrl: `http://127.0.0.1:${metricsPort}`,
    dataFolder,
    greeted: said(/^ {2}scale +(ct_\w+)$/m),
    output: () => output,
    residentBytes: () =>
      Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) * 1_024,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async makeKey(plan, paced = true) {
      const wish = ["--plan", plan, "--email", "fuzz@example.com", "--prepaid", "1000000000000"];
      const pace = paced ? ["--requests-per-minute", String(REQUESTS_PER_MINUTE)] : [];
      const maker = spawn("service/cli.ts", "key", "create", ...wish, ...pace, "--json");
      const [made, error] = await Promise.all([
        new Response(maker.stdout).text(),
        new Response(maker.stderr).text(),
      ]);
      if ((await maker.exited) !== 0) throw new Error(`No key was made: ${error}`);
      return JSON.parse(made) as MadeKey;
    },
    async stop({ keepAs } = {}) {
      child.kill("SIGTERM");
      await child.exited;
      if (keepAs) renameSync(dataFolder, keepAs);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
