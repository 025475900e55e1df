// Generated TypeScript in Biome's format, so that the formatter has nothing to change.
import { join } from "node:path";

const root = join(import.meta.dir, "../..");

export async function formatted(text: string, path: string): Promise<string> {
  const biome = Bun.spawn(["node_modules/.bin/biome", "format", `--stdin-file-path=${path}`], {
    cwd: root,
    stdin: new Blob([text]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(biome.stdout).text(),
    new Response(biome.stderr).text(),
    biome.exited,
  ]);
  if (code !== 0) throw new Error(`Biome could not format ${path}: ${err}`);
  return out;
}
