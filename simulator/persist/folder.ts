// A world in a folder: recovered after any kind of stop, or created. The newest intact snapshot is loaded and the journal is
// replayed from there; without a snapshot the world is replayed from its beginning, if that is not too long.
import { existsSync, renameSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../kit/log.ts";
import type { Segment } from "../world/schedule.ts";
import { World } from "../world/world.ts";
import { insistOn, WORLD_VERSION, type WorldIdentity } from "./identity.ts";
import { readJournal, WorldJournal } from "./journal.ts";
import { lockFolder } from "./lock.ts";
import { loadSnapshot, readIdentity, readSegments, writeSnapshot } from "./snapshot.ts";

/** More events than this are not replayed at a start; it would take seconds. */
const REPLAY_EVENTS_MAX = 400_000;

export interface WorldKeeper {
  world: World;
  /** Whether the world existed before. */
  found: boolean;
  /** Resolves once the segments will survive a crash. */
  plan(segments: readonly Segment[]): Promise<void>;
  snapshot(): Promise<void>;
  /** Unlocks the folder for another process. */
  release(): void;
}

export interface Wanted {
  seed: string;
  traders: number;
  copiers: number;
  baiters: number;
  /** Where a new world begins. */
  genesis: number;
}

/** A world that is not persisted. */
export function keepInMemory(wanted: Wanted): WorldKeeper {
  const world = new World(wanted);
  return {
    world,
    found: false,
    plan: async () => undefined,
    snapshot: async () => undefined,
    release: () => undefined,
  };
}

export async function keepInFolder(folder: string, wanted: Wanted, log: Log): Promise<WorldKeeper> {
  await mkdir(folder, { recursive: true });
  const release = lockFolder(join(folder, "world.lock"));
  try {
    return { ...(await openFolder(folder, wanted, log)), release };
  } catch (error) {
    release();
    throw error;
  }
}

async function openFolder(folder: string, wanted: Wanted, log: Log): Promise<Omit<WorldKeeper, "release">> {
  const journalPath = join(folder, "world.journal");
  const snapshotPath = join(folder, "world.snapshot");
  const candidates = [snapshotPath, `${snapshotPath}.previous`];
  const written = await readJournal(journalPath);
  const known = written?.identity ?? candidates.map(readIdentity).find((identity) => identity !== undefined);
  if (known) insistOn(known, folder, wanted);
  const identity: WorldIdentity = {
    version: WORLD_VERSION,
    seed: wanted.seed,
    genesis: known?.genesis ?? wanted.genesis,
    traders: wanted.traders,
    copiers: wanted.copiers,
    baiters: wanted.baiters,
  };
  const journal = new WorldJournal(journalPath);
  const found = known && findAgain(identity, written?.segments, candidates, log);
  if (known && !found) {
    log.error("simulated world cannot be read, moving it aside and starting a new one");
    for (const path of [journalPath, ...candidates]) setAside(path);
    identity.genesis = wanted.genesis;
  }
  const world = found ?? new World(identity);
  await journal.rewrite(identity, () => world.context.schedule.segments);
  let previousAt = world.time;
  return {
    world,
    found: found !== undefined,
    plan: (segments) => journal.append(segments),
    snapshot: async () => {
      const at = world.time;
      await writeSnapshot(snapshotPath, world, identity);
      // Segments that ended before the older of the two snapshots are never replayed.
      world.context.schedule.forget(previousAt);
      previousAt = at;
      await journal.rewrite(identity, () => world.context.schedule.segments);
    },
  };
}

function findAgain(
  identity: WorldIdentity,
  planned: readonly Segment[] | undefined,
  candidates: readonly string[],
  log: Log,
): World | undefined {
  for (const path of candidates) {
    const segments = planned ?? readSegments(path);
    if (!segments) continue;
    const world = new World({ ...identity, segments });
    if (loadSnapshot(path, world)) return world;
    log.warn("snapshot of the simulated world is missing or corrupt", { path });
    setAside(path);
  }
  const isWhole = planned?.[0] !== undefined && planned[0].from <= identity.genesis;
  if (!planned || !isWhole) return undefined;
  const world = new World({ ...identity, segments: planned });
  const { schedule } = world.context;
  return schedule.expected(identity.genesis, schedule.until) <= REPLAY_EVENTS_MAX ? world : undefined;
}

/** A corrupt file is kept for inspection, and never becomes the older of the two snapshots. */
function setAside(path: string): void {
  if (existsSync(path)) renameSync(path, `${path}.broken`);
}
