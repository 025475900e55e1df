// Which world a folder holds. Another seed, size or version of the rules would be another world, so it is refused in words.

/** Raised whenever the same seed would no longer give the same world, or the tables change. */
export const WORLD_VERSION = 4;

export interface Identity {
  version: number;
  seed: string;
  genesis: number;
  traders: number;
}

export class ForeignWorld extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ForeignWorld";
  }
}

/** Throws when what is in the folder is not the world that is asked for. */
export function insistOn(found: Identity, seed: string, traders: number): void {
  const advice = "Start with the same settings, or choose another data folder.";
  if (found.version !== WORLD_VERSION) {
    throw new ForeignWorld(
      `The data folder holds a simulated world of version ${found.version}; this program keeps version ${WORLD_VERSION}. Move the folder away to begin a new world.`,
    );
  }
  if (found.seed !== seed) {
    throw new ForeignWorld(
      `The data folder holds the simulated world of seed "${found.seed}", not of "${seed}". ${advice}`,
    );
  }
  if (found.traders !== traders) {
    throw new ForeignWorld(
      `The data folder holds a simulated world of ${found.traders} traders, not of ${traders}. ${advice}`,
    );
  }
}
