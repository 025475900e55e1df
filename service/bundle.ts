// The program in a few files, made when it is installed: to find and load its seven hundred modules one by one is a tenth
// of a start. A bundle is used only by the runtime and in the folder it was made for, and only while every source in it is
// as it was, so a program that was edited or updated never runs from an old one.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export const ROOT: string = join(import.meta.dir, "..");
export const BUNDLE_FOLDER: string = join(ROOT, "dist", "service");
export const RECORD = "sources.json";
export const ENTRY = "start";

/** What a bundle was made by, where, and from which files; each with its stamp, by its path from the root. */
export interface BundleRecord {
  runtime: string;
  root: string;
  sources: Record<string, string>;
}

/** Beside the sources: how they are read, and which packages they find. */
export const ALSO_READ = ["package.json", "package-lock.json", "tsconfig.json"];

/** The bundle's first file; null where there is none or where it is not what the sources say now. */
export function freshBundle(folder: string = BUNDLE_FOLDER, root: string = ROOT): string | null {
  try {
    const record: BundleRecord = JSON.parse(readFileSync(join(folder, RECORD), "utf8"));
    if (record.runtime !== Bun.version || record.root !== root) return null;
    const sources = Object.entries(record.sources);
    return sources.every(([path, stamp]) => stampOf(join(root, path)) === stamp)
      ? join(folder, `${ENTRY}.js`)
      : null;
  } catch {
    // Not made, not readable, or a source is gone: then the sources are what runs.
    return null;
  }
}

/** To look at every file's content would take longer than the bundle saves. Images keep times by the second. */
export function stampOf(path: string): string {
  const { size, mtimeMs } = statSync(path);
  return `${size} ${Math.floor(mtimeMs / 1_000)}`;
}
