// The shapes of the RPC answers that payments rest on. Nothing an RPC says is used unless it passes here: types,
// base58 of the right length, 64-bit amounts, indexes within bounds.
import { z } from "zod";
import { isAddress, isSignature } from "./base58.ts";

const U64_MAX = 2n ** 64n - 1n;
/** A transaction fits 1,232 bytes on the wire and locks at most 128 accounts; a little more than any node allows. */
const ACCOUNTS_MAX = 256;

const whole = z.union([z.bigint(), z.int()]).transform(Number).pipe(z.int().min(0));
const seconds = whole.pipe(z.int().max(8_640_000_000_000)).nullable();
const address = z.string().refine(isAddress, "an address");
const index = whole.pipe(z.int().max(ACCOUNTS_MAX - 1));
const amount = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt)
  .refine((value) => value <= U64_MAX, "64 bits");

export const NoticesAnswer = z
  .array(
    z.object({
      signature: z.string().refine(isSignature, "a signature"),
      slot: whole,
      blockTime: seconds,
      confirmationStatus: z.string().nullish(),
    }),
  )
  // More than was asked for is not an answer to what was asked.
  .max(1_000);

const Balance = z.object({
  accountIndex: index,
  mint: address,
  owner: address.nullish(),
  uiTokenAmount: z.object({ amount, decimals: whole.pipe(z.int().max(255)) }),
});
export type BalanceAnswer = z.infer<typeof Balance>;

export const TransactionAnswer = z.object({
  slot: whole,
  blockTime: seconds,
  transaction: z.tuple([z.base64(), z.literal("base64")]),
  // Without it there is no way to know whether the transaction succeeded.
  meta: z.object({
    err: z.unknown().refine((err) => err !== undefined, "null or an error"),
    preTokenBalances: z.array(Balance).max(ACCOUNTS_MAX),
    postTokenBalances: z.array(Balance).max(ACCOUNTS_MAX),
    loadedAddresses: z
      .object({
        writable: z.array(address).max(ACCOUNTS_MAX),
        readonly: z.array(address).max(ACCOUNTS_MAX),
      })
      .nullish(),
  }),
});
export type TransactionAnswer = z.infer<typeof TransactionAnswer>;

export const AccountAnswer = z.object({
  value: z.object({ owner: address, data: z.tuple([z.base64(), z.literal("base64")]) }).nullable(),
});
