// The names of scheduled backups: each contains its time, so that none replaces another and they sort by time.
import { readdirSync } from "node:fs";

const STAMP = /^\d{8}T\d{6}Z$/;

/** With its time, `tape.tar.zst` becomes `tape-20261117T143000Z.tar.zst`. */
export function stampedName(name: string, now: number): string {
  const [stem, extension] = partsOf(name);
  const stamp = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return `${stem}-${stamp}${extension}`;
}

/** The folder's backups under this name, except the newest. */
export function olderThanNewest(folder: string, name: string, keep: number): string[] {
  const [stem, extension] = partsOf(name);
  return readdirSync(folder)
    .filter((each) => each.startsWith(`${stem}-`) && each.endsWith(extension))
    .filter((each) => STAMP.test(each.slice(stem.length + 1, each.length - extension.length)))
    .sort()
    .slice(0, -keep);
}

/** Everything after the first dot of the last path segment is the extension. */
function partsOf(name: string): [stem: string, extension: string] {
  const dot = name.indexOf(".", name.lastIndexOf("/") + 2);
  return dot < 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot)];
}
