// A chain for trying the whole journey without a wallet: transfers are rows in our own database, of a coin that is
// worth nothing. It answers through the same port as Solana, so the same code finds, judges and credits them.

import { createHash } from "node:crypto";
import { base58 } from "@scure/base";
import { fault } from "../../../contract/errors.ts";
import type { Database } from "../../../database/database.ts";
import type { Clock } from "../../../kit/clock.ts";
import { findPayment } from "../../store/money/payments.ts";
import {
  findTestTransfer,
  insertTestTransfer,
  type TestTransfer,
  testTransfersOf,
} from "../../store/money/test-chain.ts";
import { freshSignature } from "./base58.ts";
import type { PaymentChain } from "./chain.ts";
import { atomicOfCents, centsOf } from "./money.ts";

/** As long as it takes to see a page say "confirming", and no longer. */
const FINAL_AFTER_MS = 1_500;

const named = (name: string) =>
  base58.encode(createHash("sha256").update(`crowdtape test chain ${name}`).digest());

// No one has the private keys of these, so even real coins sent there by mistake could never have been meant for us.
const RECIPIENT = named("recipient");
const TOKEN_ACCOUNT = named("token account");
const ASSET = { symbol: "TEST-USD", mint: named("mint"), decimals: 6 };

export function testChain({ database, clock }: { database: Database; clock: Clock }): PaymentChain {
  const isFinal = (transfer: TestTransfer) => clock.now() >= transfer.at + FINAL_AFTER_MS;
  const slotOf = async (signature: string | null, otherwise: number) =>
    signature === null ? otherwise : ((await findTestTransfer(database.read, signature))?.slot ?? otherwise);
  return {
    network: "test",
    test: true,
    asset: ASSET,
    recipient: RECIPIENT,
    tokenAccount: async () => TOKEN_ACCOUNT,
    async notices(address, { until, before, limit }) {
      const after = await slotOf(until, 0);
      const below = await slotOf(before, Number.MAX_SAFE_INTEGER);
      const transfers = await testTransfersOf(database.read, address, after, below, limit);
      return transfers.map((transfer) => ({
        signature: transfer.signature,
        slot: transfer.slot,
        chainAt: transfer.at,
        finalized: isFinal(transfer),
      }));
    },
    async transaction(signature) {
      const transfer = await findTestTransfer(database.read, signature);
      if (!transfer || !isFinal(transfer)) return null;
      return {
        signature,
        slot: transfer.slot,
        chainAt: transfer.at,
        failed: false,
        accounts: [transfer.account, transfer.reference],
        balances: [
          {
            account: transfer.account,
            mint: transfer.mint,
            owner: transfer.owner,
            ownerBefore: transfer.owner,
            decimals: transfer.decimals,
            before: 0n,
            after: BigInt(transfer.amountAtomic),
          },
        ],
      };
    },
  };
}

export interface TestPayment {
  signature: string;
  amountAtomic: string;
}

/** Pays a payment on the test chain, in full unless an amount in US dollars is given. Any process may call it. */
export async function payTest(
  { database, clock }: { database: Database; clock: Clock },
  paymentId: string,
  { amount }: { amount?: number } = {},
): Promise<TestPayment> {
  const payment = await findPayment(database.read, paymentId);
  if (!payment) throw fault("not_found", "There is no such payment.");
  if (payment.test !== 1) {
    throw fault("conflict", "This is a real payment: it can only be paid in its coin on its chain.");
  }
  const cents = amount === undefined ? null : centsOf(amount);
  if (amount !== undefined && (cents === null || cents <= 0)) {
    throw fault("invalid_parameter", "An amount is a number of dollars above 0 with at most two decimals.", {
      param: "amount",
    });
  }
  const amountAtomic =
    cents === null ? payment.amountAtomic : atomicOfCents(cents, payment.decimals).toString();
  const signature = freshSignature();
  await database.write((tx) =>
    insertTestTransfer(tx, {
      signature,
      reference: payment.reference,
      account: TOKEN_ACCOUNT,
      owner: payment.recipient,
      mint: payment.mint,
      decimals: payment.decimals,
      amountAtomic,
      at: clock.now(),
    }),
  );
  return { signature, amountAtomic };
}
