// Structured logs: one JSON object a line, or, for a person at a terminal, one readable line. Secrets never get here because callers pass named fields, and
// the two shapes a secret of ours can have are blanked out all the same before a line is written.

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";
export type LogFields = Record<string, unknown>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A child log whose every line has these fields too. */
  with(fields: LogFields): Log;
}

const RANK: Record<LogLevel, number> = { debug: 10, info: 20, warn: 30, error: 40, silent: 100 };
const SECRET =
  /ct_(live|test)_[0-9A-Za-z]{8,}|\b(sk|rk)_[0-9A-Za-z_]{8,}|\bwhsec_[0-9A-Za-z_+/=]{8,}|\bbot\d{1,20}:[\w-]{20,}/g;
// The scheme's length is bounded: without a bound, a long run of letters would take quadratic time to search.
const CREDENTIALS_IN_URL = /([a-z][a-z0-9+.-]{0,31}:\/\/)[^\s/@]+@/gi;

export function withoutSecrets(text: string): string {
  return text.replace(SECRET, "[secret]").replace(CREDENTIALS_IN_URL, "$1[secret]@");
}

export function createLog(
  level: LogLevel,
  now: () => number,
  write: (line: string) => void = toStandardError,
  form: "json" | "terminal" = "json",
): Log {
  const make = (bound: LogFields): Log => {
    const at = (name: Exclude<LogLevel, "silent">) => (message: string, fields?: LogFields) => {
      if (RANK[name] < RANK[level]) return;
      const line = { time: new Date(now()).toISOString(), level: name, message, ...bound, ...fields };
      write(withoutSecrets(form === "json" ? JSON.stringify(line, describe) : forPerson(line)));
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

const COLOURS: Record<string, string> = { debug: "90", info: "36", warn: "33", error: "31" };

/** Time of day, level and message, then each field; an error's stack on separate lines. */
function forPerson({ time, level, message, ...fields }: LogFields & { time: string; level: string }): string {
  const stacks: string[] = [];
  const shown = Object.entries(fields).map(([name, value]) => {
    if (value instanceof Error) {
      if (level === "error" && value.stack) stacks.push(value.stack);
      return `${name}=${value.name}: ${value.message}`;
    }
    return `${name}=${typeof value === "string" ? value : JSON.stringify(value, describe)}`;
  });
  const coloured = `\u001b[${COLOURS[level]}m${level.padEnd(5)}\u001b[0m`;
  // Untrusted text must not move the cursor or change colours.
  const plain = printable([message, ...shown].join("  "));
  return [`${time.slice(11, 23)} ${coloured} ${plain}`, ...stacks.map(printable)].join("\n");
}

const printable = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to strip
  text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, " ");

let isGuarded = false;

/** A line that can't be written, because the disk is full or the collector is gone, is dropped; the program continues. */
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
