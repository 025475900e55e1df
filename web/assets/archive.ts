// A folder of built pages as one text, embedded in a single-file program.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export async function packFolder(folder: string): Promise<string> {
  const names = (await readdir(folder)).sort();
  const files = await Promise.all(
    names.map(async (name) => [name, (await readFile(join(folder, name))).toString("base64")]),
  );
  return JSON.stringify(Object.fromEntries(files));
}

/** Reads files by name. */
export function unpackFolder(packed: string): (name: string) => Uint8Array<ArrayBuffer> {
  const files: Record<string, string> = JSON.parse(packed);
  return (name) => {
    const file = files[name];
    if (file === undefined) throw new Error(`The program carries no file ${name}.`);
    return Uint8Array.fromBase64(file);
  };
}
