// The journal: every charge, in the batch it was committed with, in time order. A batch is one row and is stored once,
// whatever name it is retried under; nothing in it ever changes. Queries by account use the rollups (usage.ts) and
// bounded looks at these rows.
import { insertMany, type Queries } from "../../../database/database.ts";
import { type Sql, sql } from "../../../database/sql.ts";
import { servingTurn } from "../../../kit/turn.ts";

export interface Charge {
  requestId: string;
  accountId: string;
  keyId: string;
  routeId: string;
  credits: number;
  resolutions: number;
  at: number;
}

/** What identifies a charge. */
export type ChargeName = Pick<Charge, "accountId" | "at" | "requestId">;

export interface JournalRow {
  at: number;
  batchId: string;
  /** The charges, encoded; see `chargesIn`. */
  charges: string;
}

export interface StoredRow extends JournalRow {
  position: number;
}

/** A row holds charges of one minute, so that a charge can be found by its time. Usually that is the whole batch. */
const ROW_MS = 60_000;

export function minuteOf(at: number): number {
  return at - (at % ROW_MS);
}

/** The rows of a batch. Their names depend on the wanted charges, not on the accepted ones, so that a retry collides. */
export function rowsOf(
  batchId: string,
  wanted: readonly Charge[],
  accepted: readonly Charge[],
): JournalRow[] {
  const first = minuteOf(wanted[0]?.at ?? 0);
  if (wanted.length > 0 && wanted.every(({ at }) => at >= first && at < first + ROW_MS)) {
    const at = wanted.reduce((earliest, one) => Math.min(earliest, one.at), Number.MAX_SAFE_INTEGER);
    return [{ at, batchId, charges: encode(accepted, at) }];
  }
  const starts = new Map<number, number>();
  for (const { at } of wanted) {
    const minute = minuteOf(at);
    const earliest = starts.get(minute);
    if (earliest === undefined || at < earliest) starts.set(minute, at);
  }
  return [...starts].map(([minute, at]) => ({
    at,
    batchId,
    charges: encode(
      accepted.filter((one) => minuteOf(one.at) === minute),
      at,
    ),
  }));
}

export function encode(charges: readonly Charge[], at: number): string {
  return JSON.stringify(
    charges.map((one) => [
      one.requestId,
      one.accountId,
      one.keyId,
      one.routeId,
      one.credits,
      one.resolutions,
      one.at - at,
    ]),
  );
}

type Encoded = [string, string, string, string, number, number, number];

export function chargesIn({ at, charges }: Pick<JournalRow, "at" | "charges">): Charge[] {
  return (JSON.parse(charges) as Encoded[]).map(
    ([requestId, accountId, keyId, routeId, credits, resolutions, later]) => ({
      requestId,
      accountId,
      keyId,
      routeId,
      credits,
      resolutions,
      at: at + later,
    }),
  );
}

/** Returns whether all rows are new; if one is not, the transaction must be rolled back. */
export async function appendRows(tx: Queries, rows: readonly JournalRow[]): Promise<boolean> {
  const own = rows.map(({ at, batchId, charges }) => ({ at, batchId, charges }));
  const inserted = await insertMany(tx, "journal", own, "ON CONFLICT DO NOTHING");
  return inserted === rows.length;
}

const SELECT_ROW = 'SELECT position, at, batch_id AS "batchId", charges FROM journal';

/** The stored rows of a batch: none of them, or all. */
export async function storedRows(
  queries: Queries,
  rows: readonly Pick<JournalRow, "at" | "batchId">[],
): Promise<StoredRow[]> {
  const found: StoredRow[] = [];
  for (const { at, batchId } of rows) {
    const row = await queries.one<StoredRow>({
      text: `${SELECT_ROW} WHERE at = ? AND batch_id = ?`,
      values: [at, batchId],
    });
    if (row) found.push(row);
  }
  return found;
}

/** Rows per turn when they are fresh: these are the fullest, with some hundred charges each under load. */
const TAIL_ROWS_PER_PAGE_MAX = 16;
/** Rows per turn, matching or not: usually under a megabyte to scan, and a few milliseconds of the thread. */
const ROWS_PER_PAGE_MAX = 64;

export interface JournalLook {
  /** Rows that may have charges at or after this time, */
  from: number;
  /** and before this one. */
  to: number;
  /** Only rows that contain this text: the id of an account or a request. */
  naming: string;
  /** Only rows that were rolled up as of this position, or only the others. */
  rolled?: { below: number } | { from: number };
}

/** A scanned row: without its charges if it does not match. */
type LookedRow = Omit<StoredRow, "charges"> & { charges: string | null };

/** Scans the journal, oldest first, page by page; the event loop runs between pages. */
export function journalRows(queries: Queries, look: JournalLook): AsyncGenerator<StoredRow> {
  const { from, to, naming, rolled } = look;
  const [low, high] = !rolled
    ? [0, Number.MAX_SAFE_INTEGER]
    : "below" in rolled
      ? [0, rolled.below]
      : [rolled.from, Number.MAX_SAFE_INTEGER];
  const isAsked = sql`position >= ${low} AND position < ${high} AND ${contains(queries, naming)}`;
  const start = { position: 0, at: minuteOf(Math.max(0, from)) - 1, batchId: "" };
  return inPages(start, ROWS_PER_PAGE_MAX, (after) =>
    queries.all<LookedRow>(
      sql`SELECT ${columns(isAsked)} FROM journal
          WHERE (at, batch_id) > (${after.at}, ${after.batchId}) AND at < ${to}
          ORDER BY at, batch_id LIMIT ${ROWS_PER_PAGE_MAX}`,
    ),
  );
}

/** Rows not rolled up yet, oldest first: few, since rollups follow closely. The event loop runs between pages. */
export function rowsFrom(queries: Queries, position: number, naming: string): AsyncGenerator<StoredRow> {
  return inPages({ position, at: 0, batchId: "" }, TAIL_ROWS_PER_PAGE_MAX, (after) =>
    queries.all<LookedRow>(
      sql`SELECT ${columns(contains(queries, naming))} FROM journal
          WHERE (position, at, batch_id) > (${after.position}, ${after.at}, ${after.batchId})
          ORDER BY position, at, batch_id LIMIT ${TAIL_ROWS_PER_PAGE_MAX}`,
    ),
  );
}

const contains = ({ dialect }: Queries, naming: string): Sql =>
  dialect === "sqlite" ? sql`instr(charges, ${naming}) > 0` : sql`strpos(charges, ${naming}) > 0`;

/** A page limits the rows scanned, not the rows found: with few matches, one page would scan the whole hour. */
const columns = (isAsked: Sql): Sql =>
  sql`position, at, batch_id AS "batchId", CASE WHEN ${isAsked} THEN charges END AS charges`;

async function* inPages(
  start: Omit<LookedRow, "charges">,
  rowsMax: number,
  read: (after: Omit<LookedRow, "charges">) => Promise<LookedRow[]>,
): AsyncGenerator<StoredRow> {
  for (let after = start; ; await servingTurn()) {
    const rows = await read(after);
    yield* rows.filter((row): row is StoredRow => row.charges !== null);
    const last = rows.at(-1);
    if (!last || rows.length < rowsMax) return;
    after = last;
  }
}

/** The stored ones among these. Each is looked up in the minute of its time. */
export async function findCharges(queries: Queries, names: readonly ChargeName[]): Promise<Charge[]> {
  const wanted = new Map(names.map((name) => [name.requestId, name]));
  const found: Charge[] = [];
  const minutes = new Map<number, ChargeName[]>();
  for (const name of names) {
    const minute = minuteOf(name.at);
    minutes.set(minute, [...(minutes.get(minute) ?? []), name]);
  }
  for (const [minute, own] of minutes) {
    const naming = own.length === 1 && own[0] ? JSON.stringify(own[0].requestId) : "";
    for await (const row of journalRows(queries, { from: minute, to: minute + ROW_MS, naming })) {
      for (const charge of chargesIn(row)) {
        const name = wanted.get(charge.requestId);
        if (name && name.accountId === charge.accountId && name.at === charge.at) found.push(charge);
      }
    }
  }
  return found;
}

/** An account's charges in a time range, oldest first: for an audit, which knows the range. */
export async function chargesOfAccount(
  queries: Queries,
  accountId: string,
  { from, to }: { from: number; to: number },
  limit: number,
): Promise<Charge[]> {
  const found: Charge[] = [];
  for await (const row of journalRows(queries, { from, to, naming: JSON.stringify(accountId) })) {
    for (const charge of chargesIn(row)) {
      if (charge.accountId !== accountId || charge.at < from || charge.at >= to) continue;
      found.push(charge);
      if (found.length === limit) return found;
    }
  }
  return found;
}
