// Whether cached keys and accounts are unchanged, by one version number for all of them: with ten thousand accounts
// calling, re-reading each every few seconds costs a third of the thread. The number counts every change except charges,
// by any process. PostgreSQL has no such number, because all nodes would contend for it.
import type { Database } from "../../../database/database.ts";
import type { Log } from "../../../kit/log.ts";
import { changesSoFar } from "../../store/money/accounts.ts";

export interface Unchanged {
  /** The version to store with later reads; null while unknown. */
  number(now: number): number | null;
  /** Whether data read at this version was still unchanged at most a few seconds ago. */
  since(number: number | null, now: number): boolean;
}

const LOOKED_EVERY_MS = 1_000;

export function createUnchanged(parts: { database: Database; log: Log; trustedForMs: number }): Unchanged {
  const { database, log, trustedForMs } = parts;
  let known: number | null = null;
  let asOf = Number.NEGATIVE_INFINITY;
  let looking = false;
  const look = async (now: number): Promise<void> => {
    looking = true;
    try {
      known = await changesSoFar(database.read);
      asOf = now;
    } catch (error) {
      log.debug("key changes could not be checked", { error });
    } finally {
      looking = false;
    }
  };
  const lookIfDue = (now: number) => {
    if (!looking && now - asOf >= LOOKED_EVERY_MS && database.dialect === "sqlite") void look(now);
  };
  return {
    number(now) {
      lookIfDue(now);
      return known;
    },
    since(number, now) {
      lookIfDue(now);
      return number !== null && number === known && now - asOf < trustedForMs;
    },
  };
}
