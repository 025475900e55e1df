// The machine under the benchmarks: the core for the server and the one for the load, its name, and whether other programs
// were busy during a measurement. Reads Linux's /proc; elsewhere nothing is pinned or watched.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";

/** The server has this core to itself and the load the other one, so that neither distorts the other's measurement. */
const SERVER_CORE = 0;
const LOAD_CORE = 1;
const TICKS_A_SECOND = 100;
const LINUX = existsSync("/proc/stat");
const PINS = LINUX && availableParallelism() > 1 && Bun.which("taskset") !== null;

export const onServerCore = (command: readonly string[]): string[] => onCore(SERVER_CORE, command);
export const onLoadCore = (command: readonly string[]): string[] => onCore(LOAD_CORE, command);

const onCore = (core: number, command: readonly string[]): string[] =>
  PINS ? ["taskset", "-c", String(core), ...command] : [...command];

export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() || process.arch;
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const pins = PINS ? "server on one core, load on the other" : "nothing pinned";
  return `${availableParallelism()} × ${model}, ${gigabytes} GB, ${process.platform}; ${pins}`;
}

/** If programs that are not ours take more than this share of one core, a run is void. */
const STRANGERS_MAX = 0.15;
/** The same for time stolen by the host for other machines. */
const STOLEN_MAX = 0.1;

/** Call it before the run, and its result afterwards: null, or the reason why the run is void. */
export function watchStrangers(): () => string | null {
  if (!LINUX) return () => null;
  const before = { all: machineSeconds(), own: ownSeconds(), at: performance.now() };
  return () => {
    const all = machineSeconds();
    const seconds = (performance.now() - before.at) / 1_000;
    const strangers = (all.busy - before.all.busy - (ownSeconds() - before.own)) / seconds;
    const stolen = (all.stolen - before.all.stolen) / seconds;
    if (strangers > STRANGERS_MAX) return `other programs used ${strangers.toFixed(2)} cores`;
    if (stolen > STOLEN_MAX) return `the host took ${stolen.toFixed(2)} cores away`;
    return null;
  };
}

function machineSeconds(): { busy: number; stolen: number } {
  const [first = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const [user = 0, nice = 0, system = 0, , , , , stolen = 0] = first.split(/\s+/).slice(1).map(Number);
  // Interrupts are left out: network interrupts are caused by us, but not charged to any process.
  return { busy: (user + nice + system) / TICKS_A_SECOND, stolen: stolen / TICKS_A_SECOND };
}

interface ProcessTimes {
  parent: number;
  /** Including children that have ended. */
  seconds: number;
  ownSeconds: number;
}

function timesOf(pid: number | string): ProcessTimes | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name may contain spaces; everything after its last bracket is numbers.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const at = (index: number) => Number(fields[index]);
    const own = at(11) + at(12);
    return {
      parent: at(1),
      ownSeconds: own / TICKS_A_SECOND,
      seconds: (own + at(13) + at(14)) / TICKS_A_SECOND,
    };
  } catch {
    return null;
  }
}

/** CPU of one process only. */
export function cpuSecondsOf(pid: number): number {
  return timesOf(pid)?.ownSeconds ?? Number.NaN;
}

/** CPU of the whole benchmark: this process and everything it started. */
const ownSeconds = (): number => treeSecondsOf(process.pid);

/** CPU of a process and everything it started, including processes that have ended. */
export function treeSecondsOf(root: number): number {
  if (!LINUX) return Number.NaN;
  const processes = new Map<number, ProcessTimes>();
  for (const name of readdirSync("/proc")) {
    const times = /^\d+$/.test(name) ? timesOf(name) : null;
    if (times) processes.set(Number(name), times);
  }
  const isOurs = (pid: number): boolean => {
    for (let at = pid; at > 1; at = processes.get(at)?.parent ?? 0) if (at === root) return true;
    return false;
  };
  let seconds = 0;
  for (const [pid, times] of processes) if (isOurs(pid)) seconds += times.seconds;
  return seconds;
}

export function residentBytesOf(pid: number): number {
  const line = readFileSync(`/proc/${pid}/status`, "utf8").match(/^VmRSS:\s+(\d+) kB$/m);
  return Number(line?.[1] ?? Number.NaN) * 1024;
}
