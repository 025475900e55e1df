// Counts what happened, shows each failure when it happens with the command that shows it again, and ends a run with what
// was slow, what was skipped and the one line that counts.
import type { TestOutcome } from "./junit.ts";
import type { JobResult } from "./lanes.ts";

export interface Tally {
  /** A check, which passes or fails as a whole. */
  addCheck(result: JobResult): void;
  addFile(result: JobResult, tests: readonly TestOutcome[]): void;
  /** What each file took, in seconds. */
  took(): ReadonlyMap<string, number>;
  /** Prints the end; whether all is well. */
  end(options: { skipFails: boolean; slowestShown: number }): boolean;
}

export function createTally(seed: string): Tally {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const again: string[] = [];
  const skipped: string[] = [];
  const files: JobResult[] = [];

  const showFailure = ({ job, output }: JobResult, command: string) => {
    console.log(`\n${job.name} failed\n${output}\nto see it again: ${command}\n`);
    again.push(command);
  };

  return {
    addCheck(result) {
      counts[result.code === 0 ? "passed" : "failed"]++;
      if (result.code !== 0) showFailure(result, result.job.command.join(" "));
    },
    addFile(result, tests) {
      files.push(result);
      for (const { outcome } of tests) counts[outcome]++;
      const path = result.job.name;
      skipped.push(...tests.filter((one) => one.outcome === "skipped").map((one) => `${path}: ${one.name}`));
      const hasFailed = tests.some(({ outcome }) => outcome === "failed");
      // A file that can't be loaded, or whose process dies, has no test that failed.
      if (result.code !== 0 && !hasFailed) counts.failed++;
      if (result.code !== 0 || hasFailed) showFailure(result, `SEED=${seed} npm test -- ${path}`);
    },
    took: () => new Map(files.map(({ job, tookSeconds }) => [job.name, tookSeconds])),
    end({ skipFails, slowestShown }) {
      const slowest = [...files].sort((a, b) => b.tookSeconds - a.tookSeconds).slice(0, slowestShown);
      console.log(`\nthe slowest of ${files.length} files, in seconds (and of processor time):`);
      for (const { job, tookSeconds, cpuSeconds } of slowest)
        console.log(
          `${tookSeconds.toFixed(1).padStart(7)} ${`(${cpuSeconds.toFixed(1)})`.padStart(8)}  ${job.name}`,
        );
      if (skipped.length > 0) console.log(`\nskipped:\n  ${skipped.join("\n  ")}`);
      if (again.length > 0) console.log(`\nto see what failed again:\n  ${again.join("\n  ")}`);
      const tail = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
      console.log(`\n${counts.passed} passed, ${counts.failed} failed${tail}`);
      return counts.failed === 0 && counts.passed > 0 && !(skipFails && counts.skipped > 0);
    },
  };
}
