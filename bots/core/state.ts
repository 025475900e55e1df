// A bot's state, in its own SQLite file or in PostgreSQL, where another node finds it: for each chat its follows, its
// mutes and its position in the log, and the bot's own position. A deleted chat leaves nothing. Read once at the
// start; every change is on disk when it resolves.
import type { StreamPosition } from "../../client/src/stream/position.ts";
import type { Queries } from "../../database/database.ts";
import { migrate } from "../../database/migrate.ts";
import { type DatabaseLocation, openDatabase } from "../../database/open.ts";
import { sql } from "../../database/sql.ts";
import type { SentAlert } from "./alert.ts";
import type { ChatFollow } from "./follow.ts";
import type { Line } from "./message.ts";

export interface Chat {
  id: string;
  follows: readonly ChatFollow[];
  /** Muted until, by subject, in epoch milliseconds. */
  mutes: Readonly<Record<string, number>>;
  /** Everything up to here was sent; null before the bot knew the log's position. */
  sent: StreamPosition | null;
}

/** Per chat: more than a deep re-org undoes. Older ones are dropped. */
const SENT_MAX = 200;

export interface BotState {
  /** All chats, as of now. */
  chats(): IterableIterator<Chat>;
  chat(id: string): Chat | undefined;
  save(chat: Chat): Promise<void>;
  /** Saves only its position, and the alerts sent to get there. */
  markSent(id: string, sent: StreamPosition, alerts?: readonly SentAlert[]): Promise<void>;
  /** The message for an alert in a chat; null when it was not sent, or too long ago. */
  sentAlert(id: string, eventId: string): Promise<SentAlert | null>;
  /** The chats that received an alert. */
  sentTo(eventId: string): Promise<string[]>;
  forget(id: string): Promise<void>;
  /** A group that became another one keeps its state. */
  rename(from: string, to: string): Promise<void>;
  place(name: "log" | "updates"): string | null;
  savePlace(name: "log" | "updates", value: string): Promise<void>;
  close(): Promise<void>;
}

/** Of the stored body's format. */
const BODY_VERSION = 1;

const SCHEMA = {
  record: "bot_migrations",
  migrations: [
    {
      id: "001-chats",
      statements: () => [
        `CREATE TABLE bot_chat (bot TEXT NOT NULL, id TEXT NOT NULL, epoch TEXT, seq BIGINT, body TEXT NOT NULL,
          PRIMARY KEY (bot, id))`,
        `CREATE TABLE bot_place (bot TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
          PRIMARY KEY (bot, name))`,
      ],
    },
    {
      id: "002-sent",
      statements: () => [
        `CREATE TABLE bot_sent (bot TEXT NOT NULL, chat TEXT NOT NULL, event_id TEXT NOT NULL, number BIGINT NOT NULL,
          message_id TEXT, line TEXT NOT NULL, PRIMARY KEY (bot, event_id, chat))`,
        "CREATE INDEX bot_sent_chat ON bot_sent (bot, chat, number)",
      ],
    },
  ],
};

/** The location and name of a bot's state: several bots may share a database. */
export interface StatePlace {
  location: DatabaseLocation;
  bot: string;
}

interface ChatRow {
  id: string;
  epoch: string | null;
  seq: number | null;
  body: string;
}

export async function openState({ location, bot }: StatePlace, now: number): Promise<BotState> {
  const database = await openDatabase(location);
  await migrate(database, now, SCHEMA);
  const chats = new Map<string, Chat>();
  const places = new Map<string, string>();
  for (const row of await database.read.all<ChatRow>(
    sql`SELECT id, epoch, seq, body FROM bot_chat WHERE bot = ${bot}`,
  ))
    chats.set(row.id, chatOf(row));
  for (const { name, value } of await database.read.all<{ name: string; value: string }>(
    sql`SELECT name, value FROM bot_place WHERE bot = ${bot}`,
  ))
    places.set(name, value);

  const put = (tx: Queries, { id, follows, mutes, sent }: Chat) =>
    tx.run(sql`INSERT INTO bot_chat (bot, id, epoch, seq, body)
      VALUES (${bot}, ${id}, ${sent?.epoch ?? null}, ${sent?.seq ?? null}, ${JSON.stringify({ version: BODY_VERSION, follows, mutes })})
      ON CONFLICT (bot, id) DO UPDATE SET epoch = excluded.epoch, seq = excluded.seq, body = excluded.body`);
  const remove = async (tx: Queries, id: string) => {
    await tx.run(sql`DELETE FROM bot_chat WHERE bot = ${bot} AND id = ${id}`);
    await tx.run(sql`DELETE FROM bot_sent WHERE bot = ${bot} AND chat = ${id}`);
  };

  return {
    chats: () => chats.values(),
    chat: (id) => chats.get(id),
    async save(chat) {
      chats.set(chat.id, chat);
      await database.write((tx) => put(tx, chat));
    },
    async markSent(id, sent, alerts = []) {
      const chat = chats.get(id);
      if (!chat) return;
      chats.set(id, { ...chat, sent });
      await database.write(async (tx) => {
        await tx.run(sql`UPDATE bot_chat SET epoch = ${sent.epoch}, seq = ${sent.seq}
          WHERE bot = ${bot} AND id = ${id}`);
        await noteSent(tx, bot, id, alerts);
      });
    },
    async sentAlert(id, eventId) {
      const row = await database.read.one<{ messageId: string | null; line: string }>(
        sql`SELECT message_id AS "messageId", line FROM bot_sent
          WHERE bot = ${bot} AND event_id = ${eventId} AND chat = ${id}`,
      );
      return row && { eventId, messageId: row.messageId, line: JSON.parse(row.line) as Line };
    },
    async sentTo(eventId) {
      const rows = await database.read.all<{ chat: string }>(
        sql`SELECT chat FROM bot_sent WHERE bot = ${bot} AND event_id = ${eventId} ORDER BY chat`,
      );
      return rows.map(({ chat }) => chat);
    },
    async forget(id) {
      chats.delete(id);
      await database.write((tx) => remove(tx, id));
    },
    async rename(from, to) {
      const chat = chats.get(from);
      if (!chat) return;
      const moved = { ...chat, id: to };
      chats.delete(from);
      chats.set(to, moved);
      await database.write(async (tx) => {
        // Its messages have other ids there.
        await tx.run(
          sql`UPDATE bot_sent SET chat = ${to}, message_id = NULL WHERE bot = ${bot} AND chat = ${from}`,
        );
        await remove(tx, from);
        await put(tx, moved);
      });
    },
    place: (name) => places.get(name) ?? null,
    async savePlace(name, value) {
      if (places.get(name) === value) return;
      places.set(name, value);
      await database.write((tx) =>
        tx.run(sql`INSERT INTO bot_place (bot, name, value) VALUES (${bot}, ${name}, ${value})
          ON CONFLICT (bot, name) DO UPDATE SET value = excluded.value`),
      );
    },
    close: () => database.close(),
  };
}

function chatOf({ id, epoch, seq, body }: ChatRow): Chat {
  const { follows, mutes } = JSON.parse(body) as Pick<Chat, "follows" | "mutes">;
  return { id, follows, mutes, sent: epoch === null || seq === null ? null : { epoch, seq } };
}

async function noteSent(tx: Queries, bot: string, chat: string, alerts: readonly SentAlert[]): Promise<void> {
  if (alerts.length === 0) return;
  const row = await tx.one<{ last: number | null }>(
    sql`SELECT MAX(number) AS last FROM bot_sent WHERE bot = ${bot} AND chat = ${chat}`,
  );
  let number = row?.last ?? 0;
  for (const { eventId, messageId, line } of alerts)
    await tx.run(sql`INSERT INTO bot_sent (bot, chat, event_id, number, message_id, line)
      VALUES (${bot}, ${chat}, ${eventId}, ${++number}, ${messageId}, ${JSON.stringify(line)})
      ON CONFLICT (bot, event_id, chat) DO UPDATE SET number = excluded.number, message_id = excluded.message_id`);
  await tx.run(
    sql`DELETE FROM bot_sent WHERE bot = ${bot} AND chat = ${chat} AND number <= ${number - SENT_MAX}`,
  );
}
