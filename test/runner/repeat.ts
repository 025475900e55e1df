// Whole runs of the suite in a row: which of them get a busy machine, and the table of what they ended with.

export interface PlannedRun {
  seed: string;
  /** Next to a busy loop on each core. */
  isBusy: boolean;
}

export interface EndedRun {
  code: number;
  /** The suite's last line. */
  summary: string;
  tookSeconds: number;
}

/** Each run has a seed of its own, counted up from the first; the busy ones are spread evenly. */
export function planRuns({ runs, busy, seed }: { runs: number; busy: number; seed: number }): PlannedRun[] {
  const busyUntil = (run: number) => Math.floor((run * busy) / runs);
  return Array.from({ length: runs }, (_, run) => ({
    seed: String(seed + run),
    isBusy: busyUntil(run + 1) > busyUntil(run),
  }));
}

/** Ends at the first run that fails; returns whether none did. */
export async function runInRow(
  plan: readonly PlannedRun[],
  run: (planned: PlannedRun) => Promise<EndedRun>,
  say: (line: string) => void,
): Promise<boolean> {
  say("| run | machine | seed | result | minutes |");
  say("| --: | ------- | ---: | ------ | ------: |");
  for (const [place, planned] of plan.entries()) {
    const { code, summary, tookSeconds } = await run(planned);
    const machine = planned.isBusy ? "busy" : "quiet";
    say(`| ${place + 1} | ${machine} | ${planned.seed} | ${summary} | ${(tookSeconds / 60).toFixed(1)} |`);
    if (code !== 0) return false;
  }
  return true;
}
