// A temporary file of join data while a day is closed: the log positions of its fills and theses, and the traders of its
// trades. A day has more of these than should be held in memory. Losing the file loses nothing, so it is not made durable.
import { Database, type Statement } from "bun:sqlite";
import { rmSync } from "node:fs";
import type { EventPlace } from "./tables.ts";

const CACHE_KIB = 8_192;
const PRAGMAS = [
  // The runtime's SQLite does not allow turning it off.
  "journal_mode = MEMORY",
  "synchronous = OFF",
  "locking_mode = EXCLUSIVE",
  `cache_size = -${CACHE_KIB}`,
];
const TABLES = `
  CREATE TABLE place (key TEXT NOT NULL, event_id TEXT NOT NULL, seq INTEGER NOT NULL);
  CREATE TABLE trade (user_id TEXT, trade_id TEXT, PRIMARY KEY (user_id, trade_id)) WITHOUT ROWID;
  CREATE TABLE writer (user_id TEXT PRIMARY KEY) WITHOUT ROWID;`;
const TRADE_IDS = "SELECT trade_id AS id FROM trade ORDER BY user_id, trade_id";
const USER_IDS = "SELECT user_id AS id FROM trade UNION SELECT user_id FROM writer ORDER BY 1";

export interface KeyedPlace extends EventPlace {
  key: string;
}
export interface OwnedTrade {
  userId: string;
  tradeId: string;
}

export interface DayAside {
  addPlaces(places: readonly KeyedPlace[]): void;
  /** Call after the last one was added: sorting them all at once is far cheaper than row by row. */
  sortPlaces(): void;
  /** If several events have the same key, the last one added. */
  placeOf(key: string): EventPlace | undefined;
  addTrades(trades: readonly OwnedTrade[]): void;
  addWriters(userIds: readonly string[]): void;
  /** Each once, by user, then trade, in lists of a bounded length. */
  tradeIds(lengthMax: number): Iterable<readonly string[]>;
  /** Every trader who traded or wrote, once, in order. */
  userIds(lengthMax: number): Iterable<readonly string[]>;
  close(): void;
}

export function openAside(file: string): DayAside {
  const database = new Database(file, { create: true, strict: true });
  for (const pragma of PRAGMAS) database.run(`PRAGMA ${pragma}`);
  database.exec(TABLES);
  const place = database.prepare<unknown, [string, string, number]>("INSERT INTO place VALUES (?, ?, ?)");
  const trade = database.prepare<unknown, [string, string]>("INSERT OR IGNORE INTO trade VALUES (?, ?)");
  const writer = database.prepare<unknown, [string]>("INSERT OR IGNORE INTO writer VALUES (?)");
  const found = database.prepare<EventPlace, [string]>(
    "SELECT event_id AS eventId, seq FROM place WHERE key = ? ORDER BY rowid DESC LIMIT 1",
  );
  return {
    addPlaces: database.transaction((places) => {
      for (const { key, eventId, seq } of places) place.run(key, eventId, seq);
    }),
    sortPlaces: () => void database.run("CREATE INDEX place_key ON place (key)"),
    placeOf: (key) => found.get(key) ?? undefined,
    addTrades: database.transaction((trades) => {
      for (const { userId, tradeId } of trades) trade.run(userId, tradeId);
    }),
    addWriters: database.transaction((userIds) => {
      for (const userId of userIds) writer.run(userId);
    }),
    tradeIds: (lengthMax) => lists(database.prepare(TRADE_IDS), lengthMax),
    userIds: (lengthMax) => lists(database.prepare(USER_IDS), lengthMax),
    close() {
      database.close();
      rmSync(file);
    },
  };
}

function* lists(question: Statement<{ id: string }, []>, lengthMax: number): Generator<string[]> {
  let list: string[] = [];
  for (const { id } of question.iterate()) {
    list.push(id);
    if (list.length < lengthMax) continue;
    yield list;
    list = [];
  }
  if (list.length > 0) yield list;
}
