// `npm run build`: compiles the whole program into one file, for this machine or, with --all, for each that is named here; into
// dist/, or the folder that --into names. The runtimes of other machines come from the npm registry. SHA256SUMS has their checksums.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { packFolder } from "../web/assets/archive.ts";
import { builtFolder } from "../web/assets/assets.ts";

const TARGETS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "windows-x64"] as const;

const root = join(import.meta.dir, "..");
const { all, into } = parseArgs({
  options: { all: { type: "boolean" }, into: { type: "string", default: join(root, "dist") } },
}).values;
const here = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
const targets = all ? TARGETS : TARGETS.filter((target) => target === here);
if (targets.length === 0)
  throw new Error(`There is no runtime for ${here}; there is one for ${TARGETS.join(", ")}.`);

/** A part of the stream's client that reads a file next to itself, which one file has not: nothing here calls it. */
const withoutEncoding: Bun.BunPlugin = {
  name: "no encoding of streamed transactions",
  setup(build) {
    build.onLoad({ filter: /yellowstone_grpc_solana_encoding_wasm\.js$/ }, () => ({
      contents: "module.exports = {};",
      loader: "js",
    }));
  },
};

await mkdir(into, { recursive: true });
const pages = join(into, "built.pages");
await writeFile(pages, await packFolder(await builtFolder()));
const sums: string[] = [];
for (const target of targets) {
  const name = `crowdtape-${target}${target.startsWith("windows") ? ".exe" : ""}`;
  const built = await Bun.build({
    entrypoints: [join(root, "bin/one-file.ts"), pages],
    // Without its package.json no package is found on the disk, and `crowdtape sql` may use one.
    compile: { target: `bun-${target}`, outfile: join(into, name), autoloadPackageJson: true },
    loader: { ".pages": "file" },
    minify: true,
    plugins: [withoutEncoding],
  });
  if (!built.success) throw new AggregateError(built.logs, `${name} could not be built.`);
  const bytes = await Bun.file(join(into, name)).bytes();
  sums.push(`${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}  ${name}`);
  console.log(`${name}: ${Math.round(bytes.length / 1_000_000)} MB`);
}
await writeFile(join(into, "SHA256SUMS"), `${sums.join("\n")}\n`);
await rm(pages);
