// The single gate for every request to the service: who calls, how fast, for how many credits. `identify`
// resolves the caller, `pace` enforces the rate, `admit` promises that the call can be paid for, and its admission charges it.
// Of its modules, the ledger depends on no other, identity on the ledger, and limits on identity.
import type { Database } from "../../database/database.ts";
import type { Kit } from "../../kit/kit.ts";
import type { Metrics } from "../../kit/metrics.ts";
import { type Imbalance, imbalances } from "../store/money/ledger.ts";
import { type Admit, createAdmit, creditsLeftOf } from "./admit.ts";
import { type AccessChange, type ChangeCarrier, createAccessChanges } from "./changes.ts";
import { createIdempotency, type Idempotency } from "./idempotency.ts";
import { createAuthenticator } from "./identity/authenticate.ts";
import { type Caller, delayMsOf } from "./identity/caller.ts";
import { type Address, createIdentifier, type Identifier } from "./identity/identify.ts";
import { createKeys, type Keys } from "./identity/keys.ts";
import { createTickets, type Tickets } from "./identity/tickets.ts";
import { createGrants, type Grants } from "./ledger/grants.ts";
import { createHistory, type History } from "./ledger/history.ts";
import { createLedger } from "./ledger/ledger.ts";
import { createViews } from "./ledger/views.ts";
import type { Within } from "./ledger/within.ts";
import { type CallerGate, createGate } from "./limits/gate.ts";
import type { RateLimiter } from "./limits/rate.ts";
import type { Links } from "./payment-fault.ts";

export type { Admission, ChargeReceipt } from "./admission.ts";
export type { Caller, KeyCaller } from "./identity/caller.ts";
export type { Address } from "./identity/identify.ts";
export { RateRefusal } from "./limits/gate.ts";
export type { RateStanding } from "./limits/rate.ts";

export interface Access extends Identifier, Pick<CallerGate, "pace" | "standing" | "openSocket"> {
  /** Counts a request with an unknown key; throws a 429 for an address that sends too many of them. */
  paceRefused(address: Address): Promise<void>;
  /** Throws the 401, 403, 402 or 429 that this call gets instead of work; otherwise it can be paid for as far as is known. */
  admit: Admit;
  /** Credits left as far as this node knows; null without a key. */
  remainingOf(caller: Caller): number | null;
  delayMsOf(caller: Caller, now: number): number;
  /** Notifies when a key or an account may have changed, so that connections open on its behalf are rechecked. */
  onChange(listener: (change: AccessChange) => void): () => void;
  keys: Keys;
  grants: Grants;
  /** Charges that are part of a caller's transaction. */
  within: Within;
  tickets: Tickets;
  idempotency: Idempotency;
  history: History;
  /** Accounts whose balance differs from grants minus charges. Empty when the books balance. */
  imbalances(): Promise<Imbalance[]>;
  close(): Promise<void>;
}

export interface AccessParts extends Pick<Kit, "clock" | "log"> {
  database: Database;
  rate: RateLimiter;
  links: Links;
  metrics?: Metrics;
  /** Carries changes to other nodes; without it only this node learns of them at once, the others within 5 s. */
  carrier?: ChangeCarrier;
  /** Whether ct_test_ keys work: only where no money moves and no trades are real. */
  testKeys(): boolean;
  /** False only for measuring the cost of metering; nothing else may turn it off. */
  metering?: boolean;
  /** Where charges in doubt survive this process; without it they are only in memory. */
  doubtfulFolder?: string;
}

export function createAccess(parts: AccessParts): Access {
  const { database, clock, log, rate, links, metering = true, doubtfulFolder } = parts;
  const views = createViews();
  const changes = createAccessChanges(parts.carrier);
  const ledger = createLedger({
    database,
    clock,
    log,
    views,
    doubtfulFolder,
    ...ledgerMetrics(parts.metrics),
  });
  const grants = createGrants({ database, clock, views, changes, find: ledger.account });
  const history = createHistory({ database, clock, log });
  const authenticator = createAuthenticator({
    database,
    clock,
    log,
    views,
    changes,
    testKeys: parts.testKeys,
  });
  const tickets = createTickets({ database, clock });
  const gate = createGate(rate);
  parts.metrics?.probe("crowdtape_ledger_waiting", "Charges waiting for their commit.", ledger.waiting);
  parts.metrics?.probe("crowdtape_rate_degraded", "1 while rate limits hold for this node alone.", () =>
    rate.degraded() ? 1 : 0,
  );
  return {
    ...createIdentifier({ authenticator, tickets }),
    pace: gate.pace,
    standing: gate.standing,
    paceRefused: async (address) => gate.paceRefused(typeof address === "string" ? address : address()),
    openSocket: gate.openSocket,
    admit: createAdmit({ gate, ledger, grants, clock, links, metering }),
    remainingOf: creditsLeftOf,
    delayMsOf,
    onChange: changes.listen,
    keys: createKeys({ database, clock, changes }),
    grants,
    within: ledger.within,
    tickets,
    idempotency: createIdempotency({ database, clock }),
    history,
    imbalances: () => imbalances(database.read),
    async close() {
      await history.close();
      await ledger.close();
      authenticator.close();
      changes.close();
      await rate.close();
    },
  };
}

function ledgerMetrics(metrics: Metrics | undefined) {
  if (!metrics) return {};
  const refused = metrics.counter(
    "crowdtape_ledger_refused_total",
    "Charges refused because too many waited.",
  );
  const committed = metrics.counter("crowdtape_ledger_charges_total", "Charges committed.");
  const batches = metrics.counter("crowdtape_ledger_commits_total", "Transactions that committed charges.");
  return {
    metrics: {
      refused: () => refused.add(),
      committed: (charges: number) => {
        committed.add(charges);
        batches.add();
      },
    },
  };
}
