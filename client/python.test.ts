// The Python module with the machine's own Python: its unit tests, its examples against a whole service, and its types.
import { expect } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshBuy } from "../test/support/fresh-buy.ts";
import { type LiveService, START_MS_MAX, startLiveService } from "../test/support/live-service.ts";
import { needing } from "../test/support/needing.ts";
import { programPath } from "../test/support/programs.ts";
import { runCommand } from "../test/support/run-command.ts";

const { afterAll, beforeAll, test } = needing("python");

const python = join(import.meta.dir, "python");
const RUN_MS_MAX = 900_000;

let live: LiveService;
let folder: string;
let startedAt: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "crowdtape-python-"));
  live = await startLiveService({
    seed: "python",
    traders: 40,
    historyDays: 1,
    eventsPerSecond: 10,
    // The client uses its own clock.
    startsAt: Date.now(),
  });
  await live.captured();
  startedAt = live.clock.now();
}, RUN_MS_MAX);
afterAll(async () => {
  await live.stop();
  rmSync(folder, { recursive: true, force: true });
}, START_MS_MAX);

const run = (command: string[]) =>
  runCommand(command, {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      PYTHONPATH: python,
      MYPYPATH: python,
      PYTHONDONTWRITEBYTECODE: "1",
      CROWDTAPE_SERVER: live.url,
      CROWDTAPE_KEY: live.keys.scale.secret,
      CROWDTAPE_FREE_KEY: live.keys.free.secret,
      CROWDTAPE_STARTED_AT: String(startedAt),
    },
  });

test(
  "its own tests pass: transport with and without httpx, streams, and a whole service",
  async () => {
    const { err } = await run([
      programPath("python"),
      "-m",
      "unittest",
      "discover",
      "-s",
      join(python, "tests"),
    ]);
    const [, count] = /^Ran (\d+) tests/m.exec(err) ?? [];
    expect(Number(count)).toBeGreaterThanOrEqual(29);
    expect(err).toContain("OK");
    expect(err).not.toContain("skipped");
  },
  RUN_MS_MAX,
);

test(
  "its examples run: follow a trader and continue there, mirror a leaderboard, copy trades on paper",
  async () => {
    const example = (name: string, ...args: string[]) =>
      run([programPath("python"), join(python, "examples", `${name}.py`), ...args]);
    const { trader, epoch, seq } = await freshBuy(live);
    await Bun.write(join(folder, `${trader}.position.json`), JSON.stringify({ epoch, seq: seq - 1 }));
    const followed = await example("follow_trader", trader, "1");
    expect(followed.out).toMatch(new RegExp(`^\\d{4}-.* ${trader} buy \\$[\\d.]+ of .*\\n$`));
    const saved = JSON.parse(readFileSync(join(folder, `${trader}.position.json`), "utf8"));
    expect(saved.seq).toBe(seq);

    const mirrored = await example("leaderboard_csv", "24h", "board.csv", "2", "0");
    expect(mirrored.out.trim().split("\n").length).toBe(2);
    const lines = readFileSync(join(folder, "board.csv"), "utf8").trim().split("\n");
    expect(lines[0]).toBe("rank,handle,pnlUsd,volumeUsd,trades,followers,userId");
    expect(lines.length).toBeGreaterThan(10);

    const bot = await example("paper_bot", "60", "5");
    expect(bot.out).toMatch(
      /^5 fills seen, \d+ positions open, -?[\d.]+ USD earned on paper, in a simulated world$/m,
    );
  },
  RUN_MS_MAX,
);

test(
  "its notebooks run from the first cell to the last, and a cell that fails is named",
  async () => {
    const notebooks = join(python, "notebooks");
    const names = readdirSync(notebooks).filter((name) => name.endsWith(".ipynb"));
    expect(names.length).toBe(5);
    const runner = [programPath("python"), join(notebooks, "run.py")];
    const { out } = await run([...runner, ...names.map((name) => join(notebooks, name))]);
    expect(out.match(/: \d+ cells ran$/gm)?.length).toBe(5);
    const cell = (source: string) => ({ cell_type: "code", source: [source], outputs: [] });
    const bad = join(folder, "bad.ipynb");
    await Bun.write(bad, JSON.stringify({ cells: [cell("one = 1"), cell("assert one == 2")] }));
    await expect(run([...runner, bad])).rejects.toThrow("cell 2 failed");
  },
  RUN_MS_MAX,
);

needing("python", "mypy").test(
  "its types hold, strictly: the module and the examples",
  async () => {
    const files = [
      "crowdtape",
      "examples/follow_trader.py",
      "examples/leaderboard_csv.py",
      "examples/paper_bot.py",
    ];
    const config = join(python, "pyproject.toml");
    const paths = files.map((file) => join(python, file));
    const { out } = await run([
      "mypy",
      "--config-file",
      config,
      "--cache-dir",
      join(folder, "mypy"),
      ...paths,
    ]);
    expect(out).toContain("no issues found");
  },
  RUN_MS_MAX,
);
