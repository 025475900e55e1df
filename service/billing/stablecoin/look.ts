// One look at the chain for one payment, and one at the recipient's own account for all of them. Both only gather
// findings and hand them to be settled; a transaction that can't be read now is left for the next look, while the
// others continue.

import type { Database } from "../../../database/database.ts";
import type { Clock } from "../../../kit/clock.ts";
import type { Counter } from "../../../kit/metrics.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kit/units.ts";
import {
  decidedSignatures,
  findScan,
  NO_PAYMENT,
  recordTransfer,
  saveScan,
  undecidedTransfers,
} from "../../store/money/payment-transfers.ts";
import { paymentsOfReferences, type StoredPayment, watchedAccounts } from "../../store/money/payments.ts";
import type { ChainTransaction, Notice, PaymentChain } from "./chain.ts";
import { judge, receivedAmount } from "./judge.ts";
import { beginWalk, freshPlace, PAGE_NOTICES, placeAfter, readPage } from "./scan.ts";
import type { Finding, Settling } from "./settling.ts";

interface PaymentLook {
  /** The payment as it stands afterwards. */
  payment: StoredPayment;
  /** More pages wait to be read. */
  more: boolean;
  /** Why something could not be decided; the rest has been. */
  error: unknown;
}

export interface Looking {
  payment(payment: StoredPayment): Promise<PaymentLook>;
  /** Reads what arrived at the recipients' accounts; gives back why something there could not be decided, or null. */
  accounts(): Promise<unknown>;
}

export interface LookingParts {
  database: Database;
  chain: PaymentChain;
  settling: Settling;
  clock: Clock;
  transfers: Counter;
}

/** Should a node ever have left one out, it is found an hour later all the same. */
const SWEEP_EVERY_MS = HOUR_MS;
/** A transaction's blockhash is good for about 90 s: what has not become final long after that never will. */
const FORKED_AFTER_MS = 5 * MINUTE_MS;
/** What a node lists but will not give for a day is written down as such, so that it holds up nothing behind it. */
const UNREADABLE_AFTER_MS = DAY_MS;
/** One call for all payments at once; it is the second pair of eyes, so it need not hurry. */
const ACCOUNT_LOOK_MS = 20_000;
/** Block times are the validators' own estimate and may be off by this much. */
const BLOCK_TIME_SLACK_MS = 10 * MINUTE_MS;

export function createLooking({ database, chain, settling, clock, transfers }: LookingParts): Looking {
  const expectedOf = async (payment: StoredPayment) => ({
    reference: payment.reference,
    recipient: payment.recipient,
    mint: payment.mint,
    decimals: payment.decimals,
    tokenAccount: await chain.tokenAccount(payment.recipient, payment.mint),
  });

  const isUnreadable = ({ finalized, chainAt }: Notice) =>
    finalized && chainAt !== null && clock.now() - chainAt >= UNREADABLE_AFTER_MS;

  /** What a final transaction comes to for a payment; null when the node does not have it (yet). */
  const decide = async (payment: StoredPayment, signature: string): Promise<Finding | null> => {
    const transaction = await chain.transaction(signature);
    return transaction && findingOf(transaction, judge(transaction, await expectedOf(payment)));
  };

  /** Transfers that were seen but have disappeared: forked away, unless they are final after all. */
  const vanished = async (payment: StoredPayment, listed: ReadonlySet<string>): Promise<Finding[]> => {
    const findings: Finding[] = [];
    for (const transfer of await undecidedTransfers(database.read, payment.paymentId, PAGE_NOTICES)) {
      const { signature, slot, chainAt, firstSeenAt, verdict } = transfer;
      const gone = verdict === "seen" && !listed.has(signature);
      if (!gone || clock.now() - firstSeenAt < FORKED_AFTER_MS) continue;
      const found = await decide(payment, signature);
      findings.push(found ?? { signature, slot, chainAt, verdict: "forked", amount: 0n, mint: null });
    }
    return findings;
  };

  const lookAtPayment = async (payment: StoredPayment): Promise<PaymentLook> => {
    const now = clock.now();
    const saved = await findScan(database.read, payment.reference);
    const place = saved ?? freshPlace(payment.reference, 0);
    const walk = beginWalk(place, now - place.sweptAt >= SWEEP_EVERY_MS, now);
    const page = await readPage(chain, walk);
    const signatures = page.notices.map((notice) => notice.signature);
    const decided = await decidedSignatures(database.read, payment.paymentId, signatures);
    const findings: Finding[] = [];
    const unresolved = new Set<string>();
    let error: unknown = null;
    for (const notice of page.notices.filter(({ signature }) => !decided.has(signature)).reverse()) {
      const found = notice.finalized
        ? await decide(payment, notice.signature).catch((reason) => {
            error = reason;
            return null;
          })
        : null;
      if (!found && !isUnreadable(notice)) unresolved.add(notice.signature);
      findings.push(found ?? unknown(notice, isUnreadable(notice) ? "unreadable" : "seen"));
    }
    const wholeList = page.bottom && walk.walkBefore === null;
    if (wholeList) findings.push(...(await vanished(payment, new Set(signatures))));
    const settled = await settling.settle(payment.paymentId, findings);
    const next = placeAfter(walk, page, unresolved);
    if (!saved || !samePlace(saved, next)) await database.write((tx) => saveScan(tx, next));
    return { payment: settled?.payment ?? payment, more: next.walkBefore !== null, error };
  };

  /** A transfer without a payment: nothing is given for it until an operator says whose it is. */
  const recordLoose = async ({ amount, ...finding }: Finding) => {
    const loose = {
      paymentId: NO_PAYMENT,
      amountAtomic: amount.toString(),
      firstSeenAt: clock.now(),
      decidedAt: null,
    };
    const written = await database.write((tx) => recordTransfer(tx, { ...finding, ...loose }));
    if (written) transfers.of({ verdict: finding.verdict }).add();
  };

  const arrived = async (transaction: ChainTransaction, account: WatchedAccount): Promise<void> => {
    const named = await paymentsOfReferences(database.read, transaction.accounts);
    const payments = named.filter((payment) => (payment.test === 1) === chain.test);
    for (const payment of payments) {
      const finding = findingOf(transaction, judge(transaction, await expectedOf(payment)));
      await settling.settle(payment.paymentId, [finding]);
    }
    const amount = receivedAmount(transaction, account);
    if (payments.length > 0 || amount <= 0n) return;
    await recordLoose(findingOf(transaction, { verdict: "unmatched", amount, mint: account.mint }));
  };

  const lookAtAccount = async (account: WatchedAccount, since: number): Promise<unknown> => {
    const now = clock.now();
    const saved = await findScan(database.read, account.tokenAccount);
    // Another node, or this one, has just looked.
    if (saved && saved.walkBefore === null && now - saved.sweptAt < ACCOUNT_LOOK_MS) return null;
    const place = saved ?? freshPlace(account.tokenAccount, since - BLOCK_TIME_SLACK_MS);
    const walk = { ...beginWalk(place, false, now), sweptAt: now };
    const page = await readPage(chain, walk);
    const signatures = page.notices.map((notice) => notice.signature);
    const decided = await decidedSignatures(database.read, null, signatures);
    const unresolved = new Set<string>();
    let error: unknown = null;
    for (const notice of page.notices.filter(({ signature }) => !decided.has(signature)).reverse()) {
      try {
        const transaction = notice.finalized ? await chain.transaction(notice.signature) : null;
        if (transaction) await arrived(transaction, account);
        else unresolved.add(notice.signature);
      } catch (reason) {
        error = reason;
        if (isUnreadable(notice)) await recordLoose(unknown(notice, "unreadable"));
        else unresolved.add(notice.signature);
      }
    }
    await database.write((tx) => saveScan(tx, placeAfter(walk, page, unresolved)));
    return error;
  };

  return {
    payment: lookAtPayment,
    async accounts() {
      let error: unknown = null;
      for (const { since, ...account } of await watchedAccounts(database.read, chain.test)) {
        const tokenAccount = await chain.tokenAccount(account.recipient, account.mint);
        error = (await lookAtAccount({ ...account, tokenAccount }, since)) ?? error;
      }
      return error;
    },
  };
}

interface WatchedAccount {
  recipient: string;
  mint: string;
  decimals: number;
  tokenAccount: string;
}

function findingOf(transaction: ChainTransaction, judgement: ReturnType<typeof judge>): Finding {
  const { signature, slot, chainAt } = transaction;
  return { signature, slot, chainAt, ...judgement };
}

function unknown({ signature, slot, chainAt }: Notice, verdict: "seen" | "unreadable"): Finding {
  return { signature, slot, chainAt, verdict, amount: 0n, mint: null };
}

function samePlace(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
