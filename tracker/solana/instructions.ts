// The effects of the System and Token programs in a transaction that balances alone can't show: who funded an account, who got
// its rent back, what was minted to or burned from an account. Handles both encodings.
import { decodeBase58 } from "./base58.ts";
import { SYSTEM_PROGRAM, TOKEN_PROGRAMS } from "./programs.ts";
import type { RawInstruction, SolanaTransaction } from "./transaction.ts";

export interface Effects {
  /** The sender of an account's first lamports in this transaction: for a new account, the payer of its rent. */
  fundedBy: Map<string, string>;
  /** Accounts that were allocated space, which is what rent is paid for. */
  allocated: Set<string>;
  /** The recipient of a closed token account's lamports, by account. */
  closedTo: Map<string, string>;
  /** Raw amounts minted to and burned from a token account. */
  minted: Map<string, bigint>;
  burned: Map<string, bigint>;
}

const SYSTEM = { transfer: 2, createAccountWithSeed: 3, allocate: 8, transferWithSeed: 11 };
const TOKEN = { mintTo: 7, burn: 8, closeAccount: 9, mintToChecked: 14, burnChecked: 15 };
/** The amount follows the one-byte instruction tag. */
const AMOUNT_OFFSET = 1;

export function readEffects(transaction: SolanaTransaction): Effects {
  const effects: Effects = {
    fundedBy: new Map(),
    allocated: new Set(),
    closedTo: new Map(),
    minted: new Map(),
    burned: new Map(),
  };
  for (const instruction of transaction.instructions) {
    const program = programOf(instruction, transaction.keys);
    if (program !== SYSTEM_PROGRAM && !TOKEN_PROGRAMS.has(program)) continue;
    if (isRecord(instruction.parsed)) readParsed(effects, program, instruction.parsed);
    else readCompiled(effects, program, instruction, transaction.keys);
  }
  return effects;
}

/** The System program's first kind, four zero bytes, encoded in base58: the longest data, and the most frequent. */
const CREATE_ACCOUNT_PREFIX = "1111";

function readCompiled(effects: Effects, program: string, instruction: RawInstruction, keys: string[]): void {
  const { data: text, accounts } = instruction;
  if (typeof text !== "string" || !Array.isArray(accounts)) return;
  const key = (at: number): string => {
    const account: unknown = accounts[at];
    return typeof account === "number" ? (keys[account] ?? "") : typeof account === "string" ? account : "";
  };
  if (program === SYSTEM_PROGRAM && text.startsWith(CREATE_ACCOUNT_PREFIX)) {
    create(effects, key(0), key(1));
    return;
  }
  const data = decodeBase58(text);
  if (!data || data.length === 0) return;
  const kind = data[0];
  if (program === SYSTEM_PROGRAM) {
    if (kind === SYSTEM.createAccountWithSeed) create(effects, key(0), key(1));
    if (kind === SYSTEM.transfer) fund(effects, key(0), key(1));
    if (kind === SYSTEM.transferWithSeed) fund(effects, key(0), key(2));
    if (kind === SYSTEM.allocate) effects.allocated.add(key(0));
    return;
  }
  if (kind === TOKEN.closeAccount) effects.closedTo.set(key(0), key(1));
  const isMint = kind === TOKEN.mintTo || kind === TOKEN.mintToChecked;
  const isBurn = kind === TOKEN.burn || kind === TOKEN.burnChecked;
  if ((!isMint && !isBurn) || data.length < AMOUNT_OFFSET + 8) return;
  const amount = new DataView(data.buffer, data.byteOffset).getBigUint64(AMOUNT_OFFSET, true);
  if (isMint) add(effects.minted, key(1), amount);
  else add(effects.burned, key(0), amount);
}

function readParsed(effects: Effects, program: string, parsed: Record<string, unknown>): void {
  const info = isRecord(parsed.info) ? parsed.info : {};
  const text = (name: string) => (typeof info[name] === "string" ? info[name] : "");
  if (program === SYSTEM_PROGRAM) {
    if (parsed.type === "createAccount" || parsed.type === "createAccountWithSeed")
      create(effects, text("source"), text("newAccount"));
    if (parsed.type === "transfer" || parsed.type === "transferWithSeed")
      fund(effects, text("source"), text("destination"));
    if (parsed.type === "allocate") effects.allocated.add(text("account"));
    return;
  }
  const checked = isRecord(info.tokenAmount) ? info.tokenAmount.amount : undefined;
  const amount = amountOf(info.amount ?? checked);
  if (parsed.type === "closeAccount") effects.closedTo.set(text("account"), text("destination"));
  if (parsed.type === "mintTo" || parsed.type === "mintToChecked")
    add(effects.minted, text("account"), amount);
  if (parsed.type === "burn" || parsed.type === "burnChecked") add(effects.burned, text("account"), amount);
}

function create(effects: Effects, from: string, account: string): void {
  fund(effects, from, account);
  effects.allocated.add(account);
}

function fund(effects: Effects, from: string, account: string): void {
  if (!effects.fundedBy.has(account)) effects.fundedBy.set(account, from);
}

function add(amounts: Map<string, bigint>, account: string, amount: bigint): void {
  amounts.set(account, (amounts.get(account) ?? 0n) + amount);
}

function amountOf(value: unknown): bigint {
  return /^\d{1,20}$/.test(String(value)) ? BigInt(String(value)) : 0n;
}

export function programOf({ programId, programIdIndex }: RawInstruction, keys: string[]): string {
  if (typeof programId === "string") return programId;
  return typeof programIdIndex === "number" ? (keys[programIdIndex] ?? "") : "";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
