// Many sockets that are sent what paper follows book: each in a turn of its own, after a hint only its account's, and while
// nothing is booked one question for all of them.
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
import { bookPaper, insertFollow, pruneFollows, stopFollow } from "../store/money/follows.ts";
import { testFollow } from "../store/money/test-follow.ts";
import { createPaperFeed } from "./paper.ts";
import type { Session } from "./session.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-paper-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const log = createLog("silent", () => MIDNIGHT);
const ACCOUNTS = Array.from({ length: 12 }, (_, n) => `acc_${n}`);

let opened = 0;
/** A feed with a socket of each account, and in which turns each account's log was read, or asked where it ends. */
async function openFeed({ paper = 0 as number | "latest" } = {}) {
  const database = await openDatabase({ file: join(folder, `${++opened}.sqlite`) });
  await migrateStore(database, MIDNIGHT);
  const turns = countTurns();
  const reads: { accountId: unknown; turn: number }[] = [];
  const questions: Set<unknown>[] = [];
  const read: Queries = {
    ...database.read,
    all: (statement) => {
      if (statement.text.includes("FROM paper_head")) questions.push(new Set(statement.values));
      else reads.push({ accountId: statement.values[0], turn: turns.now() });
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
    feed.join({ terms: { accountId, paper }, socket } as unknown as Session);
  }
  const book = async (accountId: string, count: number, from = 0) => {
    const rows = Array.from({ length: count }, (_, n) => ({
      number: from + n,
      bookedAt: MIDNIGHT,
      body: "{}",
    }));
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
  return { database, feed, bus, clock, sent, reads, questions, book, stop };
}

test("many sockets that have much to be sent are each served in a turn of their own", async () => {
  const { feed, sent, reads, book, stop } = await openFeed();
  for (const accountId of ACCOUNTS) await book(accountId, 150);
  feed.start();
  await eventually(
    () => ACCOUNTS.every((accountId) => sent.get(accountId) === 150),
    "all that was booked was sent",
  );
  // Two pages each.
  expect(reads).toHaveLength(2 * ACCOUNTS.length);
  expect(new Set(reads.map(({ turn }) => turn)).size).toBe(reads.length);
  await stop();
});

test("a hint has only its own account's sockets looked at, and a lost one costs a second", async () => {
  const { feed, bus, clock, sent, reads, questions, book, stop } = await openFeed();
  feed.start();
  await eventually(() => questions.length === 1, "all were looked at");
  await book("acc_3", 1);
  bus.announce({ kind: "paper", accountId: "acc_3" });
  await eventually(() => sent.get("acc_3") === 1, "what was booked was sent");
  bus.announce({ kind: "paper", accountId: "of another node's socket" });
  await clock.advance(0);
  expect(questions.slice(1)).toEqual([new Set(["acc_3"])]);
  await book("acc_5", 1);
  await eventually(async () => {
    await clock.advance(1_000);
    return sent.get("acc_5") === 1;
  }, "it was sent without a hint");
  expect(reads.map(({ accountId }) => accountId)).toEqual(["acc_3", "acc_5"]);
  await stop();
});

test("while nothing is booked, all sockets together cost one question a second and no read", async () => {
  const { feed, clock, reads, questions, stop } = await openFeed();
  feed.start();
  let seconds = 0;
  await eventually(async () => {
    await clock.advance(1_000);
    seconds += 1;
    return questions.length >= 5;
  }, "all were looked at again and again");
  expect(questions.length).toBeLessThanOrEqual(seconds + 1);
  for (const question of questions) expect(question).toEqual(new Set(ACCOUNTS));
  expect(reads).toEqual([]);
  await stop();
});

test("one that begins at the latest is sent what is booked from then on, and nothing from before", async () => {
  const { feed, bus, sent, questions, book, stop } = await openFeed({ paper: "latest" });
  await book("acc_3", 2);
  feed.start();
  await eventually(() => questions.length === 1, "it is known where each begins");
  await book("acc_3", 3, 2);
  bus.announce({ kind: "paper", accountId: "acc_3" });
  await eventually(() => sent.get("acc_3") === 3, "what was booked was sent");
  await stop();
});

test("what was forgotten with its follow is looked for once", async () => {
  const { database, feed, clock, sent, reads, questions, book, stop } = await openFeed();
  await book("acc_3", 2);
  await database.write((tx) => stopFollow(tx, "acc_3", "of acc_3", MIDNIGHT));
  while ((await database.write((tx) => pruneFollows(tx, MIDNIGHT + 1))) > 0);
  feed.start();
  await eventually(async () => {
    await clock.advance(1_000);
    return questions.length >= 3;
  }, "all were looked at again and again");
  expect(reads.map(({ accountId }) => accountId)).toEqual(["acc_3"]);
  expect(sent.size).toBe(0);
  await stop();
});
