// A 503 is free, also when the process that gave it is killed before it could look for the charge.
import { afterEach, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fault } from "../../../contract/errors.ts";
import type { Database } from "../../../database/database.ts";
import { StoreUnavailable } from "../../../database/errors.ts";
import { type Sql, sql } from "../../../database/sql.ts";
import { type Clock, systemClock } from "../../../kit/clock.ts";
import { createLog } from "../../../kit/log.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { needing } from "../../../test/support/needing.ts";
import { sharedPostgres } from "../../../test/support/postgres.ts";
import { breakableWire } from "../../../test/support/wire.ts";
import { readConfig } from "../../config.ts";
import { createService } from "../../service.ts";
import { findAccount, lockAccounts, remainingOf } from "../../store/money/accounts.ts";
import { type ChargeName, findCharges } from "../../store/money/journal.ts";
import { entriesOfAccount, imbalances } from "../../store/money/ledger.ts";
import { makeKey, START, silent, testAccess, testStore } from "../test-support.ts";
import type { ChargeOrder } from "./decide.ts";
import { createDoubtfulFile } from "./doubtful-file.ts";
import { createLedger, type LedgerParts } from "./ledger.ts";
import { createReversals } from "./reversals.ts";
import { createViews } from "./views.ts";

const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-doubtful-"));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const filesIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("doubtful-"));
const textIn = (folder: string) =>
  filesIn(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
/** Time stands still, so that no month is renewed; sleeping is real. */
const clock: Clock = { ...systemClock(), now: () => START };
const order = (accountId: string, requestId: string): ChargeOrder => ({
  requestId,
  accountId,
  keyId: "key_1",
  routeId: "leaderboard",
  credits: 250,
  resolutions: 0,
  at: START,
  capOf: null,
});
const name = (requestId: string): ChargeName => ({ requestId, accountId: "acc_1", at: START });
const line = ({ requestId, accountId, at }: ChargeName) =>
  `${JSON.stringify({ requestId, accountId, at })}\n`;
const balance = async (database: Database, accountId: string) => {
  const account = await findAccount(database.read, accountId);
  if (!account) throw new Error("no account");
  return remainingOf(account);
};
const reversalsOf = async (database: Database, accountId: string) =>
  (await entriesOfAccount(database.read, accountId, 100)).filter(({ kind }) => kind === "reversal").length;
const newLedger = (database: Database, doubtfulFolder: string, more: Partial<LedgerParts> = {}) =>
  createLedger({ database, clock, log: silent, views: createViews(), doubtfulFolder, ...more });

/** An account on SQLite with charges that are stored. */
const charged = async (...requestIds: string[]) => {
  const opened = await testAccess();
  const { accountId } = await makeKey(opened.access);
  const before = await balance(opened.database, accountId);
  const ledger = createLedger({ database: opened.database, clock, log: silent, views: createViews() });
  for (const requestId of requestIds) await ledger.charge(order(accountId, requestId));
  await ledger.close();
  return { ...opened, accountId, before };
};

/** A database that stores the first transaction, says that it is not known, and then fails in the given way. */
const cutting = (database: Database, then: () => unknown): Database => {
  let attempts = 0;
  return {
    ...database,
    write: async (work) => {
      if (attempts++ > 0) throw then();
      await database.write(work);
      throw new StoreUnavailable("connection", true);
    },
  };
};

/** A database whose first reads after a charge fail; a statement that charges is committed. */
const blindAfterCharging = (database: Database, readsMax: number): Database => {
  let failing = 0;
  return {
    ...database,
    async single<Row>(statement: Sql) {
      const rows = await database.single<Row>(statement);
      failing = readsMax;
      return rows;
    },
    read: {
      ...database.read,
      all: (statement) =>
        failing-- > 0
          ? Promise.reject(new StoreUnavailable("connection", false))
          : database.read.all(statement),
    },
  };
};

needing("postgres").describe("a charge that is committed when the look at its account fails", () => {
  const charging = async (failedReads: number) => {
    const { access, database, close } = await testAccess("postgres");
    const { accountId } = await makeKey(access);
    const before = await balance(database, accountId);
    const ledger = newLedger(blindAfterCharging(database, failedReads), newFolder(), {
      limits: { retryForMs: 0 },
    });
    const answer = await ledger
      .charge(order(accountId, "req_1"))
      .then(({ refused }) => refused)
      .catch(({ code }: Fault) => code);
    await ledger.close();
    expect(await findCharges(database.read, [order(accountId, "req_1")])).toHaveLength(1);
    const left = await balance(database, accountId);
    const reversals = await reversalsOf(database, accountId);
    await close();
    return { answer, charged: before - left, reversals };
  };

  test("is found and answered as made", async () => {
    expect(await charging(1)).toEqual({ answer: null, charged: 250, reversals: 0 });
  });

  test("is given back when it can't be found in time and its caller hears 503", async () => {
    expect(await charging(1_000)).toEqual({ answer: "unavailable", charged: 0, reversals: 1 });
  });
});

needing("postgres").test.each([
  ["silent", "goes silent"],
  ["gone", "closes the connection and refuses others"],
] as const)(
  "%s: kill -9 after the 503 of a store that %s: the next process gives the charge back, once",
  async (how) => {
    const folder = newFolder();
    const store = await testStore("postgres");
    const database = await store.open();
    const { access } = await testAccess("postgres", { store, database });
    const { accountId } = await makeKey(access);
    const wire = await breakableWire((await sharedPostgres()).port);
    const url = new URL("url" in store.location ? store.location.url : "");
    url.port = String(wire.port);
    const modules = import.meta.dir;
    const child = Bun.spawn(
      [
        process.execPath,
        "-e",
        `import { openPostgres } from "${modules}/../../../database/postgres.ts";
       import { createLedger } from "${modules}/ledger.ts";
       import { createViews } from "${modules}/views.ts";
       import { type Clock, systemClock } from "${modules}/../../../kit/clock.ts";
       import { createLog } from "${modules}/../../../kit/log.ts";
       import { writeSync } from "node:fs";
       const clock = systemClock();
       const database = await openPostgres("${url.href}", { statementMs: 20_000, silenceMs: 2_000, transactionMs: 20_000 });
       const ledger = createLedger({ database, clock, log: createLog("silent", clock.now), views: createViews(),
         doubtfulFolder: ${JSON.stringify(folder)}, limits: { retryForMs: 0 } });
       const order = ${JSON.stringify(order(accountId, ""))};
       await ledger.charge({ ...order, requestId: "req_paid" });
       writeSync(1, "paid\\n");
       for await (const _ of Bun.stdin.stream()) {
         await ledger.charge({ ...order, requestId: "req_lost" }).catch(({ status }) => writeSync(1, status + "\\n"));
       }`,
      ],
      { stdin: "pipe", stdout: "pipe", stderr: "inherit" },
    );
    const said = child.stdout.getReader();
    const heard = async () => new TextDecoder().decode((await said.read()).value).trim();
    expect(await heard()).toBe("paid");
    const paid = await balance(database, accountId);

    // The charge has reached the server and waits there for the account; it is stored when no caller waits for it any more.
    await database.write(async (tx) => {
      await lockAccounts(tx, [accountId]);
      child.stdin.write("go\n");
      child.stdin.flush();
      await eventually(async () => {
        const waiting = sql`SELECT 1 AS one FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
        return (await database.read.one(waiting)) !== null;
      }, "the charge waits for its account");
      wire.cut();
    });
    await eventually(async () => (await balance(database, accountId)) === paid - 250, "the charge is stored");
    if (how === "gone") wire.close();
    expect(await heard()).toBe("503");
    child.kill("SIGKILL");
    await child.exited;
    expect(await findCharges(database.read, [order(accountId, "req_lost")])).toHaveLength(1);
    const [file = ""] = filesIn(folder);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(textIn(folder))).toMatchObject({ requestId: "req_lost", accountId, at: START });
    copyFileSync(join(folder, file), join(folder, "kept"));

    for (let start = 1; start <= 3; start++) {
      // The same file again, as when the process before died between giving back and forgetting.
      if (start === 3) copyFileSync(join(folder, "kept"), join(folder, file));
      const next = newLedger(database, folder);
      await eventually(() => filesIn(folder).length === 0, "all in doubt is settled");
      await next.close();
      expect(await balance(database, accountId)).toBe(paid);
      expect(await reversalsOf(database, accountId)).toBe(1);
    }
    expect(await imbalances(database.read)).toEqual([]);
    if (how === "silent") wire.close();
    await store.remove();
  },
  900_000,
);

describe("a charge in doubt", () => {
  test("is on disk when its caller hears 503, and off it once it was given back", async () => {
    const { database, accountId, before, close } = await charged();
    const folder = newFolder();
    let away = true;
    const cut = cutting(database, () => new StoreUnavailable("connection", false));
    const ledger = newLedger(
      { ...database, write: (work, options) => (away ? cut : database).write(work, options) },
      folder,
      { limits: { retryForMs: 0 } },
    );
    const code = await ledger.charge(order(accountId, "req_1")).catch((fault: Fault) => {
      expect(textIn(folder)).toContain("req_1");
      return fault.code;
    });
    expect(code).toBe("unavailable");
    expect(await balance(database, accountId)).toBe(before - 250);
    away = false;
    await eventually(() => filesIn(folder).length === 0, "it is settled");
    expect(await balance(database, accountId)).toBe(before);
    await ledger.close();
    await close();
  });

  test("is given back too when its next attempt fails for another reason than an absent store", async () => {
    const { database, accountId, before, close } = await charged();
    const folder = newFolder();
    const ledger = newLedger(
      cutting(database, () => new Error("a deadlock too many")),
      folder,
    );
    await expect(ledger.charge(order(accountId, "req_1"))).rejects.toMatchObject({ code: "unavailable" });
    await ledger.close();
    const next = newLedger(database, folder);
    await eventually(() => filesIn(folder).length === 0, "it is settled");
    expect(await balance(database, accountId)).toBe(before);
    await next.close();
    await close();
  });

  test("stays written down when the process ends tidily before the store is back", async () => {
    const folder = newFolder();
    const { database, close } = await testAccess();
    const away = { ...database, write: () => Promise.reject(new StoreUnavailable("connection", false)) };
    const reversals = createReversals({
      database: away,
      clock: systemClock(),
      log: silent,
      doubtfulFolder: folder,
    });
    await reversals.add([name("req_1")]);
    await reversals.close();
    expect(textIn(folder)).toContain("req_1");
    await close();
  });

  test("does not wait for one before it that can't be given back", async () => {
    const { database, accountId, before, close } = await charged("req_1", "req_2");
    let failures = 0;
    const failing: Database = {
      ...database,
      write: (work, options) =>
        failures++ === 0 ? Promise.reject(new Error("this one fails")) : database.write(work, options),
    };
    const reversals = createReversals({ database: failing, clock, log: silent });
    await reversals.add([order(accountId, "req_1"), order(accountId, "req_2")]);
    await reversals.close();
    expect(await balance(database, accountId)).toBe(before - 250);
    await close();
  });

  test("is given back from memory when the disk refuses, and the log says so", async () => {
    const { database, accountId, before, close } = await charged("req_1");
    const doubtfulFolder = join(newFolder(), "absent");
    const lines: string[] = [];
    const log = createLog(
      "error",
      () => START,
      (text) => lines.push(text),
    );
    const reversals = createReversals({ database, clock, log, doubtfulFolder });
    await reversals.add([order(accountId, "req_1")]);
    expect(lines.join("\n")).toContain("could not be saved");
    await reversals.close();
    expect(await balance(database, accountId)).toBe(before);
    await close();
  });
});

describe("what a process that is gone left", () => {
  test("is given back whole but for torn lines, from every file, and the files go", async () => {
    const { database, accountId, before, close } = await charged("req_1", "req_2", "req_3", "req_4");
    const folder = newFolder();
    const of = (requestId: string) => line(order(accountId, requestId));
    const torn = of("req_4").slice(0, -9);
    writeFileSync(join(folder, "doubtful-charges-one.jsonl"), `\n${of("req_1")}${torn}`);
    // Torn by a full disk, and written on afterwards; taken over once already by a process that died too.
    writeFileSync(
      join(folder, "doubtful-charges-two-0.jsonl"),
      `${torn}\n${of("req_2")}null\n${of("req_3")}`,
    );
    writeFileSync(join(folder, "other.jsonl"), of("req_4"));
    const reversals = createReversals({ database, clock, log: silent, doubtfulFolder: folder });
    await eventually(() => filesIn(folder).length === 0, "it is settled");
    await reversals.close();
    expect(await balance(database, accountId)).toBe(before - 250);
    expect(readdirSync(folder)).toEqual(["other.jsonl"]);
    await close();
  });

  test("waits on disk until the store answers", async () => {
    const { database, accountId, before, close } = await charged("req_1");
    const folder = newFolder();
    writeFileSync(join(folder, "doubtful-charges-one.jsonl"), line(order(accountId, "req_1")));
    const away = { ...database, write: () => Promise.reject(new StoreUnavailable("connection", false)) };
    const first = createReversals({ database: away, clock, log: silent, doubtfulFolder: folder });
    await first.close();
    expect(filesIn(folder)).toHaveLength(1);
    const second = createReversals({ database, clock, log: silent, doubtfulFolder: folder });
    await second.close();
    expect(filesIn(folder)).toEqual([]);
    expect(await balance(database, accountId)).toBe(before);
    await close();
  });

  test("is found by a service that starts on the same DATA_DIR", async () => {
    const folder = newFolder();
    const config = {
      ...readConfig({ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "silent" }),
      simulator: { seed: "doubt", eventsPerSecond: 1, traders: 50, historyDays: 2 },
    };
    const first = await createService(config);
    const { accountId } = await makeKey(first.access);
    const before = await balance(first.store.database, accountId);
    const now = systemClock();
    // Made now: charges of long ago are added up and no longer found one by one.
    const made = { ...order(accountId, "req_1"), at: now.now() };
    const ledger = createLedger({
      database: first.store.database,
      clock: now,
      log: silent,
      views: createViews(),
    });
    await ledger.charge(made);
    await ledger.close();
    await first.stop();
    writeFileSync(join(folder, "doubtful-charges-one.jsonl"), line(made));
    const second = await createService(config);
    await eventually(() => filesIn(folder).length === 0, "it is settled");
    expect(await balance(second.store.database, accountId)).toBe(before);
    await second.stop();
  }, 900_000);
});

describe("the file", () => {
  const ids = (charges: readonly ChargeName[]) => charges.map(({ requestId }) => requestId);

  test("of a process that lives can be taken over: what it writes later is found as well", async () => {
    const folder = newFolder();
    const living = createDoubtfulFile({ folder, log: silent });
    await living.append([name("req_1"), name("req_2")]);
    const second = createDoubtfulFile({ folder, log: silent });
    expect(ids(second.adopt())).toEqual(["req_1", "req_2"]);
    await living.append([name("req_3")]);
    const third = createDoubtfulFile({ folder, log: silent });
    expect(ids(third.adopt()).sort()).toEqual(["req_1", "req_2", "req_3"]);
    // Neither loses what the third has now, nor stumbles over its absence.
    await living.empty(() => true);
    await second.empty(() => true);
    expect(ids(createDoubtfulFile({ folder, log: silent }).adopt()).sort()).toEqual([
      "req_1",
      "req_2",
      "req_3",
    ]);
  });

  test("confirms nothing that a process which takes it over at that moment does not see", async () => {
    const folder = newFolder();
    const living = createDoubtfulFile({ folder, log: silent });
    for (let n = 0; n < 120; n++) {
      const seen = new Set<string>();
      const take = async () => {
        const taker = createDoubtfulFile({ folder, log: silent });
        for (const id of ids(taker.adopt())) seen.add(id);
        await taker.empty(() => true);
      };
      const appended = living.append([name(`req_${n}`)]);
      // Another moment of the append each time.
      for (let turn = 0; turn < n % 20; turn++) await new Promise(setImmediate);
      await take();
      await appended;
      await take();
      expect([...seen]).toEqual([`req_${n}`]);
    }
  });

  test("is not emptied when something came into doubt meanwhile", async () => {
    const folder = newFolder();
    const file = createDoubtfulFile({ folder, log: silent });
    const doubtful = new Set(["req_1"]);
    await file.append([name("req_1")]);
    doubtful.delete("req_1");
    doubtful.add("req_2");
    await Promise.all([file.append([name("req_2")]), file.empty(() => doubtful.size === 0)]);
    expect(textIn(folder)).toContain("req_2");
  });
});
