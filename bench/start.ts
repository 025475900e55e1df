// S8: from an empty folder to the first answer with data in it, as `npm start` runs it, with the default world; and the
// resident memory while it captures that world. For comparison, the time a bare server of the same runtime takes. Run: bun
// bench/start.ts [--quick]
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./kit/child.ts";
import { residentBytesOf } from "./kit/machine.ts";
import { ROOT, START_ENVIRONMENT, START_PROGRAM } from "./kit/product.ts";
import { figure, interleaved, spreadOf, spreadText } from "./kit/rounds.ts";
import { type Measured, suite } from "./kit/suite.ts";

const GIVE_UP_MS = 60_000;
const POLL_MS = 5;
/** It captures the whole world meanwhile, which is when it needs the most. */
const WATCHED_SECONDS = { full: 60, quick: 20 };

const BARE = "a bare Bun server";
const OURS = "Crowdtape";

interface Start {
  answerMs: number;
  /** The maximum during the watch. */
  residentMb: number;
  /** At the end of the watch. */
  lastMb: number;
}

async function start(
  command: string[],
  path: string,
  environment: Record<string, string>,
  watchedMs: number,
): Promise<Start> {
  const port = freePort();
  const beganAt = performance.now();
  const child = Bun.spawn(command, {
    cwd: ROOT,
    stdout: "ignore",
    stderr: "inherit",
    env: { ...Bun.env, PORT: String(port), LOG_LEVEL: "error", ...environment },
  });
  try {
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
      if (response?.ok && (await response.text()).length > 0) break;
      if (child.exitCode !== null || performance.now() - beganAt > GIVE_UP_MS)
        throw new Error("it does not answer");
      await Bun.sleep(POLL_MS);
    }
    const answerMs = performance.now() - beganAt;
    let most = 0;
    let last = 0;
    for (const until = performance.now() + watchedMs; performance.now() < until; await Bun.sleep(100)) {
      last = residentBytesOf(child.pid);
      most = Math.max(most, last);
    }
    return { answerMs, residentMb: most / 1024 ** 2, lastMb: last / 1024 ** 2 };
  } finally {
    child.kill("SIGTERM");
    await child.exited;
  }
}

await suite(async ({ quick, rounds }): Promise<Measured> => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-bench-start-"));
  const bare = join(folder, "bare.ts");
  writeFileSync(bare, 'Bun.serve({ port: process.env.PORT, fetch: () => new Response("hello") });\n');
  let made = 0;
  const fresh = () => ({ ...START_ENVIRONMENT, DATA_DIR: join(folder, String(++made)) });
  const ours = (watchedMs: number) =>
    start([process.execPath, START_PROGRAM], "/v2/leaderboard/24h?limit=3", fresh(), watchedMs);
  const { kept, notes } = await interleaved(
    [
      { name: OURS, measure: () => ours(1_000) },
      { name: BARE, measure: () => start([process.execPath, bare], "/", {}, 200) },
    ],
    rounds,
  );
  const watched = WATCHED_SECONDS[quick ? "quick" : "full"];
  const { residentMb, lastMb } = await ours(watched * 1_000);
  rmSync(folder, { recursive: true, force: true });

  const of = (name: string, what: keyof Start) =>
    spreadOf(kept.map((round) => round[name]?.[what] ?? Number.NaN));
  const answer = of(OURS, "answerMs");
  return {
    findings: [
      {
        bar: "first answer within 2 s",
        result: `${spreadText(answer, 0)} ms`,
        met: answer.median <= 2_000,
      },
      {
        bar: "at most 200 MB resident with the first answer",
        result: `${spreadText(of(OURS, "residentMb"), 0)} MB a second after it`,
        met: of(OURS, "residentMb").median <= 200,
      },
      {
        bar: "and while it reads the world's whole history",
        result: `${figure(residentMb, 0)} MB at most in the first ${watched} s, ${figure(lastMb, 0)} at their end`,
        met: residentMb <= 200,
        cause:
          "capture reads some 30,000 past events and every trader's positions while it serves, and what it holds for that in flight comes on top.",
      },
    ],
    tables: [
      {
        title: "From an empty folder, on all cores",
        columns: ["server", "ms to the first answer", "MB resident after a second"],
        rows: [OURS, BARE].map((name) => [
          name,
          spreadText(of(name, "answerMs"), 0),
          spreadText(of(name, "residentMb"), 0),
        ]),
      },
    ],
    notes,
  };
});
