// The tape read from the platform, by token and hour, so that a second replay over the same hours needs no requests.
// The stored bytes are bounded: the oldest hours are evicted.
import { insertMany, type Queries } from "../../../database/database.ts";
import { list, type Sql, sql } from "../../../database/sql.ts";
import { HOUR_MS } from "../../../kit/units.ts";
import { hourOf, type TapeHour } from "../../model/tape.ts";
import type { TokenRef } from "../../model/token.ts";
import type { Repository } from "../repository.ts";
import { packTicks, unpackTicks } from "./tape-codec.ts";
import { tokenKey } from "./tokens.ts";

/** The approximate overhead of a row beyond its text. */
const ROW_BYTES = 100;
/** Hours evicted per step: more than one save ever adds. */
const EVICTED_HOURS_MAX = 32;

/** The stored ones of the requested hours, ascending. Callers ask for a few at a time: a busy hour has a thousand ticks. */
async function keptHours(
  queries: Queries,
  { address, networkId }: TokenRef,
  hours: readonly number[],
): Promise<TapeHour[]> {
  const rows = await queries.all<{ hour: number; read_at: number; covered: string; ticks: string }>(
    sql`SELECT hour, read_at, covered, ticks FROM tape_hour
      WHERE token_key = ${tokenKey(address)} AND network_id = ${networkId} AND hour IN (${list(hours)})
      ORDER BY hour`,
  );
  return rows.map(({ hour, read_at, covered, ticks }) => ({
    hour,
    readAt: read_at,
    covered: stretchesOf(hour, covered),
    ticks: unpackTicks(hour, ticks),
  }));
}

/** Replaces these hours. */
async function saveHours(
  tx: Queries,
  { address, networkId }: TokenRef,
  hours: readonly TapeHour[],
  bytesMax: number,
): Promise<void> {
  const key = tokenKey(address);
  const rows = hours.map(({ hour, readAt, ...read }) => {
    const [covered, ticks] = [stretchText(hour, read.covered), packTicks(hour, read.ticks)];
    const bytes = covered.length + ticks.length + ROW_BYTES;
    return { tokenKey: key, networkId, hour, readAt, bytes, covered, ticks };
  });
  const replaced = await removed(
    tx,
    sql`token_key = ${key} AND network_id = ${networkId} AND hour IN (${list(hours.map(({ hour }) => hour))})`,
  );
  await insertMany(tx, "tape_hour", rows);
  let size = await grow(tx, rows.reduce((sum, { bytes }) => sum + bytes, 0) - replaced.bytes);
  while (size > bytesMax) {
    const gone = await removed(tx, oldest(sql`1 = 1`, EVICTED_HOURS_MAX));
    if (gone.rows === 0) return;
    size = await grow(tx, -gone.bytes);
  }
}

/** Deletes hours that ended by this time. */
async function pruneHours(tx: Queries, before: number, limit: number): Promise<number> {
  const gone = await removed(tx, oldest(sql`hour < ${hourOf(before)}`, limit));
  if (gone.rows > 0) await grow(tx, -gone.bytes);
  return gone.rows;
}

const oldest = (which: Sql, limit: number): Sql =>
  sql`(token_key, network_id, hour) IN (
    SELECT token_key, network_id, hour FROM tape_hour WHERE ${which} ORDER BY hour LIMIT ${limit})`;

async function removed(tx: Queries, which: Sql): Promise<{ rows: number; bytes: number }> {
  const gone = await tx.all<{ bytes: number }>(sql`DELETE FROM tape_hour WHERE ${which} RETURNING bytes`);
  return { rows: gone.length, bytes: gone.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Returns the new total in bytes. */
async function grow(tx: Queries, bytes: number): Promise<number> {
  const row = await tx.one<{ bytes: number }>(
    sql`INSERT INTO tape_size (id, bytes) VALUES (1, ${bytes})
      ON CONFLICT (id) DO UPDATE SET bytes = tape_size.bytes + excluded.bytes RETURNING bytes`,
  );
  return row?.bytes ?? 0;
}

async function keptBytes(queries: Queries): Promise<number> {
  return (await queries.one<{ bytes: number }>(sql`SELECT bytes FROM tape_size WHERE id = 1`))?.bytes ?? 0;
}

/** Pairs of milliseconds into the hour. */
const stretchText = (hour: number, covered: TapeHour["covered"]): string =>
  JSON.stringify(covered.map(({ from, to }) => [from - hour * HOUR_MS, to - hour * HOUR_MS]));

const stretchesOf = (hour: number, text: string): TapeHour["covered"] =>
  (JSON.parse(text) as [number, number][]).map(([from, to]) => ({
    from: hour * HOUR_MS + from,
    to: hour * HOUR_MS + to,
  }));

export const tape = {
  reads: { hours: keptHours, bytes: keptBytes },
  writes: { save: saveHours, prune: pruneHours },
} satisfies Repository;
