// Files that a crash leaves whole: written beside, then moved over.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { Refused } from "./refused.ts";

export function saveJson(file: string, value: unknown): void {
  writeFileSync(`${file}.new`, JSON.stringify(value), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** What was saved, or null when there is no such file. */
export function loadJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return null;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(`${file} is not what this command saved. Move it away to start over.`);
  }
}
