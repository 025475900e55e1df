// How an operator's command ends: silently on success, with a message if a person can fix the error, with a stack trace
// if the program is at fault.
import { Refused } from "../../client/cli/refused.ts";
import { exitCodeOf } from "../../client/cli/verb.ts";
import { SchemaMismatch, StoreUnavailable } from "../../database/errors.ts";
import { BadSettings } from "../../kit/bad-settings.ts";
import { withoutSecrets } from "../../kit/log.ts";
import { ForeignWorld } from "../../simulator/persist/identity.ts";
import type { Config } from "../config.ts";

/** Runs a command to its end and returns the exit code. */
export const runCommand = (work: () => Promise<void>): Promise<number> => exitCodeOf(work, explain);

/** Describes the error for the person who can fix it; never includes a secret. */
export function explain(error: unknown): string {
  return withoutSecrets(
    sentenceOf(error) ??
      (error instanceof Error ? (error.stack ?? error.message) : `Something failed: ${error}`),
  );
}

function sentenceOf(error: unknown): string | null {
  if (error instanceof BadSettings) {
    return [
      "Crowdtape can't start with these settings:",
      ...error.faults.map((fault) => `  - ${fault}`),
    ].join("\n");
  }
  if (error instanceof Refused || error instanceof SchemaMismatch || error instanceof ForeignWorld)
    return error.message;
  if (error instanceof StoreUnavailable) return `${error.message} ${STORE_ADVICE[error.reason]}`;
  if (!(error instanceof Error)) return null;
  const { code, errno, path } = error as Error & { code?: unknown; errno?: unknown; path?: unknown };
  if (code === "ERR_POSTGRES_SERVER_ERROR" && REFUSED_BY_POSTGRES.test(String(errno)))
    return `PostgreSQL refused: ${error.message}. Check DATABASE_URL.`;
  if (code === "SQLITE_NOTADB" || code === "SQLITE_CORRUPT")
    return "The database file in DATA_DIR is corrupt or not a SQLite file. Restore a backup, or move the file away to start over.";
  const fault = FOLDER_FAULTS.get(String(code));
  return fault && typeof path === "string"
    ? `${path} can't be used: ${fault}. Set DATA_DIR to a folder that this user may write.`
    : null;
}

const STORE_ADVICE: Record<StoreUnavailable["reason"], string> = {
  connection: "Check that DATABASE_URL points to a running PostgreSQL.",
  timeout: "The database did not answer in time; look at its load, then try again.",
  busy: "Another process keeps the database busy; try again, or look for what holds it.",
  disk: "Check that DATA_DIR is a folder that this user may write, on a disk with room.",
};

/** SQLSTATE classes that a correct DATABASE_URL fixes: the login (28), the database (3D), its privileges (42501). */
const REFUSED_BY_POSTGRES = /^(28|3D|42501)/;

const FOLDER_FAULTS = new Map([
  ["EEXIST", "there is a file of that name, not a folder"],
  ["ENOTDIR", "a part of that path is a file, not a folder"],
  ["ENOENT", "it is not there and can't be made"],
  ["EACCES", "this user may not read and write there"],
  ["EPERM", "this user may not read and write there"],
  ["EROFS", "that disk is read-only"],
  ["ENOSPC", "that disk is full"],
]);

interface ListenError {
  code?: unknown;
  syscall?: unknown;
  /** If it is not the process's main one. */
  port?: number;
}

/** Reports which address it could not listen on, and why. */
export async function listening<T>(
  config: Pick<Config, "host" | "port">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, syscall, port = config.port } = (error ?? {}) as ListenError;
    if (syscall !== "listen") throw error;
    const setting = port === config.port ? "PORT" : "METRICS_PORT";
    if (code === "EADDRINUSE") {
      throw new Refused(
        `Port ${port} is already in use. Stop what listens there, or choose another with ${setting}=${port === 8081 ? 8082 : 8081}.`,
      );
    }
    throw new Refused(
      code === "EACCES"
        ? `This user may not listen on port ${port}. Choose one above 1023 with ${setting}.`
        : `${config.host} is not an address of this machine. Set HOST to one it can listen on, such as 127.0.0.1 or 0.0.0.0.`,
    );
  }
}
