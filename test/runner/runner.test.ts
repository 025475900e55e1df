// What the test command reads and prints decides what a run is worth, so it is tested too.
import { expect, spyOn, test } from "bun:test";
import { testFiles } from "./files.ts";
import { readJunit } from "./junit.ts";
import { createTally } from "./tally.ts";

const REPORT = `<testsuites><testsuite name="a.test.ts" file="a.test.ts">
  <testcase name="a &quot;name&quot;" classname="inner &gt; outer" time="1" file="a.test.ts" />
  <testcase name="broken" classname="" time="1"><failure type="Error" message="no">no</failure></testcase>
  <testcase name="left out" classname="suite" time="0"><skipped /></testcase>
  <testcase name="(unnamed)" classname="suite" time="0"><skipped /></testcase>
  <testcase name="(unnamed)" classname="suite" time="0"><failure type="Error" message="no">no</failure></testcase>
</testsuite></testsuites>`;

test("a report gives each test with its suites; hooks count only when they fail", () => {
  expect(readJunit(REPORT)).toEqual([
    { name: 'outer > inner > a "name"', outcome: "passed" },
    { name: "broken", outcome: "failed" },
    { name: "suite > left out", outcome: "skipped" },
    { name: "suite > a hook", outcome: "failed" },
  ]);
});

function lastLine(code: number, report: string, skipFails = false): { line: string; isWell: boolean } {
  const lines: string[] = [];
  const spy = spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  try {
    const tally = createTally("7");
    const job = { name: "a.test.ts", command: ["bun"], seconds: 1 };
    tally.addFile({ job, code, output: "", tookSeconds: 1, cpuSeconds: 1 }, readJunit(report));
    const isWell = tally.end({ skipFails, slowestShown: 10 });
    return { line: String(lines.at(-1)).trim(), isWell };
  } finally {
    spy.mockRestore();
  }
}

test("a run ends with one line that counts, and is well only if something ran and nothing failed", () => {
  const passed = '<testcase name="a" classname="" />';
  const skipped = '<testcase name="b" classname=""><skipped /></testcase>';
  expect(lastLine(0, passed)).toEqual({ line: "1 passed, 0 failed", isWell: true });
  expect(lastLine(0, passed + skipped)).toEqual({ line: "1 passed, 0 failed, 1 skipped", isWell: true });
  expect(lastLine(0, passed + skipped, true).isWell).toBe(false);
  expect(lastLine(1, REPORT)).toEqual({ line: "1 passed, 2 failed, 1 skipped", isWell: false });
  expect(lastLine(1, "")).toEqual({ line: "0 passed, 1 failed", isWell: false });
  expect(lastLine(0, "").isWell).toBe(false);
});

test("what starts a database, a browser or a process is not fast; what only computes is", async () => {
  const files = new Map((await testFiles()).map((file) => [file.path, file]));
  expect(files.get("service/store/postgres.test.ts")).toMatchObject({
    startsNothing: false,
    needsPostgres: true,
  });
  for (const path of ["web/explorer/explorer.test.ts", "test/commands/start.test.ts"])
    expect(files.get(path)?.startsNothing).toBe(false);
  expect(files.get("test/lock.test.ts")).toMatchObject({
    startsNothing: true,
    needsPostgres: false,
  });
});
