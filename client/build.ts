// `npm run client:build`, also run by npm pack: builds the publishable package in client/dist, one readable JavaScript file
// for every runtime and its declarations.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dir;

async function buildClient(): Promise<void> {
  const dist = join(here, "dist");
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  // The first runs everywhere, so it may use only what every browser has.
  for (const [entry, target] of [
    ["index", "browser"],
    ["node", "node"],
  ] as const) {
    const built = await Bun.build({
      entrypoints: [join(here, `src/${entry}.ts`)],
      outdir: dist,
      target,
      format: "esm",
      // Readable: an uncaught error prints the line that threw it.
      minify: false,
    });
    if (!built.success) throw new AggregateError(built.logs, "The client can't be bundled.");
  }
  await declare(dist);
  cpSync(join(here, "../LICENSE"), join(dist, "LICENSE"));
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
  // Users compile against the package as it is: .d.ts files behind .js names.
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".d.ts")) continue;
    const path = join(dist, name);
    writeFileSync(path, readFileSync(path, "utf8").replace(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
  }
}

await buildClient();
