// The one gate to everything that is asked of the service: who calls, how fast, for how many credits. `identify`
// tells who, `pace` holds to the rate, `admit` promises that the call can be paid, and its admission charges it.
import { Fault, fault } from "../../contract/errors.ts";
import { PLANS } from "../../contract/plans.ts";
import type { AccessRule, AnyRoute } from "../../contract/route.ts";
import type { Database } from "../../database/database.ts";
import { StoreUnavailable } from "../../database/errors.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import { after, type MaybePromise } from "../../kit/maybe-promise.ts";
import type { Metrics } from "../../kit/metrics.ts";
import { type AccountData, createAccountData } from "./account-data.ts";
import {
  type Admission,
  expectedRefusal,
  type Links,
  meteredAdmission,
  paymentFault,
  unmeteredAdmission,
} from "./admission.ts";
import { createHints, type Hint, type HintCarrier } from "./hints.ts";
import { createIdempotency, type Idempotency } from "./idempotency.ts";
import { addressSubject } from "./identity/address.ts";
import { createAuthenticator } from "./identity/authenticate.ts";
import {
  bringUpToDate,
  type Caller,
  delayMsOf,
  type KeyCaller,
  requestsPerMinuteOf,
  socketsAtOnceOf,
} from "./identity/caller.ts";
import { createKeys, type Keys } from "./identity/keys.ts";
import { createTickets, type Tickets } from "./identity/tickets.ts";
import { createViews } from "./identity/views.ts";
import { createGrants, type Grants } from "./ledger/grants.ts";
import { createHistory, type History } from "./ledger/history.ts";
import { createLedger, unavailable } from "./ledger/ledger.ts";
import { remainingOf } from "./ledger/settle.ts";
import { createInFlight, inFlightAtMost } from "./limits/in-flight.ts";
import { type RateLimiter, type RateStanding, standingOf, wholeSeconds } from "./limits/rate.ts";

export type { Admission, Receipt } from "./admission.ts";
export type { Caller, KeyCaller } from "./identity/caller.ts";
export type { RateStanding } from "./limits/rate.ts";

/** A refusal that tells the caller's rate standing as well, for the headers of its answer. */
export class RateRefusal extends Fault {
  constructor(
    readonly rate: RateStanding,
    message: string,
    retryAfterMs: number,
  ) {
    super("rate_limited", message, { retryAfterSeconds: wholeSeconds(retryAfterMs) });
  }
}

/** Asked for only where it matters: finding out whose a connection is costs as much as checking a key. */
export type Address = string | (() => string);

export interface Access {
  /** Who this is, or the `unauthorized` fault. On an open route nobody is refused: a bad key is no key. */
  identify(authorization: string | null, address: Address, rule: AccessRule): MaybePromise<Caller>;
  /** The same from a bare key, for `?key=` on a socket. */
  identifyKey(secret: string): MaybePromise<KeyCaller>;
  /** The caller's ticket, once. */
  identifyTicket(ticket: string): Promise<KeyCaller>;
  /** Counts the request, or throws a RateRefusal. Open routes are not counted. */
  pace(caller: Caller, rule?: AccessRule): MaybePromise<RateStanding>;
  /** Throws the 401, 403, 402 or 429 that this call gets in place of work; else it can be paid as far as is known. */
  admit(
    caller: Caller,
    route: Pick<AnyRoute, "id" | "access" | "price">,
    unitsAtMost: number,
  ): MaybePromise<Admission>;
  /** Takes one of the caller's sockets, or throws 429; call the result when it closes. */
  openSocket(caller: Caller): MaybePromise<() => void>;
  /** Credits left as far as this node knows; null without a key. */
  remainingOf(caller: Caller): number | null;
  delayMsOf(caller: Caller, now: number): number;
  /** Tells when a key or an account may have changed, so that what is held open on its behalf is looked at again. */
  onChange(listener: (hint: Hint) => void): () => void;
  keys: Keys;
  grants: Grants;
  tickets: Tickets;
  idempotency: Idempotency;
  account: AccountData;
  history: History;
  close(): Promise<void>;
}

export interface AccessParts {
  db: Database;
  clock: Clock;
  log: Log;
  rate: RateLimiter;
  links: Links;
  metrics?: Metrics;
  /** Carries hints to other nodes; without it this node alone hears them at once, the others within 5 s. */
  carrier?: HintCarrier;
  /** False measures what metering costs; nothing else may turn it off. */
  metering?: boolean;
  /** Where charges in doubt outlive this process; without it they are only in its memory. */
  doubtfulFolder?: string;
}

/** A refusal for want of credits rests on a balance read within this time: a top-up helps at once. */
const REFUSED_ON_BALANCE_OF_MS = 1_000;

export function createAccess(parts: AccessParts): Access {
  const { db, clock, log, rate, links } = parts;
  const views = createViews();
  const hints = createHints(parts.carrier);
  const authenticator = createAuthenticator({ db, clock, log, views, hints });
  const { doubtfulFolder } = parts;
  const ledger = createLedger({ db, clock, log, views, doubtfulFolder, ...ledgerMetrics(parts.metrics) });
  const inFlight = createInFlight();
  const grants = createGrants({ db, clock, views, hints });
  const keys = createKeys({ db, clock, hints });
  const tickets = createTickets({ db, clock });
  const history = createHistory({ db, clock, log });
  const metering = parts.metering ?? true;
  parts.metrics?.probe("crowdtape_ledger_waiting", "Charges waiting for their commit.", ledger.waiting);
  parts.metrics?.probe("crowdtape_rate_degraded", "1 while rate limits hold for this node alone.", () =>
    rate.degraded() ? 1 : 0,
  );

  const known = (caller: KeyCaller | null): KeyCaller => {
    if (caller) return caller;
    throw fault("unauthorized", "This key is mistyped, unknown or revoked.");
  };
  const identifyKey = (secret: string): MaybePromise<KeyCaller> => {
    const found = authenticator.authenticate(secret);
    return found instanceof Promise ? found.then(known, storeFault) : known(found);
  };

  const requirePaid = async (caller: KeyCaller, credits: number, resolutions: number) => {
    if (clock.now() - caller.view.asOf > REFUSED_ON_BALANCE_OF_MS) {
      await grants.account(caller.accountId).catch(storeFault);
      bringUpToDate(caller.view, clock.now());
    }
    const refused = expectedRefusal(caller, credits, resolutions);
    if (refused) throw paymentFault(refused, caller, credits, links);
  };

  return {
    identify(authorization, address, rule) {
      const keyless = (): Caller => {
        const from = typeof address === "string" ? address : address();
        return { kind: "keyless", address: from, subject: `ip:${addressSubject(from)}` };
      };
      const secret = bearerOf(authorization);
      if (secret !== null) {
        if (rule !== "open") return identifyKey(secret);
        const found = authenticator.authenticate(secret);
        return found instanceof Promise
          ? found.then((caller) => caller ?? keyless(), keyless)
          : (found ?? keyless());
      }
      if (rule === "key" || rule === "onChain") {
        throw fault(
          "unauthorized",
          "This call needs a key: send it as Authorization: Bearer followed by the key.",
        );
      }
      return keyless();
    },
    identifyKey,
    async identifyTicket(ticket) {
      const keyId = await tickets.redeem(ticket).catch(storeFault);
      if (keyId === null) throw fault("unauthorized", "This ticket is unknown, used or over.");
      return known(await authenticator.byId(keyId).catch(storeFault));
    },
    pace(caller, rule) {
      const limit = requestsPerMinuteOf(caller);
      const atMost = inFlightAtMost(caller);
      const judge = (verdict: Awaited<ReturnType<RateLimiter["take"]>>): RateStanding => {
        const standing = standingOf(verdict);
        if (verdict.allowed || rule === "open") return standing;
        if (verdict.crowded) throw new RateRefusal(standing, crowdedSentence(atMost), verdict.resetMs);
        throw new RateRefusal(standing, `More than ${limit} requests within a minute.`, verdict.resetMs);
      };
      const flight = { here: inFlight.of(caller.subject) + 1, atMost };
      const verdict = rate.take(caller.subject, limit, rule === "open" ? 0 : 1, flight);
      return after(verdict, judge);
    },
    admit(caller, route, unitsAtMost) {
      if (route.access === "open") return unmeteredAdmission(remainingFor(caller), () => {});
      if (caller.kind === "keyless") {
        if (route.access !== "keyless") throw fault("unauthorized", "This call needs a key.");
      } else if (route.access === "onChain" && !PLANS[caller.plan].onChain) {
        throw fault("plan_required", "This needs the Growth or the Scale plan.", {
          plan: caller.plan,
          upgradeUrl: links.upgradeUrl,
        });
      }
      const release = enter(caller);
      const { price } = route;
      if (caller.kind === "keyless" || !metering || (price.credits === 0 && !price.resolution)) {
        return unmeteredAdmission(remainingFor(caller), release);
      }
      const admission = meteredAdmission({ caller, route, ledger, links, release });
      const credits = price.credits * (price.unit === "call" ? 1 : unitsAtMost);
      const resolutions = price.resolution ? 1 : 0;
      if (expectedRefusal(caller, credits, resolutions) === null) return admission;
      return requirePaid(caller, credits, resolutions).then(
        () => admission,
        (problem) => {
          release();
          throw problem;
        },
      );
    },
    openSocket(caller) {
      const limit = socketsAtOnceOf(caller);
      const closer = (opened: boolean) => {
        if (!opened)
          throw fault("rate_limited", `At most ${limit} sockets at once.`, { retryAfterSeconds: 1 });
        return once(() => rate.closeSocket(caller.subject));
      };
      const opened = rate.openSocket(caller.subject, limit);
      return after(opened, closer);
    },
    remainingOf: remainingFor,
    delayMsOf,
    onChange: hints.listen,
    keys,
    grants,
    tickets,
    idempotency: createIdempotency({ db, clock }),
    account: createAccountData({ db, clock }),
    history,
    async close() {
      await history.close();
      await ledger.close();
      authenticator.close();
      hints.close();
      await rate.close();
    },
  };

  function enter(caller: Caller): () => void {
    const limit = inFlightAtMost(caller);
    if (!inFlight.enter(caller.subject, limit))
      throw fault("rate_limited", crowdedSentence(limit), { retryAfterSeconds: 1 });
    return once(() => rate.left(caller.subject, inFlight.leave(caller.subject)));
  }
}

function crowdedSentence(limit: number): string {
  return `More than ${limit} requests at the same moment.`;
}

const BEARER = /^Bearer +(\S+) *$/i;
const USUAL = "Bearer ct_";

/** The key in a header; a header of another form counts as a bad key, not as none. */
function bearerOf(authorization: string | null): string | null {
  if (authorization === null || authorization === "") return null;
  // Nearly every header; what is wrong about the rest of it makes it an unknown key.
  if (authorization.startsWith(USUAL)) return authorization.slice("Bearer ".length);
  return BEARER.exec(authorization)?.[1] ?? "";
}

function remainingFor(caller: Caller): number | null {
  return caller.kind === "key" ? remainingOf(caller.view.account) : null;
}

function storeFault(problem: unknown): never {
  throw problem instanceof StoreUnavailable ? unavailable() : problem;
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
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
