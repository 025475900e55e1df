// A day's rows, table by table, in the order of its files; and the markers of whether the day has changed since.
import type { Keyset } from "../../database/keyset.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import type { AppItem } from "../../protocol/shapes/event.ts";
import type { Stretch } from "../model/tape.ts";
import type { DayPlace } from "../store/captured/days.ts";
import type { Store } from "../store/store.ts";
import type { DayAside } from "./aside.ts";
import {
  candleRow,
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

/** By table: unchanged as long as none of its file's source rows were added or removed. */
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

async function* pagesOf<Row>(
  read: (after: DayPlace | null) => Promise<Row[]>,
  placeOf: (row: Row) => DayPlace,
): AsyncGenerator<Row[]> {
  let after: DayPlace | null = null;
  for (;;) {
    const rows: Row[] = await read(after);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = placeOf(last);
  }
}

async function* walked<Row>(...how: Parameters<typeof pagesOf<Row>>): AsyncGenerator<Row> {
  for await (const rows of pagesOf(...how)) yield* rows;
}

/** The rows of each of the day's tables. Data that several tables need is set aside once, by the first of them. */
export function dayRows(
  store: DaySource,
  day: Stretch,
  aside: DayAside,
): (table: HistoryTable) => AsyncGenerator<HistoryCell[]> {
  let [placing, owning]: (Promise<void> | null)[] = [null, null];
  const placed = () => (placing ??= putPlaces(store, day, aside));
  const owned = () => (owning ??= putOwners(store, day, aside));
  return async function* rows(table) {
    if (table === "fills" || table === "theses") await placed();
    if (table === "traders" || table === "positions") await owned();
    if (table === "fills") yield* fillRows(store, day, aside);
    else if (table === "theses") yield* thesisRows(store, day, aside);
    else if (table === "traders") yield* traderRows(store, aside);
    else if (table === "positions") yield* positionRows(store, aside);
    else if (table === "candles_1m") yield* candleRows(store, day);
    else yield* tickRows(store, day);
  };
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

const thesesOf = ({ days }: Pick<DaySource, "days">, day: Stretch) =>
  pagesOf(
    (after) => days.theses(day, after, PAGE_ROWS),
    (thesis) => ({ value: thesis.createdAt, id: thesis.id }),
  );

const fillKey = ({ tradeId, txHash }: Pick<AppItem, "tradeId" | "txHash">) => `${tradeId} ${txHash}`;

async function* fillRows(store: DaySource, day: Stretch, aside: DayAside) {
  for await (const fill of fillsOf(store, day)) yield fillRow(fill, aside.placeOf(fillKey(fill)));
}

async function* thesisRows(store: DaySource, day: Stretch, aside: DayAside) {
  for await (const theses of thesesOf(store, day))
    yield* theses.map((thesis) => thesisRow(thesis, aside.placeOf(thesis.id)));
}

/** The log positions of the day's fills, by trade and transaction, and of its theses, by id. */
async function putPlaces({ days, log }: DaySource, day: Stretch, aside: DayAside): Promise<void> {
  const isLive = day.from >= (await log.beganAt());
  const capturedBefore = isLive ? day.to + DAY_MS : Number.MAX_SAFE_INTEGER;
  const pages = pagesOf(
    (after) => days.events(day, { after, capturedBefore, limit: PAGE_ROWS }),
    ({ capturedAt, seq }) => ({ value: capturedAt, id: String(seq) }),
  );
  for await (const events of pages)
    aside.addPlaces(
      events.map(({ seq, event }) => ({
        key: event.kind === "thesis" ? String(event.thesisId) : fillKey(event),
        eventId: event.eventId,
        seq,
      })),
    );
  aside.sortPlaces();
}

/** The owners of the day's fills, and the authors of its theses. */
async function putOwners(store: DaySource, day: Stretch, aside: DayAside): Promise<void> {
  const owners = pagesOf(
    (after) => store.days.fillOwners(day, after, PAGE_ROWS),
    (row) => row,
  );
  for await (const trades of owners) aside.addTrades(trades);
  for await (const theses of thesesOf(store, day)) aside.addWriters(theses.map(({ userId }) => userId));
}

/** Every trader who traded or wrote on the day, as known when it is closed. */
async function* traderRows({ traders }: DaySource, aside: DayAside) {
  for (const userIds of aside.userIds(IDS_PER_LOOKUP)) {
    const found = await traders.byIds(userIds);
    yield* found.sort((a, b) => (a.userId < b.userId ? -1 : 1)).map(traderRow);
  }
}

/** Every position that the day's fills changed, as known when it is closed. */
async function* positionRows({ positions }: DaySource, aside: DayAside) {
  for (const tradeIds of aside.tradeIds(IDS_PER_LOOKUP)) {
    const found = new Map((await positions.byIds(tradeIds)).map((each) => [each.tradeId, each]));
    for (const tradeId of tradeIds) {
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
