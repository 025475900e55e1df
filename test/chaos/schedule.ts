// The faults of a round, their order, spacing and duration: all of it follows from the seed, so a failing seed reproduces the
// same script. Faults of one track never overlap; tracks do, because failures seldom come alone.
import { type Random, seededRandom } from "../../kit/random.ts";
import type { WireFault } from "./fault-proxy.ts";

/** One process with its world inside; one that follows a platform server; two nodes on PostgreSQL and Redis. */
export const SHAPES = ["simulator", "remote", "cluster"] as const;
export type Shape = (typeof SHAPES)[number];

export type Place = "clients" | "upstream" | "database" | "redis";

export type Action =
  | { kind: "wire"; where: Place; fault: WireFault }
  /** The platform's own faults, as its side door accepts them. */
  | { kind: "misbehave"; faults: Record<string, unknown>[] }
  /** kill -9, and restarted when the step is over; unless hurried, the next step waits until it is ready. */
  | { kind: "kill"; what: "node" | "platform" | "redis"; index: number; hurried?: boolean }
  /** SIGSTOP, and SIGCONT when the step is over. */
  | { kind: "freeze"; what: "node" | "platform" | "redis"; index: number }
  | { kind: "postgres"; how: "fast" | "immediate" | "kill" }
  | { kind: "wipe redis" };

export interface Step {
  /** From the end of the previous one in its track. */
  afterMs: number;
  forMs: number;
  action: Action;
}

/** Faults that may outlast all but the longest of the service's timeouts, if a round is long enough for them. */
const LONG_SHARE = 0.15;
const WAIT_MS_MAX = 16_000;
/** Kills after which the next fault may hit a node that is still starting. */
const HURRIED_SHARE = 0.25;
const NODES: Record<Shape, number> = { simulator: 1, remote: 1, cluster: 2 };
export function planFaults(seed: string, shape: Shape, durationMs: number): Step[][] {
  return [
    track(seededRandom(seed, shape, "processes"), durationMs, (random) => processAction(random, shape)),
    track(seededRandom(seed, shape, "wires"), durationMs, (random) => wireAction(random, shape)),
    // On its own track, so that nodes are also killed while the database is down, in the middle of their commits.
    ...(shape === "cluster"
      ? [track(seededRandom(seed, shape, "database"), durationMs, databaseAction)]
      : []),
  ];
}

function track(random: Random, durationMs: number, next: (random: Random) => Action): Step[] {
  const steps: Step[] = [];
  // The first moments belong to the load, so that every fault hits a running system.
  let afterMs = 1_000 + random.below(1_000);
  for (let leftMs = durationMs; ; ) {
    const action = next(random);
    // A killed process is down while it restarts anyway, and must then run for a while to be worth killing again.
    const isShort = action.kind === "kill" || action.kind === "postgres";
    const isLong = random.chance(LONG_SHARE) && leftMs > WAIT_MS_MAX + 5_000;
    const forMs = isShort ? 50 + random.below(400) : 300 + random.below(isLong ? WAIT_MS_MAX : 2_700);
    leftMs -= afterMs + forMs;
    if (leftMs < 0) return steps;
    steps.push({ afterMs, forMs, action });
    afterMs = isShort ? 1_000 + random.below(2_500) : 300 + random.below(1_500);
  }
}

function processAction(random: Random, shape: Shape): Action {
  const node = { what: "node", index: random.below(NODES[shape]) } as const;
  const kills: Action = { kind: "kill", ...node, hurried: random.chance(HURRIED_SHARE) };
  const stops: Action = { kind: "freeze", ...node };
  if (shape === "simulator") return random.pick([kills, kills, kills, stops]);
  const upstream: Action[] = [
    { kind: "kill", what: "platform", index: 0 },
    { kind: "freeze", what: "platform", index: 0 },
  ];
  if (shape === "remote") return random.pick([kills, kills, kills, stops, ...upstream]);
  return random.pick<Action>([
    kills,
    kills,
    kills,
    stops,
    ...upstream,
    { kind: "wire", where: "redis", fault: wireFault(random) },
    { kind: "kill", what: "redis", index: 0 },
    { kind: "freeze", what: "redis", index: 0 },
    { kind: "wipe redis" },
  ]);
}

function databaseAction(random: Random): Action {
  return random.pick<Action>([
    { kind: "postgres", how: random.pick(["fast", "immediate", "kill"]) },
    { kind: "wire", where: "database", fault: wireFault(random) },
  ]);
}

function wireAction(random: Random, shape: Shape): Action {
  const clients: Action = { kind: "wire", where: "clients", fault: wireFault(random) };
  if (shape === "simulator") return clients;
  const upstream: Action = { kind: "wire", where: "upstream", fault: wireFault(random) };
  const misbehaves = misbehaviour(random);
  return random.pick([clients, upstream, upstream, misbehaves, misbehaves, misbehaves]);
}

function wireFault(random: Random): WireFault {
  return random.pick<WireFault>([
    { kind: "latency", delayMs: 10 + random.below(400) },
    { kind: "bandwidth", bytesPerSecond: 2_000 + random.below(50_000) },
    { kind: "stall" },
    { kind: "stallAnswers" },
    { kind: "reset", afterBytesMax: 1 + random.below(4_000) },
    { kind: "slice", bytesMax: 1 + random.below(200) },
    { kind: "cut" },
  ]);
}

/** Paths of the platform that are disturbed together: everything, the feeds, the reads, boards alone. */
const SPOILT = ["/api", "/api", "/api/feeds", "/api/users", "/api/boards", "/api/tokens"];

function misbehaviour(random: Random): Action {
  const shared = () => ({
    path: random.pick(SPOILT),
    probability: random.pick([0.1, 0.5, 1]),
    seed: String(random.below(1_000_000)),
  });
  const kinds = [
    () => ({ kind: "latency", latencyMs: 20 + random.below(4_000) }),
    () => ({ kind: "stall" }),
    () => ({ kind: "stallBody" }),
    () => ({ kind: "status", status: random.pick([500, 502, 503, 429, 403, 404, 302]) }),
    () => ({ kind: "reset" }),
    () => ({ kind: "truncate" }),
    () => ({ kind: "malformed" }),
    () => ({ kind: "html" }),
    () => ({ kind: "huge" }),
    () => ({ kind: "numbers", share: random.pick([0.01, 0.2, 1]) }),
    () => ({ kind: "types", share: random.pick([0.01, 0.2, 1]) }),
    () => ({ kind: "proto" }),
    () => ({ kind: "emptyLists" }),
    () => ({ kind: "duplicates" }),
    () => ({ kind: "reorder" }),
    () => ({ kind: "silence" }),
  ];
  const faults = Array.from({ length: 1 + random.below(2) }, () => ({
    ...random.pick(kinds)(),
    ...shared(),
  }));
  return { kind: "misbehave", faults };
}

export function sentenceOf({ afterMs, forMs, action }: Step): string {
  const { kind, ...rest } = action;
  return `after ${afterMs} ms for ${forMs} ms: ${kind} ${JSON.stringify(rest)}`;
}
