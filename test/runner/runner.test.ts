// The test command's parsing and output determine what a run is worth, so they are tested too.
import { expect, spyOn, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/supervised.ts";
import { type TestFile, testFiles } from "./files.ts";
import { groupFiles } from "./groups.ts";
import { readJunit } from "./junit.ts";
import { runJobs } from "./lanes.ts";
import { type PlannedRun, planRuns, runInRow } from "./repeat.ts";
import { createTally } from "./tally.ts";

const caseOf = (name: string, suites: string, body = "", path = "a.test.ts") =>
  `<testcase name="${name}" classname="${suites}" time="0.5" file="${path}" line="1">${body}</testcase>`;
const FAILURE = '<failure type="Error" message="no">no</failure>';
const PASSED = '<testcase name="a" classname="" time="0.25" file="a.test.ts" line="1" assertions="1" />';
const SKIPPED = caseOf("b", "", "<skipped />");
const REPORT = `<testsuites><testsuite name="a.test.ts" file="a.test.ts">
  ${caseOf("a &quot;name&quot;", "inner &gt; outer")}
  ${caseOf("broken", "", FAILURE)}
  ${caseOf("left out", "suite", "<skipped />")}
  ${caseOf("(unnamed)", "suite", "<skipped />")}
  ${caseOf("(unnamed)", "suite", FAILURE)}
</testsuite></testsuites>`;

test("a report contains each test with its suites; hooks count only when they fail", () => {
  const one = { path: "a.test.ts", seconds: 0.5 };
  expect(readJunit(REPORT)).toEqual([
    { ...one, name: 'outer > inner > a "name"', outcome: "passed" },
    { ...one, name: "broken", outcome: "failed" },
    { ...one, name: "suite > left out", outcome: "skipped" },
    { ...one, name: "suite > a hook", outcome: "failed" },
  ]);
});

interface Ran {
  code: number;
  report: string;
  paths?: string[];
  skipFails?: boolean;
}

function ended({ code, report, paths = ["a.test.ts"], skipFails = false }: Ran) {
  const lines: string[] = [];
  const spy = spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  try {
    const tally = createTally("7");
    const job = { name: paths.join(" "), paths, command: ["bun"], seconds: 1, cpuSeconds: 1 };
    tally.addFiles({ job, code, output: "", tookSeconds: 8, cpuSeconds: 4 }, readJunit(report));
    const isWell = tally.end({ skipFails, slowestShown: 10 });
    return { last: String(lines.at(-1)).trim(), isWell, costs: tally.costs(), lines };
  } finally {
    spy.mockRestore();
  }
}

test("a run ends with one summary line, and succeeds only if something ran and nothing failed", () => {
  expect(ended({ code: 0, report: PASSED })).toMatchObject({ last: "1 passed, 0 failed", isWell: true });
  const partly = { code: 0, report: PASSED + SKIPPED };
  expect(ended(partly)).toMatchObject({ last: "1 passed, 0 failed, 1 skipped", isWell: true });
  expect(ended({ ...partly, skipFails: true }).isWell).toBe(false);
  const broken = ended({ code: 1, report: REPORT });
  expect(broken).toMatchObject({ last: "1 passed, 2 failed, 1 skipped", isWell: false });
  expect(ended({ code: 1, report: PASSED })).toMatchObject({ last: "1 passed, 1 failed", isWell: false });
  for (const code of [0, 1])
    expect(ended({ code, report: "" })).toMatchObject({ last: "0 passed, 1 failed", isWell: false });
});

test("files that shared a process must each be in the report, and a failure names them all", () => {
  const paths = ["a.test.ts", "b.test.ts"];
  const other = caseOf("c", "", "", "b.test.ts") + caseOf("d", "", "", "b.test.ts").replace("0.5", "0.25");
  const both = ended({ code: 0, report: PASSED + other, paths });
  expect(both).toMatchObject({ last: "3 passed, 0 failed", isWell: true });
  expect(both.costs).toEqual([
    { path: "a.test.ts", tookSeconds: 2, cpuSeconds: 1 },
    { path: "b.test.ts", tookSeconds: 6, cpuSeconds: 3 },
  ]);
  const lost = ended({ code: 0, report: PASSED, paths });
  expect(lost).toMatchObject({ last: "1 passed, 1 failed", isWell: false });
  expect(lost.lines.join("\n")).toContain("SEED=7 npm test -- a.test.ts b.test.ts");
});

test("waiting commands run next to computing ones, and all of them finish", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-lanes-"));
  const job = (name: string, cpuSeconds: number, script: string) => ({
    name,
    paths: [],
    command: ["sh", "-c", script],
    seconds: 10,
    cpuSeconds,
  });
  const ended: string[] = [];
  await runJobs(
    [
      job("busy", 10, `until [ -e ${folder}/waited ]; do sleep 0.02; done`),
      job("busy too", 10, "true"),
      job("waits", 1, `touch ${folder}/waited`),
    ],
    { lanes: 1, env: process.env, ended: (result) => void ended.push(result.job.name) },
  );
  rmSync(folder, { recursive: true });
  expect(ended.sort()).toEqual(["busy", "busy too", "waits"]);
});

const file = (path: string, seconds: number, sharesProcess = true): TestFile => ({
  path,
  seconds,
  cpuSeconds: seconds,
  sharesProcess,
  startsNothing: true,
  needsPostgres: false,
  hasService: false,
});

test("short files of a room share a process, up to a length; the same files always the same one", () => {
  const files = [
    file("kit/a.test.ts", 40),
    file("kit/b.test.ts", 40),
    file("kit/c.test.ts", 5),
    file("kit/d.test.ts", 1, false),
    file("test/http/e.test.ts", 1),
    file("test/nodes/f.test.ts", 1),
  ];
  const groups = groupFiles(files).map((group) => group.map(({ path }) => path.slice(-9, -8)).join(""));
  expect(groups.sort()).toEqual(["ac", "b", "d", "e", "f"]);
  expect(groupFiles(files.filter(({ path }) => /[ac]\.test/.test(path)))).toHaveLength(1);
  expect(groupFiles([...files].reverse())).toEqual(groupFiles(files));
});

test("files that call a live service share a process across rooms, and with no others", () => {
  const asks = ["docs/a.test.ts", "test/http/b.test.ts"].map((path) => ({
    ...file(path, 1),
    hasService: true,
  }));
  expect(groupFiles([...asks, file("docs/c.test.ts", 1)])).toHaveLength(2);
});

test("a file with side effects on its process runs alone", async () => {
  const files = new Map((await testFiles()).map((one) => [one.path, one.sharesProcess]));
  for (const path of [
    "simulator/unhurried.test.ts",
    "test/http/webhooks.test.ts",
    "test/commands/start.test.ts",
    "service/access/ledger/book.test.ts",
  ])
    expect(files.get(path)).toBe(false);
  for (const path of [
    "kit/gate.test.ts",
    "contract/parts.test.ts",
    "replay/replay.test.ts",
    "test/http/edge.test.ts",
  ])
    expect(files.get(path)).toBe(true);
});

test("a file that starts a database, a browser or a process is not fast; one that only computes is", async () => {
  const files = new Map((await testFiles()).map((file) => [file.path, file]));
  expect(files.get("service/store/postgres.test.ts")).toMatchObject({
    startsNothing: false,
    needsPostgres: true,
  });
  for (const path of [
    "web/explorer/explorer.test.ts",
    "test/commands/start.test.ts",
    "test/http/edge.test.ts",
  ])
    expect(files.get(path)?.startsNothing).toBe(false);
  expect(files.get("test/lock.test.ts")).toMatchObject({
    startsNothing: true,
    needsPostgres: false,
  });
});

test("a port that another process of the run was given is not given again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-ports-"));
  const before = process.env.TEST_PORT_CLAIMS;
  process.env.TEST_PORT_CLAIMS = folder;
  try {
    const first = await freePort();
    writeFileSync(join(folder, String(first + 1)), "");
    const second = await freePort();
    expect(second).not.toBe(first + 1);
    expect(readdirSync(folder)).toContain(String(second));
  } finally {
    if (before === undefined) delete process.env.TEST_PORT_CLAIMS;
    else process.env.TEST_PORT_CLAIMS = before;
    rmSync(folder, { recursive: true });
  }
});

test("runs in a row have different seeds, and as many are next to busy loops as asked for", () => {
  for (let runs = 1; runs <= 20; runs++)
    for (let busy = 0; busy <= runs; busy++) {
      const plan = planRuns({ runs, busy, seed: 7 });
      expect(new Set(plan.map(({ seed }) => seed)).size).toBe(runs);
      expect(plan.filter(({ isBusy }) => isBusy)).toHaveLength(busy);
    }
});

test("runs in a row end at the first that fails, and its seed is in the last line", async () => {
  const plan = planRuns({ runs: 4, busy: 1, seed: 7 });
  const rowUntil = async (failing: string | null) => {
    const lines: string[] = [];
    const run = async ({ seed }: PlannedRun) => {
      const code = seed === failing ? 1 : 0;
      return { code, summary: `3 passed, ${code} failed`, tookSeconds: 90 };
    };
    return { isWell: await runInRow(plan, run, (line) => lines.push(line)), runs: lines.slice(2) };
  };
  expect(await rowUntil("8")).toEqual({
    isWell: false,
    runs: ["| 1 | quiet | 7 | 3 passed, 0 failed | 1.5 |", "| 2 | quiet | 8 | 3 passed, 1 failed | 1.5 |"],
  });
  const whole = await rowUntil(null);
  expect(whole).toMatchObject({ isWell: true, runs: { length: 4 } });
  expect(whole.runs.at(-1)).toContain("| busy | 10 |");
});
