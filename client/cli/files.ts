// Files that only their owner can read and that a crash can't corrupt: written to a temporary file, then renamed.
import { chmodSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { Refused } from "./refused.ts";

export function saveJson(file: string, value: unknown): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(value)}\n`, { mode: 0o600 });
  // An older file of that name keeps its mode when it is written to.
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
}

/** The saved content, or null when there is no such file. Any other content is refused with this message. */
export function loadJson(
  file: string,
  otherwise = `${file} is not what this command saved. Move it away to start over.`,
): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return null;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(otherwise);
  }
}
