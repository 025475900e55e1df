// The fault script that an operator or a test has set. Which request meets which fault follows from the fault's own seed and
// the order of requests, so a run is reproducible; a fault with a count expires.
import { type Random, seededRandom } from "../../kit/random.ts";

export const FAULT_KINDS = [
  "latency",
  "stall",
  "stallBody",
  "status",
  "reset",
  "truncate",
  "malformed",
  "html",
  "huge",
  "numbers",
  "types",
  "proto",
  "emptyLists",
  "duplicates",
  "reorder",
  "silence",
] as const;
type FaultKind = (typeof FAULT_KINDS)[number];

interface ScriptedFault {
  kind: FaultKind;
  /** Applies to requests whose path starts with this. */
  path: string;
  probability: number;
  /** How often it fires before it expires; null: no limit. */
  count: number | null;
  seed: string;
  /** latency: how long an answer is delayed. */
  latencyMs: number;
  /** status: the one to send. */
  status: number;
  /** numbers and types: the share of fields to corrupt. */
  share: number;
}

export interface Firing extends ScriptedFault {
  random: Random;
}

export interface Faults {
  set(faults: readonly ScriptedFault[]): void;
  /** The faults that hit this request; each one counts as fired. */
  meet(path: string): Firing[];
  /** Whether such a fault is set for a path, without consuming it. */
  stands(kind: FaultKind, path: string): boolean;
  show(): (ScriptedFault & { fired: number })[];
}

export function createFaults(): Faults {
  let script: { fault: ScriptedFault; fired: number; random: Random }[] = [];
  const live = (entry: { fault: ScriptedFault; fired: number }, path: string) =>
    path.startsWith(entry.fault.path) && (entry.fault.count === null || entry.fired < entry.fault.count);
  return {
    set: (faults) => {
      script = faults.map((fault) => ({ fault, fired: 0, random: seededRandom(fault.seed, fault.kind) }));
    },
    meet: (path) => {
      const firing: Firing[] = [];
      for (const entry of script) {
        if (!live(entry, path) || !entry.random.chance(entry.fault.probability)) continue;
        entry.fired += 1;
        firing.push({ ...entry.fault, random: entry.random });
      }
      return firing;
    },
    stands: (kind, path) => script.some((entry) => entry.fault.kind === kind && live(entry, path)),
    show: () => script.map((entry) => ({ ...entry.fault, fired: entry.fired })),
  };
}

/** More would be a program, not a script. */
const FAULTS_MAX = 100;
const LATENCY_MS_MAX = 600_000;
const COUNT_MAX = 1_000_000_000;
const TEXT_LENGTH_MAX = 200;

/** Reads `{"faults":[…]}`, or returns a sentence that says what is wrong with it. */
export function readFaults(body: unknown): ScriptedFault[] | string {
  const list = isRecord(body) ? body.faults : undefined;
  if (!Array.isArray(list)) return "the body must be an object with a list called faults";
  if (list.length > FAULTS_MAX) return `at most ${FAULTS_MAX} faults can be active at a time`;
  const faults: ScriptedFault[] = [];
  for (const [index, given] of list.entries()) {
    const fault = readFault(given);
    if (typeof fault === "string") return `faults[${index}]: ${fault}`;
    faults.push(fault);
  }
  return faults;
}

function readFault(given: unknown): ScriptedFault | string {
  if (!isRecord(given)) return "must be an object";
  const kind = FAULT_KINDS.find((candidate) => candidate === given.kind);
  if (!kind) return `kind must be one of ${FAULT_KINDS.join(", ")}`;
  const { path = "/api", seed = "0", count = null } = given;
  if (typeof path !== "string" || !path.startsWith("/") || path.length > TEXT_LENGTH_MAX)
    return "path must be the beginning of a path";
  if (typeof seed !== "string" || seed.length > TEXT_LENGTH_MAX) return "seed must be a short text";
  if (count !== null && !isWithin(count, 0, COUNT_MAX)) return "count must be a number or null";
  const { probability = 1, share = 1, latencyMs = 1_000, status = 503 } = given;
  if (!isWithin(probability, 0, 1)) return "probability must be between 0 and 1";
  if (!isWithin(share, 0, 1)) return "share must be between 0 and 1";
  if (!isWithin(latencyMs, 0, LATENCY_MS_MAX)) return `latencyMs must be between 0 and ${LATENCY_MS_MAX}`;
  if (!isWithin(status, 200, 599) || !Number.isInteger(status)) return "status must be between 200 and 599";
  return { kind, path, probability, count, seed, latencyMs, status, share };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === "number" && value >= least && value <= most;
}
