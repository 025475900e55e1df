// Ten thousand endpoints: quiet ones ask the store nothing, an event is matched once, and one that all want reaches all.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Database, Queries } from "../../database/database.ts";
import type { Sql } from "../../database/sql.ts";
import { eventually } from "../../test/support/eventually.ts";
import type { KeyCaller } from "../access/access.ts";
import { userForm } from "../feed/facts.ts";
import { EVERYTHING } from "../feed/filter.ts";
import { nextRevision, WEBHOOK_SHARDS } from "../store/money/webhook-shards.ts";
import { insertWebhook, type StoredWebhook } from "../store/money/webhooks.ts";
import { mintSecret } from "./signing.ts";
import {
  buy,
  openTape,
  startEndpoint,
  type TestEndpoint,
  type WebhookNode,
  type WebhookTape,
} from "./test-support.ts";

const ENDPOINTS = 10_000;
/** Accounts have at most fifty. */
const PER_ACCOUNT = 50;
const START_MS = 900_000;
/** A busy machine answers and renews claims late; an attempt that is given up, or another holder's, would come again. */
const PATIENT_MS = START_MS;

let tape: WebhookTape;
let endpoint: TestEndpoint;
let node: WebhookNode;
let asked = 0;

/** The same database, counting what it is asked. */
function counted(database: Database): Database {
  const note = (statement: Sql) => {
    asked += 1;
    return statement;
  };
  const count = (queries: Queries): Queries => ({
    dialect: queries.dialect,
    all: (statement) => queries.all(note(statement)),
    one: (statement) => queries.one(note(statement)),
    run: (statement) => queries.run(note(statement)),
  });
  return {
    ...database,
    read: count(database.read),
    write: (work, options) => database.write((tx) => work(count(tx)), options),
  };
}

const userOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;

beforeAll(async () => {
  endpoint = startEndpoint();
  tape = await openTape("sqlite");
  const head = await tape.store.log.head();
  const callers: KeyCaller[] = [];
  for (let index = 0; index < ENDPOINTS / PER_ACCOUNT; index++) callers.push(await tape.caller("scale"));
  await tape.store.database.write(async (tx) => {
    const revisions = new Map<number, number>();
    for (let shard = 0; shard < WEBHOOK_SHARDS; shard++) revisions.set(shard, await nextRevision(tx, shard));
    for (let index = 0; index < ENDPOINTS; index++) {
      const caller = callers[index % callers.length];
      const shard = index % WEBHOOK_SHARDS;
      // Each follows a trader of its own, and all of them one more.
      const filter = { ...EVERYTHING, traders: [userForm(userOf(index)), userForm(userOf(999_999))].sort() };
      const webhook: StoredWebhook = {
        id: `whk_${index}`,
        shard,
        accountId: String(caller?.accountId),
        keyId: String(caller?.keyId),
        capOf: null,
        name: null,
        url: endpoint.url(`/${index}`),
        format: "json",
        chatId: null,
        batch: 1,
        filters: "{}",
        filter: JSON.stringify(filter),
        secret: mintSecret(),
        oldSecret: null,
        oldSecretUntil: null,
        status: "active",
        pausedBecause: null,
        waitingFor: null,
        epoch: head.epoch,
        position: head.seq,
        pendingTo: null,
        gap: null,
        delivered: 0,
        paidBlocks: 0,
        failures: 0,
        failingSince: null,
        nextTryAt: 0,
        generation: 0,
        createdAt: index,
        revision: revisions.get(shard) ?? 1,
      };
      await insertWebhook(tx, webhook);
    }
  });
  const { store } = tape;
  node = await tape.node({
    store: { log: store.log, database: counted(store.database) },
    timeoutMs: PATIENT_MS,
    leaseMs: PATIENT_MS,
  });
  await eventually(() => node.counts().endpoints === ENDPOINTS && node.counts().behind === 0, "all are live");
}, START_MS);
afterAll(async () => {
  await tape?.close();
  await endpoint?.stop();
}, START_MS);

test("at rest they cost a handful of statements a second, not one each", async () => {
  await eventually(() => node.counts().underWay === 0, "what came before is written down");
  const [before, startedAt] = [asked, tape.clock.now()];
  await eventually(() => tape.clock.now() - startedAt >= 5_000, "some seconds pass");
  const seconds = (tape.clock.now() - startedAt) / 1_000;
  expect((asked - before) / seconds).toBeLessThan(20);
});

test("an event reaches the one that follows its trader, at the cost of that one", async () => {
  const [before, sent] = [asked, endpoint.received.length];
  const events = Array.from({ length: 20 }, (_, index) => buy({ userId: userOf(index * 37) }));
  await tape.append(events);
  for (const [index, event] of events.entries())
    await eventually(() => endpoint.ids(`/${index * 37}`).includes(event.eventId), "it came");
  expect(endpoint.received).toHaveLength(sent + 20);
  expect(asked - before).toBeLessThan(20 * 30 + 200);
});

test(
  "an event that all want reaches all ten thousand, once each, and every account pays exactly",
  async () => {
    const total = () =>
      tape.store.database.read.one<{ blocks: number; delivered: number }>({
        text: "SELECT SUM(paid_blocks) AS blocks, SUM(delivered) AS delivered FROM webhook",
        values: [],
      });
    await eventually(() => node.counts().underWay === 0, "what came before is written down");
    const before = await total();
    const sent = endpoint.received.length;
    const event = buy({ userId: userOf(999_999) });
    await tape.append([event]);
    await eventually(() => endpoint.received.length >= sent + ENDPOINTS, "all got it");
    const paths = new Set(endpoint.received.slice(sent).map(({ path }) => path));
    expect([paths.size, endpoint.received.length]).toEqual([ENDPOINTS, sent + ENDPOINTS]);
    await eventually(() => node.counts().underWay === 0, "all is written down");
    // Each one's first hundred is paid, whichever event began it.
    expect(await total()).toEqual({
      blocks: ENDPOINTS,
      delivered: Number(before?.delivered) + ENDPOINTS,
    });
    expect(await tape.access.imbalances()).toEqual([]);
  },
  START_MS,
);
