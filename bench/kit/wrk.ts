// One run of wrk and its result. A response that is not a success, or a broken connection, invalidates the run, so it is an
// error rather than a figure.
import { join } from "node:path";
import { programOf } from "./peers.ts";

export interface WrkRun {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Of wrk itself. */
  cpuSeconds: number;
}

export interface WrkOptions {
  /** Wraps its command: unchanged, or pinned to a core. */
  placed?: (command: string[]) => string[];
  /** Keys that it sends in turn, one per line. */
  keysFile: string;
  connections: number;
  seconds: number;
}

/** Where load and server share cores a response may take long; that is a measurement, not a broken connection. */
const ANSWER_WAIT = "30s";

export async function runWrk(url: string, options: WrkOptions): Promise<WrkRun> {
  const { keysFile, connections, seconds, placed = (command) => command } = options;
  const wrk = Bun.spawn(
    placed([
      programOf("wrk", "apt-get install wrk"),
      "-t1",
      `-c${connections}`,
      `-d${seconds}s`,
      "--timeout",
      ANSWER_WAIT,
      "--latency",
      "-s",
      join(import.meta.dir, "keys.lua"),
      url,
      "--",
      keysFile,
    ]),
    { stdout: "pipe", stderr: "ignore" },
  );
  const text = await new Response(wrk.stdout).text();
  await wrk.exited;
  const wrong = /Non-2xx or 3xx responses: \d+|Socket errors: .*/.exec(text)?.[0];
  if (wrong) throw new Error(wrong);
  const requests = Number(/(\d+) requests in/.exec(text)?.[1]);
  if (!(requests > 0)) throw new Error(`wrk said ${text}`);
  // Seconds are followed by a space, so that their "s" aligns with the "m" of the others.
  const latency = (share: number) => milliseconds(new RegExp(`^ +${share}% +(\\S+) *$`, "m").exec(text)?.[1]);
  return {
    requests,
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]),
    p50Ms: latency(50),
    p99Ms: latency(99),
    cpuSeconds: Number(wrk.resourceUsage()?.cpuTime.total ?? Number.NaN) / 1e6,
  };
}

function milliseconds(text = ""): number {
  const [, value, unit = ""] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? [];
  return Number(value) * ({ us: 0.001, ms: 1, s: 1_000 }[unit] ?? Number.NaN);
}
