// Looks for what is due, on any number of nodes, from the database alone: a restart continues where the last process
// stopped. While the chain can't be read, one payment at a time asks whether it is back, less and less often; the
// others wait untouched, so a long outage costs nothing and loses nothing.

import type { Database } from "../../../database/database.ts";
import type { Kit } from "../../../kit/kit.ts";
import { createLoop } from "../../../kit/loop.ts";
import type { Gauge } from "../../../kit/metrics.ts";
import { MINUTE_MS } from "../../../kit/units.ts";
import { claimCheck, duePayments, type StoredPayment, scheduleCheck } from "../../store/money/payments.ts";
import { ChainMismatch, ChainUnavailable } from "./chain.ts";
import type { Looking } from "./look.ts";
import { nextCheckAt, retryMs } from "./schedule.ts";

export interface Watcher {
  start(): void;
  stop(): Promise<void>;
  /** Looks at everything that is due now, once; true when there was anything. */
  pass(): Promise<boolean>;
  /** Failed passes in a row: above 0, payments are seen later than they should be. */
  failures(): number;
}

export interface WatcherParts extends Pick<Kit, "clock" | "log" | "random"> {
  database: Database;
  looking: Looking;
  test: boolean;
  /** How many the last pass found waiting. */
  due: Gauge;
}

/** As many as the RPC is asked at once. */
const LOOKS_MAX = 4;
const DUE_PER_PASS_MAX = 32;
/** A look makes at most 52 calls of 10 s, four at once with others; a crashed node's payments wait this long. */
const CLAIM_MS = 5 * MINUTE_MS;
/** How soon a payment that another node or a command made is noticed. One indexed read. */
const IDLE_MS = 1_000;

export function createWatcher({
  database,
  looking,
  test,
  clock,
  random,
  log,
  due: waitingGauge,
}: WatcherParts): Watcher {
  let failures = 0;

  const report = (error: unknown, fields: Record<string, unknown> = {}) => {
    if (error instanceof ChainMismatch)
      log.error("The payment settings contradict the chain.", { ...fields, error });
    else if (error instanceof ChainUnavailable) log.warn(error.message, { ...fields, reason: error.reason });
    else log.error("Looking for payments failed.", { ...fields, error });
  };

  /** False when it failed. */
  const look = async (payment: StoredPayment): Promise<boolean> => {
    const now = clock.now();
    if (!(await database.write((tx) => claimCheck(tx, payment, now + CLAIM_MS)))) return true;
    const again = (at: number | null, failed: number) =>
      database.write((tx) => scheduleCheck(tx, payment.paymentId, at, failed));
    const retry = (error: unknown) => {
      report(error, { paymentId: payment.paymentId, failures: payment.failures + 1 });
      return again(clock.now() + retryMs(random, payment.failures), payment.failures + 1);
    };
    try {
      const { payment: after, more, error } = await looking.payment(payment);
      // One transaction that can't be read is this payment's trouble; the chain as such did answer.
      if (error) await retry(error);
      else await again(more ? clock.now() : nextCheckAt(after, clock.now()), 0);
      return true;
    } catch (error) {
      await retry(error);
      return false;
    }
  };

  const pass = async (signal?: AbortSignal): Promise<boolean> => {
    const due = await duePayments(database.read, test, clock.now(), failures > 0 ? 1 : DUE_PER_PASS_MAX);
    waitingGauge.set(due.length);
    const waiting = [...due];
    let failed = false;
    const work = async () => {
      // The first failure ends the pass: if the chain is away, the rest need not find out one by one.
      for (let next = waiting.shift(); next && !failed && !signal?.aborted; next = waiting.shift()) {
        if (!(await look(next))) failed = true;
      }
    };
    await Promise.all(Array.from({ length: LOOKS_MAX }, work));
    if (!failed) {
      const error = await looking.accounts().catch((reason) => {
        failed = true;
        return reason;
      });
      if (error) report(error);
    }
    failures = failed ? failures + 1 : 0;
    return due.length > 0;
  };

  const loop = createLoop({
    failure: "payments were not looked for",
    everyMs: IDLE_MS,
    clock,
    log,
    async round(signal) {
      const busy = await pass(signal).catch((error) => {
        failures += 1;
        report(error);
        return false;
      });
      if (failures > 0) return retryMs(random, failures - 1);
      return busy ? 0 : IDLE_MS;
    },
  });

  return {
    start: loop.start,
    stop: loop.stop,
    pass: () => pass(),
    failures: () => failures,
  };
}
