// Structured logs: one JSON object a line. Secrets never get here because callers pass named fields, and
// the two shapes a secret of ours can have are blanked out all the same before a line is written.

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";
export type LogFields = Record<string, unknown>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log whose every line carries these fields too. */
  with(fields: LogFields): Log;
}

const RANK: Record<LogLevel, number> = { debug: 10, info: 20, warn: 30, error: 40, silent: 100 };
const SECRET = /ct_(live|test)_[0-9A-Za-z]{8,}|\b(sk|rk|whsec)_[0-9A-Za-z_]{8,}/g;
// A scheme of a bounded length: without the bound, a long run of letters would take the square of its length to search.
const CREDENTIALS_IN_URL = /([a-z][a-z0-9+.-]{0,31}:\/\/)[^\s/@]+@/gi;

export function withoutSecrets(text: string): string {
  return text.replace(SECRET, "[secret]").replace(CREDENTIALS_IN_URL, "$1[secret]@");
}

export function createLog(
  level: LogLevel,
  now: () => number,
  write: (line: string) => void = toStandardError,
): Log {
  const make = (bound: LogFields): Log => {
    const at = (name: Exclude<LogLevel, "silent">) => (message: string, fields?: LogFields) => {
      if (RANK[name] < RANK[level]) return;
      const line = { time: new Date(now()).toISOString(), level: name, message, ...bound, ...fields };
      write(withoutSecrets(JSON.stringify(line, describe)));
    };
    return {
      debug: at("debug"),
      info: at("info"),
      warn: at("warn"),
      error: at("error"),
      with: (fields) => make({ ...bound, ...fields }),
    };
  };
  return make({});
}

let isGuarded = false;

/** A line that can not be written, to a full disk or to a collector that is gone, is lost; the program goes on. */
function toStandardError(line: string): void {
  if (!isGuarded) process.stderr.on("error", () => {});
  isGuarded = true;
  process.stderr.write(`${line}\n`);
}

function describe(_key: string, value: unknown): unknown {
  if (value instanceof Error) return { name: value.name, message: value.message, stack: value.stack };
  if (typeof value === "bigint") return value.toString();
  return value;
}
