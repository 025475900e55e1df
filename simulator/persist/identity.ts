// Which world a folder holds. Another seed, size or version of the rules would be another world, so it is refused with an
// explanation.

/** Bumped whenever the same seed would no longer give the same world, or the tables change. */
export const WORLD_VERSION = 5;

export interface WorldIdentity {
  version: number;
  seed: string;
  genesis: number;
  traders: number;
  /** Absent in files written before there were any. */
  copiers?: number;
  baiters?: number;
}

export class ForeignWorld extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ForeignWorld";
  }
}

/** Throws when the folder holds another world than the requested one. */
export function insistOn(
  found: WorldIdentity,
  folder: string,
  {
    seed,
    traders,
    copiers = 0,
    baiters = 0,
  }: Pick<WorldIdentity, "seed" | "traders" | "copiers" | "baiters">,
): void {
  const advice = "Start with the same settings, or move that folder away to begin a new world.";
  if (found.version !== WORLD_VERSION) {
    throw new ForeignWorld(
      `${folder} holds a simulated world of another version (${found.version}, not ${WORLD_VERSION}). Move that folder away to begin a new world; it holds nothing but the world.`,
    );
  }
  if (found.seed !== seed) {
    throw new ForeignWorld(
      `${folder} holds the simulated world of seed "${found.seed}", not of "${seed}". ${advice}`,
    );
  }
  if (found.traders !== traders) {
    throw new ForeignWorld(
      `${folder} holds a simulated world of ${found.traders} traders, not of ${traders}. ${advice}`,
    );
  }
  if ((found.copiers ?? 0) !== copiers) {
    throw new ForeignWorld(
      `${folder} holds a simulated world of ${found.copiers ?? 0} copiers, not of ${copiers}. ${advice}`,
    );
  }
  if ((found.baiters ?? 0) !== baiters) {
    throw new ForeignWorld(
      `${folder} holds a simulated world of ${found.baiters ?? 0} baiters, not of ${baiters}. ${advice}`,
    );
  }
}
