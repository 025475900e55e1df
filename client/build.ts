// `npm run client:build`: the publishable package in client/dist, one small file of JavaScript for every runtime and the
// declarations beside it.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dir;

/** The whole package, ready to be packed, in a folder. */
export async function buildClient(folder = here): Promise<{ bytes: number; compressedBytes: number }> {
  const dist = join(folder, "dist");
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const built = await Bun.build({
    entrypoints: [join(here, "src/index.ts")],
    outdir: dist,
    // No runtime's own: what is not in every browser can't be used.
    target: "browser",
    format: "esm",
    minify: true,
  });
  if (!built.success) throw new AggregateError(built.logs, "The client can't be bundled.");
  await declare(dist);
  if (folder !== here)
    for (const name of ["package.json", "README.md"]) cpSync(join(here, name), join(folder, name));
  cpSync(join(here, "../LICENSE"), join(dist, "LICENSE"));
  const code = readFileSync(join(dist, "index.js"));
  return { bytes: code.length, compressedBytes: Bun.gzipSync(code, { level: 9 }).length };
}

async function declare(dist: string): Promise<void> {
  const compiler = Bun.spawn(
    [join(here, "../node_modules/.bin/tsc"), "-p", join(here, "tsconfig.build.json"), "--outDir", dist],
    {
      stdout: "pipe",
      stderr: "inherit",
    },
  );
  const [out, code] = await Promise.all([new Response(compiler.stdout).text(), compiler.exited]);
  if (code !== 0) throw new Error(`The declarations can't be written.\n${out}`);
  // Others compile against what is there: .d.ts files behind .js names.
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".d.ts")) continue;
    const path = join(dist, name);
    writeFileSync(path, readFileSync(path, "utf8").replace(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
  }
}

if (import.meta.main) {
  const { bytes, compressedBytes } = await buildClient();
  console.log(`client/dist/index.js: ${bytes} bytes, ${compressedBytes} compressed`);
}
