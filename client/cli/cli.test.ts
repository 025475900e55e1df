// The reading commands, as people run them: real processes against a whole service. Columns for people, JSON for programs, one
// sentence and a failing exit code for errors; no text from traders reaches the terminal raw.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestTelegram } from "../../bots/telegram/test-telegram.ts";
import { DAY_MS } from "../../kit/units.ts";
import { eventually } from "../../test/support/eventually.ts";
import { type LiveService, START_MS_MAX, startLiveService } from "../../test/support/live-service.ts";

const CLI = [process.execPath, join(import.meta.dir, "../../service/cli.ts")];
/** Speed is not tested here: a busy machine takes its time. */
const RUN_MS_MAX = 900_000;

let live: LiveService;
let home: string;
let handle: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "crowdtape-cli-"));
  live = await startLiveService({ seed: "cli", traders: 40, historyDays: 1, eventsPerSecond: 10 });
  await live.captured();
  await live.derived();
  const { body } = await live.get("getLeaderboard", "/v2/leaderboard/24h?limit=1");
  handle = String(body.traders[0]?.handle);
}, RUN_MS_MAX);
afterAll(async () => {
  await live.stop();
  rmSync(home, { recursive: true, force: true });
}, START_MS_MAX);

type Env = Record<string, string>;

function start(line: string, stdin: Blob | "ignore" = "ignore", args: string[] = [], env: Env = {}) {
  const { PATH = "" } = process.env;
  return Bun.spawn([...CLI, ...line.split(" ").filter(Boolean), ...args], {
    cwd: home,
    env: { PATH, HOME: home, ...env },
    stdin,
    stdout: "pipe",
    stderr: "pipe",
  });
}

async function run(line: string, stdin: Blob | "ignore" = "ignore", args: string[] = [], env: Env = {}) {
  const child = start(line, stdin, args, env);
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out, err, code };
}

const keyed = (line: string) => run(`${line} --server ${live.url} --key ${live.keys.scale.secret}`);

test("server and key are taken from the environment, the command line comes first, and no key goes to another server", async () => {
  const CROWDTAPE_KEY = live.keys.scale.secret;
  const env = { CROWDTAPE_SERVER: live.url, CROWDTAPE_KEY };
  const named = await run(`trader ${handle} --json`, "ignore", [], env);
  expect([named.code, named.err]).toEqual([0, expect.not.stringContaining(CROWDTAPE_KEY)]);
  const wrong = { ...env, CROWDTAPE_SERVER: "http://127.0.0.1:1" };
  expect((await run("leaderboard 24h", "ignore", [], wrong)).code).toBe(1);
  expect((await run(`leaderboard 24h --server ${live.url}`, "ignore", [], wrong)).code).toBe(0);
  const elsewhere = await run(`trader ${handle} --server ${live.url}`, "ignore", [], wrong);
  expect([elsewhere.code, elsewhere.err]).toEqual([1, expect.stringContaining("key")]);
});

/** Headings and rows start and end at the same columns. */
function expectAligned(text: string): void {
  const [head = "", ...rows] = text.trimEnd().split("\n");
  expect(head).toMatch(/\S {2,}\S/);
  expect(rows.length).toBeGreaterThan(0);
  const starts = [...head.matchAll(/(?<=^| {2})\S/g)].map(({ index }) => index);
  expect(starts.length).toBeGreaterThan(2);
}

test(
  "each command shows columns with units, and the whole answer with --json",
  async () => {
    const { body } = await live.get("getTrendingTokens", "/v2/leaderboard/tokens/trending?limit=1");
    const { address, symbol } = body.tokens[0]?.token ?? { address: "", symbol: "" };
    const lines = {
      [`trader @${handle}`]: "profit (USD)",
      "leaderboard 7d --limit 5": "volume (USD)",
      "board trending --limit 5": "market cap (USD)",
      "theses --limit 5": "when (UTC)",
      [`theses --trader ${handle} --limit 5`]: "size (USD)",
      [`token ${address}`]: "bought (USD)",
      [`search ${handle}`]: "full name",
    };
    for (const [line, unit] of Object.entries(lines)) {
      const text = await keyed(line);
      expect([line, text.code, text.err]).toEqual([line, 0, ""]);
      expect(text.out).toContain(unit);
      const json = await keyed(`${line} --json`);
      expect(json.code).toBe(0);
      expect(typeof JSON.parse(json.out)).toBe("object");
    }
    const board = await keyed("leaderboard 24h --limit 5");
    expectAligned(board.out);
    expect(board.out.trim().split("\n").length).toBe(6);
    const bySymbol = await keyed(`token $${symbol} --json`);
    expect(JSON.parse(bySymbol.out).stats.token.symbol).toBe(symbol);
  },
  RUN_MS_MAX,
);

test("a leaderboard needs no key", async () => {
  const { out, code } = await run(`leaderboard all --limit 3 --server ${live.url}`);
  expect(code).toBe(0);
  expect(out.trim().split("\n").length).toBe(4);
});

test(
  "every command has help text, and wrong usage prints one sentence and fails",
  async () => {
    const verbs = "trader leaderboard board theses token search tail export mcp login logout".split(" ");
    for (const verb of verbs) {
      const { out, code } = await run(`${verb} --help`);
      expect([verb, code]).toEqual([verb, 0]);
      expect(out).toStartWith(`crowdtape ${verb}`);
      expect(out).toContain("--server URL");
    }
    const wrong = {
      trader: "Use it as: crowdtape trader @HANDLE",
      "board hot": "Say which board",
      "leaderboard 25h": "window must be one of",
      "trader nobody_of_that_name": "not_found",
      "search a --nothing": "nothing",
      "export candles": "--token",
      "export alerts --from yesterday": "--from must be an ISO 8601 time",
      "tail --side buy": "--side is for --trades",
    };
    for (const [line, sentence] of Object.entries(wrong)) {
      const { out, err, code } = await keyed(line);
      expect([line, code, out]).toEqual([line, 1, ""]);
      expect(err).toContain(sentence);
      expect(err).not.toMatch(/\n\s+at /);
      expect(err).not.toContain(live.keys.scale.secret);
    }
    const nobody = await run("leaderboard 24h --server http://127.0.0.1:1");
    expect(nobody.code).toBe(1);
    expect(nobody.err).toContain("can't be reached");
    const broke = await keyed("leaderboard 24h --max-credits 100");
    expect(broke.err).toContain("250 credits");
  },
  RUN_MS_MAX,
);

test(
  "a login is checked, saved readable by its owner alone, used for its server only, and removed",
  async () => {
    const file = join(home, ".config/crowdtape/login.json");
    const bad = await run(`login --server ${live.url}`, new Blob(["ct_test_wrong\n"]));
    expect(bad.code).toBe(1);
    expect(existsSync(file)).toBe(false);
    const secret = live.keys.scale.secret;
    const good = await run(`login --server ${live.url}`, new Blob([`${secret}\n`]));
    expect([good.code, good.err]).toEqual([0, ""]);
    expect(good.out).toContain("plan scale");
    expect(good.out).not.toContain(secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await run("board trending --limit 3")).code).toBe(0);

    // Another server must never see the saved key.
    let seen: string | null = "nothing came";
    const other = Bun.serve({
      port: 0,
      fetch(request) {
        seen = request.headers.get("authorization");
        return Response.json({ traders: [] });
      },
    });
    await run(`leaderboard 24h --server http://127.0.0.1:${other.port}`);
    await other.stop(true);
    expect(seen).toBeNull();

    chmodSync(file, 0o644);
    await run(`login --server ${live.url}`, new Blob([secret]));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await run("logout");
    expect(existsSync(file)).toBe(false);
  },
  RUN_MS_MAX,
);

test(
  "tail writes one line of JSON per event, and continues where it was, with none missing or repeated",
  async () => {
    const tail = `tail --type buy,sell --resume place.json --count 6 --server ${live.url}`;
    const seqs: number[] = [];
    for (let round = 0; round < 3; round++) {
      const { out, err, code } = await run(tail, "ignore", ["--key", live.keys.scale.secret]);
      expect([code, err]).toEqual([0, ""]);
      for (const line of out.trim().split("\n")) seqs.push(JSON.parse(line).seq);
    }
    expect(seqs.length).toBe(18);
    const rows: { seq: number; ts: number }[] = [];
    for (let before = ""; ; ) {
      const { body } = await live.get("listAlerts", `/v2/alerts?limit=100&type=buy,sell${before}`);
      rows.unshift(...body.alerts.toReversed());
      if (Number(rows[0]?.seq) <= Number(seqs[0]) || !body.hasMore) break;
      before = `&before=${body.oldestCursor}`;
    }
    // The app may show things late that happened before the log began: they can be read, but are not news.
    const beganAt = await live.service.store.log.beganAt();
    const news = rows.filter(({ ts }) => ts >= beganAt).map(({ seq }) => seq);
    expect(seqs).toEqual(news.filter((seq) => seq >= Number(seqs[0]) && seq <= Number(seqs.at(-1))));
    const trades = await keyed("tail --trades --count 2");
    // A re-org may retract one at that very moment.
    for (const line of trades.out.trim().split("\n"))
      expect(["trade", "retract"]).toContain(JSON.parse(line).type);
  },
  RUN_MS_MAX,
);

test(
  "tail ends quietly on a signal, and when its reader is gone",
  async () => {
    const child = start(`tail --server ${live.url}`, "ignore", ["--key", live.keys.scale.secret]);
    const reader = child.stdout.getReader();
    await reader.read();
    child.kill("SIGINT");
    expect(await child.exited).toBe(0);
    const piped = Bun.spawn(
      ["sh", "-c", `${CLI.join(" ")} tail --server ${live.url} --key ${live.keys.scale.secret} | head -n 2`],
      {
        cwd: home,
        env: { PATH: process.env.PATH ?? "", HOME: home },
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    const [out, err] = await Promise.all([
      new Response(piped.stdout).text(),
      new Response(piped.stderr).text(),
    ]);
    expect(out.trim().split("\n").length).toBe(2);
    expect(err).toBe("");
    await piped.exited;
  },
  RUN_MS_MAX,
);

/** A time range with about three pages of buys. */
async function fewPages(): Promise<{ from: string; to: string }> {
  const times: number[] = [];
  for (let before = ""; times.length < 300; ) {
    const { body } = await live.get("listAlerts", `/v2/alerts?limit=100&type=buy${before}`);
    times.push(...body.alerts.map(({ ts }) => ts));
    if (!body.hasMore) break;
    before = `&before=${body.oldestCursor}`;
  }
  const iso = (at: number) => new Date(at).toISOString();
  return { from: iso(Math.min(...times)), to: iso(Math.max(...times) - 10_000) };
}

test(
  "an interrupted export continues at its page, and the file equals that of an uninterrupted one",
  async () => {
    const { from, to } = await fewPages();
    const asked = `export alerts --from ${from} --to ${to} --type buy`;
    const whole = await keyed(`${asked} --format ndjson`);
    expect(whole.code).toBe(0);
    expect(whole.err).toMatch(/[\d,]+ rows, [\d,]+ credits, [\d,]+ left/);
    const rows = whole.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.length).toBeGreaterThan(200);
    expect(new Set(rows.map(({ seq }) => seq)).size).toBe(rows.length);

    // Two pages per run: a budget interrupts it in the middle, as a signal or a power cut would.
    let runs = 0;
    for (let code = 1; code !== 0; runs++) {
      const part = await keyed(`${asked} --format ndjson --out rows.ndjson --max-credits 250`);
      if (part.code !== 0) {
        expect(part.err).toContain("Run the same command again");
        // A partial write left by a crash is cut off.
        writeFileSync(join(home, "rows.ndjson"), '{"torn', { flag: "a" });
      }
      code = part.code;
      if (runs > 100) throw new Error(part.err);
    }
    expect(runs).toBeGreaterThan(1);
    // The world continues between the two, and a buy that becomes known late has a later seq.
    const newest = Math.max(...rows.map(({ seq }) => seq));
    const both = readFileSync(join(home, "rows.ndjson"), "utf8")
      .split(/(?<=\n)/)
      .filter((line) => JSON.parse(line).seq <= newest);
    expect(both.join("")).toBe(whole.out);
    expect(existsSync(join(home, "rows.ndjson.resume"))).toBe(false);
    const again = await keyed(`${asked} --format ndjson --out rows.ndjson`);
    expect(again.err).toContain("exists already");
  },
  RUN_MS_MAX,
);

test(
  "trades, theses and candles are exported too, as CSV with every column of the contract",
  async () => {
    const { body } = await live.get("getTrendingTokens", "/v2/leaderboard/tokens/trending?limit=1");
    const lines = {
      [`export trades --trader ${handle} --format csv`]: "token.symbol,token.address",
      [`export fills --trader ${handle} --format csv`]: "swapId,",
      [`export positions --trader ${handle} --format csv`]: "token.symbol,token.address",
      "export theses --format csv": "id,tradeId,text",
      [`export candles --token ${body.tokens[0]?.token.address} --interval 1h --format csv`]: "t,o,h,l,c,v",
    };
    for (const [line, head] of Object.entries(lines)) {
      const { out, code, err } = await keyed(line);
      expect([line, code]).toEqual([line, 0]);
      expect(out).toStartWith(head);
      expect(out.split("\r\n").length).toBeGreaterThan(2);
      expect(err).toContain("credits");
    }
  },
  RUN_MS_MAX,
);

test(
  "an export from before the retained data fails and says where that starts, or with --partial what it covers",
  async () => {
    const iso = (at: number) => new Date(at).toISOString();
    const { body } = await live.get("listAlerts", "/v2/alerts?limit=1");
    const to = iso(Number(body.newestTs));
    const from = iso(Date.parse(String(body.retentionFrom)) - 29 * DAY_MS);
    const asked = `export alerts --from ${from} --to ${to} --type sell`;
    const refused = await keyed(`${asked} --out month.ndjson`);
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toMatch(/nothing before \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC is kept.*--partial/);
    expect(existsSync(join(home, "month.ndjson"))).toBe(false);

    const partial = await keyed(`${asked} --partial`);
    expect(partial.code).toBe(0);
    expect(partial.out.split("\n").length).toBeGreaterThan(1);
    expect(partial.err).toContain("Not all of that time is there");
    const kept = /nothing before (\S+ \S+) UTC/.exec(refused.err)?.[1];
    expect(partial.err.trim().split("\n").at(-1)).toBe(
      `covers ${kept} UTC to ${to.replace("T", " ").slice(0, 19)} UTC`,
    );

    const future = await keyed(`export alerts --to ${iso(Date.now() + DAY_MS)}`);
    expect([future.code, future.out]).toEqual([1, ""]);
    expect(future.err).toContain("has happened yet");
  },
  RUN_MS_MAX,
);

test(
  "in a terminal tail is a table with colours, and a board too",
  async () => {
    const command = `${CLI.join(" ")} tail --type buy --count 3 --server ${live.url} --key ${live.keys.scale.secret}`;
    const child = Bun.spawn(["script", "-qec", command, "/dev/null"], {
      cwd: home,
      env: { PATH: process.env.PATH ?? "", HOME: home, TERM: "xterm-256color" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    let out = "";
    const decoder = new TextDecoder();
    const reading = (async () => {
      for await (const chunk of child.stdout) out += decoder.decode(chunk, { stream: true });
    })();
    await eventually(() => child.exitCode !== null, "tail has ended");
    await reading;
    expect(out).toContain("when (UTC)");
    expect(out).toContain("\u001b[32m");
    expect(out.trim().split("\n").length).toBe(4);
  },
  RUN_MS_MAX,
);

test("a reading command loads no service code", async () => {
  const main = join(import.meta.dir, "main.ts");
  const built = await Bun.build({
    entrypoints: [main],
    target: "bun",
    metafile: true,
    external: ["../mcp/*"],
  });
  const inputs = Object.keys(built.metafile?.inputs ?? {});
  expect(inputs.length).toBeGreaterThan(10);
  const rooms = /(^|\/)(service|contract|kit|database|node_modules)\//;
  expect(inputs.filter((path) => rooms.test(path) && !/kit\/(units|csv)\.ts$/.test(path))).toEqual([]);
});

test(
  "a replay with plain terms, with custom terms and its orders, and with a wrong size in our own words",
  async () => {
    const plain = await keyed(`replay @${handle} --window 24h`);
    expect([plain.code, plain.out.includes("the leader's prices, $100 an order")]).toEqual([0, true]);
    const { body } = await live.get("listPositions", `/v2/users/${handle}/positions?limit=1`);
    const tradeId = String(body.positions[0]?.tradeId);
    const one = await keyed(`replay @${handle} --trade ${tradeId} --json`);
    expect([one.err, JSON.parse(one.out).tradeId]).toEqual(["", tradeId]);
    const line = `replay @${handle} --window 24h --size-mode share --size 10 --stop-loss 20 --orders`;
    const own = await keyed(line);
    expect(own.err).toBe("");
    expect([own.code, own.out.includes("10 % (share) an order"), own.out.includes("fees (USD)")]).toEqual([
      0,
      true,
      true,
    ]);
    const whole = JSON.parse((await keyed(`${line} --json`)).out);
    expect(whole.orderList).toHaveLength(whole.orders);
    for (const [wrong, sentence] of [
      ["--size -5", "--size must be a whole number from 1 to 1000000."],
      ["--stop-loss -5", "stopLossPct must be a number from 0.1 to 100."],
      ["--exit rules", "exit can be rules only with"],
      ["--trade 1", "tradeId must be a UUID."],
      ["--trade 1 --stop-loss 5", "--trade goes with one trader"],
    ]) {
      const refused = await keyed(`replay @${handle} ${wrong}`);
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(String(sentence))]);
    }
  },
  RUN_MS_MAX,
);

test(
  "the Telegram bot reads from a whole service: alerts for who follows, and an answer to every question",
  async () => {
    const telegram = startTestTelegram(Date.now);
    const { PATH = "" } = process.env;
    const bot = Bun.spawn([...CLI, "bot", "telegram"], {
      cwd: home,
      env: {
        PATH,
        HOME: home,
        DATA_DIR: join(home, "bot"),
        LOG_LEVEL: "warn",
        PUBLIC_URL: live.url,
        BOT_SERVER: live.url,
        BOT_KEY: live.keys.scale.secret,
        BOT_TELEGRAM_TOKEN: telegram.token,
        BOT_TELEGRAM_API: telegram.url,
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    const said = (chat: number, words: string) =>
      eventually(
        () => telegram.sent.some((each) => each.chat === String(chat) && each.text.includes(words)),
        `chat ${chat} reads ${words}`,
      );
    const asked = ["/follow all", `/pnl @${handle} 24h`, `/copy @${handle} 24h`, "/top", "/now"];
    for (const [chat, text] of asked.entries()) telegram.write(chat + 1, text);
    await said(1, "Following <b>everybody</b>");
    await said(2, "net of fees");
    await said(3, "The trader: ");
    await said(4, `1. <a href="${live.url}/traders/`);
    await said(5, "Bought now");
    await eventually(
      () => telegram.sent.some(({ chat, text }) => chat === "1" && /bought|sold/.test(text)),
      "an alert came",
    );
    for (const chat of ["2", "3"]) {
      const { preview } = telegram.sent.find((each) => each.chat === chat) ?? {};
      const page = await (await fetch(String(preview), { headers: { accept: "text/html" } })).text();
      const [, card = ""] = /property="og:image" content="([^"]+)"/.exec(page) ?? [];
      const picture = await fetch(card.replaceAll("&amp;", "&"));
      expect([chat, picture.status, picture.headers.get("content-type")]).toEqual([chat, 200, "image/png"]);
    }
    bot.kill("SIGTERM");
    const [out, err] = await Promise.all([
      new Response(bot.stdout).text(),
      new Response(bot.stderr).text(),
      bot.exited,
    ]);
    await telegram.stop();
    expect([out, err]).toEqual(["The Telegram bot runs: https://t.me/tape_bot\n", ""]);
  },
  RUN_MS_MAX,
);

test(
  "a paper follow is created, listed, read with its orders and stopped",
  async () => {
    const made = JSON.parse((await keyed(`follow @${handle} --size 50 --stop-loss 20 --json`)).out);
    expect(made).toMatchObject({ handle, status: "active", terms: { stopLossPct: 20, size: { value: 50 } } });
    expect((await keyed("follows")).out).toContain(made.id);
    const read = JSON.parse((await keyed(`follows ${made.id} --orders --json`)).out);
    expect(read.orderList).toHaveLength(read.orders);
    expect((await keyed(`follows ${made.id} --stop`)).out).toContain("stopped");
    const refused = await keyed(`follow @${handle} --exit rules`);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("exit can be rules only with")]);
  },
  RUN_MS_MAX,
);
