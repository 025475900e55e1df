// Runs commands in parallel, longest first, each with its output held back until it ends, so that outputs don't interleave.
// Commands that mostly wait have a lane of their own: several of them at once would leave cores idle.

export interface Job {
  name: string;
  /** The test files that it runs; a check runs none. */
  paths: readonly string[];
  command: string[];
  /** Its expected duration, as wall time and as processor time. */
  seconds: number;
  cpuSeconds: number;
}

export interface JobResult {
  job: Job;
  code: number;
  output: string;
  /** Wall time, and processor time over all cores. */
  tookSeconds: number;
  cpuSeconds: number;
}

/** Far longer than the slowest takes on a busy machine: a process that hangs is killed then. */
const JOB_MS_MAX = 15 * 60_000;
/** A command that uses less of a core than this mostly waits. */
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
