// Runs a program to completion with its own environment, for tests that need it to succeed.

export interface CommandPlace {
  cwd: string;
  env: Record<string, string>;
}

/** Its output; throws with all of it when it failed. */
export async function runCommand(
  command: string[],
  place: CommandPlace,
): Promise<{ out: string; err: string }> {
  const child = Bun.spawn(command, { ...place, stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${out}\n${err}`);
  return { out, err };
}
