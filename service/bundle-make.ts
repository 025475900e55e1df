// Makes the program's bundle, in one piece or not at all. Modules that the program loads when it first needs them stay
// files of their own, names are kept, and stack traces lead to the sources.
// Run: bun service/bundle-make.ts
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { BunPlugin } from "bun";
import { ALSO_READ, BUNDLE_FOLDER, type BundleRecord, ENTRY, RECORD, ROOT, stampOf } from "./bundle.ts";
import { lineMap } from "./bundle-map.ts";

export async function makeBundle(into: string, root: string = ROOT): Promise<void> {
  const stamps = new Map(ALSO_READ.map((path) => [path, stampOf(join(root, path))]));
  const temporary = `${into}.${process.pid}`;
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  try {
    await Bun.build({
      entrypoints: [join(root, "service", `${ENTRY}.ts`)],
      outdir: temporary,
      target: "bun",
      splitting: true,
      sourcemap: "linked",
      plugins: [sourcesOf(root, stamps)],
    });
    for (const file of readdirSync(temporary).filter((name) => name.endsWith(".map"))) {
      const path = join(temporary, file);
      writeFileSync(path, JSON.stringify(lineMap(JSON.parse(readFileSync(path, "utf8")))));
    }
    const record: BundleRecord = { runtime: Bun.version, root, sources: Object.fromEntries(stamps) };
    writeFileSync(join(temporary, RECORD), JSON.stringify(record));
    rmSync(into, { recursive: true, force: true });
    renameSync(temporary, into);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Notes each source before it is read, and keeps it where it says it is: what it finds beside it is not in the bundle. */
function sourcesOf(root: string, stamps: Map<string, string>): BunPlugin {
  return {
    name: "sources",
    setup(build) {
      build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        stamps.set(relative(root, path), stampOf(path));
        const place = JSON.stringify(dirname(path));
        return {
          contents: readFileSync(path, "utf8").replaceAll("import.meta.dir", place),
          loader: path.endsWith("x") ? "tsx" : "ts",
        };
      });
    },
  };
}

if (import.meta.main) await makeBundle(BUNDLE_FOLDER);
