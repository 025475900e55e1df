// Keys that are in use are read again every few seconds, so that their callers never wait for it. Those that come due in
// one turn of the event loop are read together: with ten thousand busy keys, one by one would be a read for every few calls.
import type { Database } from "../../../database/database.ts";
import type { Clock } from "../../../kit/clock.ts";
import { findKeys, type KeyWithAccount } from "../../store/money/keys.ts";

export interface Due {
  keyId: string;
  /** With what was found, null when the key is gone, and the time since when that holds. */
  done(found: KeyWithAccount | null, asOf: number): void;
  failed(problem: unknown): void;
}

/** Keys in one read: about a millisecond of the thread. */
const KEYS_PER_READ_MAX = 128;

export function createReread(parts: { db: Database; clock: Clock }): (due: Due) => void {
  const { db, clock } = parts;
  const waiting: Due[] = [];
  const read = async () => {
    const due = waiting.splice(0, KEYS_PER_READ_MAX);
    if (waiting.length > 0) setImmediate(read);
    const asOf = clock.now();
    try {
      const found = await findKeys(
        db.read,
        due.map(({ keyId }) => keyId),
      );
      const byId = new Map(found.map((one) => [one.key.id, one]));
      for (const one of due) one.done(byId.get(one.keyId) ?? null, asOf);
    } catch (problem) {
      for (const one of due) one.failed(problem);
    }
  };
  return (due) => {
    waiting.push(due);
    if (waiting.length === 1) setImmediate(read);
  };
}
