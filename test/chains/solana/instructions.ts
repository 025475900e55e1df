// For tests: the few instructions of the System, Token and Associated Token programs that trading scripts need.
import {
  type AccountMeta,
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getAddressEncoder,
  getProgramDerivedAddress,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
  type Transaction,
} from "@solana/kit";
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from "../../../tracker/solana/programs.ts";

const ASSOCIATED_TOKEN_PROGRAM = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
export const WRAPPED_SOL_MINT = "So11111111111111111111111111111111111111112";
const MINT_BYTES = 82;
const MINT_RENT = 1_461_600n;

const { READONLY, READONLY_SIGNER, WRITABLE, WRITABLE_SIGNER } = AccountRole;
type Part = number | bigint | string;

/** Encodes an instruction: a number is one byte, a bigint eight, text is an address. */
function bytesOf(...parts: Part[]): Uint8Array {
  const pieces = parts.map((part) => {
    if (typeof part === "number") return Uint8Array.of(part);
    if (typeof part === "string") return new Uint8Array(getAddressEncoder().encode(address(part)));
    const eight = new Uint8Array(8);
    new DataView(eight.buffer).setBigUint64(0, part, true);
    return eight;
  });
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]));
}

function instruction(program: string, accounts: [string, AccountRole][], ...data: Part[]): Instruction {
  const metas = accounts.map(([key, role]): AccountMeta => ({ address: address(key), role }));
  return { programAddress: address(program), accounts: metas, data: bytesOf(...data) };
}

export async function tokenAccountOf(owner: string, mint: string, program = TOKEN_PROGRAM): Promise<string> {
  const seeds = [owner, program, mint].map((key) => getAddressEncoder().encode(address(key)));
  const [derived] = await getProgramDerivedAddress({
    programAddress: address(ASSOCIATED_TOKEN_PROGRAM),
    seeds,
  });
  return derived;
}

const u32 = (value: number): number[] => [value, 0, 0, 0];

export const paySol = (from: string, to: string, lamports: bigint) =>
  instruction(
    SYSTEM_PROGRAM,
    [
      [from, WRITABLE_SIGNER],
      [to, WRITABLE],
    ],
    ...u32(2),
    lamports,
  );

export const createMint = (payer: string, mint: string, decimals: number, program = TOKEN_PROGRAM) => [
  instruction(
    SYSTEM_PROGRAM,
    [
      [payer, WRITABLE_SIGNER],
      [mint, WRITABLE_SIGNER],
    ],
    ...u32(0),
    MINT_RENT,
    BigInt(MINT_BYTES),
    program,
  ),
  instruction(program, [[mint, WRITABLE]], 20, decimals, payer, 0),
];

/** Opens the owner's associated account if it does not exist yet. */
export const openAccount = (
  payer: string,
  account: string,
  owner: string,
  mint: string,
  program = TOKEN_PROGRAM,
) =>
  instruction(
    ASSOCIATED_TOKEN_PROGRAM,
    [
      [payer, WRITABLE_SIGNER],
      [account, WRITABLE],
      [owner, READONLY],
      [mint, READONLY],
      [SYSTEM_PROGRAM, READONLY],
      [program, READONLY],
    ],
    1,
  );

export const mintTo = (
  authority: string,
  mint: string,
  account: string,
  amount: bigint,
  program = TOKEN_PROGRAM,
) =>
  instruction(
    program,
    [
      [mint, WRITABLE],
      [account, WRITABLE],
      [authority, READONLY_SIGNER],
    ],
    7,
    amount,
  );

export const sendToken = (
  authority: string,
  from: string,
  to: string,
  amount: bigint,
  program = TOKEN_PROGRAM,
) =>
  instruction(
    program,
    [
      [from, WRITABLE],
      [to, WRITABLE],
      [authority, READONLY_SIGNER],
    ],
    3,
    amount,
  );

export const approve = (
  owner: string,
  account: string,
  delegate: string,
  amount: bigint,
  program = TOKEN_PROGRAM,
) =>
  instruction(
    program,
    [
      [account, WRITABLE],
      [delegate, READONLY],
      [owner, READONLY_SIGNER],
    ],
    4,
    amount,
  );

export const closeAccount = (owner: string, account: string, to: string, program = TOKEN_PROGRAM) =>
  instruction(
    program,
    [
      [account, WRITABLE],
      [to, WRITABLE],
      [owner, READONLY_SIGNER],
    ],
    9,
  );

export const syncNative = (account: string) => instruction(TOKEN_PROGRAM, [[account, WRITABLE]], 17);

/** Signs for a fee payer (the first) and all other signers. */
export async function sign(
  signers: KeyPairSigner[],
  instructions: Instruction[],
  recentBlockhash: string,
): Promise<Transaction> {
  const payer = signers[0];
  if (!payer) throw new Error("a transaction needs somebody who pays for it");
  const lifetime = { blockhash: blockhash(recentBlockhash), lastValidBlockHeight: 1n };
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(payer.address, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => appendTransactionMessageInstructions(instructions, timed),
  );
  return signTransaction(
    signers.map(({ keyPair }) => keyPair),
    compileTransaction(message),
  );
}
