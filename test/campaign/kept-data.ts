// Data that outlives a process: copies made while it is written, and folders written by an earlier build.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../database/open.ts";
import { sql } from "../../database/sql.ts";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { imbalances } from "../../service/store/money/ledger.ts";
import { openStore } from "../../service/store/store.ts";
import { ask, remaining } from "../fuzz/asking.ts";
import { startSubject } from "../fuzz/subject.ts";
import { noting, type Outcome, type Trial } from "./trial.ts";

const root = join(import.meta.dir, "../..");
const clock = systemClock();

const backups: Trial = {
  name: "backups while calls are charged and events are captured, each opened again",
  holds: "a copy is whole: the ledger adds up, the log has no hole, and the program continues",
  async run({ subject, key, factor }): Promise<Outcome> {
    const errors: string[] = [];
    const folder = mkdtempSync(join(tmpdir(), "crowdtape-backups-"));
    const stopping = new AbortController();
    const load = charging(subject, key, stopping.signal);
    const tried = 3 * factor;
    try {
      for (let made = 0; made < tried; made++) {
        const file = join(folder, `copy-${made}.tar.zst`);
        const restored = join(folder, `data-${made}`);
        const said =
          (await failureOf(["backup", "--to", file], subject.dataFolder)) ??
          (await failureOf(["restore", "--from", file], restored));
        if (said !== null) errors.push(`no backup was made or restored: ${said}`);
        else errors.push(...(await wrongWith(join(restored, STORE_FILE))));
        for (const path of [file, restored]) rmSync(path, { recursive: true, force: true });
      }
    } finally {
      stopping.abort();
      const refused = await load;
      if (refused > 0) errors.push(`${refused} calls failed meanwhile`);
      rmSync(folder, { recursive: true, force: true });
    }
    return { tried, errors };
  },
};

/** The error message of a failed command. */
async function failureOf(words: string[], dataFolder: string): Promise<string | null> {
  const child = Bun.spawn([process.execPath, join(root, "service/cli.ts"), ...words], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", DATA_DIR: dataFolder },
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = await new Response(child.stderr).text();
  return (await child.exited) === 0 ? null : said;
}

/** Returns the number of calls that got a wrong answer. */
async function charging(subject: { url: string }, key: string, signal: AbortSignal): Promise<number> {
  let refused = 0;
  while (!signal.aborted) {
    const statuses = await Promise.all(
      Array.from({ length: 8 }, () =>
        ask(subject, key, "/v2/leaderboard/24h?limit=5").then(({ status }) => status),
      ),
    );
    refused += statuses.filter((status) => status !== 200).length;
  }
  return refused;
}

/** A copied store's report about itself. */
async function wrongWith(file: string): Promise<string[]> {
  const errors: string[] = [];
  const store = await openStore({ location: { file }, clock, log: createLog("silent", clock.now) });
  try {
    const wrong = await imbalances(store.database.read);
    noting(errors)(wrong.length === 0, `accounts that do not add up: ${JSON.stringify(wrong).slice(0, 300)}`);
    const log = await store.database.read.one<{ first: number; last: number; rows: number }>(
      sql`SELECT min(seq) AS first, max(seq) AS last, count(*) AS "rows" FROM log_event`,
    );
    noting(errors)(
      log !== null && Number(log.last) - Number(log.first) + 1 === Number(log.rows),
      `the log has holes: ${JSON.stringify(log)}`,
    );
  } finally {
    await store.close();
  }
  return errors;
}

/** The newest build with each set of migrations that a release could have had, except the current one. */
function earlierBuilds(): string[] {
  const git = (...words: string[]) =>
    Bun.spawnSync(["git", ...words], { cwd: root })
      .stdout.toString()
      .trim();
  const migrations = ["service/store/captured/migrations", "service/store/money/migrations"];
  const changed = git("log", "--format=%H", "--diff-filter=A", "--", ...migrations).split("\n");
  return (
    changed
      .filter((commit) => commit !== "")
      .map((commit) => git("rev-parse", "--verify", "-q", `${commit}^`))
      .filter((commit) => commit !== "" && git("ls-tree", "-r", "--name-only", commit, ...migrations) !== "")
      // Anything older than the replacement of the first migrations is another program's data.
      .filter((commit) =>
        git("ls-tree", "-r", "--name-only", commit, ...migrations).includes("001-captured.ts"),
      )
  );
}

const earlierData: Trial = {
  name: "a start on data that an earlier build wrote, for each set of migrations since the first",
  holds: "it starts; keys, credits and events are what they were",
  async run(): Promise<Outcome> {
    const errors: string[] = [];
    const builds = earlierBuilds();
    if (builds.length === 0)
      return { tried: 0, errors, skipped: "no earlier build is in this repository's history" };
    for (const commit of builds) errors.push(...(await startOn(commit)));
    return { tried: builds.length, errors };
  },
};

async function startOn(commit: string): Promise<string[]> {
  const errors: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-earlier-"));
  const build = join(folder, "build");
  const kept = join(folder, "data");
  const name = commit.slice(0, 9);
  try {
    mkdirSync(build);
    const archive = Bun.spawnSync(["sh", "-c", `git archive ${commit} | tar -x -C "$0"`, build], {
      cwd: root,
    });
    if (archive.exitCode !== 0) throw new Error(archive.stderr.toString());
    symlinkSync(join(root, "node_modules"), join(build, "node_modules"));
    const old = await startSubject(SMALL, build);
    const { key } = await old.makeKey("scale");
    for (let call = 0; call < 20; call++) await ask(old, key, "/v2/leaderboard/24h?limit=5");
    const credits = await remaining(old, key);
    await old.stop({ keepAs: kept });
    const events = await eventsIn(kept);
    const present = await startSubject({ ...SMALL, DATA_DIR: kept });
    const now = await remaining(present, key);
    noting(errors)(now === credits, `${name}: ${credits} credits became ${now}`);
    const { status } = await ask(present, key, "/v2/alerts?limit=5");
    noting(errors)(status === 200, `${name}: alerts are answered with ${status}`);
    await present.stop();
    const later = await eventsIn(kept);
    noting(errors)(later >= events && events > 0, `${name}: ${events} events became ${later}`);
    errors.push(...(await wrongWith(join(kept, STORE_FILE))).map((wrong) => `${name}: ${wrong}`));
  } catch (error) {
    errors.push(`${name}: ${error}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return errors;
}

const STORE_FILE = "crowdtape.sqlite";
const SMALL = { SIMULATOR_TRADERS: "60", SIMULATOR_HISTORY_DAYS: "1" };

async function eventsIn(folder: string): Promise<number> {
  const database = await openDatabase({ file: join(folder, STORE_FILE) });
  const row = await database.read.one<{ n: number }>(sql`SELECT count(*) AS n FROM log_event`);
  await database.close();
  return Number(row?.n ?? 0);
}

export const KEPT_DATA: readonly Trial[] = [backups, earlierData];
