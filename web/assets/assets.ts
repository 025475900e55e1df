// The pages' built files, ready to be sent: embedded in a single-file program, left by an earlier start, or built now. The
// folder is named by a hash of the sources, so a changed page is never served from an old build.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { unpackFolder } from "./archive.ts";
import type { Manifest } from "./build.ts";
import { type EntryName, WEB_FOLDER } from "./entries.ts";

export interface AssetFile {
  type: string;
  plain: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer>;
  brotli: Uint8Array<ArrayBuffer>;
}

/** The URLs that pages load from. */
export interface AssetUrls {
  url(name: EntryName): string;
  /** Scripts that the entry needs immediately. */
  preload(name: EntryName): string[];
}

export interface Assets extends AssetUrls {
  files: ReadonlyMap<string, AssetFile>;
}

export const ASSETS_PATH = "/assets";

const TYPES: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

export async function openAssets(folders: readonly string[] = usualFolders()): Promise<Assets> {
  const carried = Bun.embeddedFiles[0];
  if (carried !== undefined) {
    const files = unpackFolder(await carried.text());
    return load(async (name) => files(name));
  }
  const folder = await builtFolder(folders);
  return load(async (name) => new Uint8Array(await readFile(join(folder, name))));
}

/** The folder of the built pages, after building them if needed. */
export async function builtFolder(folders: readonly string[] = usualFolders()): Promise<string> {
  const name = await sourceHash();
  const known = folders
    .map((folder) => join(folder, name))
    .find((folder) => existsSync(join(folder, "manifest.json")));
  return known ?? (await build(folders, name));
}

/** Next to the program if that is writable, else a folder that anyone may write to. */
function usualFolders(): string[] {
  return [join(WEB_FOLDER, "..", "dist", "web"), join(tmpdir(), "crowdtape-web")];
}

async function sourceHash(): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  const sources = (await readdir(WEB_FOLDER, { recursive: true }))
    .filter((path) => /\.(tsx?|css)$/.test(path) && !path.endsWith(".test.ts"))
    .sort();
  for (const path of [...sources, "../contract/plans.ts", "../package-lock.json"]) {
    hash.update(path);
    hash.update(await readFile(join(WEB_FOLDER, path)).catch(() => ""));
  }
  return hash.digest("hex").slice(0, 16);
}

async function build(folders: readonly string[], name: string): Promise<string> {
  const errors: string[] = [];
  for (const folder of folders) {
    const into = join(folder, name);
    const made = await mkdir(dirname(into), { recursive: true }).then(
      () => true,
      () => false,
    );
    if (!made) continue;
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "build.ts"), into], {
      stdout: "ignore",
      stderr: "pipe",
    });
    if ((await child.exited) === 0) return into;
    errors.push(await new Response(child.stderr).text());
  }
  throw new Error(`The pages could not be bundled. ${errors.join("\n")}`);
}

async function load(read: (name: string) => Promise<Uint8Array<ArrayBuffer>>): Promise<Assets> {
  const manifest: Manifest = JSON.parse(new TextDecoder().decode(await read("manifest.json")));
  const files = new Map<string, AssetFile>();
  for (const file of manifest.files) {
    files.set(file, {
      type: TYPES[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream",
      plain: await read(file),
      gzip: await read(`${file}.gz`),
      brotli: await read(`${file}.br`),
    });
  }
  return {
    files,
    url: (name) => `${ASSETS_PATH}/${manifest.entries[name].file}`,
    preload: (name) => manifest.entries[name].preload.map((file) => `${ASSETS_PATH}/${file}`),
  };
}
