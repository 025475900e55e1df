import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Fault, fault } from "../../../contract/errors.ts";
import { PLAN_NAMES } from "../../../contract/plans.ts";
import type { Database } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import { openSqlite } from "../../../database/sqlite.ts";
import { manualClock } from "../../../kit/clock.ts";
import { createLog } from "../../../kit/log.ts";
import { nextTurn } from "../../../kit/turn.ts";
import { DAY_MS } from "../../../kit/units.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { onEngine } from "../../../test/support/needing.ts";
import { countTurns } from "../../../test/support/turns.ts";
import { memoryBus } from "../../bus/memory.ts";
import type { Access } from "../access.ts";
import { DIALECTS, makeKey, START, silent, testAccess, testStore } from "../test-support.ts";
import { mintSecret } from "./key-format.ts";
import { ensureReadyKeys } from "./ready-keys.ts";

const codeOf = async (work: () => unknown): Promise<string> => {
  try {
    await work();
    return "worked";
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
};
const use = (access: Access, secret: string) => codeOf(() => access.identifyKey(secret));

for (const dialect of DIALECTS) {
  onEngine(dialect).describe(`keys on ${dialect}`, () => {
    test("a revoked key stops at once where it was revoked and within 5 s where no hint arrives", async () => {
      const clock = manualClock(START);
      const store = await testStore(dialect);
      const here = await testAccess(dialect, { clock, store });
      const there = await testAccess(dialect, { clock, store });
      const { secret, accountId, key } = await makeKey(here.access);
      expect([await use(here.access, secret), await use(there.access, secret)]).toEqual(["worked", "worked"]);
      await clock.advance(1_000);
      await here.access.keys.revoke({ accountId, keyId: key.id });
      expect(await use(here.access, secret)).toBe("unauthorized");
      await clock.advance(4_999);
      expect(await use(there.access, secret)).toBe("unauthorized");
      await Promise.all([here.close(), there.close()]);
      await store.remove();
    });

    test("a busy key is read again in the background, so a revocation is seen though it never rests", async () => {
      const clock = manualClock(START);
      const store = await testStore(dialect);
      const here = await testAccess(dialect, { clock, store });
      const there = await testAccess(dialect, { clock, store });
      const { secret, accountId, key } = await makeKey(here.access);
      await use(there.access, secret);
      await here.access.keys.revoke({ accountId, keyId: key.id });
      for (let passedMs = 0; passedMs < 5_000; passedMs += 250) {
        await use(there.access, secret);
        await clock.advance(250);
      }
      // No more of the clock's time; the database's answer takes time of its own.
      await eventually(async () => (await use(there.access, secret)) !== "worked", "the revocation is seen");
      await Promise.all([here.close(), there.close()]);
      await store.remove();
    });

    test("a rotated key works through its overlap and no longer; the new one has its name, cap, rate and age", async () => {
      const { access, clock, close } = await testAccess(dialect);
      const { secret, accountId, key } = await makeKey(access, { monthlyCap: 1_000, requestsPerMinute: 7 });
      await clock.advance(60_000);
      const next = await access.keys.rotate({ accountId, keyId: key.id, overlapSeconds: 30 });
      expect(next.previousEndsAt).toBe(clock.now() + 30_000);
      expect(next.key.id).not.toBe(key.id);
      const { name, monthlyCap, requestsPerMinute, createdAt, lineage } = key;
      expect(next.key).toMatchObject({ name, monthlyCap, requestsPerMinute, createdAt, lineage });
      await clock.advance(29_999);
      expect([await use(access, secret), await use(access, next.secret)]).toEqual(["worked", "worked"]);
      await clock.advance(1);
      expect([await use(access, secret), await use(access, next.secret)]).toEqual(["unauthorized", "worked"]);
      const again = () => access.keys.rotate({ accountId, keyId: key.id, overlapSeconds: 0 });
      expect(await codeOf(again)).toBe("conflict");
      await close();
    });

    test("another account's key can be neither replaced nor revoked: it does not exist", async () => {
      const { access, close } = await testAccess(dialect);
      const mine = await makeKey(access);
      const theirs = await makeKey(access);
      const wanted = { accountId: mine.accountId, keyId: theirs.key.id };
      expect(await codeOf(() => access.keys.revoke(wanted))).toBe("not_found");
      expect(await codeOf(() => access.keys.rotate({ ...wanted, overlapSeconds: 0 }))).toBe("not_found");
      expect(await use(access, theirs.secret)).toBe("worked");
      expect((await access.keys.list(mine.accountId)).map((key) => key.id)).toEqual([mine.key.id]);
      await close();
    });

    test("two replacements at once make one key", async () => {
      const { access, close } = await testAccess(dialect);
      const { accountId, key } = await makeKey(access);
      const rotate = () => access.keys.rotate({ accountId, keyId: key.id, overlapSeconds: 60 });
      const outcomes = await Promise.all([codeOf(rotate), codeOf(rotate)]);
      expect(outcomes.sort()).toEqual(["conflict", "worked"]);
      expect(await access.keys.list(accountId)).toHaveLength(2);
      await close();
    });

    test("a review tells which keys still work and on which plan", async () => {
      const { access, clock, close } = await testAccess(dialect);
      const kept = await makeKey(access, { plan: "growth" });
      const ended = await makeKey(access);
      await access.keys.revoke({ accountId: ended.accountId, keyId: ended.key.id });
      const states = await access.keys.review([kept.key.id, ended.key.id, "key_unknown"]);
      expect(states).toEqual(
        new Map([
          [kept.key.id, { works: true, plan: "growth" }],
          [ended.key.id, { works: false, plan: "free" }],
        ]),
      );
      await clock.advance(40 * DAY_MS);
      expect((await access.keys.review([kept.key.id])).get(kept.key.id)?.plan).toBe("free");
      await close();
    });
  });
}

test("a hint over the bus ends a key on the other node at once", async () => {
  const clock = manualClock(START);
  const bus = memoryBus(silent);
  const store = await testStore("sqlite");
  const here = await testAccess("sqlite", { clock, store, carrier: bus });
  const there = await testAccess("sqlite", { clock, store, carrier: bus });
  const { secret, accountId, key } = await makeKey(here.access);
  expect(await use(there.access, secret)).toBe("worked");
  await here.access.keys.revoke({ accountId, keyId: key.id });
  expect(await use(there.access, secret)).toBe("unauthorized");
  await Promise.all([here.close(), there.close()]);
  await store.remove();
});

async function countingAccess(onRead?: () => void) {
  const real = await testAccess();
  let reads = 0;
  const counting: Database = {
    ...real.database,
    read: {
      ...real.database.read,
      all: (statement) => {
        reads++;
        onRead?.();
        return real.database.read.all(statement);
      },
    },
  };
  const { access, clock, close } = await testAccess("sqlite", {
    store: real.store,
    database: counting,
    clock: real.clock,
  });
  const closeBoth = async () => {
    await close();
    await real.close();
  };
  return { access, elsewhere: real.access, clock, reads: () => reads, close: closeBoth };
}

test("a review of many keys reads a few of them in a turn", async () => {
  const turns = countTurns();
  const readIn: number[] = [];
  const { access, close } = await countingAccess(() => readIn.push(turns.now()));
  await access.keys.review(Array.from({ length: 3_000 }, (_, n) => `key_${n}`));
  turns.stop();
  expect(readIn.length).toBeGreaterThan(2);
  expect(new Set(readIn).size).toBe(readIn.length);
  await close();
});

test("mistyped keys never reach the store, and an unknown one reaches it once in a while", async () => {
  const { access, clock, reads, close } = await countingAccess();
  const valid = mintSecret("live");
  const mistyped = valid.slice(0, -1) + (valid.endsWith("a") ? "b" : "a");
  for (const bad of [mistyped, "", "ct_live_", "x".repeat(10_000)]) {
    expect(await use(access, bad)).toBe("unauthorized");
  }
  expect(reads()).toBe(0);
  for (let i = 0; i < 50; i++) expect(await use(access, valid)).toBe("unauthorized");
  expect(reads()).toBe(1);
  await clock.advance(2_000);
  await use(access, valid);
  expect(reads()).toBe(2);
  await close();
});

test("keys that call at the same moment are read together, at first and again later", async () => {
  const { access, clock, reads, close } = await countingAccess();
  const secrets: string[] = [];
  for (let n = 0; n < 30; n++) secrets.push((await makeKey(access)).secret);
  const before = reads();
  const askAll = async () => {
    for (const caller of await Promise.all(secrets.map((secret) => access.identifyKey(secret))))
      expect(caller.kind).toBe("key");
  };
  await askAll();
  expect(reads()).toBe(before + 1);
  await clock.advance(3_500);
  await askAll();
  await eventually(() => reads() === before + 2, "all were read again, in one read");
  await close();
});

test("known keys are read again when a key or an account changed elsewhere, after a minute, and not before", async () => {
  const { access, elsewhere, clock, reads, close } = await countingAccess();
  const made = [await makeKey(access), await makeKey(access), await makeKey(access)] as const;
  const [revoked, paid] = made;
  let seen = 0;
  const newReads = () => {
    const before = seen;
    seen = reads();
    return seen - before;
  };
  /** As callers do who never rest. */
  const callFor = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      await clock.advance(1_000);
      for (const { secret } of made) await use(access, secret);
    }
    return newReads();
  };
  await callFor(10);
  expect(await callFor(40)).toBe(0);
  await elsewhere.keys.revoke({ accountId: revoked.accountId, keyId: revoked.key.id });
  expect(await callFor(5)).toBeGreaterThan(0);
  expect(await use(access, revoked.secret)).toBe("unauthorized");
  await callFor(5);
  await elsewhere.grants.payForPlan({
    accountId: paid.accountId,
    plan: "growth",
    reference: "elsewhere",
    months: 1,
  });
  expect(await callFor(5)).toBeGreaterThan(0);
  expect((await access.identifyKey(paid.secret)).plan).toBe("growth");
  await callFor(5);
  expect(await callFor(20)).toBe(0);
  expect(await callFor(60)).toBeGreaterThan(0);
  await close();
});

test("callers who come back after a rest wait for no read but the first, and what was done by hand meanwhile is seen soon after", async () => {
  const { access, clock, database, close } = await testAccess();
  const [first, ended] = [await makeKey(access), await makeKey(access)];
  for (const { secret } of [first, ended]) await access.identifyKey(secret);
  await clock.advance(70_000);
  await database.write((tx) => tx.run(sql`UPDATE api_key SET ends_at = ${START} WHERE id = ${ended.key.id}`));
  const known = access.identifyKey(first.secret);
  expect(known).toBeInstanceOf(Promise);
  // Meanwhile the number of all changes is looked at, which shows none: what was changed by hand is not counted.
  await known;
  expect(access.identifyKey(ended.secret)).not.toBeInstanceOf(Promise);
  await eventually(async () => (await use(access, ended.secret)) === "unauthorized", "the end is seen");
  await close();
});

test("of many who come back, some hundred a second are read again in the background, no matter how many times they call", async () => {
  const { access, clock, database, close } = await testAccess();
  const secrets: string[] = [];
  for (let n = 0; n < 210; n++) secrets.push((await makeKey(access)).secret);
  const first = secrets.pop() as string;
  // With the first one the number of all changes is looked at.
  await access.identifyKey(first);
  await Promise.all(secrets.map((secret) => access.identifyKey(secret)));
  await clock.advance(70_000);
  await access.identifyKey(first);
  await database.write((tx) => tx.run(sql`UPDATE api_key SET ends_at = ${START}`));
  const refused = async () => {
    const said = await Promise.all(secrets.map((secret) => use(access, secret)));
    return said.filter((word) => word === "unauthorized").length;
  };
  await eventually(async () => (await refused()) === 200, "as many as may be in a second were read again");
  expect(await refused()).toBe(200);
  await clock.advance(1_000);
  await eventually(async () => (await refused()) === secrets.length, "the others were read a second later");
  await close();
});

test("a cached key costs no read and gives its answer without waiting", async () => {
  const { access, close } = await testAccess();
  const { secret } = await makeKey(access);
  await access.identifyKey(secret);
  expect(access.identifyKey(secret)).not.toBeInstanceOf(Promise);
  await close();
});

test("a key never appears in a log, an error or any file of the database", async () => {
  const lines: string[] = [];
  const clock = manualClock(START);
  const log = createLog("debug", clock.now, (line) => lines.push(line));
  const { access, store, close } = await testAccess("sqlite", { clock, log });
  const first = await makeKey(access);
  const rotated = await access.keys.rotate({
    accountId: first.accountId,
    keyId: first.key.id,
    overlapSeconds: 5,
  });
  const once = { subject: first.accountId, routeId: "createKey", idempotencyKey: "one", body: "{}" };
  const kept = await access.idempotency.run({ ...once, credential: first.secret }, async () => ({
    status: 201,
    answer: JSON.stringify({ key: first.secret }),
  }));
  expect(kept.answer).toContain(first.secret);
  const { ticket } = await access.tickets.create(first.key.id);
  const errors: string[] = [];
  const canaries = [first.secret, rotated.secret, ticket];
  for (const canary of canaries) {
    await Promise.resolve()
      .then(() => access.identify(`Bearer ${canary}x`, "127.0.0.1", "key"))
      .catch((error: Fault) => errors.push(JSON.stringify(error), error.message, String(error.stack)));
  }
  expect(errors).toHaveLength(9);
  log.warn("a careless line", { authorization: `Bearer ${first.secret}` });
  const files = readdirSync(store.folder).map((name) => readFileSync(join(store.folder, name)));
  expect(files.length).toBeGreaterThan(0);
  for (const canary of canaries) {
    const secretPart = canary.slice(-30);
    expect(errors.some((text) => text.includes(secretPart))).toBe(false);
    expect(files.some((bytes) => bytes.includes(secretPart))).toBe(false);
  }
  expect(lines.some((line) => line.includes(first.secret.slice(-30)))).toBe(false);
  expect(files.some((bytes) => bytes.includes(first.key.hint))).toBe(true);
  await close();
});

// Elsewhere SQLite flushes the file itself, and reads are never behind.
test.if(process.platform === "linux")(
  "a key that another process creates while a write is being flushed works at once",
  async () => {
    const clock = manualClock(START);
    const store = await testStore("sqlite");
    const { promise: isFlushed, resolve: flush } = Promise.withResolvers<void>();
    let isDiskSlow = false;
    const { file } = store.location as { file: string };
    const database = await openSqlite({ file }, async () => (isDiskSlow ? isFlushed : undefined));
    const here = await testAccess("sqlite", { clock, store, database });
    const commandLine = await testAccess("sqlite", { clock, store });
    const known = await makeKey(commandLine.access);
    isDiskSlow = true;
    const writing = here.access.grants.openAccount("someone@example.com");
    await eventually(() => database.readsAreBehind() !== null, "the write is being flushed");
    const { secret } = await makeKey(commandLine.access);
    const used = use(here.access, secret);
    // Looked up in the same read, and not delayed by the other.
    expect(await use(here.access, known.secret)).toBe("worked");
    // The read that misses the key takes place before the flush is over.
    for (let turns = 0; turns < 20; turns++) await nextTurn();
    flush();
    expect(await used).toBe("worked");
    await writing;
    await Promise.all([here.close(), commandLine.close()]);
    await database.close();
    await store.remove();
  },
);

test("ready keys are one for each plan, private to their owner, and the same after a restart", async () => {
  const clock = manualClock(START);
  const store = await testStore("sqlite");
  const first = await testAccess("sqlite", { clock, store });
  const keys = await ensureReadyKeys(store.folder, first.access);
  for (const plan of PLAN_NAMES) expect((await first.access.identifyKey(keys[plan])).plan).toBe(plan);
  const file = join(store.folder, "ready-keys.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await first.close();
  await clock.advance(400 * DAY_MS);
  const second = await testAccess("sqlite", { clock, store });
  expect(await ensureReadyKeys(store.folder, second.access)).toEqual(keys);
  const { accountId, keyId } = await second.access.identifyKey(keys.growth);
  await second.access.keys.revoke({ accountId, keyId });
  const replaced = await ensureReadyKeys(store.folder, second.access);
  expect(replaced.growth).not.toBe(keys.growth);
  expect(replaced.scale).toBe(keys.scale);
  // While the store is away nothing is known about a key, so none is replaced.
  const away = {
    ...second.access,
    identifyKey: () => {
      throw fault("unavailable", "The store is away.");
    },
  };
  expect(await ensureReadyKeys(store.folder, away).catch((error: Error) => error.message)).toBe(
    "The store is away.",
  );
  expect(await ensureReadyKeys(store.folder, second.access)).toEqual(replaced);
  await second.close();
  await store.remove();
});
