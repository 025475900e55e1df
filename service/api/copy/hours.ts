// Runs of consecutive hours since 1970, to be read together.

export interface HourRun {
  first: number;
  count: number;
}

/** Ascending in, ascending out. */
export function runsOf(hours: readonly number[], countMax: number): HourRun[] {
  const runs: HourRun[] = [];
  for (const hour of hours) {
    const last = runs.at(-1);
    if (last && last.first + last.count === hour && last.count < countMax) last.count += 1;
    else runs.push({ first: hour, count: 1 });
  }
  return runs;
}
