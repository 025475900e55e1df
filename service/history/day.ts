// A day's rows, table by table, in the order of its files; and the marks that tell whether the day has changed since.
import type { Keyset } from "../../database/keyset.ts";
import { chunksOf } from "../../kit/chunks.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import type { Stretch } from "../model/tape.ts";
import type { DayPlace } from "../store/captured/days.ts";
import type { Store } from "../store/store.ts";
import {
  candleRow,
  type EventPlace,
  fillRow,
  type HistoryCell,
  type HistoryTable,
  positionRow,
  thesisRow,
  tickRow,
  traderRow,
} from "./tables.ts";

export type DaySource = Pick<Store, "days" | "fills" | "traders" | "positions" | "log">;

const PAGE_ROWS = 2_000;
const IDS_PER_LOOKUP = 500;

export const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
export const spanOf = (date: string): Stretch => {
  const from = Date.parse(`${date}T00:00:00.000Z`);
  return { from, to: from + DAY_MS };
};

/** By table: equal as long as nothing that its file is made of has come or gone. */
export async function sourcesOf(
  { days }: Pick<DaySource, "days">,
  day: Stretch,
): Promise<Record<HistoryTable, string>> {
  const fills = await hashed((after) => days.fillIds(day, after, PAGE_ROWS));
  const theses = await hashed((after) => days.thesisIds(day, after, PAGE_ROWS));
  const tape = await days.tapeMark(day);
  return {
    fills,
    theses,
    traders: `${fills} ${theses}`,
    positions: fills,
    candles_1m: fills,
    ticks: tape,
  };
}

async function hashed(read: (after: DayPlace | null) => Promise<DayPlace[]>): Promise<string> {
  const hash = new Bun.CryptoHasher("md5");
  let count = 0;
  for await (const { value, id } of walked(read, (row) => row)) {
    hash.update(`${value} ${id}\n`);
    count += 1;
  }
  return `${count} ${hash.digest("hex")}`;
}

async function* walked<Row>(
  read: (after: DayPlace | null) => Promise<Row[]>,
  placeOf: (row: Row) => DayPlace,
): AsyncGenerator<Row> {
  let after: DayPlace | null = null;
  for (;;) {
    const rows: Row[] = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = placeOf(last);
  }
}

export async function* rowsOf(
  store: DaySource,
  table: HistoryTable,
  day: Stretch,
): AsyncGenerator<HistoryCell[]> {
  if (table === "fills") yield* fillRows(store, day);
  else if (table === "theses") yield* thesisRows(store, day);
  else if (table === "traders") yield* traderRows(store, day);
  else if (table === "positions") yield* positionRows(store, day);
  else if (table === "candles_1m") yield* candleRows(store, day);
  else yield* tickRows(store, day);
}

async function* fillsOf({ fills }: Pick<DaySource, "fills">, { from, to }: Stretch) {
  let cursor: Keyset | null = null;
  do {
    const page: Awaited<ReturnType<typeof fills.between>> = await fills.between({
      from,
      to,
      order: "asc",
      of: { kind: "everybody" },
      limit: PAGE_ROWS,
      cursor,
    });
    yield* page.rows;
    cursor = page.next;
  } while (cursor !== null);
}

const ownersOf = ({ days }: Pick<DaySource, "days">, day: Stretch) =>
  walked(
    (after) => days.fillOwners(day, after, PAGE_ROWS),
    (row) => row,
  );

const thesesOf = ({ days }: Pick<DaySource, "days">, day: Stretch) =>
  walked(
    (after) => days.theses(day, after, PAGE_ROWS),
    (thesis) => ({ value: thesis.createdAt, id: thesis.id }),
  );

async function* fillRows(store: DaySource, day: Stretch) {
  const places = await placesOf(store, day);
  for await (const fill of fillsOf(store, day))
    yield fillRow(fill, places.get(`${fill.tradeId} ${fill.txHash}`));
}

async function* thesisRows(store: DaySource, day: Stretch) {
  const places = await placesOf(store, day);
  for await (const thesis of thesesOf(store, day)) yield thesisRow(thesis, places.get(thesis.id));
}

/** Where the log tells of the day's fills, by trade and transaction, and of its theses, by id. */
async function placesOf({ days, log }: DaySource, day: Stretch): Promise<Map<string, EventPlace>> {
  const isLive = day.from >= (await log.beganAt());
  const capturedBefore = isLive ? day.to + DAY_MS : Number.MAX_SAFE_INTEGER;
  const places = new Map<string, EventPlace>();
  const events = walked(
    (after) => days.events(day, { after, capturedBefore, limit: PAGE_ROWS }),
    ({ capturedAt, seq }) => ({ value: capturedAt, id: String(seq) }),
  );
  for await (const { seq, event } of events) {
    const place = { eventId: event.eventId, seq };
    if (event.kind === "thesis") places.set(String(event.thesisId), place);
    else places.set(`${event.tradeId} ${event.txHash}`, place);
  }
  return places;
}

/** Everybody who traded or wrote on the day, as known when it is closed. */
async function* traderRows(store: DaySource, day: Stretch) {
  const ids = new Set<string>();
  for await (const { userId } of ownersOf(store, day)) ids.add(userId);
  for await (const { userId } of thesesOf(store, day)) ids.add(userId);
  for (const part of chunksOf([...ids].sort(), IDS_PER_LOOKUP)) {
    const found = await store.traders.byIds(part);
    yield* found.sort((a, b) => (a.userId < b.userId ? -1 : 1)).map(traderRow);
  }
}

/** Every position that the day's fills changed, as known when it is closed. */
async function* positionRows(store: DaySource, day: Stretch) {
  const users = new Map<string, string>();
  for await (const { tradeId, userId } of ownersOf(store, day)) users.set(tradeId, userId);
  const ids = [...users]
    .map(([tradeId, userId]) => ({ tradeId, order: `${userId} ${tradeId}` }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .map(({ tradeId }) => tradeId);
  for (const part of chunksOf(ids, IDS_PER_LOOKUP)) {
    const found = new Map((await store.positions.byIds(part)).map((each) => [each.tradeId, each]));
    for (const tradeId of part) {
      const position = found.get(tradeId);
      if (position) yield positionRow(position);
    }
  }
}

async function* candleRows({ days }: DaySource, { from, to }: Stretch) {
  for (let at = from; at < to; at += HOUR_MS)
    yield* (await days.candles({ from: at, to: at + HOUR_MS })).map(candleRow);
}

async function* tickRows({ days }: DaySource, { from, to }: Stretch) {
  for (let at = from; at < to; at += HOUR_MS)
    for (const { tokenKey, networkId, ticks } of await days.ticks(at))
      yield* ticks.map((tick) => tickRow(tokenKey, networkId, tick));
}
