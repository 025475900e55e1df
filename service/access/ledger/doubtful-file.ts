// Charges in doubt, on disk, so that they survive a killed process: whatever `append` has confirmed is found by the
// next process that starts on the same folder.
//
// Each process writes to its own file. A starting process takes over every other file it finds, by
// renaming and then reading it, without asking whether its writer is still alive: process ids mean nothing across
// containers, and a charge that two processes look up is reversed once. A live writer loses nothing by it. Its
// list is in its memory, its next charges go to a new file, and what it was writing at that moment it writes again: an
// append counts only if the file still has its name afterwards, so the process that renames it later reads what was appended.
import { readdirSync, readFileSync, renameSync } from "node:fs";
import { open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { freshUuid } from "../../../kit/ids.ts";
import type { Log } from "../../../kit/log.ts";
import type { ChargeName, JournalRow } from "../../store/money/journal.ts";

/** A charge with an unknown outcome, and its batch. */
export interface DoubtfulCharge extends ChargeName {
  /** Omitted where only the charge's own name is known: it is then looked up in its minute. */
  batch?: readonly Pick<JournalRow, "at" | "batchId">[];
}

export interface DoubtfulFile {
  /** Takes over other processes' files; called at startup. */
  adopt(): DoubtfulCharge[];
  /** Resolves when they are on disk. */
  append(charges: readonly DoubtfulCharge[]): Promise<void>;
  /** Removes everything appended and adopted, if it is settled by then. */
  empty(isSettled: () => boolean): Promise<void>;
}

const NAME = /^doubtful-charges-.+\.jsonl$/;
/** Each needs another process to start within the same milliseconds. */
const APPENDS_MAX = 5;

export function createDoubtfulFile({ folder, log }: { folder: string; log: Log }): DoubtfulFile {
  const own = `doubtful-charges-${freshUuid()}`;
  const path = join(folder, `${own}.jsonl`);
  const adopted: string[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };

  /** Returns whether the file still had its name when everything was on disk. */
  const write = async (lines: string): Promise<boolean> => {
    const file = await open(path, "a", 0o600);
    try {
      await file.appendFile(lines);
      await file.sync();
      await syncFolder(folder);
      const written = await file.stat();
      const named = await stat(path).catch(() => null);
      return named?.ino === written.ino && named.dev === written.dev;
    } finally {
      await file.close();
    }
  };

  return {
    adopt() {
      return othersIn(folder, own, log).flatMap((name, index) => {
        const mine = join(folder, `${own}-${index}.jsonl`);
        try {
          renameSync(join(folder, name), mine);
          const charges = readFileSync(mine, "utf8").split("\n").flatMap(chargeOf);
          // Only entries that were read may be removed later.
          adopted.push(mine);
          return charges;
        } catch (error) {
          // Another starting process may have been first.
          if (!isMissing(error)) log.error("charges in doubt can't be read", { file: name, error });
          return [];
        }
      });
    },
    append: (charges) =>
      inTurn(async () => {
        const lines = charges.map(({ requestId, accountId, at, batch }) =>
          JSON.stringify({ requestId, accountId, at, batch }),
        );
        for (let attempt = 1; attempt <= APPENDS_MAX; attempt++) {
          // Starts with a newline, because the previous append may have been torn by a full disk.
          if (await write(`\n${lines.join("\n")}\n`)) return;
        }
        throw new Error("The file of charges in doubt was taken away again and again.");
      }),
    empty: (isSettled) =>
      inTurn(async () => {
        if (!isSettled()) return;
        for (const file of [path, ...adopted.splice(0)]) await rm(file, { force: true });
      }),
  };
}

function othersIn(folder: string, own: string, log: Log): string[] {
  try {
    return readdirSync(folder).filter((name) => NAME.test(name) && !name.startsWith(own));
  } catch (error) {
    log.error("charges in doubt can't be looked up", { error });
    return [];
  }
}

/** Empty for a torn line: its charges were never confirmed, so their callers had no answer yet. */
function chargeOf(line: string): DoubtfulCharge[] {
  try {
    const { requestId, accountId, at, batch } = JSON.parse(line) as Record<string, unknown>;
    const isWhole = typeof requestId === "string" && typeof accountId === "string";
    if (!isWhole || !Number.isSafeInteger(at)) return [];
    const charge = { requestId, accountId, at: Number(at) };
    return Array.isArray(batch) ? [{ ...charge, batch: batch.flatMap(nameOf) }] : [charge];
  } catch {
    return [];
  }
}

function nameOf(written: unknown): { at: number; batchId: string }[] {
  const { at, batchId } = written as Record<string, unknown>;
  return Number.isSafeInteger(at) && typeof batchId === "string" ? [{ at: Number(at), batchId }] : [];
}

/** A new file survives a power cut only once its folder is synced too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isMissing(error: unknown): boolean {
  return (error as { code?: unknown }).code === "ENOENT";
}
