// Runs a program to completion: its wall time and processor time, its peak resident size, and its output.

export interface TimedRun {
  code: number;
  /** The first part of the output, and its total length. */
  out: string;
  bytes: number;
  err: string;
  seconds: number;
  cpuSeconds: number;
  residentMb: number;
}

const KEPT_CHARS = 10_000;

export async function timed(
  command: readonly string[],
  environment: Record<string, string>,
): Promise<TimedRun> {
  const beganAt = performance.now();
  const child = Bun.spawn([...command], {
    env: { PATH: Bun.env.PATH, ...environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  let [out, bytes] = ["", 0];
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      bytes += chunk.length;
      if (out.length < KEPT_CHARS) out += decoder.decode(chunk, { stream: true });
    }
  })();
  const err = await new Response(child.stderr).text();
  await reading;
  const code = await child.exited;
  const used = child.resourceUsage();
  return {
    code,
    out,
    bytes,
    err,
    seconds: (performance.now() - beganAt) / 1_000,
    cpuSeconds: Number(used?.cpuTime.total ?? 0) / 1_000_000,
    residentMb: Number(used?.maxRSS ?? 0) / 1_048_576,
  };
}
