// When to look again. Often while a buyer is likely to be waiting, less and less often afterwards, and for thirty days
// past a payment's end, so that money sent late is found without anyone asking.

import type { Random } from "../../../kit/random.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kit/units.ts";
import type { StoredPayment } from "../../store/money/payments.ts";
import { LAST_TRANSFERS_MS } from "./settlement.ts";

/** Late payments are looked for by their reference this long; the recipient's account is watched beyond it. */
const LATE_WATCH_DAYS = 30;
const LATE_WATCH_MS = LATE_WATCH_DAYS * 24 * HOUR_MS;

/** A person stands before the page: a transfer is shown within seconds. */
const WAITING_MS = 3 * SECOND_MS;
const WAITING_FOR_MS = 10 * MINUTE_MS;
/** The page was probably closed; the payment is still open. */
const OPEN_MS = 10 * SECOND_MS;
/** Around its end a payment's last transfers decide what becomes of it. */
const ENDING_MS = 15 * SECOND_MS;
const LATE_MS_MIN = MINUTE_MS;
const LATE_MS_MAX = HOUR_MS;
/** Past its end a payment is looked at after another twentieth of the time that has passed. */
const LATE_SHARE = 1 / 20;

const RETRY_FIRST_MS = 2 * SECOND_MS;
const RETRY_MS_MAX = 5 * MINUTE_MS;
/** Half of a wait is certain, half is chance, so that payments that failed together do not come back together. */
const CERTAIN_SHARE = 0.5;

/** When to look next after a look that worked; null when it was the last. */
export function nextCheckAt(payment: StoredPayment, now: number): number | null {
  if (payment.status === "confirming") return now + WAITING_MS;
  const lateMs = now - payment.expiresAt;
  if (lateMs > LATE_WATCH_MS) return null;
  if (lateMs > LAST_TRANSFERS_MS + ENDING_MS) {
    return now + Math.ceil(Math.min(LATE_MS_MAX, Math.max(LATE_MS_MIN, lateMs * LATE_SHARE)));
  }
  if (lateMs >= 0) return now + ENDING_MS;
  const settled = payment.status !== "awaiting_payment" && payment.status !== "underpaid";
  if (settled) return Math.min(now + LATE_MS_MIN, payment.expiresAt);
  const waiting = now - payment.createdAt < WAITING_FOR_MS;
  return Math.min(now + (waiting ? WAITING_MS : OPEN_MS), payment.expiresAt);
}

/** After the n-th failure in a row. */
export function retryMs(random: Random, failures: number): number {
  const wholeMs = Math.min(RETRY_FIRST_MS * 2 ** Math.min(failures, 30), RETRY_MS_MAX);
  return Math.ceil(wholeMs * (CERTAIN_SHARE + (1 - CERTAIN_SHARE) * random.next()));
}
