// The commands that read: a table of contents, one help, and how a failure is told. They load nothing of the service, so
// that they start at once.
import { CrowdtapeError } from "../src/api-error.ts";
import { login, logout } from "./account.ts";
import { type Command, runCommand } from "./command.ts";
import { exportRows } from "./export.ts";
import { board, leaderboard, search, theses, token, trader } from "./reads.ts";
import { Refused } from "./refused.ts";
import { tail } from "./tail.ts";
import { safe } from "./terminal.ts";

const mcp: Command = {
  usage: "mcp",
  summary: "An MCP server on standard input and output, for language models: every read as a tool.",
  words: [0, 0],
  async run({ client, server }) {
    // Large, and of use to nobody else.
    const { serveMcp } = await import("../mcp/stdio.ts");
    await serveMcp(client, server);
  },
};

const COMMANDS: Record<string, Command> = {
  trader,
  leaderboard,
  board,
  theses,
  token,
  search,
  tail,
  export: exportRows,
  mcp,
  login,
  logout,
};

export const READING_HELP = Object.values(COMMANDS)
  .map(({ usage, summary }) => `  crowdtape ${usage}\n      ${summary}`)
  .join("\n");

/** The exit code, or null when it is no command that reads. */
export async function runReading(verb: string, argv: string[]): Promise<number | null> {
  const command = Object.hasOwn(COMMANDS, verb) ? COMMANDS[verb] : undefined;
  if (!command) return null;
  // The reader of a pipe may have seen enough: `crowdtape tail | head`.
  process.stdout.on("error", () => process.exit(0));
  try {
    await runCommand(command, argv);
    return 0;
  } catch (problem) {
    if ((problem as { code?: unknown } | null)?.code === "EPIPE") return 0;
    console.error(sentenceOf(problem));
    return 1;
  }
}

function sentenceOf(problem: unknown): string {
  if (problem instanceof Refused || problem instanceof CrowdtapeError || problem instanceof TypeError)
    return problem.message.split("\n").map(safe).join("\n");
  const { code, path } = (problem ?? {}) as { code?: unknown; path?: unknown };
  if (code === "EEXIST") return `${path} exists already. Remove it, or choose another name.`;
  if (code === "ENOENT" || code === "EACCES" || code === "EISDIR" || code === "ENOSPC")
    return `${path} can't be written (${code}).`;
  return problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
}
