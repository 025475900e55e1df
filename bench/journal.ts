// The store's cost per charge for each journal format, one row per charge or one row per batch, on both engines; and for the
// one statement that charges a batch on PostgreSQL, the share of each part. CPU of this process and of PostgreSQL, per charge,
// with batches and accounts as on a busy server. Run: bun bench/journal.ts [--quick]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { type Database, insertMany } from "../database/database.ts";
import { openDatabase } from "../database/open.ts";
import { monthsOf } from "../database/partitions.ts";
import { raw } from "../database/sql.ts";
import { systemClock } from "../kit/clock.ts";
import { freshRequestId, freshUuid } from "../kit/ids.ts";
import { migrateStore } from "../service/store/migrations.ts";
import { updateBalances } from "../service/store/money/accounts.ts";
import { appendRows, type Charge, rowsOf } from "../service/store/money/journal.ts";
import { chargeFitting } from "../service/store/money/ledger-batch.ts";
import { JOURNAL } from "../service/store/money/months.ts";
import { throwAwayPostgres } from "../test/support/postgres.ts";
import { makeCrowd } from "./kit/crowd.ts";
import { treeSecondsOf } from "./kit/machine.ts";
import { interleaved, spreadOf, spreadText } from "./kit/rounds.ts";
import { type Measured, type SuiteOptions, suite } from "./kit/suite.ts";

const ACCOUNTS = 150;
/** As many as 256 connections accumulate. */
const CHARGES_PER_BATCH = 100;
const BATCHES_A_SECOND = 60;

/** The format of charges before there was a journal: indexed by account, and unique by their names. */
const ROW_A_CHARGE = `CREATE TABLE row_a_charge (
  request_id TEXT NOT NULL, account_id TEXT NOT NULL, key_id TEXT NOT NULL, route_id TEXT NOT NULL,
  credits BIGINT NOT NULL, resolutions BIGINT NOT NULL, at BIGINT NOT NULL,
  PRIMARY KEY (account_id, at, request_id))`;

interface JournalEngine {
  name: string;
  database: Database;
  /** The connection of another node, if there can be one. */
  other: Database | null;
  accountIds: string[];
  /** Of its server process, if it has one. */
  serverPid: number | null;
  close(): Promise<void>;
}

type JournalWrite = (engine: JournalEngine, charges: Charge[]) => Promise<unknown>;

const ROW_FOR_EACH: JournalWrite = ({ database }, charges) =>
  database.write((tx) => insertMany(tx, "row_a_charge", charges), { flushAside: true });

const ROW_FOR_ALL: JournalWrite = ({ database }, charges) =>
  database.write((tx) => appendRows(tx, rowsOf(freshUuid(), charges, charges)), { flushAside: true });

const BALANCES: JournalWrite = ({ database, accountIds }, charges) => {
  const balance = { monthlyRemaining: 0, prepaidRemaining: 1e12, resolutionsRemaining: 0 };
  const changed = new Set(charges.map(({ accountId }) => accountId));
  const accounts = accountIds.filter((id) => changed.has(id)).map((id) => ({ id, ...balance }));
  return database.write((tx) => updateBalances(tx, accounts as never), { flushAside: true });
};

const WHOLE: JournalWrite = ({ database }, charges) =>
  chargeFitting(database, { at: charges[0]?.at ?? 0, batchId: freshUuid() }, charges);

/** Half of the batch each, concurrently, over the same accounts. */
const WHOLE_BY_TWO: JournalWrite = async (engine, charges) => {
  const first = charges.slice(0, charges.length / 2);
  const second = charges.slice(first.length).map((charge, index) => {
    const { accountId } = first[index] ?? charge;
    return { ...charge, accountId };
  });
  await Promise.all([
    WHOLE(engine, first),
    WHOLE({ ...engine, database: engine.other ?? engine.database }, second),
  ]);
};

async function prepared(parts: Omit<JournalEngine, "accountIds">): Promise<JournalEngine> {
  const { database } = parts;
  const now = systemClock().now();
  await migrateStore(database, now);
  await monthsOf(database, JOURNAL).ensure([now]);
  await makeCrowd(database, ACCOUNTS, now);
  await database.write((tx) => tx.run(raw(ROW_A_CHARGE)));
  const rows = await database.read.all<{ id: string }>(raw("SELECT id FROM account ORDER BY id"));
  return { ...parts, accountIds: rows.map(({ id }) => id) };
}

async function onSqlite(): Promise<JournalEngine> {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-bench-journal-"));
  const database = await openDatabase({ file: join(folder, "journal.sqlite") });
  const close = async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return prepared({ name: "SQLite", database, other: null, serverPid: null, close });
}

async function onPostgres(): Promise<JournalEngine> {
  const server = await throwAwayPostgres({ fsync: true });
  const url = await server.createDatabase();
  const client = new SQL(url, { max: 1 });
  const [row] = await client.unsafe(
    "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid, 1 AS one",
  );
  await client.close();
  const [database, other] = [await openDatabase({ url }), await openDatabase({ url })];
  const close = async () => {
    await Promise.all([database.close(), other.close()]);
    await server.stop();
  };
  return prepared({ name: "PostgreSQL", database, other, serverPid: Number(row.pid), close });
}

/** Microseconds of CPU per charge. */
async function measure(engine: JournalEngine, write: JournalWrite, batches: number): Promise<number> {
  let next = 0;
  const serverBefore = engine.serverPid === null ? 0 : treeSecondsOf(engine.serverPid);
  const before = process.cpuUsage();
  for (let batch = 0; batch < batches; batch++) {
    const at = systemClock().now();
    const charges = Array.from({ length: CHARGES_PER_BATCH }, () => ({
      requestId: freshRequestId(),
      accountId: engine.accountIds[next++ % ACCOUNTS] ?? "",
      keyId: "key_000000000000",
      routeId: "getLeaderboard",
      credits: 1,
      resolutions: 0,
      at,
    }));
    await write(engine, charges);
  }
  const { user, system } = process.cpuUsage(before);
  const server = engine.serverPid === null ? 0 : (treeSecondsOf(engine.serverPid) - serverBefore) * 1e6;
  return (user + system + server) / (batches * CHARGES_PER_BATCH);
}

await suite(async ({ rounds, seconds }: SuiteOptions): Promise<Measured> => {
  const engines = [await onSqlite(), await onPostgres()];
  const forms: [string, JournalWrite, (engine: JournalEngine) => boolean][] = [
    ["a row for each charge", ROW_FOR_EACH, () => true],
    ["a row for each batch", ROW_FOR_ALL, () => true],
    ["the balances alone", BALANCES, ({ serverPid }) => serverPid !== null],
    ["the whole batch in one statement", WHOLE, ({ serverPid }) => serverPid !== null],
    ["the same in two halves, by two nodes at once", WHOLE_BY_TWO, ({ other }) => other !== null],
  ];
  const contenders = engines.flatMap((engine) =>
    forms
      .filter(([, , fits]) => fits(engine))
      .map(([form, write]) => ({
        name: `${engine.name}: ${form}`,
        measure: () => measure(engine, write, BATCHES_A_SECOND * seconds),
      })),
  );
  const { kept, notes } = await interleaved(contenders, rounds);
  for (const { close } of engines) await close();
  return {
    findings: [],
    tables: [
      {
        title: `CPU of the program and the database for each charge, ${CHARGES_PER_BATCH} charges of ${ACCOUNTS} accounts in turn in a batch`,
        columns: ["what is written", "µs a charge"],
        rows: contenders.map(({ name }) => [
          name,
          spreadText(spreadOf(kept.map((round) => round[name] ?? Number.NaN)), 1),
        ]),
      },
    ],
    notes: [
      "on SQLite balances are held in memory and follow by the rollup, so the journal's row is all that a batch writes",
      ...notes,
    ],
  };
});
