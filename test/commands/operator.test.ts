// The operator's commands next to a running server: accounts, stray payments and manual backups, and messages about settings
// that have no effect.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { openState } from "../../bots/core/state.ts";
import { startTestTelegram } from "../../bots/telegram/test-telegram.ts";
import { PLANS } from "../../contract/plans.ts";
import type { AnswerOf } from "../../contract/route.ts";
import type { Routes } from "../../contract/routes.ts";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { freshSignature } from "../../service/billing/stablecoin/base58.ts";
import { storeLocation } from "../../service/foundation.ts";
import { readManifest } from "../../service/history/manifest.ts";
import { findScan, saveScan } from "../../service/store/money/payment-transfers.ts";
import { findTestTransfer, insertTestTransfer } from "../../service/store/money/test-chain.ts";
import { openStore } from "../../service/store/store.ts";
import { eventually } from "../support/eventually.ts";
import { needing } from "../support/needing.ts";
import { sharedPostgres } from "../support/postgres.ts";
import { standInS3 } from "../support/s3.ts";
import {
  ask,
  CROWDTAPE,
  crowdtape,
  type Greeted,
  NPM_START,
  run,
  start,
  startGreeted,
  temporaryData,
} from "./program.ts";

type Payment = AnswerOf<Routes["getPayment"]>;
type Me = AnswerOf<Routes["getMe"]>;
type MadeKey = { key: string; accountId: string };

const s3 = standInS3();
const telegram = startTestTelegram(Date.now);
// Two days: at any hour one of them is over, and can be closed.
const settings = {
  DATA_DIR: temporaryData(),
  ...s3.settings,
  HISTORY: "s3://tape/days",
  SIMULATOR_HISTORY_DAYS: "2",
};
const bot = { BOT_TELEGRAM_TOKEN: telegram.token, BOT_TELEGRAM_API: telegram.url };
let service: Greeted;

beforeAll(async () => {
  service = await startGreeted({ ...settings, ...bot });
});
afterAll(async () => {
  await service.end();
  await Promise.all([telegram.stop(), s3.stop()]);
});

async function make(plan = "free"): Promise<MadeKey> {
  const { code, out, err } = await crowdtape(
    `key create --plan ${plan} --email Owner@b.example --requests-per-minute 100000 --json`,
    settings,
  );
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out) as MadeKey;
}

describe("a bot", () => {
  test("runs in the service that has its token, with a ready key, and the token appears nowhere", async () => {
    telegram.write(1, "/top 24h");
    await eventually(() => telegram.sent.some(({ text }) => text.includes("1. ")), "the board is sent");
    expect(`${service.out()}${service.err()}`).not.toContain(telegram.token.slice(-12));
  });

  test("needs a key without a simulated world, and a port of its own", async () => {
    const refused = await run(NPM_START, {
      ...settings,
      ...bot,
      UPSTREAM: "http://127.0.0.1:9",
      BOT_TELEGRAM_WEBHOOK: "https://bot.example/updates",
      BOT_DISCORD_TOKEN: "a-token-that-nobody-may-see",
    });
    expect([refused.code, refused.err.match(/^ {2}- BOT_\w+/gm)]).toEqual([
      1,
      ["  - BOT_KEY", "  - BOT_TELEGRAM_WEBHOOK"],
    ]);
  });
});

/** The SQL sent to DuckDB, captured by a program of that name that prints it. */
async function askedOfDuckdb(question: string): Promise<string> {
  const folder = `${temporaryData()}-bin`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "duckdb"), "#!/bin/sh\nexec cat\n", { mode: 0o755 });
  const own = { ...settings, PATH: `${folder}:${process.env.PATH}` };
  const { code, out, err } = await run([...CROWDTAPE, "sql", question], own);
  expect([code, err]).toEqual([0, ""]);
  return out;
}

const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

describe("account", () => {
  test("grant gives prepaid credits once per reference, and the running server sees them", async () => {
    const { key, accountId } = await make();
    const prepaid = async () => ((await ask(`${service.url}/v2/me`, key)).body as Me).credits.prepaid;
    expect(await prepaid()).toBe(0);
    const given = await crowdtape(`account grant ${accountId} 5000 --reference ticket-7`, settings);
    expect(given).toEqual({ code: 0, out: "Given. 5,000 prepaid credits are there now.\n", err: "" });
    const again = await crowdtape(`account grant ${accountId} 5000 --reference ticket-7`, settings);
    expect(again.out).toBe("This reference was given before; nothing changed.\n");
    await eventually(async () => (await prepaid()) === 5_000, "the running server knows of the grant");
    await crowdtape(`account grant ${accountId} 1`, settings);
    await eventually(
      async () => (await prepaid()) === 5_001,
      "a grant without a reference is one of its own",
    );
  });

  test("show prints plan, balances, keys and entries, by id or by address, and never a key", async () => {
    const { key, accountId } = await make();
    await crowdtape(`account grant ${accountId} 7000 --reference ticket-8`, settings);
    const { code, out } = await crowdtape(`account show ${accountId}`, settings);
    expect(code).toBe(0);
    expect(out).toMatch(
      new RegExp(`^${accountId}  owner@b\\.example\n  plan free, paid until no end, .*1 keys\n`, "i"),
    );
    expect(out).toContain("250,000 credits of this month, 7,000 prepaid");
    expect(out).toMatch(/7,000 {2}operator-grant:ticket-8/);
    const byAddress = await crowdtape("account show owner@b.example --json", settings);
    const shown = byAddress.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: string });
    expect(shown.map(({ id }) => id)).toContain(accountId);
    expect(out + byAddress.out).not.toContain(key);
  });

  test("that does not exist, or a malformed amount, is refused with a reason", async () => {
    expect(await crowdtape("account show acc_nobody", settings)).toEqual({
      code: 1,
      out: "",
      err: "There is no account acc_nobody.\n",
    });
    expect((await crowdtape("account grant acc_nobody 5", settings)).err).toBe(
      "There is no account acc_nobody.\n",
    );
    for (const amount of ["0", "-5", "lots", "1.5"]) {
      const refused = await crowdtape(`account grant acc_nobody ${amount}`, settings);
      expect([refused.code === 0, refused.out]).toEqual([false, ""]);
    }
  });
});

describe("pay", () => {
  const paymentOf = async (key: string): Promise<Payment> => {
    const response = await fetch(`${service.url}/pay/create`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ plan: "credits", amount: 5 }),
    });
    expect(response.status).toBe(201);
    return (await response.json()) as Payment;
  };
  const statusOf = async (id: string, key: string) =>
    ((await ask(`${service.url}/pay/${id}`, key)).body as Payment).status;

  /**
   * Coins like a payment's, sent without its reference. They are final, and the account was last checked long ago: the running
   * server checks in its next round, not in the one in 20 s.
   */
  async function strayLike(signature: string): Promise<string> {
    const clock = systemClock();
    const location = storeLocation({ databaseUrl: null, dataFolder: settings.DATA_DIR });
    const store = await openStore({ location, clock, log: createLog("silent", clock.now) });
    try {
      const model = await findTestTransfer(store.database.read, signature);
      if (!model) throw new Error("no such transfer");
      const stray = { ...model, signature: freshSignature(), reference: freshSignature() };
      await store.database.write(async (tx) => {
        await insertTestTransfer(tx, stray);
        const place = await findScan(tx, model.account);
        if (place) await saveScan(tx, { ...place, sweptAt: 0 });
      });
      return stray.signature;
    } finally {
      await store.close();
    }
  }

  test("list shows transfers without a reference, assign credits one once, recheck looks again", async () => {
    const { key } = await make();
    const [first, second] = [await paymentOf(key), await paymentOf(key)];
    expect(await crowdtape("pay list", settings)).toEqual({
      code: 0,
      out: "Every transfer named its payment.\n",
      err: "",
    });
    const paid = await crowdtape(`pay test ${first.paymentId}`, settings);
    const signature = /signature (\w+)/.exec(paid.out)?.[1] ?? "";
    await eventually(
      async () => (await statusOf(first.paymentId, key)) === "credited",
      "the first is credited",
    );
    const own = await crowdtape(`pay list --payment ${first.paymentId}`, settings);
    expect(own.out).toContain(signature);

    const stray = await strayLike(signature);
    await eventually(
      async () => (await crowdtape("pay list", settings)).out.includes(stray),
      "the stray is listed",
    );
    const listed = JSON.parse((await crowdtape("pay list --json", settings)).out) as { signature: string }[];
    expect(listed.map((each) => each.signature)).toEqual([stray]);
    expect(await statusOf(second.paymentId, key)).toBe("awaiting_payment");
    expect(await crowdtape(`pay assign ${stray} ${second.paymentId}`, settings)).toEqual({
      code: 0,
      out: `Credited to ${second.paymentId}, which is now credited.\n`,
      err: "",
    });
    await eventually(
      async () => (await statusOf(second.paymentId, key)) === "credited",
      "the second is credited",
    );
    const again = await crowdtape(`pay assign ${stray} ${first.paymentId}`, settings);
    expect([again.code, again.err]).toEqual([
      1,
      `This transaction has been credited to ${second.paymentId}.\n`,
    ]);
    expect((await crowdtape("pay list", settings)).out).toBe("Every transfer named its payment.\n");
    expect((await crowdtape(`pay recheck ${second.paymentId}`, settings)).code).toBe(0);
    const me = (await ask(`${service.url}/v2/me`, key)).body as Me;
    expect(me.credits.prepaid).toBe(400_000);
  }, 900_000);

  test("refuses unknown payments and signatures with a reason", async () => {
    for (const line of ["pay recheck pay_nothing", `pay assign ${freshSignature()} pay_nothing`]) {
      const { code, out, err } = await crowdtape(line, settings);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toMatch(/^There is no such payment\.\n$/);
    }
  });
});

describe("backup", () => {
  const outside = (name: string) => join(settings.DATA_DIR, "..", name);

  /** Makes charged calls until `work` has ended; returns their number. */
  async function whileCharged(key: string, work: () => Promise<void>): Promise<number> {
    let charged = 0;
    let isOver = false;
    const calling = (async () => {
      while (!isOver) {
        const { status } = await ask(`${service.url}/v2/leaderboard/24h?limit=1`, key);
        expect(status).toBe(200);
        charged += 1;
      }
    })();
    await work().finally(() => {
      isOver = true;
    });
    await calling;
    return charged;
  }

  test("of SQLite, made under load, is restored completely: keys, charges and the log as of one moment", async () => {
    const { key, accountId } = await make("growth");
    const file = outside("copy.tar.zst");
    const bots = join(settings.DATA_DIR, "bots");
    const state = await openState({ bot: "telegram", location: { file: join(bots, "telegram.sqlite") } }, 0);
    await state.save({ id: "7", follows: [], mutes: {}, sent: null });
    // Whatever the umask allows others.
    const command = `umask 000; exec node bin/crowdtape.js backup --to ${file}`;
    const charged = await whileCharged(key, async () => {
      const { code, out } = await run(["sh", "-c", command], settings);
      expect([code, out.startsWith(`Wrote ${file}, `)]).toEqual([0, true]);
    });
    expect(charged).toBeGreaterThan(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(outside("")).filter((name) => /part|backup-/.test(name))).toEqual([]);

    const restored = { DATA_DIR: temporaryData() };
    const { code, out, err } = await crowdtape(`restore --from ${file}`, restored);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^Restored what was kept at .* in a new epoch; .* The books add up\.\n$/);
    const copy = new Database(join(restored.DATA_DIR, "crowdtape.sqlite"), { readonly: true });
    expect(copy.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    const balance = copy.query("SELECT monthly_remaining AS n FROM balance WHERE account_id = ?");
    const spent = PLANS.growth.creditsPerMonth - (balance.get(accountId) as { n: number }).n;
    expect([spent % 250, spent >= 0, spent <= 250 * charged]).toEqual([0, true, true]);
    const log = copy.query("SELECT min(seq) AS first, max(seq) AS last, count(*) AS n FROM log_event").get();
    const { first, last, n } = log as { first: number; last: number; n: number };
    expect(last - first + 1).toBe(n);
    copy.close();
    await state.close();
    const restoredBots = join(restored.DATA_DIR, "bots", "telegram.sqlite");
    const chats = await openState({ bot: "telegram", location: { file: restoredBots } }, 0);
    expect(chats.chat("7")).toMatchObject({ id: "7", follows: [] });
    await chats.close();
    // The world continued meanwhile, so the service continues in it.
    const again = await startGreeted(restored);
    expect((await ask(`${again.url}/v2/me`, key)).status).toBe(200);
    await again.end();
  }, 900_000);

  test("overwrites no file, and restores neither into a used folder nor from a damaged one", async () => {
    const file = outside("second.tar.zst");
    expect((await crowdtape(`backup --to ${file}`, settings)).code).toBe(0);
    const again = await crowdtape(`backup --to ${file}`, settings);
    expect([again.code, again.err]).toEqual([1, `${file} is already there. Name another file.\n`]);
    const used = await crowdtape(`restore --from ${file}`, settings);
    expect([used.code, used.err]).toEqual([1, expect.stringContaining("is not empty: it has ")]);
    const bytes = readFileSync(file);
    const whole = Bun.zstdDecompressSync(bytes);
    // One flipped bit in an otherwise complete archive, and a truncated archive.
    whole[5_000] = Number(whole[5_000]) ^ 1;
    for (const [damaged, words] of [
      [Bun.zstdCompressSync(whole), "The checksum of crowdtape.sqlite differs"],
      [bytes.subarray(0, -100), "This is not a complete Crowdtape backup"],
      [Buffer.from("SQLite format 3"), "This is not a complete Crowdtape backup"],
    ] as const) {
      writeFileSync(`${file}.bad`, damaged);
      const DATA_DIR = temporaryData();
      const { code, err } = await crowdtape(`restore --from ${file}.bad`, { DATA_DIR });
      expect([code, err, existsSync(DATA_DIR)]).toEqual([1, expect.stringContaining(words), false]);
    }
    const nothing = await crowdtape(`backup --to ${file}.other`, { DATA_DIR: temporaryData() });
    expect([nothing.code, nothing.err.startsWith("There is no store in ")]).toEqual([1, true]);
  }, 900_000);

  test("is written to S3 and restored from it, repeatedly, each under its own name", async () => {
    const address = "s3://tape/nightly/copy.tar.zst";
    expect((await crowdtape(`backup --to ${address}`, settings)).code).toBe(0);
    expect([...s3.objects.keys()].filter((key) => !key.startsWith("days/"))).toEqual([
      "nightly/copy.tar.zst",
    ]);
    const taken = await crowdtape(`backup --to ${address}`, settings);
    expect([taken.code, taken.err]).toEqual([1, `${address} is already there. Name another object.\n`]);
    const restored = { ...s3.settings, DATA_DIR: temporaryData() };
    const { code, out } = await crowdtape(`restore --from ${address} --keep-epoch`, restored);
    expect([code, out.includes("The log continues in its own epoch.")]).toEqual([0, true]);

    const repeated = start(
      [...CROWDTAPE, "backup", "--to", outside("hourly.tar.zst"), "--every", "1h", "--keep", "2"],
      settings,
    );
    const made = await repeated.said(/Wrote (\S+), /);
    expect(made).toMatch(/\/hourly-\d{8}T\d{6}Z\.tar\.zst$/);
    await repeated.end();
    expect(existsSync(made)).toBe(true);
  }, 900_000);

  test("of closed days are in S3 too: sent whole, in part and not again, and queried with SQL over a copy", async () => {
    await eventually(
      async () => (await crowdtape("history close", settings)).code === 0,
      "what happened before the log began is read, and its days are closed",
      { pollMs: 1_000 },
    );
    const named = () => readManifest(new TextDecoder().decode(s3.objects.get("days/manifest.json"))).files;
    for (const file of named())
      expect(sha256(s3.objects.get(`days/${file.path}`) ?? new Uint8Array())).toBe(file.sha256);
    const download = `${service.url}/v2/history/fills/${named().at(-1)?.date}?format=parquet`;
    const get = (headers: Record<string, string> = {}) =>
      fetch(download, { headers: { authorization: `Bearer ${service.keys.scale}`, ...headers } });
    await eventually(
      async () => (await get({ range: "bytes=0-0" })).status === 206,
      "the service knows of it",
    );
    const whole = await get();
    const etag = String(whole.headers.get("etag"));
    const bytes = await whole.bytes();
    expect([whole.status, etag]).toEqual([200, `"${sha256(bytes)}"`]);
    const part = await get({ range: "bytes=100-299", "if-range": etag });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 100-299/${bytes.length}`]);
    expect(Buffer.from(await part.bytes()).equals(Buffer.from(bytes.slice(100, 300)))).toBe(true);
    expect((await get({ "if-none-match": etag })).status).toBe(304);

    // The service closes days by itself too: only a list between two equal ones is known to be current.
    const fillsOf = () => named().flatMap(({ table, sha256: sum }) => (table === "fills" ? [sum] : []));
    let fills: string[] = [];
    let asked = "";
    do {
      fills = fillsOf();
      asked = await askedOfDuckdb("select count(*) from fills");
    } while (!Bun.deepEquals(fills, fillsOf()));
    expect([asked.match(/CREATE VIEW \w+/g), asked.trimEnd().split("\n").at(-1)]).toEqual([
      ["CREATE VIEW fills"],
      "select count(*) from fills;",
    ]);
    const copies = [...asked.matchAll(/'([^']+\.parquet)'/g)].map(([, path]) => readFileSync(String(path)));
    expect(copies.map(sha256).sort()).toEqual(fills.sort());
  }, 900_000);

  needing("postgres").test(
    "of PostgreSQL, made under load, is restored as of one moment into an empty database only",
    async () => {
      const postgres = await sharedPostgres();
      const [from, to] = [await postgres.createDatabase(), await postgres.createDatabase()];
      expect((await crowdtape("migrate", { ...settings, DATABASE_URL: from })).code).toBe(0);
      const source = new SQL(from, { max: 2 });
      await expectDrawable(source);
      await source.unsafe("CREATE TABLE one (n int); CREATE TABLE two (n int)").simple();
      // Each transaction writes to both tables, so a copy that is not of one moment is detected.
      let written = 0;
      let isOver = false;
      const writing = (async () => {
        for (; !isOver; written++)
          await source.unsafe(`WITH a AS (INSERT INTO one VALUES (${written}))
            INSERT INTO two VALUES (${written})`);
      })();
      const own = { DATA_DIR: temporaryData(), DATABASE_URL: from };
      mkdirSync(own.DATA_DIR, { recursive: true });
      const file = outside("postgres.tar.zst");
      const made = await crowdtape(`backup --to ${file}`, own);
      isOver = true;
      await writing;
      expect([made.err, made.code]).toEqual(["", 0]);
      expect(statSync(file).mode & 0o777).toBe(0o600);

      const target = { DATA_DIR: temporaryData(), DATABASE_URL: to };
      const { code, out, err } = await crowdtape(`restore --from ${file}`, target);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out).toContain("The books add up.");
      const copy = new SQL(to, { max: 1 });
      const [sums] =
        await copy.unsafe(`SELECT (SELECT count(*) FROM one) AS one, (SELECT count(*) FROM two) AS two,
        (SELECT max(n) + 1 FROM one) AS next`);
      expect([sums.one, sums.two, Number(sums.next)]).toEqual([sums.two, sums.one, Number(sums.one)]);
      expect(Number(sums.one)).toBeLessThanOrEqual(written);
      await Promise.all([copy.close(), source.close()]);

      const again = await crowdtape(`restore --from ${file}`, { ...target, DATA_DIR: temporaryData() });
      expect([again.code, again.err]).toEqual([
        1,
        expect.stringContaining("is not empty: it has the table "),
      ]);
      const other = await crowdtape(`restore --from ${file}`, { DATA_DIR: temporaryData() });
      expect(other.err).toContain("This backup is of a PostgreSQL database.");
      const programs = { ...own, PATH: "/nowhere" };
      const missing = await run(
        [...CROWDTAPE.map((word) => Bun.which(word) ?? word), "backup", "--to", `${file}.2`],
        programs,
      );
      expect([missing.code, missing.err]).toEqual([
        1,
        expect.stringContaining("pg_dump is not installed here."),
      ]);
    },
    900_000,
  );
});

/** The data dashboard queries these tables. */
async function expectDrawable(database: SQL): Promise<void> {
  const file = join(import.meta.dir, "../../deploy/grafana-data.json");
  const { panels } = JSON.parse(readFileSync(file, "utf8")) as {
    panels: { targets: { rawSql: string }[] }[];
  };
  expect(panels.length).toBeGreaterThan(5);
  for (const { rawSql } of panels.flatMap(({ targets }) => targets))
    await database.unsafe(rawSql.replaceAll(/\$__unixEpoch(From|To)\(\)/g, "1"));
}

describe("a setting that is misspelt", () => {
  const misspelt = { DATABSE_URL: "postgres://user:hunter2@nowhere/x" };
  const words = "DATABSE_URL is not a setting and does nothing; DATABASE_URL is. Is it misspelt?";

  test("is noticed by doctor, and its value is not printed", async () => {
    const { code, out, err } = await crowdtape("doctor", { DATA_DIR: temporaryData(), ...misspelt });
    expect(code).toBe(0);
    expect(out).toEndWith(`note   ${words}\nNothing is broken; see the notes.\n`);
    expect(out + err).not.toContain("hunter2");
  });

  test("is in the log: JSON for machines, a readable line for a person at a terminal", async () => {
    const own = { DATA_DIR: temporaryData(), ...misspelt };
    const piped = await startGreeted(own);
    await piped.end();
    const lines = piped
      .err()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { message: string });
    expect(lines.map(({ message }) => message)).toContain(words);

    // util-linux's way to run a program in a terminal.
    const typed = start(["script", "-qec", NPM_START.join(" "), "/dev/null"], own);
    const line = await typed.said(/^(\d\d:\d\d:\d\d\.\d{3} .*misspelt\?)\r?$/m);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
    expect(line).toMatch(/^\S+ \u001b\[33mwarn \u001b\[0m DATABSE_URL is not a setting/);
    await typed.said(/Three things to paste/);
    expect(typed.out()).not.toContain('{"time"');
    await typed.end();
  }, 900_000);
});

test("doctor says what a live platform's operator still needs before serving others", async () => {
  const platform = start([...NPM_START.slice(0, 1), "service/cli.ts", "simulator", "serve"], {
    DATA_DIR: temporaryData(),
  });
  const UPSTREAM = await platform.said(/UPSTREAM=(http:\S+)/);
  const live = { DATA_DIR: temporaryData(), UPSTREAM };
  const bare = await crowdtape("doctor", live);
  expect(bare.code).toBe(0);
  for (const words of [
    "note   mail: SMTP_URL is not set.",
    "note   payments: neither cards",
    "note   PUBLIC_URL is not set",
  ])
    expect(bare.out).toContain(words);
  expect(bare.out).toEndWith("Nothing is broken; see the notes.\n");
  const equipped = await crowdtape("doctor", {
    ...live,
    SMTP_URL: "smtp://127.0.0.1:25",
    PUBLIC_URL: "https://tape.example",
    STRIPE_SECRET_KEY: "sk_live_0123456789abcdef",
    STRIPE_WEBHOOK_SECRET: "whsec_0123456789abcdef",
  });
  expect(equipped.out).toEndWith("All is well.\n");
  await platform.end();
}, 900_000);
