// Many sockets that are sent what paper follows book: each in a turn of its own, and after a hint only its account's.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Queries } from "../../database/database.ts";
import { openDatabase } from "../../database/open.ts";
import { manualClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { eventually } from "../../test/support/eventually.ts";
import { MIDNIGHT } from "../../test/support/nouns.ts";
import { countTurns } from "../../test/support/turns.ts";
import { memoryBus } from "../bus/memory.ts";
import { migrateStore } from "../store/migrations.ts";
import { bookPaper, insertFollow } from "../store/money/follows.ts";
import { testFollow } from "../store/money/test-follow.ts";
import { createPaperFeed } from "./paper.ts";
import type { Session } from "./session.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-paper-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const log = createLog("silent", () => MIDNIGHT);
const ACCOUNTS = Array.from({ length: 12 }, (_, n) => `acc_${n}`);

let opened = 0;
/** A feed with a socket of each account, and in which turns each account's log was looked at. */
async function openFeed() {
  const database = await openDatabase({ file: join(folder, `${++opened}.sqlite`) });
  await migrateStore(database, MIDNIGHT);
  const turns = countTurns();
  const looks: { accountId: unknown; turn: number }[] = [];
  const read: Queries = {
    ...database.read,
    all: (statement) => {
      looks.push({ accountId: statement.values[0], turn: turns.now() });
      return database.read.all(statement);
    },
  };
  const [clock, bus] = [manualClock(MIDNIGHT), memoryBus(log)];
  const feed = createPaperFeed({ database: { read }, bus, clock, log });
  const sent = new Map<string, number>();
  for (const accountId of ACCOUNTS) {
    await database.write((tx) => insertFollow(tx, testFollow({ followId: `of ${accountId}`, accountId })));
    const send = () => void sent.set(accountId, (sent.get(accountId) ?? 0) + 1);
    const socket = { getBufferedAmount: () => 0, send };
    feed.join({ terms: { accountId, paper: 0 }, socket } as unknown as Session);
  }
  const book = async (accountId: string, count: number) => {
    const rows = Array.from({ length: count }, (_, number) => ({ number, bookedAt: MIDNIGHT, body: "{}" }));
    await database.write((tx) =>
      bookPaper(
        tx,
        accountId,
        rows.map((row) => ({ ...row, followId: `of ${accountId}` })),
      ),
    );
  };
  const stop = async () => {
    await feed.stop();
    turns.stop();
    await database.close();
  };
  return { feed, bus, clock, sent, looks, book, stop };
}

test("many sockets that have much to be sent are each served in a turn of their own", async () => {
  const { feed, sent, looks, book, stop } = await openFeed();
  for (const accountId of ACCOUNTS) await book(accountId, 150);
  feed.start();
  await eventually(
    () => ACCOUNTS.every((accountId) => sent.get(accountId) === 150),
    "all that was booked was sent",
  );
  // Two pages each.
  expect(looks).toHaveLength(2 * ACCOUNTS.length);
  expect(new Set(looks.map(({ turn }) => turn)).size).toBe(looks.length);
  await stop();
});

test("a hint has only its own account's sockets looked at, and a lost one costs a second", async () => {
  const { feed, bus, clock, sent, looks, book, stop } = await openFeed();
  feed.start();
  await eventually(() => looks.length === ACCOUNTS.length, "all were looked at");
  const idle = ACCOUNTS.length;
  await book("acc_3", 1);
  bus.announce({ kind: "paper", accountId: "acc_3" });
  await eventually(() => sent.get("acc_3") === 1, "what was booked was sent");
  await clock.advance(0);
  expect(looks.slice(idle).map(({ accountId }) => accountId)).toEqual(["acc_3"]);
  await book("acc_5", 1);
  await eventually(async () => {
    await clock.advance(1_000);
    return sent.get("acc_5") === 1;
  }, "it was sent without a hint");
  await stop();
});
