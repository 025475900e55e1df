// Runs commands side by side, those that take longest first, each with its output held back until it ends, so that what one
// prints is not cut by another. Those that mostly wait have a lane of their own: several of them at once would leave cores idle.

export interface Job {
  name: string;
  /** The test files that it runs; a check runs none. */
  paths: readonly string[];
  command: string[];
  /** How long it is supposed to take, by the wall and of all cores together. */
  seconds: number;
  cpuSeconds: number;
}

export interface JobResult {
  job: Job;
  code: number;
  output: string;
  /** By the wall, and of all cores together. */
  tookSeconds: number;
  cpuSeconds: number;
}

/** Far above what the slowest takes on a busy machine: a process that hangs ends here. */
const JOB_MS_MAX = 15 * 60_000;
/** What uses less of a core than this while it runs mostly waits. */
const WAITS_SHARE_MAX = 0.2;

const mostlyWaits = ({ seconds, cpuSeconds }: Job) => cpuSeconds < seconds * WAITS_SHARE_MAX;

async function run(job: Job, env: Record<string, string | undefined>): Promise<JobResult> {
  const startedAt = performance.now();
  const child = Bun.spawn(job.command, { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const timer = setTimeout(() => child.kill("SIGKILL"), JOB_MS_MAX);
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  clearTimeout(timer);
  return {
    job,
    code,
    output: out + err,
    tookSeconds: (performance.now() - startedAt) / 1_000,
    cpuSeconds: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6,
  };
}

export async function runJobs(
  jobs: readonly Job[],
  options: {
    lanes: number;
    env: Record<string, string | undefined>;
    ended(result: JobResult): void | Promise<void>;
  },
): Promise<void> {
  const sorted = [...jobs].sort((a, b) => b.seconds - a.seconds);
  const idle = sorted.filter(mostlyWaits);
  const busy = sorted.filter((job) => !mostlyWaits(job));
  const lane = async (first: Job[], then: Job[]) => {
    const next = () => first.shift() ?? then.shift();
    for (let job = next(); job; job = next()) await options.ended(await run(job, options.env));
  };
  const lanes = Array.from({ length: options.lanes }, () => lane(busy, idle));
  await Promise.all([...lanes, lane(idle, busy)]);
}
