// Where the history is stored: a folder, or objects in S3 under a prefix. A file appears there whole or not at all.
import { existsSync } from "node:fs";
import { copyFile, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isS3, s3Place } from "../../kit/s3.ts";
import { emptyManifest, type HistoryManifest, MANIFEST_FILE, readManifest } from "./manifest.ts";

export interface HistoryPlace {
  manifest(): Promise<HistoryManifest>;
  saveManifest(manifest: HistoryManifest): Promise<void>;
  /** Puts a local file in its place. */
  put(path: string, file: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** The bytes from `start` to `end`, exclusive. */
  bytes(path: string, start: number, end: number): Blob | ReadableStream<Uint8Array>;
  /** The name for programs that read files by name. */
  address(path: string): string;
}

export function openPlace(address: string): HistoryPlace {
  return isS3(address) ? objects(address) : folder(address);
}

function folder(root: string): HistoryPlace {
  const at = (path: string) => join(root, path);
  const replace = async (path: string, fill: (draft: string) => Promise<void>) => {
    await mkdir(dirname(at(path)), { recursive: true });
    const draft = `${at(path)}.part`;
    await fill(draft);
    await flush(draft);
    await rename(draft, at(path));
    await flush(dirname(at(path)));
  };
  return {
    manifest: async () =>
      existsSync(at(MANIFEST_FILE))
        ? readManifest(await readFile(at(MANIFEST_FILE), "utf8"))
        : emptyManifest(),
    saveManifest: (manifest) =>
      replace(MANIFEST_FILE, async (draft) => void (await Bun.write(draft, textOf(manifest)))),
    put: (path, file) => replace(path, (draft) => copyFile(file, draft)),
    remove: (path) => rm(at(path), { force: true }),
    bytes: (path, start, end) => Bun.file(at(path)).slice(start, end),
    address: at,
  };
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}

function objects(address: string): HistoryPlace {
  const place = s3Place(address);
  if (!place) throw new Error(`${address} is not of the form s3://BUCKET/NAME.`);
  const { client } = place;
  const key = (path: string) => (place.key === "" ? path : `${place.key}/${path}`);
  return {
    async manifest() {
      const object = client.file(key(MANIFEST_FILE));
      return (await object.exists()) ? readManifest(await object.text()) : emptyManifest();
    },
    saveManifest: async (manifest) => void (await client.write(key(MANIFEST_FILE), textOf(manifest))),
    put: async (path, file) => void (await client.write(key(path), Bun.file(file))),
    remove: (path) => client.delete(key(path)),
    bytes: (path, start, end) => client.file(key(path)).slice(start, end).stream(),
    address: (path) => `${address.replace(/\/+$/, "")}/${path}`,
  };
}

const textOf = (manifest: HistoryManifest) => `${JSON.stringify(manifest, null, 1)}\n`;
