// The formats that a careful client insists on, each derived from the interface alone: ids, times, addresses by chain,
// cursors, money. A check says what is invalid and where; additional fields are no error.

export type Check = (value: unknown, path: string, wrong: string[]) => void;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ISO_MS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const CURSOR = /^[A-Za-z0-9_.:-]{1,160}$/;
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const EVM_HASH = /^0x[0-9a-f]{64}$/;
const SOLANA_HASH = /^[1-9A-HJ-NP-Za-km-z]{64,90}$/;
/** Characters that no text may contain: it would be displayed to people, or stored. */
const CONTROL = /[^\P{Cc}\t\n\r]/u;
/** Before the first chain, or too far in the future: a time outside is in the wrong unit. */
const EARLIEST = Date.UTC(2009, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

const CHAINS: Record<number, string> = {
  1399811149: "solana",
  1: "eth",
  8453: "base",
  56: "bsc",
  4663: "altchain",
  1337: "perps",
};
const SOLANA = 1399811149;
const PERPS = 1337;

const rule =
  (sentence: string, fits: (value: unknown) => boolean): Check =>
  (value, path, wrong) => {
    if (!fits(value)) wrong.push(`${path}: ${JSON.stringify(value)?.slice(0, 80)} is not ${sentence}`);
  };

const isText = (value: unknown): value is string => typeof value === "string";
const isTime = (at: number) => at > EARLIEST && at < LATEST;

export const text = rule("a text", (value) => isText(value) && value.isWellFormed() && !CONTROL.test(value));
export const words = rule("a text with something in it", (value) => isText(value) && value.trim() !== "");
export const uuid = rule("a UUID", (value) => isText(value) && UUID.test(value));
export const time = rule(
  "a time in ISO 8601 with milliseconds",
  (value) => isText(value) && ISO_MS.test(value) && isTime(Date.parse(value)),
);
export const epochMs = rule(
  "epoch milliseconds",
  (value) => Number.isInteger(value) && isTime(Number(value)),
);
export const number = rule("a number", (value) => typeof value === "number" && Number.isFinite(value));
export const positive = rule(
  "a number above 0",
  (value) => typeof value === "number" && value > 0 && value < 1e18,
);
export const notNegative = rule("a number from 0", (value) => typeof value === "number" && value >= 0);
export const count = rule("a count", (value) => Number.isSafeInteger(value) && Number(value) >= 0);
export const flag = rule("true or false", (value) => typeof value === "boolean");
export const cursor = rule("a cursor", (value) => isText(value) && CURSOR.test(value));
/** A URL of this server or of the platform: a reader needs no other host to load it. */
export const picture = rule(
  "a picture's address",
  (value) => isText(value) && /^https?:\/\//.test(value) && URL.canParse(value),
);
export const link = rule("a web address", (value) => isText(value) && URL.canParse(value));
export const handle = rule("a handle", (value) => isText(value) && /^[\p{L}\p{N}_.-]{1,64}$/u.test(value));
export const evmAddress = rule("an EVM address", (value) => isText(value) && EVM_ADDRESS.test(value));
export const solanaAddress = rule("a Solana address", (value) => isText(value) && SOLANA_ADDRESS.test(value));
export const anyAddress = rule(
  "an address",
  (value) => isText(value) && (EVM_ADDRESS.test(value) || SOLANA_ADDRESS.test(value)),
);
export const anyHash = rule(
  "a transaction's hash",
  (value) => isText(value) && (EVM_HASH.test(value) || SOLANA_HASH.test(value)),
);
export const chainId = rule("a chain's number", (value) => Object.hasOwn(CHAINS, String(value)));
export const chain = rule("a chain's name", (value) => Object.values(CHAINS).includes(String(value)));

export const oneOf = (...values: unknown[]): Check =>
  rule(`one of ${values.join(", ")}`, (value) => values.includes(value));
export const orNull =
  (check: Check): Check =>
  (value, path, wrong) => {
    if (value !== null) check(value, path, wrong);
  };
export const list =
  (item: Check): Check =>
  (value, path, wrong) => {
    if (!Array.isArray(value)) return void wrong.push(`${path}: not a list`);
    for (const [index, each] of value.entries()) item(each, `${path}[${index}]`, wrong);
  };

type Fields = Record<string, Check>;
type Row = Record<string, unknown>;

/** Each of these fields; those with a question mark may be missing. */
export function row(fields: Fields, ...more: ((row: Row, path: string, wrong: string[]) => void)[]): Check {
  return (value, path, wrong) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return void wrong.push(`${path}: not an object`);
    const given = value as Row;
    for (const [written, check] of Object.entries(fields)) {
      const name = written.replace(/\?$/, "");
      if (Object.hasOwn(given, name)) check(given[name], `${path}.${name}`, wrong);
      else if (name === written) wrong.push(`${path}.${name}: missing`);
    }
    agreeOnChain(given, path, wrong);
    for (const check of more) check(given, path, wrong);
  };
}

/** The chain's number and name match, and addresses and hashes are of its family. */
function agreeOnChain(given: Row, path: string, wrong: string[]): void {
  const id = (given.chainId ?? given.networkId ?? given.network) as number | undefined;
  if (typeof id !== "number") {
    if (isText(given.chain)) wrong.push(`${path}: a chain's name without its number`);
    return;
  }
  if (!Object.hasOwn(CHAINS, id)) wrong.push(`${path}: the unknown chain ${id}`);
  for (const other of [given.networkId, given.chainId])
    if (typeof other === "number" && other !== id) wrong.push(`${path}: two chains, ${id} and ${other}`);
  if (Object.hasOwn(given, "chain") && given.chain !== CHAINS[id])
    wrong.push(`${path}: chain ${given.chain} is not ${id}`);
  if (id === PERPS) return;
  const family = id === SOLANA ? SOLANA_ADDRESS : EVM_ADDRESS;
  const token = given.token as Row | string | null | undefined;
  const inner = typeof token === "object" && token !== null ? token : {};
  for (const address of [given.tokenAddress, given.address, inner.address])
    if (isText(address) && !family.test(address))
      wrong.push(`${path}: ${address} is no address on chain ${id}`);
  if (typeof inner.networkId === "number" && inner.networkId !== id)
    wrong.push(`${path}: a token of chain ${inner.networkId} on chain ${id}`);
  const hashes = id === SOLANA ? SOLANA_HASH : EVM_HASH;
  if (isText(given.txHash) && !hashes.test(given.txHash))
    wrong.push(`${path}: ${given.txHash} is no hash on chain ${id}`);
}

/** Equal within the precision of a double and the rounding of a display. */
export const isAbout = (a: unknown, b: unknown, share = 1e-6, least = 1e-6) =>
  Math.abs(Number(a) - Number(b)) <= Math.max(least, Math.abs(Number(b)) * share);

/** The basis of a price. */
export const pricing = {
  pricedBy: orNull(oneOf("stable", "native", "pool", "quote", "platform")),
  depthUsd: orNull(notNegative),
  asOf: orNull(time),
  exact: orNull(flag),
};
