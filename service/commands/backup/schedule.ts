// The names of backups that are made again and again: each has its moment in it, so that none takes another one's place
// and their order is that of time.
import { readdirSync } from "node:fs";

const STAMP = /^\d{8}T\d{6}Z$/;

/** `tape.tar.zst` at a moment is `tape-20261117T143000Z.tar.zst`. */
export function stampedName(name: string, now: number): string {
  const [stem, extension] = partsOf(name);
  const stamp = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return `${stem}-${stamp}${extension}`;
}

/** Those of the folder that were made under this name, but for the newest. */
export function olderThanNewest(folder: string, name: string, keep: number): string[] {
  const [stem, extension] = partsOf(name);
  return readdirSync(folder)
    .filter((each) => each.startsWith(`${stem}-`) && each.endsWith(extension))
    .filter((each) => STAMP.test(each.slice(stem.length + 1, each.length - extension.length)))
    .sort()
    .slice(0, -keep);
}

/** All that follows the first dot of the last part is the extension. */
function partsOf(name: string): [stem: string, extension: string] {
  const dot = name.indexOf(".", name.lastIndexOf("/") + 2);
  return dot < 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot)];
}
