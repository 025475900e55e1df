// Counts results, shows each failure as it happens with the command that reproduces it, and ends a run with the slow files,
// the skipped tests and the summary line.
import type { TestOutcome } from "./junit.ts";
import type { JobResult } from "./lanes.ts";

export interface Tally {
  /** A check, which passes or fails as a whole. */
  addCheck(result: JobResult): void;
  addFiles(result: JobResult, tests: readonly TestOutcome[]): void;
  /** Each file's duration; for files that shared a process, in proportion to their tests. */
  costs(): readonly FileCost[];
  /** Prints the summary; returns whether everything passed. */
  end(options: { skipFails: boolean; slowestShown: number }): boolean;
}

export interface FileCost {
  path: string;
  tookSeconds: number;
  cpuSeconds: number;
}

/** The duration of a process split over its files, in proportion to their tests' durations. */
function costsOf(result: JobResult, tests: readonly TestOutcome[]): FileCost[] {
  const { paths } = result.job;
  const secondsOf = (path: string) =>
    tests.filter((one) => one.path === path).reduce((sum, { seconds }) => sum + seconds, 0);
  const all = paths.reduce((sum, path) => sum + secondsOf(path), 0);
  return paths.map((path) => {
    const share = all > 0 ? secondsOf(path) / all : 1 / paths.length;
    return { path, tookSeconds: result.tookSeconds * share, cpuSeconds: result.cpuSeconds * share };
  });
}

export function createTally(seed: string): Tally {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const again: string[] = [];
  const skipped: string[] = [];
  const files: FileCost[] = [];
  let cpuSeconds = 0;
  let processes = 0;

  const showFailure = ({ job, output }: JobResult, command: string) => {
    console.log(`\n${job.name} failed\n${output}\nto see it again: ${command}\n`);
    again.push(command);
  };

  return {
    addCheck(result) {
      counts[result.code === 0 ? "passed" : "failed"]++;
      if (result.code !== 0) showFailure(result, result.job.command.join(" "));
    },
    addFiles(result, tests) {
      const { paths } = result.job;
      processes += 1;
      cpuSeconds += result.cpuSeconds;
      files.push(...costsOf(result, tests));
      for (const { outcome } of tests) counts[outcome]++;
      skipped.push(
        ...tests.filter(({ outcome }) => outcome === "skipped").map(({ path, name }) => `${path}: ${name}`),
      );
      // A file that can't be loaded, or whose process dies or exits early, has no test in the report.
      const unseen = paths.filter((path) => !tests.some((one) => one.path === path));
      counts.failed += unseen.length;
      const hasFailed = tests.some(({ outcome }) => outcome === "failed");
      if (result.code !== 0 && !hasFailed && unseen.length === 0) counts.failed++;
      if (result.code !== 0 || hasFailed || unseen.length > 0)
        showFailure(result, `SEED=${seed} npm test -- ${result.job.name}`);
    },
    costs: () => files,
    end({ skipFails, slowestShown }) {
      const slowest = [...files].sort((a, b) => b.tookSeconds - a.tookSeconds).slice(0, slowestShown);
      console.log(
        `\n${files.length} files in ${processes} processes took ${cpuSeconds.toFixed(0)} s of processor time`,
      );
      console.log("the slowest files, in seconds (and of processor time):");
      for (const cost of slowest)
        console.log(
          `${cost.tookSeconds.toFixed(1).padStart(7)} ${`(${cost.cpuSeconds.toFixed(1)})`.padStart(8)}  ${cost.path}`,
        );
      if (skipped.length > 0) console.log(`\nskipped:\n  ${skipped.join("\n  ")}`);
      if (again.length > 0) console.log(`\nto see what failed again:\n  ${again.join("\n  ")}`);
      const tail = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
      console.log(`\n${counts.passed} passed, ${counts.failed} failed${tail}`);
      return counts.failed === 0 && counts.passed > 0 && !(skipFails && counts.skipped > 0);
    },
  };
}
