// Charges whose commit was cut off and whose request was answered with a free 503. If such a charge turns out to be
// stored, it is reversed once the store answers again, exactly once; with a folder to record them in, even when this
// process is killed before that.

import type { Database, Queries } from "../../../database/database.ts";
import { StoreUnavailable } from "../../../database/errors.ts";
import { makeMonths } from "../../../database/partitions.ts";
import type { Kit } from "../../../kit/kit.ts";
import { createLoop } from "../../../kit/loop.ts";
import { lockAccounts, updateAccounts } from "../../store/money/accounts.ts";
import { appendRows, type Charge, chargesIn, findCharges, storedRows } from "../../store/money/journal.ts";
import { findEntry, insertEntries } from "../../store/money/ledger.ts";
import { JOURNAL } from "../../store/money/months.ts";
import { createDoubtfulFile, type DoubtfulCharge } from "./doubtful-file.ts";
import { advance } from "./renewal.ts";

export interface Reversals {
  /** Resolves when they are recorded; a disk failure is logged, and then only this process remembers them. */
  add(charges: readonly DoubtfulCharge[]): Promise<void>;
  /** Tries once more, then stops. */
  close(): Promise<void>;
}

export interface ReversalParts extends Pick<Kit, "clock" | "log"> {
  database: Database;
  /** Where charges in doubt outlive the process; without it they are only in its memory. */
  doubtfulFolder?: string | undefined;
}

/** A queue can't repair an outage that cut off more commits than this; the rest is logged. */
const DOUBTFUL_MAX = 20_000;
const TRY_EVERY_MS = 1_000;

export function createReversals({ database, clock, log, doubtfulFolder }: ReversalParts): Reversals {
  const doubtful = new Map<string, DoubtfulCharge>();
  const file = doubtfulFolder === undefined ? null : createDoubtfulFile({ folder: doubtfulFolder, log });
  /** Some did not fit into memory: the file keeps them for the next start. */
  let left = false;

  const reverseAll = async () => {
    for (const charge of [...doubtful.values()]) {
      const { requestId } = charge;
      try {
        const reversed = await reverse(database, charge, clock.now());
        doubtful.delete(requestId);
        if (reversed) log.info("a charge of an unanswered call was reversed", { requestId });
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error;
        // It must not block the reversals behind it.
        log.error("a charge in doubt could not be reversed yet", { requestId, error });
      }
    }
  };
  const isSettled = () => doubtful.size === 0 && !left;
  const settle = async () => {
    if (doubtful.size === 0) return;
    await reverseAll();
    if (!isSettled()) return;
    await file?.empty(isSettled).catch((error) => {
      log.warn("settled charges stay in their file until the next start", { error });
    });
  };
  const failure = "charges in doubt wait for the store";
  const loop = createLoop({ failure, everyMs: TRY_EVERY_MS, first: "later", clock, log, round: settle });

  // Not bounded: at most as many as earlier processes could remember.
  const adopted = file?.adopt() ?? [];
  for (const charge of adopted) doubtful.set(charge.requestId, charge);
  if (adopted.length > 0)
    log.info("charges in doubt were taken over from another process", { charges: adopted.length });
  if (doubtful.size > 0) loop.start();

  return {
    async add(charges) {
      for (const charge of charges) {
        if (doubtful.size >= DOUBTFUL_MAX) {
          log.error("a charge stays in doubt", { requestId: charge.requestId });
          left = true;
          continue;
        }
        doubtful.set(charge.requestId, charge);
      }
      loop.start();
      await file?.append(charges).catch((error) => {
        log.error("charges in doubt could not be saved", { charges: charges.length, error });
      });
    },
    async close() {
      await loop.stop();
      await settle().catch((error) => log.warn(failure, { error }));
    },
  };
}

/** Reverses a stored charge, to the prepaid credits because its month may be over. Returns whether it did. */
export function reverse(database: Database, charge: DoubtfulCharge, at: number): Promise<boolean> {
  const reference = `reversal:${charge.requestId}`;
  return database.write(async (tx) => {
    const [held] = await lockAccounts(tx, [charge.accountId]);
    const stored = await storedCharge(tx, charge);
    if (!held || !stored || (await findEntry(tx, reference))) return false;
    const { account, entries } = advance(held, at);
    const { credits, resolutions } = stored;
    await updateAccounts(tx, [
      {
        ...account,
        prepaidRemaining: account.prepaidRemaining + credits,
        resolutionsRemaining: account.resolutionsRemaining + resolutions,
      },
    ]);
    await insertEntries(tx, account.id, [
      ...entries,
      { kind: "reversal", credits, resolutions, reference, at },
    ]);
    return true;
  });
}

/**
 * The charge, if it was stored. If not, its batch is stored empty instead, so that a commit still in flight
 * finds its name taken and is rolled back.
 */
async function storedCharge(tx: Queries, charge: DoubtfulCharge): Promise<Charge | undefined> {
  const { batch, requestId } = charge;
  if (!batch) return (await findCharges(tx, [charge]))[0];
  const rows = await storedRows(tx, batch);
  if (rows.length === 0) {
    await makeMonths(
      tx,
      JOURNAL,
      batch.map(({ at }) => at),
    );
    await appendRows(
      tx,
      batch.map((name) => ({ ...name, charges: "[]" })),
    );
  }
  return rows.flatMap(chargesIn).find((one) => one.requestId === requestId);
}
