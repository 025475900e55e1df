// The package as its users get it: packed, installed into an empty project without a network, and run there by Node, by Bun
// and by a browser. Its examples are run too.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { launchBrowser } from "../test/support/browser.ts";
import { type LiveService, START_MS_MAX, startLiveService } from "../test/support/live-service.ts";
import { needing } from "../test/support/needing.ts";
import { runCommand } from "../test/support/run-command.ts";

/** A page's download size, compressed. */
const COMPRESSED_BYTES_MAX = 12 * 1024;
/** Speed is not tested here: a busy machine takes its time. */
const RUN_MS_MAX = 900_000;

let live: LiveService;
let project: string;
let browser: Browser | undefined;

async function run(command: string[], env: Record<string, string> = {}) {
  const { PATH = "", HOME = tmpdir() } = process.env;
  const connection = { CROWDTAPE_SERVER: live.url, CROWDTAPE_KEY: live.keys.scale.secret };
  return (await runCommand(command, { cwd: project, env: { PATH, HOME, ...connection, ...env } })).out;
}

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), "crowdtape-package-"));
  live = await startLiveService({ seed: "package", traders: 40, historyDays: 1, eventsPerSecond: 10 });
  // As any user would: npm pack builds it first.
  await run(["npm", "pack", "--silent", "--pack-destination", project, import.meta.dir]);
  const [tarball] = readdirSync(project).filter((name) => name.endsWith(".tgz"));
  writeFileSync(join(project, "package.json"), '{"private":true,"type":"module"}');
  await run(["npm", "install", "--offline", "--no-audit", "--no-fund", "--silent", `./${tarball}`]);
  cpSync(join(import.meta.dir, "examples"), project, { recursive: true });
  await live.captured();
}, RUN_MS_MAX);
afterAll(async () => {
  await browser?.close();
  await live.stop();
  rmSync(project, { recursive: true, force: true });
}, START_MS_MAX);

test("it is small, has no dependency, and uses nothing specific to one runtime", () => {
  const installed = join(project, "node_modules/@crowdtape/client");
  const packed = readFileSync(join(installed, "dist/index.js"));
  expect(Bun.gzipSync(packed, { level: 9 }).length).toBeLessThanOrEqual(COMPRESSED_BYTES_MAX);
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(manifest.dependencies).toBeUndefined();
  expect(readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
    "@crowdtape",
  ]);
  expect(readdirSync(installed).sort()).toEqual(["README.md", "dist", "package.json"]);
  expect(packed.toString()).not.toMatch(
    /\bBun\.|\bprocess\.|\brequire\(|["']node:|\bzod\b|\bimport\b\s*[("'{*]/,
  );
});

test("its README shows every example, in both languages", () => {
  const readme = readFileSync(join(project, "node_modules/@crowdtape/client/README.md"), "utf8");
  for (const folder of ["examples", "python/examples"])
    for (const name of readdirSync(join(import.meta.dir, folder)))
      if (/\.(js|py)$/.test(name)) expect(readme).toContain(`(${folder}/${name})`);
});

test(
  "its declarations compile in a strict project of its own, and are exact",
  async () => {
    writeFileSync(
      join(project, "typed.ts"),
      `import { createClient, CreditsExhausted } from "@crowdtape/client";
const client = createClient({ key: "k" });
const board = await client.getLeaderboard({ window: "24h" });
export const profit: number | undefined = board.traders[0]?.pnlUsd;
// @ts-expect-error a window that does not exist
await client.getLeaderboard({ window: "25h" });
// @ts-expect-error a field that does not exist
board.traders[0]?.nothing;
for await (const trade of client.rows.listTrades({ handle: "a" })) trade.sizeUsd;
for await (const item of client.alerts({ type: "buy" })) if (item.type === "alert") item.fillUsd;
try { await client.getMe(); } catch (error) { if (error instanceof CreditsExhausted) error.resetsAt?.getTime(); }
`,
    );
    const options =
      "--noEmit --strict --skipLibCheck false --module nodenext --target esnext --lib esnext,dom";
    const tsc = join(import.meta.dir, "../node_modules/.bin/tsc");
    await run([tsc, ...options.split(" "), "typed.ts"]);
  },
  RUN_MS_MAX,
);

const SCRIPT = `import { createClient } from "@crowdtape/client";
const client = createClient({ server: process.env.CROWDTAPE_SERVER, key: process.env.CROWDTAPE_KEY });
const seqs = [];
for await (const item of client.alerts({ type: "buy" })) { seqs.push(item.seq); if (seqs.length === 3) break; }
let rows = 0;
for await (const row of client.rows.listTheses({ limit: 20 })) if (row.id && ++rows === 30) break;
console.log(JSON.stringify({ seqs, rows, spent: client.credits.spent }));
`;

test(
  "Node and Bun run it: a walk, a stream, and its cost",
  async () => {
    writeFileSync(join(project, "script.js"), SCRIPT);
    for (const command of [["node"], [process.execPath]]) {
      const { seqs, rows, spent } = JSON.parse(await run([...command, "script.js"]));
      expect(seqs.length).toBe(3);
      expect(rows).toBeGreaterThan(0);
      expect(spent).toBeGreaterThan(0);
    }
  },
  RUN_MS_MAX,
);

test("an uncaught error shows the line that threw it, and little else", async () => {
  writeFileSync(
    join(project, "thrower.js"),
    'import { createClient } from "@crowdtape/client"; await createClient({ key: "ct_live_wrong", server: process.env.CROWDTAPE_SERVER }).getMe();',
  );
  const thrown: Error = await run(["node", "thrower.js"]).then(
    () => new Error("It was not refused."),
    (error) => error,
  );
  expect(thrown.message).toContain("Unauthorized: ");
  expect(thrown.message.length).toBeLessThan(4_000);
});

needing("chromium").test(
  "a browser runs it",
  async () => {
    const dist = join(project, "node_modules/@crowdtape/client/dist");
    const pages = Bun.serve({
      port: 0,
      fetch: (request) =>
        request.url.endsWith(".js")
          ? new Response(Bun.file(join(dist, "index.js")))
          : new Response("<!doctype html><title>test</title>", { headers: { "content-type": "text/html" } }),
    });
    browser = await launchBrowser();
    const page = await browser.newPage();
    await page.goto(`http://localhost:${pages.port}`);
    const outcome = await page.evaluate(
      async ([server, key]) => {
        const path = "/index.js";
        const { createClient } = await import(path);
        const client = createClient({ server, key });
        const board = await client.getLeaderboard({ window: "24h", limit: 5 });
        const again = await client.getLeaderboard({ window: "24h", limit: 5 });
        const seqs: number[] = [];
        for await (const item of client.alerts()) {
          seqs.push(item.seq);
          if (seqs.length === 3) break;
        }
        return { traders: board.count, again: again.count, seqs, spent: client.credits.spent };
      },
      [live.url, live.keys.scale.secret],
    );
    await pages.stop(true);
    expect(outcome).toMatchObject({ traders: 5, again: 5 });
    expect(outcome.seqs.length).toBe(3);
    expect(outcome.spent).toBeGreaterThanOrEqual(250);
  },
  RUN_MS_MAX,
);

/** Runs until the output matches, then stops it. */
async function runUntil(command: string[], wanted: RegExp): Promise<string> {
  const child = Bun.spawn(command, { cwd: project, stdout: "pipe", stderr: "pipe" });
  const failed = new Response(child.stderr).text();
  let out = "";
  for await (const part of child.stdout) {
    out += Buffer.from(part).toString();
    if (wanted.test(out)) break;
  }
  child.kill();
  await child.exited;
  if (!wanted.test(out)) throw new Error(`${command.join(" ")} wrote ${out}\n${await failed}`);
  return out;
}

test(
  "the code in its README runs unchanged under Node, except for the server, the key and a name",
  async () => {
    const readme = readFileSync(join(project, "node_modules/@crowdtape/client/README.md"), "utf8");
    const [calls = "", webhook = "", ...others] = [...readme.matchAll(/^```js\n(.*?)^```/gms)].map(
      ([, code]) => String(code),
    );
    expect(others).toEqual([]);
    const { body } = await live.get("getLeaderboard", "/v2/leaderboard/24h?sort=trades&limit=1");
    const handle = String(body.traders[0]?.handle);
    const filled = calls
      .replace("https://api.example.com", live.url)
      .replace("ct_live_…", live.keys.scale.secret)
      .replaceAll("mayatrades", handle);
    writeFileSync(join(project, "readme.js"), filled);
    // The board's first trader, their fills, and live buys until it is stopped.
    await runUntil(["node", "readme.js"], new RegExp(`^\\S+ 250\n(\\S+\n)+${handle} [\\d.]+ \\S+\n`));

    const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
    const text = JSON.stringify({ type: "alerts" });
    const sentAt = new Date();
    const headers = {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign("evt_1", sentAt, text),
    };
    const given = JSON.stringify({ method: "POST", headers, body: text });
    writeFileSync(
      join(project, "webhook.js"),
      `const request = new Request("http://hooks.example", ${given});\n${webhook.replace("whsec_…", secret)}console.log(message.type);`,
    );
    expect((await run(["node", "webhook.js"])).trim()).toBe("alerts");
  },
  RUN_MS_MAX,
);

test(
  "the examples run: follow a trader and continue there, mirror a leaderboard, copy trades on paper",
  async () => {
    const busiest = await live.get("listAlerts", "/v2/alerts?type=buy&limit=100");
    const counts = Map.groupBy(busiest.body.alerts, ({ trader }) => trader);
    const [trader] = [...counts].sort(([, a], [, b]) => b.length - a.length).map(([name]) => String(name));
    // Anything before its start is history for it: it resumes from a position that the feed has.
    const { seq } = busiest.body.alerts.at(-1) ?? { seq: 0 };
    const epoch = String(busiest.body.nextCursor).split(".")[0];
    writeFileSync(join(project, `${trader}.position.json`), JSON.stringify({ epoch, seq: seq - 1 }));
    const first = (await run(["node", "follow-trader.js", String(trader), "1"])).trim().split("\n");
    expect(first).toHaveLength(1);
    expect(first[0]).toMatch(new RegExp(`^\\d{4}-.* ${trader} (buy|sell) \\$[\\d.]+ of `));
    const saved = JSON.parse(readFileSync(join(project, `${trader}.position.json`), "utf8"));
    expect(saved.seq).toBeGreaterThanOrEqual(seq);

    mkdirSync(join(project, "out"));
    const said = await run(["node", "leaderboard-csv.js", "24h", "out/board.csv", "2", "0"]);
    expect(said).toContain("credits");
    const lines = readFileSync(join(project, "out/board.csv"), "utf8").trim().split("\n");
    expect(lines[0]).toBe("rank,handle,pnlUsd,volumeUsd,trades,followers,userId");
    expect(lines.length).toBeGreaterThan(10);
    expect(lines[1]).toMatch(/^1,/);

    const bot = await run(["node", "paper-bot.js", "60", "5"]);
    expect(bot).toMatch(
      /^5 fills seen, \d+ positions open, -?[\d.]+ USD earned on paper, in a simulated world$/m,
    );
  },
  RUN_MS_MAX,
);

test(
  "more examples run, none longer than 100 lines: an alarm, a digest for Discord, tables for a spreadsheet",
  async () => {
    for (const name of readdirSync(join(import.meta.dir, "examples")))
      expect(readFileSync(join(project, name), "utf8").split("\n").length).toBeLessThanOrEqual(100);

    const rung = await run(["node", "convergence-alarm.js", "2", "60", "1", "1"]);
    expect(rung).toMatch(/^\d{4}-\S+ 2 traders bought .+ on \w+ for \$\d+: .+, .+ \(\w+\)\n$/);

    const posted: { content: string; allowed_mentions: object }[] = [];
    let answers = 0;
    const discord = Bun.serve({
      port: 0,
      async fetch(request) {
        if (++answers === 1) return Response.json({ retry_after: 0.01 }, { status: 429 });
        posted.push(await request.json());
        return Response.json({ id: "1" });
      },
    });
    const webhook = `http://127.0.0.1:${discord.port}/api/webhooks/1/secret`;
    const said = await run(["node", "discord-digest.js", "24h"], { DISCORD_WEBHOOK: webhook });
    await discord.stop(true);
    expect(said).toMatch(/^posted 5 traders and \d tokens, 500 credits\n$/);
    expect(posted).toHaveLength(1);
    expect(posted[0]).toMatchObject({ allowed_mentions: { parse: [] } });
    expect(posted[0]?.content).toMatch(/^\*\*Best of 24h\*\* \(simulated\)\n1\\\. /);

    await expectTables();
  },
  RUN_MS_MAX,
);

async function expectTables(): Promise<void> {
  const secret = "a1b2c3d4e5f6a7b8c9d0";
  const { PATH = "" } = process.env;
  const sheet = Bun.spawn(["node", "sheet-csv.js", "0"], {
    cwd: project,
    env: { PATH, CROWDTAPE_SERVER: live.url, CROWDTAPE_KEY: live.keys.scale.secret, SHEET_SECRET: secret },
    stdout: "pipe",
  });
  try {
    const { value } = await sheet.stdout.getReader().read();
    const [, url] = /on (http:\S+)\/SECRET/.exec(new TextDecoder().decode(value)) ?? [];
    const table = async (path: string) => {
      const response = await fetch(`${url}/${path}`);
      return { status: response.status, lines: (await response.text()).trim().split("\n") };
    };
    const before = await live.remaining();
    const board = await table(`${secret}/leaderboard/7d.csv`);
    await table(`${secret}/leaderboard/7d.csv`);
    expect(before - (await live.remaining())).toBe(250);
    expect(board.lines[0]).toBe("rank,handle,pnlUsd,volumeUsd,trades,winRate,followers");
    const handle = String(board.lines[1]?.split(",")[1]);
    const fills = await table(`${secret}/fills/${handle}.csv`);
    expect([fills.status, fills.lines[0]?.includes("txHash"), fills.lines.length > 1]).toEqual([
      200,
      true,
      true,
    ]);
    expect((await table(`${secret}/now.csv`)).lines[0]).toStartWith("rank,symbol,chain,buyers");
    expect((await table(`${secret}/leaderboard/8d.csv`)).lines[0]).toContain("window must be one of");
    for (const path of ["wrong/now.csv", `${secret}/keys.csv`]) expect((await table(path)).status).toBe(404);
  } finally {
    sheet.kill();
    await sheet.exited;
  }
}
