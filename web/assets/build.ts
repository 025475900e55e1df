// Bundles every entry of the pages into one folder, each file under a name with its content's hash, next to its compressed
// forms and a manifest. Runs as a separate process, so that the bundler's memory is freed afterwards.
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { ENTRIES, type EntryName, WEB_FOLDER } from "./entries.ts";

/** The files that a page must load for one entry, and the entry's own file name. */
export interface BuiltEntry {
  file: string;
  /** Scripts that it imports statically, directly or through others. */
  preload: string[];
}

export interface Manifest {
  entries: Record<EntryName, BuiltEntry>;
  files: string[];
}

const build = (entries: readonly string[], splitting: boolean) =>
  Bun.build({
    entrypoints: entries.map((path) => join(WEB_FOLDER, path)),
    target: "browser",
    format: "esm",
    splitting,
    minify: true,
    naming: { entry: "[dir]/[name]-[hash].[ext]", chunk: "chunk-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    root: WEB_FOLDER,
  });

export async function bundle(into: string): Promise<Manifest> {
  const { "worker.js": worker, ...pages } = ENTRIES;
  // A service worker is one classic script: it can't import modules.
  const built = [await build(Object.values(pages), true), await build([worker], false)];
  const texts = new Map<string, string>();
  for (const output of built.flatMap(({ outputs }) => outputs))
    texts.set(flat(output.path), relinked(await output.text()));
  const temporary = `${into}.${process.pid}`;
  await mkdir(temporary, { recursive: true });
  for (const [file, text] of texts) {
    const bytes = Buffer.from(text);
    await writeFile(join(temporary, file), bytes);
    await writeFile(join(temporary, `${file}.gz`), gzipSync(bytes, { level: 9 }));
    await writeFile(
      join(temporary, `${file}.br`),
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    );
  }
  const manifest: Manifest = { entries: entriesOf(texts), files: [...texts.keys()] };
  await writeFile(join(temporary, "manifest.json"), JSON.stringify(manifest));
  // Another process may have been faster; both builds are the same.
  await rename(temporary, into).catch(() => rm(temporary, { recursive: true, force: true }));
  return manifest;
}

/** One folder for all: "./explorer/entries/home-abc.js" becomes "explorer-entries-home-abc.js". */
const flat = (path: string) => path.replace(/^(\.{0,2}\/)+/, "").replaceAll("/", "-");
/** Entries import only chunks, which are in the same folder now. */
const IMPORTED = /(from|import)(\s*\(?\s*)"(?:\.{1,2}\/)+(chunk-[\w.-]+\.js)"/g;
const relinked = (text: string) => text.replace(IMPORTED, '$1$2"./$3"');

function entriesOf(texts: ReadonlyMap<string, string>): Record<EntryName, BuiltEntry> {
  const found = Object.entries(ENTRIES).map(([name, source]) => {
    const extension = name.slice(name.lastIndexOf("."));
    const stem = flat(source).replace(/\.\w+$/, "");
    const file = [...texts.keys()].find(
      (each) => each.endsWith(extension) && each.slice(0, each.lastIndexOf("-")) === stem,
    );
    if (file === undefined) throw new Error(`${source} was not built`);
    return [name, { file, preload: [...staticImports(file, texts)].filter((each) => each !== file) }];
  });
  return Object.fromEntries(found);
}

function staticImports(
  file: string,
  texts: ReadonlyMap<string, string>,
  seen = new Set<string>(),
): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, target] of (texts.get(file) ?? "").matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g))
    staticImports(String(target), texts, seen);
  return seen;
}

if (import.meta.main) await bundle(String(process.argv[2]));
