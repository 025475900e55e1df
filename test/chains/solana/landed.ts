// For tests: an executed transaction as `getTransaction` and `getBlock` describe it, with lamports and token balances
// before and after read from the virtual machine's accounts.
import {
  AccountRole,
  address,
  getAddressDecoder,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  type Instruction,
  type MaybeEncodedAccount,
  type Transaction,
} from "@solana/kit";
import { FailedTransactionMetadata, type LiteSVM, type TransactionMetadata } from "litesvm";
import { encodeBase58 } from "../../../tracker/solana/base58.ts";
import { TOKEN_PROGRAMS } from "../../../tracker/solana/programs.ts";

export interface Landed {
  signature: string;
  transaction: Transaction;
  keys: string[];
  logs: string[];
  failed: boolean;
  meta: Record<string, unknown>;
  message: Record<string, unknown>;
  /** Every account of the transaction, in its state afterwards. */
  after: MaybeEncodedAccount[];
}

interface Balance {
  lamports: number;
  token: { mint: string; owner: string; programId: string; amount: string; decimals: number } | null;
}

const FEE_PER_SIGNATURE = 5_000;
const ACCOUNT_BYTES = 165;
const DECIMALS_OFFSET = 44;

const compiled = (transaction: Transaction) =>
  getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);

export function readBalances(vm: LiteSVM, keys: string[]): Balance[] {
  return keys.map((key) => {
    const account = vm.getAccount(address(key));
    if (!account.exists) return { lamports: 0, token: null };
    const { programAddress, data } = account;
    const isToken = TOKEN_PROGRAMS.has(programAddress) && data.length >= ACCOUNT_BYTES && data[108] !== 0;
    return {
      lamports: Number(account.lamports),
      token: isToken ? readToken(vm, programAddress, data) : null,
    };
  });
}

function readToken(vm: LiteSVM, programId: string, data: Uint8Array): Balance["token"] {
  const key = (offset: number) => getAddressDecoder().decode(data, offset);
  const amount = new DataView(data.buffer, data.byteOffset).getBigUint64(64, true).toString();
  const mint = vm.getAccount(key(0));
  const decimals = mint.exists ? (mint.data[DECIMALS_OFFSET] ?? 0) : 0;
  return { mint: key(0), owner: key(32), programId, amount, decimals };
}

export function landedOf(
  transaction: Transaction,
  result: TransactionMetadata | FailedTransactionMetadata,
  before: Balance[],
  vm: LiteSVM,
): Landed {
  const failed = result instanceof FailedTransactionMetadata;
  const executed = failed ? result.meta() : result;
  const message = compiled(transaction);
  if (message.version === 1) throw new Error("the test cluster takes legacy and version 0 transactions");
  const keys = landedOf.keys(transaction);
  const after = readBalances(vm, keys);
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = message.header;
  return {
    signature: getSignatureFromTransaction(transaction),
    transaction,
    keys,
    logs: executed.logs(),
    failed,
    after: keys.map((key) => vm.getAccount(address(key))),
    message: {
      accountKeys: keys,
      header: {
        numRequiredSignatures: numSignerAccounts,
        numReadonlySignedAccounts: numReadonlySignerAccounts,
        numReadonlyUnsignedAccounts: numReadonlyNonSignerAccounts,
      },
      recentBlockhash: message.lifetimeToken,
      instructions: message.instructions.map((instruction) => ({
        programIdIndex: instruction.programAddressIndex,
        accounts: instruction.accountIndices ?? [],
        data: encodeBase58(new Uint8Array(instruction.data ?? [])),
        stackHeight: null,
      })),
    },
    meta: {
      err: failed ? { InstructionError: [0, { Custom: 1 }] } : null,
      status: failed ? { Err: { InstructionError: [0, { Custom: 1 }] } } : { Ok: null },
      fee: FEE_PER_SIGNATURE * numSignerAccounts,
      preBalances: before.map(({ lamports }) => lamports),
      postBalances: after.map(({ lamports }) => lamports),
      preTokenBalances: tokenBalances(before),
      postTokenBalances: tokenBalances(after),
      innerInstructions: innerInstructions(executed),
      logMessages: executed.logs(),
      loadedAddresses: { writable: [], readonly: [] },
      rewards: [],
      computeUnitsConsumed: Number(executed.computeUnitsConsumed()),
    },
  };
}

landedOf.keys = (transaction: Transaction): string[] => {
  const message = compiled(transaction);
  return "staticAccounts" in message ? [...message.staticAccounts] : [];
};

function tokenBalances(balances: Balance[]): unknown[] {
  return balances.flatMap(({ token }, accountIndex) => {
    if (!token) return [];
    const { amount, decimals, ...rest } = token;
    const uiTokenAmount = { amount, decimals, uiAmount: null, uiAmountString: amount };
    return [{ accountIndex, ...rest, uiTokenAmount }];
  });
}

function innerInstructions(executed: TransactionMetadata): unknown[] {
  return executed.innerInstructions().flatMap((inner, index) => {
    if (inner.length === 0) return [];
    const instructions = inner.map((each) => ({
      programIdIndex: each.instruction().programIdIndex(),
      accounts: [...each.instruction().accounts()],
      data: encodeBase58(each.instruction().data()),
      stackHeight: each.stackHeight(),
    }));
    return [{ index, instructions }];
  });
}

/** The same instruction, additionally naming a program that it does not use. */
export function naming(program: string, instruction: Instruction): Instruction {
  const named = { address: address(program), role: AccountRole.READONLY };
  return { ...instruction, accounts: [...(instruction.accounts ?? []), named] };
}

interface JsonInstruction {
  programIdIndex: number;
  accounts: readonly number[];
  data: string;
  stackHeight: number | null;
}

/**
 * As if a program that the machine doesn't have had been called, and had called these neighbouring instructions and ended with
 * its own event. The transaction has to name it.
 */
export function askedOf(
  program: string,
  landed: Landed,
  called: readonly number[],
  { data, event }: { data: string; event: string },
): Landed {
  const programIdIndex = landed.keys.indexOf(program);
  if (programIdIndex < 0) throw new Error("the transaction does not name the program");
  const own = (hex: string, stackHeight: number | null): JsonInstruction => ({
    programIdIndex,
    accounts: [],
    data: encodeBase58(Uint8Array.from(Buffer.from(hex, "hex"))),
    stackHeight,
  });
  const all = landed.message.instructions as JsonInstruction[];
  const at = called[0] ?? 0;
  const inner = called.map((index) => ({ ...(all[index] as JsonInstruction), stackHeight: 2 }));
  const asked = all.toSpliced(at, called.length, own(data, null));
  Object.assign(landed.message, { instructions: asked });
  const before = landed.meta.innerInstructions as { index: number }[];
  const group = { index: at, instructions: [...inner, own(event, 2)] };
  Object.assign(landed.meta, { innerInstructions: [...before.filter(({ index }) => index < at), group] });
  return landed;
}
