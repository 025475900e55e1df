// The kinds of values that platforms send, each with its bounds. Anything outside them is rejected.
import { isUuid } from "../kit/ids.ts";
import { Malformed, nullable, type Schema } from "./schema.ts";

/** Handles, symbols, ids, hashes, role and type words. */
const WORD_LENGTH_MAX = 128;
/** Names and titles that people or projects choose. */
const NAME_LENGTH_MAX = 256;
/** Bios, theses, comments, notifications. */
const PROSE_LENGTH_MAX = 10_000;
const URL_LENGTH_MAX = 2_048;
/** Cursors are ours to hand back, and ours are at most 160 characters with what we add. */
const CURSOR_LENGTH_MAX = 128;
/** Beyond any price, amount or supply, and far enough from a double's limit that sums stay finite. */
const MAGNITUDE_MAX = 1e36;
/** The last millisecond of the year 9999: later ones have no ISO form that readers expect. */
const TIME_MS_MAX = 253_402_300_799_999;
export const NETWORK_ID_MAX = 2 ** 32;

const DECIMAL = /^-?\d{1,40}(?:\.\d{1,40})?(?:e[+-]?\d{1,2})?$/i;
const WEB_ADDRESS = /^(?:https?:\/\/|\/(?!\/))[^\s"'<>\\]*$/i;
const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** Loose on purpose: the platform decides which handles exist; we only reject what can't be one. */
const HANDLE = /^[\p{L}\p{N}_.-]{1,40}$/u;

/** EVM addresses are the same in any case; Solana's are not. The form used as a key, or null if it is neither. */
export function normaliseAddress(text: string): string | null {
  if (EVM_ADDRESS.test(text)) return text.toLowerCase();
  return SOLANA_ADDRESS.test(text) ? text : null;
}

/** A handle's form as a key, without case and the optional leading @, or null when the text can't be one. */
export function normaliseHandle(text: string): string | null {
  const bare = text.startsWith("@") ? text.slice(1) : text;
  return HANDLE.test(bare) ? bare.toLowerCase() : null;
}

/** The database accepts no NUL and the wire no lone surrogate. */
function textOf(value: unknown, name: string, lengthMax: number): string {
  if (typeof value !== "string" || value.length > lengthMax || value.includes("\0"))
    throw new Malformed(name);
  return value.isWellFormed() ? value : value.toWellFormed();
}

function texts(lengthMax: number): Schema<string> {
  return { read: (value, name) => textOf(value, name, lengthMax) };
}

/** Text that names something, so it can't be empty. */
function words(lengthMax: number): Schema<string> {
  return {
    read: (value, name) => {
      const read = textOf(value, name, lengthMax);
      if (read.length === 0) throw new Malformed(name);
      return read;
    },
  };
}

export const label = texts(WORD_LENGTH_MAX);
export const word = words(WORD_LENGTH_MAX);
export const name = texts(NAME_LENGTH_MAX);
export const prose = texts(PROSE_LENGTH_MAX);
export const cursor = nullable(words(CURSOR_LENGTH_MAX));

export const uuid: Schema<string> = {
  read: (value, field) => {
    if (typeof value !== "string" || !isUuid(value)) throw new Malformed(field);
    return value.toLowerCase();
  },
};

export const flag: Schema<boolean> = {
  read: (value, field) => {
    if (typeof value !== "boolean") throw new Malformed(field);
    return value;
  },
};

export const amount: Schema<number> = {
  read: (value, field) => {
    if (typeof value !== "number" || !(Math.abs(value) <= MAGNITUDE_MAX)) throw new Malformed(field);
    return value;
  },
};

/** Volumes travel as strings, so that a platform need not round them. */
export const decimal: Schema<number, string> = {
  read: (value, field) => {
    if (typeof value !== "string" || !DECIMAL.test(value)) throw new Malformed(field);
    const number = Number(value);
    if (!(Math.abs(number) <= MAGNITUDE_MAX)) throw new Malformed(field);
    return number;
  },
};

export function wholeNumber(min: number, max: number): Schema<number> {
  return {
    read: (value, field) => {
      if (!Number.isSafeInteger(value) || (value as number) < min || (value as number) > max)
        throw new Malformed(field);
      return value as number;
    },
  };
}

export const count = wholeNumber(0, Number.MAX_SAFE_INTEGER);
export const rank = wholeNumber(1, Number.MAX_SAFE_INTEGER);
export const networkId = wholeNumber(1, NETWORK_ID_MAX);
/** A pool's fee in basis points. */
export const feeBps = wholeNumber(0, 10_000);

/** Epoch milliseconds. */
export const time: Schema<number> = {
  read: (value, field) => {
    if (typeof value !== "number" || !(value >= 0 && value <= TIME_MS_MAX)) throw new Malformed(field);
    return Math.floor(value);
  },
};

/** A page or picture that a browser may be sent to; other schemes are dropped. */
export const webAddress: Schema<string | null, string | null> = {
  read: (value, field) => {
    if (value === null || value === undefined || value === "") return null;
    const address = textOf(value, field, URL_LENGTH_MAX);
    return WEB_ADDRESS.test(address) ? address : null;
  },
};

/** In the form used as a key. */
export const address: Schema<string> = {
  read: (value, field) => {
    const normal = typeof value === "string" ? normaliseAddress(value) : null;
    if (normal === null) throw new Malformed(field);
    return normal;
  },
};

/** Kept as it is shown; it is compared without case elsewhere. */
export const handle: Schema<string> = {
  read: (value) => {
    if (typeof value !== "string" || value.startsWith("@") || normaliseHandle(value) === null)
      throw new Malformed("handle");
    return value;
  },
};
