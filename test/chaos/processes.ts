// One of our programs as a process that the campaign may kill, freeze and restart on the same port and folder. It never dies
// unnoticed: an unexpected exit is recorded as a crash.
import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Supervised, supervise, temporaryFolder } from "../support/supervised.ts";

const root = join(import.meta.dir, "..", "..");
const PROGRAMS = {
  node: [join(root, "service/main.ts")],
  platform: [join(root, "service/cli.ts"), "simulator", "serve"],
};

export interface ChaosProcess {
  url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** SIGTERM; returns the exit code. */
  stop(): Promise<number>;
  freeze(): void;
  thaw(): void;
  isReady(): Promise<boolean>;
  /** Its output, over all restarts. */
  output(): string;
  /** Unexpected exits, with the last output. */
  crashes: string[];
  remove(): void;
}

export interface ProcessWish {
  program: keyof typeof PROGRAMS;
  port: number;
  folder: string;
  settings: Record<string, string>;
  /** Whether it may exit before it was ever ready: a node may refuse to start without its database. */
  mayRefuseToStart?: boolean;
}

/** A supervisor's delay before restarting a program that refused to start. */
const RESTART_MS = 300;
const TAIL_CHARACTERS = 2_000;

export function chaosProcess(wish: ProcessWish): ChaosProcess {
  const { program, port, folder } = wish;
  const url = `http://127.0.0.1:${port}`;
  // Not next to its data, whose disk may run full.
  const logs = temporaryFolder("chaos-log", null);
  const output = join(logs, "latest.log");
  const lives = join(logs, "earlier.log");
  const environment = { PORT: String(port), DATA_DIR: folder, LOG_LEVEL: "warn", ...wish.settings };
  const pairs = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const command = ["env", ...pairs, process.execPath, ...PROGRAMS[program]];
  const crashes: string[] = [];
  let running: { process: Supervised; asked: boolean; over: Promise<void> } | null = null;

  const isReady = () =>
    fetch(`${url}${program === "platform" ? "/api/status" : "/readyz"}`, {
      keepalive: false,
      signal: AbortSignal.timeout(2_000),
    }).then(
      (answer) => answer.ok,
      () => false,
    );
  const latest = () => (existsSync(output) ? readFileSync(output, "utf8") : "");

  const launch = async () => {
    // The keeper overwrites the file on each start.
    if (existsSync(output)) appendFileSync(lives, latest());
    const child = await supervise(command, { folder, account: null, stopSignal: "TERM", output });
    const life = { process: child, asked: false, over: Promise.resolve() };
    let wasReady = false;
    void (async () => {
      while (!wasReady && running === life) {
        wasReady = await isReady();
        await Bun.sleep(50);
      }
    })();
    life.over = child.exited.then(async (code) => {
      if (running === life) running = null;
      if (life.asked) return;
      if (wasReady || !wish.mayRefuseToStart) {
        crashes.push(`${program} ended with ${code}: ${latest().slice(-TAIL_CHARACTERS)}`);
      }
      await Bun.sleep(RESTART_MS);
      if (running === null) await launch();
    });
    running = life;
  };
  const end = async (signal: "SIGKILL" | "SIGTERM") => {
    const life = running;
    if (!life) return 0;
    life.asked = true;
    life.process.signal("SIGCONT");
    life.process.signal(signal);
    const code = await life.process.exited;
    await life.over;
    return code;
  };
  return {
    url,
    start: launch,
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGTERM"),
    freeze: () => running?.process.signal("SIGSTOP"),
    thaw: () => running?.process.signal("SIGCONT"),
    isReady,
    output: () => (existsSync(lives) ? readFileSync(lives, "utf8") : "") + latest(),
    crashes,
    remove: () => rmSync(logs, { recursive: true, force: true }),
  };
}
