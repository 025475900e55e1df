// A saved login: a server and its key, in a file that only its owner can read. `--server` and `--key` take precedence.
import { mkdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { loadJson, saveJson } from "./files.ts";
import { Refused } from "./refused.ts";

export interface Login {
  server: string;
  key: string;
}

export const loginFile = () => join(homedir(), ".config", "crowdtape", "login.json");

export function readLogin(file = loginFile()): Login | null {
  const unreadable = `The saved login ${file} can't be read. Run crowdtape login again.`;
  const saved = loadJson(file, unreadable) as Partial<Login> | null;
  if (saved === null) return null;
  const { server, key } = saved;
  if (typeof server === "string" && typeof key === "string") return { server, key };
  throw new Refused(unreadable);
}

export function saveLogin(login: Login, file = loginFile()): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  saveJson(file, login);
}

export function forgetLogin(file = loginFile()): void {
  rmSync(file, { force: true });
}

/** A line of standard input; a terminal shows a prompt and no echo. */
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
