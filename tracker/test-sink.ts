// An in-memory sink for readers' tests. It enforces the contract on readers: a retraction names a block that was applied and is
// not final, finality only grows, and a write happens together with its cursor or not at all.
import type { BlockRead, Cursor, Flow, Sink } from "./chain.ts";

export interface MemorySink {
  /** One process's connection; once killed, all its writes fail, as if the process were gone. */
  connect(): Sink & { kill(): void };
  blocks(): BlockRead[];
  flows(): Flow[];
  finalHeight(): number;
  cursors: Map<string, string>;
  retractions(): number;
}

export function createMemorySink(cursors: Map<string, string> = new Map()): MemorySink {
  const kept = new Map<string, BlockRead>();
  let finalHeight = -1;
  let retractions = 0;
  const ordered = (): BlockRead[] => [...kept.values()].sort((a, b) => a.block.height - b.block.height);

  const keep = (read: BlockRead): void => {
    const before = kept.get(read.block.hash);
    for (const other of kept.values())
      if (other.block.height === read.block.height && other.block.hash !== read.block.hash)
        throw new Error(`two blocks of height ${read.block.height} are applied`);
    if (!before) {
      kept.set(read.block.hash, read);
      return;
    }
    const known = new Set(before.flows.map(({ wallet, hash }) => wallet + hash));
    const pools = new Set(before.pools.map(({ index }) => index));
    kept.set(read.block.hash, {
      block: before.block,
      flows: [...before.flows, ...read.flows.filter(({ wallet, hash }) => !known.has(wallet + hash))].sort(
        byPlace,
      ),
      pools: [...before.pools, ...read.pools.filter(({ index }) => !pools.has(index))].sort(
        (a, b) => a.index - b.index,
      ),
    });
  };

  return {
    cursors,
    blocks: ordered,
    flows: () => ordered().flatMap(({ flows }) => flows),
    finalHeight: () => finalHeight,
    retractions: () => retractions,
    connect() {
      let isDead = false;
      const write = async (cursor: Cursor, work: () => void): Promise<void> => {
        await Promise.resolve();
        if (isDead) throw new Error("this process was killed");
        work();
        cursors.set(cursor.name, cursor.value);
      };
      return {
        kill: () => {
          isDead = true;
        },
        cursor: async (name) => cursors.get(name) ?? null,
        apply: (reads, cursor) => write(cursor, () => reads.forEach(keep)),
        retract: (_, blocks, cursor) =>
          write(cursor, () => {
            for (const { hash, height } of blocks) {
              const read = kept.get(hash);
              if (read?.block.height !== height)
                throw new Error(`${hash} is retracted and was never applied`);
              if (read.block.height <= finalHeight) throw new Error(`${hash} is retracted and was final`);
              kept.delete(hash);
              retractions += 1;
            }
          }),
        finalize: (_, height, cursor) =>
          write(cursor, () => {
            if (height < finalHeight) throw new Error("finality went backwards");
            finalHeight = height;
          }),
      };
    },
  };
}

const byPlace = (a: Flow, b: Flow): number => a.index - b.index || (a.wallet < b.wallet ? -1 : 1);
