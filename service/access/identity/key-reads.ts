// Batches key lookups of one turn of the event loop. With ten thousand accounts calling, individual lookups
// would be a read for every few calls: new callers are looked up by the hash of their secret, known ones by their id.
import type { Database } from "../../../database/database.ts";
import type { Clock } from "../../../kit/clock.ts";
import { findKeys, findKeysByHash, type KeyWithAccount } from "../../store/money/keys.ts";

export interface KeyRead {
  /** Null when there is no such key. */
  found: KeyWithAccount | null;
  /** Since when that is known. */
  asOf: number;
}

export interface KeyReads {
  byHash(secretHash: string): Promise<KeyRead>;
  byId(keyId: string): Promise<KeyRead>;
}

/** Keys in one read: about a millisecond of the thread. */
const KEYS_PER_READ_MAX = 128;

export function createKeyReads({ database, clock }: { database: Database; clock: Clock }): KeyReads {
  const byHash = together(clock, (hashes) => findKeysByHash(database.read, hashes));
  return {
    async byHash(hash) {
      const behind = database.readsAreBehind();
      const read = await byHash(hash);
      if (read.found !== null || behind === null) return read;
      // The command line, another process, may just have created it. Only a missing key waits for the disk.
      await behind;
      return byHash(hash);
    },
    byId: together(clock, async (ids) => {
      const found = await findKeys(database.read, ids);
      return new Map(found.map((one) => [one.key.id, one]));
    }),
  };
}

interface AskedKey {
  name: string;
  resolve(read: KeyRead): void;
  reject(error: unknown): void;
}

function together(
  clock: Clock,
  find: (names: readonly string[]) => Promise<Map<string, KeyWithAccount>>,
): (name: string) => Promise<KeyRead> {
  const waiting: AskedKey[] = [];
  const read = async () => {
    const asked = waiting.splice(0, KEYS_PER_READ_MAX);
    if (waiting.length > 0) setImmediate(read);
    const asOf = clock.now();
    try {
      const found = await find(asked.map(({ name }) => name));
      for (const { name, resolve } of asked) resolve({ found: found.get(name) ?? null, asOf });
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  };
  return (name) =>
    new Promise((resolve, reject) => {
      waiting.push({ name, resolve, reject });
      if (waiting.length === 1) setImmediate(read);
    });
}
