// Parses the result of `getTransaction` (encodings json and jsonParsed, legacy and versioned) into one shape: keys in the order
// that balances use, lamports and token balances before and after. Missing or garbled parts are an error.

export interface TokenAccount {
  /** The account's index among the keys. */
  index: number;
  address: string;
  mint: string;
  decimals: number;
  /** Null where the account did not exist, or the node did not report it. */
  ownerBefore: string | null;
  ownerAfter: string | null;
  before: bigint | null;
  after: bigint | null;
}

export interface SolanaTransaction {
  signature: string;
  slot: number;
  /** Block time in milliseconds; null when the node does not know it. */
  timeMs: number | null;
  failed: boolean;
  feeRaw: bigint;
  /** All of the transaction's accounts, including those from lookup tables. The first paid the fee. */
  keys: string[];
  signers: number;
  lamportsBefore: number[];
  lamportsAfter: number[];
  tokenAccounts: TokenAccount[];
  /** Outer and inner instructions in execution order, as the node returned them; instructions.ts reads them. */
  instructions: RawInstruction[];
}

export interface RawInstruction {
  programId?: unknown;
  programIdIndex?: unknown;
  accounts?: unknown;
  data?: unknown;
  parsed?: unknown;
  /** 1, or missing: a top-level instruction; 2: called by one of those, and so on. */
  stackHeight?: unknown;
}

export class UnreadableTransaction extends Error {}

type JsonRecord = Record<string, unknown>;

export function readTransaction(raw: unknown): SolanaTransaction {
  const result = record(raw, "the transaction");
  const meta = record(result.meta, "meta");
  const transaction = record(result.transaction, "transaction.transaction");
  const message = record(transaction.message, "message");
  const keys = readKeys(message, meta);
  const signature = list(transaction.signatures, "signatures")[0];
  if (typeof signature !== "string") throw new UnreadableTransaction("a transaction without a signature");
  return {
    signature,
    slot: integer(result.slot, "slot"),
    timeMs: typeof result.blockTime === "number" ? result.blockTime * 1_000 : null,
    failed: meta.err !== null && meta.err !== undefined,
    feeRaw: BigInt(integer(meta.fee, "fee")),
    keys,
    signers: countSigners(message),
    lamportsBefore: lamports(meta.preBalances, keys.length),
    lamportsAfter: lamports(meta.postBalances, keys.length),
    tokenAccounts: readTokenAccounts(meta, keys),
    instructions: readInstructions(message, meta),
  };
}

function readKeys(message: JsonRecord, meta: JsonRecord): string[] {
  const named = list(message.accountKeys, "accountKeys");
  const keys = named.map(keyText);
  // jsonParsed already lists the lookup tables' accounts among the keys; json has them separately.
  if (typeof named[0] === "object" || meta.loadedAddresses === undefined || meta.loadedAddresses === null)
    return keys;
  const loaded = record(meta.loadedAddresses, "loadedAddresses");
  const more = [...list(loaded.writable ?? [], "writable"), ...list(loaded.readonly ?? [], "readonly")];
  return [...keys, ...more.map(keyText)];
}

function keyText(key: unknown): string {
  const text = typeof key === "object" && key !== null ? (key as JsonRecord).pubkey : key;
  if (typeof text !== "string") throw new UnreadableTransaction("an account key that is not text");
  return text;
}

function countSigners(message: JsonRecord): number {
  const header = message.header as JsonRecord | undefined;
  if (typeof header?.numRequiredSignatures === "number") return header.numRequiredSignatures;
  return list(message.accountKeys, "accountKeys").filter((key) => (key as JsonRecord)?.signer === true)
    .length;
}

function readTokenAccounts(meta: JsonRecord, keys: string[]): TokenAccount[] {
  const found = new Map<string, TokenAccount>();
  const read = (entries: unknown, side: "before" | "after") => {
    for (const entry of list(entries ?? [], "token balances")) {
      const balance = record(entry, "a token balance");
      const index = integer(balance.accountIndex, "accountIndex");
      const address = keys[index];
      const amount = record(balance.uiTokenAmount, "uiTokenAmount");
      if (
        address === undefined ||
        typeof balance.mint !== "string" ||
        !/^\d{1,20}$/.test(String(amount.amount))
      )
        throw new UnreadableTransaction("a token balance without account, mint or amount");
      // An account closed and reopened for another mint within one transaction is two accounts here.
      const id = `${index} ${balance.mint}`;
      const account = found.get(id) ?? absentAccount(index, address, balance.mint, Number(amount.decimals));
      account[side] = BigInt(String(amount.amount));
      // Old nodes report the owner on one side only, or not at all.
      account[side === "before" ? "ownerBefore" : "ownerAfter"] =
        typeof balance.owner === "string" ? balance.owner : account.ownerBefore;
      found.set(id, account);
    }
  };
  read(meta.preTokenBalances, "before");
  read(meta.postTokenBalances, "after");
  return [...found.values()];
}

function absentAccount(index: number, address: string, mint: string, decimals: number): TokenAccount {
  return { index, address, mint, decimals, ownerBefore: null, ownerAfter: null, before: null, after: null };
}

/** In execution order: calls come right after their caller. */
function readInstructions(message: JsonRecord, meta: JsonRecord): RawInstruction[] {
  const called = new Map<unknown, RawInstruction[]>();
  for (const group of list(meta.innerInstructions ?? [], "innerInstructions")) {
    const { index, instructions } = record(group, "a group of inner instructions");
    called.set(index, list(instructions ?? [], "inner instructions").filter(isObject));
  }
  return list(message.instructions ?? [], "instructions")
    .filter(isObject)
    .flatMap((outer, index) => [outer, ...(called.get(index) ?? [])]);
}

function isObject(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null;
}

function lamports(value: unknown, count: number): number[] {
  const numbers = list(value, "balances");
  if (numbers.length !== count || !numbers.every((each) => typeof each === "number"))
    throw new UnreadableTransaction("balances that do not match the account keys");
  return numbers as number[];
}

function record(value: unknown, what: string): JsonRecord {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UnreadableTransaction(`${what} is missing or not an object`);
  return value as JsonRecord;
}

function list(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) throw new UnreadableTransaction(`${what} is not a list`);
  return value;
}

function integer(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value)) throw new UnreadableTransaction(`${what} is not an integer`);
  return value as number;
}
