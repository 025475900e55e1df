// From a secret to its key, without asking the store each time. Cached entries are at most 5 seconds old, so a
// revocation takes effect on every node within 5 seconds even if its hint is lost; with the hint, at once.

import type { Database } from "../../../database/database.ts";
import type { Clock } from "../../../kit/clock.ts";
import type { Log } from "../../../kit/log.ts";
import { createLru } from "../../../kit/lru.ts";
import type { MaybePromise } from "../../../kit/maybe-promise.ts";
import { createSingleFlight } from "../../../kit/single-flight.ts";
import { findKeys } from "../../store/money/keys.ts";
import type { AccessChanges } from "../changes.ts";
import type { Views } from "../ledger/views.ts";
import { bringUpToDate, type KeyCaller, keyCaller } from "./caller.ts";
import { hashOfSecret, looksValid } from "./key-format.ts";
import { createKeyReads } from "./key-reads.ts";
import { createUnchanged } from "./unchanged.ts";

export interface Authenticator {
  /** The key's caller, or null when the secret is mistyped, unknown or no longer works. */
  authenticate(secret: string): MaybePromise<KeyCaller | null>;
  /** The same for a key that was authenticated by a ticket. */
  byId(keyId: string): Promise<KeyCaller | null>;
  close(): void;
}

/** The promise is 5 s; half a second is left for the read itself. */
const TRUSTED_FOR_MS = 4_500;
/** A busy key is refreshed in the background from this age on, so that its callers never wait for it. */
const REFRESHED_AFTER_MS = 3_000;
/** Where a version number shows that nothing changed, a key is still re-read occasionally, in case the store was edited by hand. */
const READ_AGAIN_AFTER_MS = 60_000;
/** At most this many a second: ten thousand callers returning together would block the thread for most of a second. */
const READ_AGAIN_PER_SECOND = 200;
/** Keys active within the same seconds on one node; about a kilobyte each. */
const KEYS_MAX = 20_000;
/** Unknown keys are remembered briefly, so that repeating one is cheap, and few, so that inventing many is harmless. */
const UNKNOWN_FOR_MS = 2_000;
const UNKNOWN_MAX = 10_000;

interface KnownKey {
  caller: KeyCaller;
  loadedAt: number;
  /** The version of all changes when it was read; see unchanged.ts. */
  changes: number | null;
  refreshing: boolean;
}

export function createAuthenticator(parts: {
  database: Database;
  clock: Clock;
  log: Log;
  views: Views;
  changes: AccessChanges;
  /** Whether keys of the test mode work here. */
  testKeys(): boolean;
}): Authenticator {
  const { database, clock, log, views, changes, testKeys } = parts;
  const known = createLru<string, KnownKey>(KEYS_MAX);
  const byKeyId = createLru<string, KnownKey>(KEYS_MAX);
  const unknown = createLru<string, number>(UNKNOWN_MAX);
  const flights = createSingleFlight();
  const reads = createKeyReads({ database, clock });
  const unchanged = createUnchanged({ database, log, trustedForMs: TRUSTED_FOR_MS });
  const readAgain = { since: Number.NEGATIVE_INFINITY, keys: 0 };

  const stop = changes.listen((change) => {
    if (change.kind === "key") {
      const entry = byKeyId.get(change.keyId);
      if (entry) entry.loadedAt = Number.NEGATIVE_INFINITY;
      return;
    }
    views.noteChange(change.accountId, clock.now());
  });

  const load = (secret: string): Promise<KeyCaller | null> => {
    const hash = hashOfSecret(secret);
    return flights.run(hash, async () => {
      const before = unchanged.number(clock.now());
      const { found, asOf } = await reads.byHash(hash);
      if (!found) {
        forget(secret, asOf);
        return null;
      }
      const view = views.learn(found.account, asOf);
      const caller = keyCaller(found.key, view);
      const entry = { caller, loadedAt: asOf, changes: before, refreshing: false };
      known.set(secret, entry);
      byKeyId.set(found.key.id, entry);
      return entry.caller;
    });
  };

  const forget = (secret: string, asOf: number) => {
    known.delete(secret);
    unknown.set(secret, asOf);
  };

  const refresh = async (secret: string, entry: KnownKey): Promise<void> => {
    const { keyId } = entry.caller;
    const { loadedAt } = entry;
    const before = unchanged.number(clock.now());
    entry.refreshing = true;
    try {
      const { found, asOf } = await reads.byId(keyId);
      if (!found) return forget(secret, asOf);
      entry.caller = keyCaller(found.key, views.learn(found.account, asOf));
      // A change announced meanwhile still counts.
      if (entry.loadedAt === loadedAt) Object.assign(entry, { loadedAt: asOf, changes: before });
    } catch (error) {
      log.debug("a key could not be refreshed", { keyId, error });
    } finally {
      entry.refreshing = false;
    }
  };

  const mayReadAgain = (now: number): boolean => {
    if (now - readAgain.since >= 1_000) Object.assign(readAgain, { since: now, keys: 0 });
    readAgain.keys += 1;
    return readAgain.keys <= READ_AGAIN_PER_SECOND;
  };

  const usable = (caller: KeyCaller | null, now = clock.now()): KeyCaller | null => {
    if (!caller || (caller.key.mode === "test" && !testKeys())) return null;
    bringUpToDate(caller.view, now);
    return caller.key.endsAt !== null && now >= caller.key.endsAt ? null : caller;
  };

  return {
    authenticate(secret) {
      const now = clock.now();
      const entry = known.get(secret);
      if (entry) {
        const age = now - entry.loadedAt;
        // A change sets one of the two to minus infinity.
        if (Number.isFinite(age) && entry.caller.view.asOf !== Number.NEGATIVE_INFINITY) {
          const isFresh = age < REFRESHED_AFTER_MS || unchanged.since(entry.changes, now);
          const isDue = isFresh ? age >= READ_AGAIN_AFTER_MS : age < TRUSTED_FOR_MS;
          if (isDue && !entry.refreshing && (!isFresh || mayReadAgain(now))) void refresh(secret, entry);
          if (isFresh || age < TRUSTED_FOR_MS) return usable(entry.caller, now);
        }
        return load(secret).then((caller) => usable(caller));
      }
      if (!looksValid(secret)) return null;
      const missedAt = unknown.get(secret);
      if (missedAt !== undefined && now - missedAt < UNKNOWN_FOR_MS) return null;
      return load(secret).then((caller) => usable(caller));
    },
    async byId(keyId) {
      const startedAt = clock.now();
      const [found] = await findKeys(database.read, [keyId]);
      return found ? usable(keyCaller(found.key, views.learn(found.account, startedAt))) : null;
    },
    close: stop,
  };
}
