// `crowdtape pay`: the operator's handling of stablecoin payments. Lists money that arrived without a payment reference,
// assigns it to the intended payment, and rescans for it; also makes payments on the built-in test chain.
import { createStablecoinPayments, type StablecoinPayments } from "../billing/stablecoin/payments.ts";
import { payTest } from "../billing/stablecoin/test-chain.ts";
import type { StoredTransfer } from "../store/money/payment-transfers.ts";
import { atTheDesk, type Desk, inWords } from "./operator.ts";

export async function listTransfers(values: { payment?: string; json?: boolean }): Promise<void> {
  const { payment: paymentId, json } = values;
  await withPayments(async ({ payments }) => {
    const found =
      paymentId === undefined
        ? await payments.transfersWith("unmatched")
        : await payments.transfers(paymentId);
    if (json) return console.log(JSON.stringify(found));
    if (found.length === 0)
      return console.log(
        paymentId === undefined ? "Every transfer named its payment." : "No transfer came for it.",
      );
    for (const transfer of found) console.log(lineOf(transfer));
  });
}

function lineOf({ signature, verdict, amountAtomic, mint, firstSeenAt, chainAt }: StoredTransfer): string {
  const at = new Date(chainAt ?? firstSeenAt).toISOString();
  return `${at}  ${verdict.padEnd(11)} ${amountAtomic.padStart(16)} of ${mint ?? "no coin"}  ${signature}`;
}

export async function assignTransfer(signature: string, paymentId: string): Promise<void> {
  await withPayments(async ({ payments }) => {
    const paid = await inWords(payments.assign(signature, paymentId));
    console.log(`Credited to ${paid.paymentId}, which is now ${paid.status}.`);
  });
}

export async function recheckPayment(paymentId: string): Promise<void> {
  await withPayments(async ({ payments }) => {
    await inWords(payments.recheck(paymentId));
    console.log("A running node looks for its transfers within seconds.");
  });
}

export async function payOnTestChain(paymentId: string, values: { amount?: string }): Promise<void> {
  const amount = values.amount === undefined ? {} : { amount: Number(values.amount) };
  await atTheDesk(async ({ store, kit }) => {
    const paid = await inWords(payTest({ database: store.database, clock: kit.clock }, paymentId, amount));
    console.log(
      `Paid on the test chain, signature ${paid.signature}. It is credited once the chain has finalized it.`,
    );
  });
}

function withPayments(work: (desk: Desk & { payments: StablecoinPayments }) => Promise<void>): Promise<void> {
  return atTheDesk((desk) => {
    const { config, kit, store, access } = desk;
    const payments = createStablecoinPayments({
      ...kit,
      database: store.database,
      grants: access.grants,
      settings: {
        solana: config.solana,
        testChain: true,
        expiresMinutes: config.paymentExpiresMinutes,
        publicUrl: () => config.publicUrl ?? `http://${config.host}:${config.port}`,
      },
    });
    return work({ ...desk, payments });
  });
}
