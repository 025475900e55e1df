// The reading commands and the messages for their failures. They load no service code, so that they start fast.
import { CrowdtapeError } from "../src/api-error.ts";
import { login, logout } from "./account.ts";
import { exportRows } from "./export.ts";
import { follow, follows } from "./follow.ts";
import { proof } from "./proof.ts";
import { reading } from "./reading.ts";
import { board, leaderboard, search, theses, token, trader } from "./reads.ts";
import { Refused } from "./refused.ts";
import { replay } from "./replay.ts";
import { risk } from "./risk.ts";
import { tail } from "./tail.ts";
import { safe } from "./terminal.ts";
import { exitCodeOf, findVerb, runVerb, type VerbTable } from "./verb.ts";

const mcp = reading({
  usage: "mcp",
  summary: "An MCP server on standard input and output, for language models: every read as a tool.",
  async run({ client, server }) {
    // Large, and no other command needs it.
    const { serveMcp } = await import("../mcp/stdio.ts");
    await serveMcp(client, server);
  },
});

export const READING_VERBS: VerbTable = {
  trader,
  leaderboard,
  board,
  theses,
  token,
  search,
  proof,
  replay,
  follow,
  follows,
  risk,
  tail,
  export: exportRows,
  mcp,
  login,
  logout,
};

/** The exit code, or null when it is not a reading command. */
export async function runReading(argv: string[]): Promise<number | null> {
  const asked = findVerb(READING_VERBS, argv);
  return asked && exitCodeOf(() => runVerb(asked.found, asked.rest), explain);
}

function explain(error: unknown): string {
  if (error instanceof Refused || error instanceof CrowdtapeError || error instanceof TypeError)
    return error.message.split("\n").map(safe).join("\n");
  const { code, path } = (error ?? {}) as { code?: unknown; path?: unknown };
  if (code === "EEXIST") return `${path} exists already. Remove it, or choose another name.`;
  if (code === "ENOENT" || code === "EACCES" || code === "EISDIR" || code === "ENOSPC")
    return `${path} can't be written (${code}).`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
