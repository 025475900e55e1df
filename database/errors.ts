// Store errors as types, so that callers decide by kind and never by message text.

/** The database can't be reached, is too busy, or did not answer in time. Retrying later may succeed. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  constructor(
    readonly reason: "connection" | "timeout" | "busy" | "disk",
    /** True when the connection broke during a commit: the work is stored either whole or not at all. */
    readonly outcomeUnknown: boolean,
    options?: ErrorOptions,
  ) {
    super(`The store is unavailable (${reason}).`, options);
  }
}

/** A row with the same unique key exists. */
export class AlreadyExists extends Error {
  override readonly name = "AlreadyExists";
  constructor(options?: ErrorOptions) {
    super("A row with the same unique key exists.", options);
  }
}

/** The database was made by a newer program, or changed by hand. */
export class SchemaMismatch extends Error {
  override readonly name = "SchemaMismatch";
}

const CONNECTION_STATES = /^(08|57P0[1-5]|25006)/;
const RESOURCE_STATES = /^53/;
const DISK_FULL_STATE = "53100";

function codesOf(error: unknown): { code: string; state: string } {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown };
  return { code: typeof code === "string" ? code : "", state: typeof errno === "string" ? errno : "" };
}

/** Did the statement never reach a transaction that could have committed it? */
export function isBrokenConnection(error: unknown): boolean {
  const { code, state } = codesOf(error);
  return code === "ERR_POSTGRES_CONNECTION_CLOSED" || CONNECTION_STATES.test(state);
}

/** PostgreSQL rolled back the transaction because of another one; the documented remedy is to retry. */
export function isSerialization(error: unknown): boolean {
  const { state } = codesOf(error);
  return state === "40001" || state === "40P01";
}

export function isBusy(error: unknown): boolean {
  return codesOf(error).code.startsWith("SQLITE_BUSY");
}

/** Maps a driver's error to one of ours; anything unknown is a bug in this program and is left unchanged. */
export function typedError(error: unknown, outcomeUnknown = false): unknown {
  const { code, state } = codesOf(error);
  const unavailable = (reason: StoreUnavailable["reason"]) =>
    new StoreUnavailable(reason, outcomeUnknown, { cause: error });
  if (state === "23505" || code === "SQLITE_CONSTRAINT_UNIQUE" || code === "SQLITE_CONSTRAINT_PRIMARYKEY") {
    return new AlreadyExists({ cause: error });
  }
  if (state === "57014" || state === "55P03" || code.endsWith("_TIMEOUT")) return unavailable("timeout");
  if (code.startsWith("ERR_POSTGRES_CONNECTION") || CONNECTION_STATES.test(state))
    return unavailable("connection");
  if (state === DISK_FULL_STATE) return unavailable("disk");
  if (code.startsWith("SQLITE_BUSY") || RESOURCE_STATES.test(state)) return unavailable("busy");
  if (code.startsWith("SQLITE_IOERR") || code === "SQLITE_FULL" || code === "SQLITE_CANTOPEN") {
    return unavailable("disk");
  }
  return error;
}
