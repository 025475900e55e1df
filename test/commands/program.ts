// The program as people run it, for tests: real processes with their own environment, folders that are removed and processes
// that are stopped when the test file is done.
import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BRIEF_PROCESSES } from "../support/brief-processes.ts";
import { eventually } from "../support/eventually.ts";

const root = join(import.meta.dir, "../..");

/** What `npm start` runs. */
export const NPM_START = [process.execPath, join(root, "service/main.ts")];
/** What `npx crowdtape` runs: plain Node, which starts the program and passes everything through. */
export const CROWDTAPE = ["node", join(root, "bin/crowdtape.js")];
/** The program alone: starting Node first takes as long as most commands do. */
export const PROGRAM = [process.execPath, join(root, "service/cli.ts")];

export type Environment = Record<string, string>;

export interface Ended {
  code: number;
  out: string;
  err: string;
}

export interface Running {
  pid: number;
  out(): string;
  err(): string;
  /** Resolves with the capture of the output's first match. */
  said(pattern: RegExp): Promise<string>;
  ended: Promise<HowItEnded>;
  end(signal?: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<HowItEnded>;
}

export interface HowItEnded {
  code: number | null;
  signal: string | number | null;
}

const folders: string[] = [];
const running = new Set<Bun.Subprocess>();

afterAll(async () => {
  // Not SIGKILL: npx's wrapper could not forward it, and its child would live on.
  for (const child of running) child.kill("SIGTERM");
  await Promise.all([...running].map((child) => child.exited));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function temporaryData(): string {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-commands-"));
  folders.push(folder);
  return join(folder, "data");
}

/** Most commands do not need the world: generating the default one takes longer than the command itself. */
const SMALL_WORLD = {
  SIMULATOR_TRADERS: "50",
  SIMULATOR_HISTORY_DAYS: "1",
  SIMULATOR_HISTORY_EVENTS_PER_SECOND: "0.01",
};

/** A live read is slow on a busy machine. */
const PATIENT = { UPSTREAM_DEADLINE_MS: "60000" };

/** None of the tester's own settings reach the program. */
function environmentOf(settings: Environment): Environment {
  const { PATH = "", HOME = tmpdir() } = process.env;
  const quiet = { PORT: "0", LOG_LEVEL: "warn", NO_COLOR: "1" };
  return { PATH, HOME, ...BRIEF_PROCESSES, ...quiet, ...SMALL_WORLD, ...PATIENT, ...settings };
}

export function start(command: string[], settings: Environment): Running {
  const child = Bun.spawn(command, {
    cwd: root,
    env: environmentOf(settings),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  running.add(child);
  const heard = { out: "", err: "" };
  const listen = async (stream: ReadableStream<Uint8Array>, name: "out" | "err") => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) heard[name] += decoder.decode(chunk, { stream: true });
  };
  const all = Promise.all([listen(child.stdout, "out"), listen(child.stderr, "err"), child.exited]);
  const ended = all.then(() => {
    running.delete(child);
    return { code: child.exitCode, signal: child.signalCode };
  });
  return {
    pid: child.pid,
    out: () => heard.out,
    err: () => heard.err,
    async said(pattern) {
      await eventually(() => {
        if (pattern.test(heard.out)) return true;
        if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${heard.err}`);
        return false;
      }, `the output has ${pattern}; it is ${heard.out}${heard.err}`);
      return pattern.exec(heard.out)?.[1] ?? "";
    },
    ended,
    end(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}

/** The child of a process. */
export async function childOf(pid: number): Promise<number> {
  const listed = await Bun.file(`/proc/${pid}/task/${pid}/children`)
    .text()
    .catch(async () => (await run(["pgrep", "-P", String(pid)], {})).out);
  const child = Number(listed.trim().split(/\s+/)[0]);
  if (!(child > 1)) throw new Error(`Process ${pid} started none.`);
  return child;
}

/** Runs a command to completion. */
export async function run(command: string[], settings: Environment): Promise<Ended> {
  const child = Bun.spawn(command, {
    cwd: root,
    env: environmentOf(settings),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  running.add(child);
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  running.delete(child);
  return { code, out, err };
}

const wordsOf = (line: string) => line.split(" ").filter(Boolean);

export const crowdtape = (line: string, settings: Environment) =>
  run([...PROGRAM, ...wordsOf(line)], settings);

/** Independent commands, run in turn by one process: most of a short command's time is its start. */
export async function inTurn(lines: readonly string[], settings: Environment): Promise<Ended[]> {
  const script = `
    const { runReading } = await import(${JSON.stringify(join(root, "client/cli/main.ts"))});
    const { runOperating } = await import(${JSON.stringify(join(root, "service/commands/verbs.ts"))});
    const say = console.log;
    for (const argv of ${JSON.stringify(lines.map(wordsOf))}) {
      const said = { out: "", err: "" };
      console.log = (text) => { said.out += text + "\\n"; };
      console.error = (text) => { said.err += text + "\\n"; };
      const code = (await runReading(argv)) ?? (await runOperating(argv));
      say(JSON.stringify({ code, ...said }));
    }`;
  const { code, out, err } = await run([process.execPath, "-e", script], settings);
  if (code !== 0) throw new Error(err);
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Ended);
}

/** As `npx crowdtape` does it. */
export const crowdtapeOnNode = (line: string, settings: Environment) =>
  run([...CROWDTAPE, ...wordsOf(line)], settings);

export interface Greeted extends Running {
  url: string;
  keys: Record<"free" | "starter" | "growth" | "scale", string>;
  /** The commands that it printed for pasting. */
  commands: string[];
}

/** Starts the service with the in-process simulator and reads its greeting. */
export async function startGreeted(settings: Environment, command = NPM_START): Promise<Greeted> {
  const service = start(command, settings);
  const pasted = await service.said(/Three things to paste:\n((?: {2}.+\n){3})/);
  const key = (plan: string) => new RegExp(`^ {2}${plan} +(ct_\\w+)$`, "m").exec(service.out())?.[1] ?? "";
  return {
    ...service,
    url: await service.said(/listens on (http:\S+)/),
    keys: { free: key("free"), starter: key("starter"), growth: key("growth"), scale: key("scale") },
    commands: pasted.trim().split(/\n\s*/),
  };
}

export async function ask(url: string, key?: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } });
  return { status: response.status, body: await response.json() };
}
