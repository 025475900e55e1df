// A local copy of files in a bucket, for programs that read files by name: only the wanted ones, each downloaded once and
// verified. A file never changes under its path, so an existing copy is valid; files no longer in the manifest are deleted.
import { createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { HistoryFile, HistoryManifest } from "./manifest.ts";
import type { HistoryPlace } from "./place.ts";

export async function copyFiles(
  place: Pick<HistoryPlace, "bytes">,
  { files }: Pick<HistoryManifest, "files">,
  wanted: readonly HistoryFile[],
  folder: string,
): Promise<void> {
  removeOthers(folder, new Set(files.map(({ path }) => path)));
  for (const file of wanted) if (!existsSync(join(folder, file.path))) await download(place, file, folder);
}

async function download(
  place: Pick<HistoryPlace, "bytes">,
  { path, bytes, sha256 }: HistoryFile,
  folder: string,
): Promise<void> {
  const at = join(folder, path);
  mkdirSync(dirname(at), { recursive: true });
  const hash = new Bun.CryptoHasher("sha256");
  const source = place.bytes(path, 0, bytes);
  const stream = source instanceof Blob ? source.stream() : source;
  await pipeline(
    Readable.fromWeb(stream as never),
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(`${at}.part`),
  );
  if (hash.digest("hex") !== sha256) {
    rmSync(`${at}.part`);
    throw new Error(`${path} is not what the manifest says.`);
  }
  renameSync(`${at}.part`, at);
}

function removeOthers(folder: string, named: ReadonlySet<string>): void {
  if (!existsSync(folder)) return;
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    if (path.endsWith(".parquet") && !named.has(path)) rmSync(join(folder, path));
}
