// Creating, listing, rotating and revoking keys. A secret exists here only until it is returned to its owner.
// Another account's keys are treated as nonexistent.

import { fault } from "../../../contract/errors.ts";
import type { PlanName } from "../../../contract/plans.ts";
import type { Database, Queries } from "../../../database/database.ts";
import { secureBase62 } from "../../../kit/base62.ts";
import { chunksOf } from "../../../kit/chunks.ts";
import type { Clock } from "../../../kit/clock.ts";
import { nextTurn } from "../../../kit/turn.ts";
import { lockAccounts } from "../../store/money/accounts.ts";
import {
  allKeys,
  countWorkingKeys,
  endAllKeys,
  endKey,
  findKeys,
  insertKey,
  type Key,
  type KeyWithAccount,
  keysFrom,
  keysOfAccount,
  resumeKey,
  suspendKey,
} from "../../store/money/keys.ts";
import type { AccessChanges } from "../changes.ts";
import { advance, planOf } from "../ledger/renewal.ts";
import { hashOfSecret, hintOf, type KeyMode, mintSecret } from "./key-format.ts";

interface NewKey {
  accountId: string;
  name: string | null;
  mode?: KeyMode;
  monthlyCap?: number | null;
  requestsPerMinute?: number | null;
  /** In the past for the operator's --created-days-ago. */
  createdAt?: number;
}

/** The only time the secret is visible. */
interface MadeKey {
  key: Key;
  secret: string;
}

export interface OwnedKey {
  key: Key;
  email: string;
  plan: PlanName;
}

interface KeyState {
  works: boolean;
  plan: PlanName;
}

export interface Keys {
  create(wanted: NewKey): Promise<MadeKey>;
  list(accountId: string): Promise<Key[]>;
  listAll(): Promise<OwnedKey[]>;
  /** For the operator, in pages: this many with ids after this one. */
  listFrom(after: string, limit: number): Promise<OwnedKey[]>;
  /** A new secret under the same name, limits and age; the old one keeps working for the overlap. */
  rotate(wanted: {
    accountId: string;
    keyId: string;
    overlapSeconds: number;
  }): Promise<MadeKey & { previousEndsAt: number }>;
  revoke(wanted: { accountId: string; keyId: string }): Promise<Key>;
  /** Every key of an account, however many there are. */
  revokeAll(accountId: string): Promise<void>;
  /** For the operator: by id alone. */
  revokeAny(keyId: string): Promise<Key>;
  /** For the operator: suspends a working key, and resumes it. */
  suspend(keyId: string): Promise<Key>;
  resume(keyId: string): Promise<Key>;
  /** Which of these still work, and on which plan: for connections that are open on a key's behalf. */
  review(keyIds: readonly string[]): Promise<Map<string, KeyState>>;
}

/** No person manages more; a program that creates keys in a loop stops here. */
const WORKING_KEYS_MAX = 100;
/** Revoked keys stay listed after the working ones, so the list may be longer. */
const KEYS_LISTED_MAX = 500;
const OPERATOR_KEYS_LISTED_MAX = 10_000;
const KEY_ID_CHARACTERS = 12;
/** A week is enough for any roll-out; for a longer overlap, create a second key. */
const OVERLAP_SECONDS_MAX = 604_800;
/** Ids in one read, and in one turn of the event loop: a few milliseconds of SQLite. */
const REVIEWED_PER_READ_MAX = 250;

interface KeysParts {
  database: Database;
  clock: Clock;
  changes: AccessChanges;
}

export function createKeys({ database, clock, changes }: KeysParts): Keys {
  const mint = (key: Omit<Key, "id" | "hint" | "lineage">, lineage?: string): MadeKey => {
    const secret = mintSecret(key.mode);
    const id = `key_${secureBase62(KEY_ID_CHARACTERS)}`;
    return { key: { ...key, id, hint: hintOf(secret), lineage: lineage ?? id }, secret };
  };
  const own = async (accountId: string, keyId: string): Promise<Key> => {
    const [found] = await findKeys(database.read, [keyId]);
    if (!found || found.key.accountId !== accountId) throw noSuchKey();
    return found.key;
  };
  const any = async (keyId: string): Promise<Key> => {
    const [found] = await findKeys(database.read, [keyId]);
    if (!found) throw noSuchKey();
    return found.key;
  };
  const changeAny = async (keyId: string, change: (tx: Queries) => Promise<boolean>, otherwise: string) => {
    await any(keyId);
    if (!(await database.write(change))) throw fault("conflict", otherwise);
    changes.announce({ kind: "key", keyId });
    return any(keyId);
  };
  const owned = ({ key, account }: KeyWithAccount): OwnedKey => ({
    key,
    email: account.email,
    plan: planOf(advance(account, clock.now()).account),
  });
  const end = async (key: Key): Promise<Key> => {
    const endsAt = clock.now();
    await database.write((tx) => endKey(tx, key, endsAt, "revoked"));
    changes.announce({ kind: "key", keyId: key.id });
    return own(key.accountId, key.id);
  };

  return {
    async create(wanted) {
      const made = mint({
        accountId: wanted.accountId,
        name: wanted.name,
        mode: wanted.mode ?? "live",
        createdAt: wanted.createdAt ?? clock.now(),
        monthlyCap: wanted.monthlyCap ?? null,
        capUsed: 0,
        capPeriodStart: 0,
        requestsPerMinute: wanted.requestsPerMinute ?? null,
        endsAt: null,
        endedBy: null,
      });
      await database.write(async (tx) => {
        // Locking the account keeps the count correct until the key is inserted.
        const [account] = await lockAccounts(tx, [wanted.accountId]);
        if (!account) throw fault("not_found", "There is no such account.");
        if ((await countWorkingKeys(tx, account.id, clock.now())) >= WORKING_KEYS_MAX) {
          throw fault(
            "conflict",
            `An account has at most ${WORKING_KEYS_MAX} working keys. Revoke one first.`,
          );
        }
        await insertKey(tx, made.key, hashOfSecret(made.secret));
      });
      return made;
    },
    list: (accountId) => keysOfAccount(database.read, accountId, KEYS_LISTED_MAX),
    listAll: async () => (await allKeys(database.read, OPERATOR_KEYS_LISTED_MAX)).map(owned),
    listFrom: async (after, limit) => (await keysFrom(database.read, after, limit)).map(owned),
    async rotate({ accountId, keyId, overlapSeconds }) {
      const old = await own(accountId, keyId);
      const now = clock.now();
      if (old.endsAt !== null) throw fault("conflict", "This key was already revoked or replaced.");
      const endsAt = now + Math.min(overlapSeconds, OVERLAP_SECONDS_MAX) * 1000;
      const made = await database.write(async (tx) => {
        await lockAccounts(tx, [accountId]);
        // Re-read under the lock: its cap may have been used up, or it may have been replaced.
        const [held] = await findKeys(tx, [keyId]);
        if (!held || !(await endKey(tx, old, endsAt, "rotated")) || held.key.endsAt !== null) {
          throw fault("conflict", "This key was already revoked or replaced.");
        }
        const next = mint(held.key, held.key.lineage);
        await insertKey(tx, next.key, hashOfSecret(next.secret));
        return next;
      });
      changes.announce({ kind: "key", keyId });
      return { ...made, previousEndsAt: endsAt };
    },
    revoke: async ({ accountId, keyId }) => end(await own(accountId, keyId)),
    async revokeAll(accountId) {
      const endsAt = clock.now();
      const ended = await database.write((tx) => endAllKeys(tx, accountId, endsAt));
      for (const keyId of ended) changes.announce({ kind: "key", keyId });
    },
    revokeAny: async (keyId) => end(await any(keyId)),
    suspend: (keyId) =>
      changeAny(keyId, (tx) => suspendKey(tx, keyId, clock.now()), "This key does not work as it is."),
    resume: (keyId) => changeAny(keyId, (tx) => resumeKey(tx, keyId), "This key is not suspended."),
    async review(keyIds) {
      const states = new Map<string, KeyState>();
      const now = clock.now();
      for (const part of chunksOf(keyIds, REVIEWED_PER_READ_MAX)) {
        for (const { key, account } of await findKeys(database.read, part)) {
          states.set(key.id, {
            works: key.endsAt === null || now < key.endsAt,
            plan: planOf(advance(account, now).account),
          });
        }
        // Every socket's key is rechecked every few seconds, in the background.
        await nextTurn();
      }
      return states;
    },
  };
}

function noSuchKey() {
  return fault("not_found", "There is no such key.");
}
