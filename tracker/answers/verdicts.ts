// What the operator says of tokens, in memory. The service writes it, this notices.
import type { Database } from "../../database/database.ts";
import { tokenKey } from "../books/ledger.ts";
import { readVerdicts, verdictsVersion } from "../books/verdicts.ts";

export type TokenWord = "spam" | "fine";

export interface Verdicts {
  /** Null: nothing was said. */
  of(key: string): TokenWord | null;
  /** Reads what changed; the keys of tokens that are judged otherwise now. */
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
