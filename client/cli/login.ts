// A saved login: a server and its key, in a file that only its owner can read. `--server` and `--key` come before it.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { Refused } from "./refused.ts";

export interface Login {
  server: string;
  key: string;
}

export const loginFile = () => join(homedir(), ".config", "crowdtape", "login.json");

export function readLogin(file = loginFile()): Login | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return null;
  }
  try {
    const { server, key } = JSON.parse(text);
    if (typeof server === "string" && typeof key === "string") return { server, key };
  } catch {}
  throw new Refused(`The saved login ${file} can't be read. Run crowdtape login again.`);
}

export function saveLogin(login: Login, file = loginFile()): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(login)}\n`, { mode: 0o600 });
  // An older file of that name keeps its mode when it is written to.
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
}

export function forgetLogin(file = loginFile()): void {
  rmSync(file, { force: true });
}

/** A line of standard input; in a terminal it is asked for and not shown. */
export async function readSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return (await new Response(Bun.stdin.stream()).text()).trim();
  stderr.write(question);
  stdin.setRawMode(true);
  let typed = "";
  try {
    for await (const chunk of stdin) {
      for (const letter of String(chunk)) {
        if (letter === "\r" || letter === "\n") return typed.trim();
        if (letter === "\u0003") throw new Refused("Nothing was saved.");
        typed = letter === "\u007f" ? typed.slice(0, -1) : typed + letter;
      }
    }
    return typed.trim();
  } finally {
    stdin.setRawMode(false);
    stderr.write("\n");
  }
}
