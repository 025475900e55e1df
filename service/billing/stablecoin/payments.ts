// Stablecoin payments from request to credit. A payment is asked for with a key of its own as its reference, so that
// no matter who pays it, when and in how many parts, the money reaches the account that asked.
import { fault } from "../../../contract/errors.ts";
import type { Database } from "../../../database/database.ts";
import { BadSettings } from "../../../kit/bad-settings.ts";
import type { Kit } from "../../../kit/kit.ts";
import { secureBytes } from "../../../kit/random.ts";
import {
  type StoredTransfer,
  transfersOfPayment,
  transfersOfVerdict,
} from "../../store/money/payment-transfers.ts";
import {
  findPayment,
  insertPayment,
  openPayments,
  paymentsOfAccount,
  type StoredPayment,
  scheduleCheck,
} from "../../store/money/payments.ts";
import { assignTransfer } from "./assign.ts";
import { freshPublicKey, isAddress } from "./base58.ts";
import type { PaymentGrants } from "./grants.ts";
import type { TransferVerdict } from "./judge.ts";
import { createLooking } from "./look.ts";
import { atomicOfCents } from "./money.ts";
import { type Order, quote } from "./order.ts";
import { createSettling } from "./settling.ts";
import { type SolanaSettings, solanaChain } from "./solana-chain.ts";
import type { TransportLimits } from "./solana-transport.ts";
import { payTest, testChain } from "./test-chain.ts";
import { type PaymentAnswer, viewOf } from "./view.ts";
import { createWatcher, type Watcher } from "./watcher.ts";

export interface StablecoinPayments {
  /** The caller's account is who gets what is paid for, so there is no payment without a key. */
  create(order: Order, accountId: string): Promise<PaymentAnswer>;
  /** Another account's payment is as unknown as none at all. */
  get(paymentId: string, accountId: string): Promise<PaymentAnswer>;
  /** Newest first. */
  list(accountId: string, limit: number): Promise<{ payments: PaymentAnswer[]; truncated: boolean }>;
  /** For the payment page: its id can't be guessed, and the link is enough to look and pay. */
  page(paymentId: string): Promise<PaymentAnswer>;
  /** Pays what is still missing, on the built-in test chain and only while this service uses it. */
  payTest(paymentId: string): Promise<void>;
  /** Every transfer ever seen for a payment, newest first. For the operator. */
  transfers(paymentId: string): Promise<StoredTransfer[]>;
  /** Transfers with one verdict, such as `unmatched`, newest first. For the operator. */
  transfersWith(verdict: TransferVerdict): Promise<StoredTransfer[]>;
  /** Looks for transfers to a payment once more, however old it is. */
  recheck(paymentId: string): Promise<void>;
  /** Says whose an unmatched transfer is; the chain is asked again before it is credited. */
  assign(signature: string, paymentId: string): Promise<PaymentAnswer>;
  watcher: Watcher;
}

export interface StablecoinParts extends Kit {
  database: Database;
  grants: PaymentGrants;
  settings: {
    /** Null: the built-in test chain, where there is one. */
    solana: SolanaSettings | null;
    /** Whether payments without a coin are taken: only where the world is invented too. */
    testChain: boolean;
    expiresMinutes: number;
    /** Where clients reach the service; not known before it listens. */
    publicUrl: () => string;
  };
  /** Other bounds for talking to the RPC. */
  rpc?: Partial<TransportLimits>;
}

/** 18 bytes: no payment page is found by guessing. */
const PAYMENT_ID_BYTES = 18;
/** Enough of the reference to tell payments apart in a wallet's history; the id stays off the chain, for it opens the page. */
const MEMO_CHARACTERS = 10;
/** Every open payment is looked for, so an account may not have any number of them. */
const OPEN_PAYMENTS_MAX = 20;
/** More than a person reads through; for more transfers than this, ask the database. */
const TRANSFERS_LISTED_MAX = 500;

export function createStablecoinPayments(parts: StablecoinParts): StablecoinPayments {
  refuseBadAddresses(parts.settings.solana);
  const { database, grants, clock, random, log, metrics, settings } = parts;
  const created = metrics.counter("crowdtape_payments_created_total", "Stablecoin payments asked for.");
  const transfers = metrics.counter("crowdtape_payment_transfers_total", "Transfers judged, by verdict.");
  const calls = metrics.counter("crowdtape_payment_rpc_calls_total", "Calls to the Solana RPC, by fault.");
  const due = metrics.gauge(
    "crowdtape_payments_due",
    "Payments that were due to be looked at in the last pass.",
  );
  const chain = settings.solana
    ? solanaChain({
        settings: settings.solana,
        count: (fault) => calls.of({ fault }).add(),
        ...(parts.rpc ? { limits: parts.rpc } : {}),
      })
    : testChain({ database, clock });
  const settling = createSettling({ database, grants, clock, log, transfers });
  const looking = createLooking({ database, chain, settling, clock, transfers });
  const watcher = createWatcher({ database, looking, test: chain.test, clock, random, log, due });
  metrics.probe("crowdtape_payment_watch_failures", "Failed looks at the chain in a row.", watcher.failures);

  const view = (payment: StoredPayment) => viewOf(payment, settings.publicUrl(), clock.now());
  const known = async (paymentId: string): Promise<StoredPayment> => {
    const payment = await findPayment(database.read, paymentId);
    if (!payment) throw fault("not_found", "There is no such payment.");
    return payment;
  };

  return {
    watcher,
    async create(order, accountId) {
      if (settings.solana === null && !settings.testChain)
        throw fault("payments_not_configured", "This server does not accept stablecoin payments.");
      const { plan, cents, credits } = quote(order);
      const now = clock.now();
      const reference = freshPublicKey();
      const payment: StoredPayment = {
        paymentId: `pay_${Buffer.from(secureBytes(PAYMENT_ID_BYTES)).toString("base64url")}`,
        accountId,
        plan,
        credits,
        amountAtomic: atomicOfCents(cents, chain.asset.decimals).toString(),
        ...chain.asset,
        network: chain.network,
        recipient: chain.recipient,
        reference,
        memo: `crowdtape ${reference.slice(0, MEMO_CHARACTERS)}`,
        test: chain.test ? 1 : 0,
        status: "awaiting_payment",
        paidAtomic: "0",
        paidInTimeAtomic: "0",
        convertedAtomic: "0",
        planGranted: 0,
        signature: null,
        creditedAt: null,
        createdAt: now,
        expiresAt: now + settings.expiresMinutes * 60_000,
        nextCheckAt: now,
        failures: 0,
      };
      await database.write(async (tx) => {
        const open = await openPayments(tx, accountId, now);
        const [soonest = now] = open;
        if (open.length >= OPEN_PAYMENTS_MAX) {
          throw fault(
            "rate_limited",
            `This account has ${open.length} unpaid payments: pay one, or wait until one expires.`,
            { retryAfterSeconds: Math.ceil((soonest - now) / 1_000) },
          );
        }
        await insertPayment(tx, payment);
      });
      created.add();
      return view(payment);
    },
    async get(paymentId, accountId) {
      const payment = await known(paymentId);
      if (payment.accountId !== accountId) throw fault("not_found", "There is no such payment.");
      return view(payment);
    },
    async list(accountId, limit) {
      const rows = await paymentsOfAccount(database.read, accountId, limit + 1);
      return { payments: rows.slice(0, limit).map(view), truncated: rows.length > limit };
    },
    page: async (paymentId) => view(await known(paymentId)),
    async payTest(paymentId) {
      const payment = await known(paymentId);
      const missing = Number(BigInt(payment.amountAtomic) - BigInt(payment.paidAtomic));
      if (!chain.test || !settings.testChain || missing <= 0)
        throw fault("conflict", "There is nothing to pay with a test coin.");
      await payTest({ database, clock }, paymentId, { amount: missing / 10 ** payment.decimals });
    },
    transfers: (paymentId) => transfersOfPayment(database.read, paymentId, TRANSFERS_LISTED_MAX),
    transfersWith: (verdict) => transfersOfVerdict(database.read, verdict, TRANSFERS_LISTED_MAX),
    async recheck(paymentId) {
      await known(paymentId);
      await database.write((tx) => scheduleCheck(tx, paymentId, clock.now(), 0));
    },
    assign: async (signature, paymentId) =>
      view(await assignTransfer({ database, chain, settling, clock }, signature, await known(paymentId))),
  };
}

/** What looks like an address may still be one with a letter missing, and money sent there would be lost. */
function refuseBadAddresses(solana: SolanaSettings | null): void {
  if (!solana) return;
  const faults = Object.entries({ SOLANA_RECIPIENT: solana.recipient, SOLANA_MINT: solana.mint })
    .filter(([, address]) => !isAddress(address))
    .map(([name, address]) => `${name} must be a Solana address, 32 bytes in base58 (it is "${address}").`);
  if (faults.length > 0) throw new BadSettings(faults);
}
