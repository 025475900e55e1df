// Whether keys and accounts are still as they were read, by one number for all of them: with ten thousand accounts
// calling, to read each again every few seconds costs a third of the thread. The number counts every change but charges,
// whichever process made it. PostgreSQL has no such number, because all nodes would wait for each other at it.
import type { Database } from "../../../database/database.ts";
import type { Log } from "../../../kit/log.ts";
import { changesSoFar } from "../../store/money/accounts.ts";

export interface Unchanged {
  /** The number to keep with what is read from now on; null while none is known. */
  number(now: number): number | null;
  /** Whether what was read under this number is as it was then, as of a few seconds ago at most. */
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
      log.debug("changes of keys could not be looked for", { error });
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
