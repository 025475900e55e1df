// The program as one file, in an empty folder, on a machine that has nothing else: no Node, no Bun, no node_modules, no PATH.
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { emptyManifest, MANIFEST_FILE } from "../service/history/manifest.ts";
import { eventually } from "../test/support/eventually.ts";

const START_MS_MAX = 900_000;
const root = join(import.meta.dir, "..");
const folder = mkdtempSync(join(tmpdir(), "crowdtape-one-file-"));
const program = join(folder, "crowdtape");
const SMALL_WORLD = { SIMULATOR_TRADERS: "50", SIMULATOR_HISTORY_DAYS: "1", PORT: "0", LOG_LEVEL: "warn" };

const run = (argv: readonly string[], settings: Record<string, string> = {}, cwd = folder) =>
  Bun.spawn([program, ...argv], {
    cwd,
    env: settings,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });

let server: ReturnType<typeof run>;
let said = "";

beforeAll(async () => {
  const dist = join(folder, "dist");
  mkdirSync(dist);
  const build = Bun.spawnSync([process.execPath, join(root, "bin/build.ts"), "--into", dist], {
    cwd: folder,
  });
  expect(build.stderr.toString()).toBe("");
  const [, sum, name] = /^(\w{64}) {2}(\S+)\n$/.exec(readFileSync(join(dist, "SHA256SUMS"), "utf8")) ?? [];
  const built = readFileSync(join(dist, String(name)));
  expect(new Bun.CryptoHasher("sha256").update(built).digest("hex")).toBe(String(sum));
  copyFileSync(join(dist, basename(String(name))), program);
  rmSync(dist, { recursive: true });
  server = run([], SMALL_WORLD);
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of server.stdout) said += decoder.decode(chunk, { stream: true });
  })();
  await eventually(() => {
    if (server.exitCode !== null) throw new Error(`The program ended: ${said}`);
    return said.includes("Three things to paste");
  }, "it greets");
}, START_MS_MAX);
afterAll(async () => {
  server?.kill("SIGTERM");
  await server?.exited;
  rmSync(folder, { recursive: true, force: true });
}, START_MS_MAX);

const url = () => String(/listens on (http:\S+)/.exec(said)?.[1]);

test("started alone it serves the API, the pages and what they load, and keeps its data next to it", async () => {
  const board = await fetch(`${url()}/v2/leaderboard/24h?limit=1`);
  expect(board.status).toBe(200);
  const home = await (await fetch(url(), { headers: { accept: "text/html" } })).text();
  const scripts = [...home.matchAll(/"(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path);
  expect(scripts.length).toBeGreaterThan(2);
  for (const path of scripts) {
    const asset = await fetch(`${url()}${path}`, { headers: { "accept-encoding": "br" } });
    expect([path, asset.status, asset.headers.get("content-encoding")]).toEqual([path, 200, "br"]);
  }
  expect(existsSync(join(folder, "data"))).toBe(true);
});

test("its greeting names itself, and its verbs read from it with the key that it printed", async () => {
  const key = String(/^ {2}growth +(ct_\w+)$/m.exec(said)?.[1]);
  expect(said).toContain(`./crowdtape tail --server ${url()} --key ${key}`);
  const reading = run(["leaderboard", "24h", "--limit", "1", "--server", url(), "--key", key]);
  expect([await new Response(reading.stderr).text(), await reading.exited]).toEqual(["", 0]);
});

/** As much of DuckDB's package as is used, in two parts as it is: the second is found from the first by its name. */
const DUCKDB = {
  "node-api": `const { rows } = require("@duckdb/node-bindings");
    const stream = async () => ({ columnNames: () => ["n"], async *yieldRowsJson() { yield rows; } });
    exports.DuckDBInstance = { create: async () => ({ connect: async () => ({ run: async () => {}, stream }) }) };`,
  "node-bindings": "exports.rows = [[42]];",
};

test("it asks closed days by a package that was installed in the folder it is run in", async () => {
  const asking = join(folder, "asking");
  const history = join(asking, "history");
  mkdirSync(history, { recursive: true });
  for (const [name, text] of Object.entries(DUCKDB)) {
    const home = join(asking, "node_modules", "@duckdb", name);
    mkdirSync(join(home, "lib"), { recursive: true });
    writeFileSync(
      join(home, "package.json"),
      JSON.stringify({ name: `@duckdb/${name}`, main: "lib/index.js" }),
    );
    writeFileSync(join(home, "lib", "index.js"), text);
  }
  const file = { table: "fills", date: "2026-11-15", version: 1, path: "fills/a.parquet", rows: 1, bytes: 1 };
  const more = { sha256: "", schemaVersion: 1, closedAt: "2026-11-16", source: "" };
  const manifest = { ...emptyManifest(), files: [{ ...file, ...more }] };
  writeFileSync(join(history, MANIFEST_FILE), JSON.stringify(manifest));
  const asked = run(["sql", "select n from fills"], { HISTORY: history }, asking);
  expect([await new Response(asked.stderr).text(), await new Response(asked.stdout).text()]).toEqual([
    "",
    "n\n42\n",
  ]);
});
