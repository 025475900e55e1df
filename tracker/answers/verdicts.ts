// The operator's verdicts on tokens, in memory. The service writes them, this notices changes.
import type { Database } from "../../database/database.ts";
import { tokenKey } from "../books/ledger.ts";
import { readVerdicts, verdictsVersion } from "../books/verdicts.ts";

export type TokenWord = "spam" | "fine";

export interface Verdicts {
  /** Null: no verdict. */
  of(key: string): TokenWord | null;
  /** Reloads after changes; returns the keys of tokens whose verdict changed. */
  refresh(): Promise<string[]>;
}

export async function openVerdicts({ read }: Pick<Database, "read">): Promise<Verdicts> {
  let version = "";
  let words = new Map<string, TokenWord>();
  const refresh = async () => {
    const found = await verdictsVersion(read);
    if (found === version) return [];
    const said = (await readVerdicts(read)).flatMap(({ chainId, token, verdict }) =>
      verdict === null ? [] : [[tokenKey(chainId, token), verdict] as const],
    );
    const before = words;
    [words, version] = [new Map(said), found];
    return [...new Set([...before.keys(), ...words.keys()])].filter(
      (key) => before.get(key) !== words.get(key),
    );
  };
  await refresh();
  return { of: (key) => words.get(key) ?? null, refresh };
}
