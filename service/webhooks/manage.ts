// Owners' changes to their webhooks. Each change gets a new revision of the webhook's shard, so that the node that
// owns it notices; another account's webhooks are treated as nonexistent.

import type { Chains } from "../../contract/chains.ts";
import { fault } from "../../contract/errors.ts";
import { PLANS } from "../../contract/plans.ts";
import { WEBHOOK } from "../../contract/webhooks.ts";
import type { Database, Queries } from "../../database/database.ts";
import type { Keyset } from "../../database/keyset.ts";
import { secureBase62 } from "../../kit/base62.ts";
import type { Clock } from "../../kit/clock.ts";
import { hash32 } from "../../kit/random.ts";
import { HOUR_MS } from "../../kit/units.ts";
import type { KeyCaller } from "../access/access.ts";
import { advance, planOf } from "../access/ledger/renewal.ts";
import { flatFilter, type WrittenFilter } from "../feed/filter-input.ts";
import { type NameDirectory, resolveFilter, type UnknownName } from "../feed/resolve-filter.ts";
import type { LogStore } from "../store/captured/log.ts";
import { lockAccounts } from "../store/money/accounts.ts";
import { paperHead } from "../store/money/follows.ts";
import { deliveriesOf, insertDeliveries, type StoredDelivery } from "../store/money/webhook-deliveries.ts";
import { nextRevision, WEBHOOK_SHARDS } from "../store/money/webhook-shards.ts";
import {
  changeWebhook,
  findWebhook,
  insertWebhook,
  PAPER_EPOCH,
  type StoredWebhook,
  webhooksOfAccount,
} from "../store/money/webhooks.ts";
import { isPaper } from "./deliverable.ts";
import { mintSecret } from "./signing.ts";
import { readTarget, type Targets } from "./target.ts";

export interface ManageParts {
  database: Database;
  logStore: Pick<LogStore, "head" | "oldest">;
  directory: NameDirectory;
  chains: Chains;
  clock: Clock;
  targets: Targets;
  /** Where a plan that includes webhooks is found. */
  upgradeUrl: string;
  /** Posts a test, once. */
  sendTest(webhook: StoredWebhook): Promise<StoredDelivery>;
  /** Something changed: the node that works it should look. */
  changed(): void;
}

interface WantedWebhook extends Pick<StoredWebhook, "url" | "name" | "format" | "chatId" | "batch"> {
  filter: WrittenFilter;
  paper: boolean;
}

const ID_CHARACTERS = 14;

export function createManage(parts: ManageParts) {
  const { database, clock, logStore, chains } = parts;
  const own = async (accountId: string, id: string): Promise<StoredWebhook> => {
    const found = await findWebhook(database.read, accountId, id);
    if (!found) throw noSuchWebhook();
    return found;
  };
  const change = async (
    accountId: string,
    id: string,
    how: (webhook: StoredWebhook) => Partial<StoredWebhook>,
  ): Promise<StoredWebhook> => {
    const found = await own(accountId, id);
    const changed = await database.write((tx) => changeWebhook(tx, found, how));
    if (!changed) throw noSuchWebhook();
    parts.changed();
    return changed;
  };

  const headOfPaper = async (accountId: string) => ({
    epoch: PAPER_EPOCH,
    seq: await paperHead(database.read, accountId),
  });

  return {
    async create(caller: KeyCaller, { paper, ...wanted }: WantedWebhook) {
      readTarget(wanted.url, parts.targets);
      if (PLANS[caller.plan].webhooks === 0) throw notIncluded(caller, parts.upgradeUrl);
      const { filter, unknown } = await resolveFilter(wanted.filter, parts.directory);
      const [stranger] = unknown;
      if (stranger) throw unknownFilter(stranger);
      const head = paper ? await headOfPaper(caller.accountId) : await logStore.head();
      const id = `whk_${secureBase62(ID_CHARACTERS)}`;
      const webhook: Omit<StoredWebhook, "revision"> = {
        ...BLANK,
        ...wanted,
        id,
        shard: hash32(id) % WEBHOOK_SHARDS,
        accountId: caller.accountId,
        keyId: caller.keyId,
        capOf: caller.key.monthlyCap === null ? null : caller.key.lineage,
        filters: JSON.stringify(flatFilter("alerts", wanted.filter, chains)),
        filter: JSON.stringify(filter),
        secret: mintSecret(),
        epoch: head.epoch,
        position: head.seq,
        createdAt: clock.now(),
      };
      const made = await database.write(async (tx) => {
        const revision = await nextRevision(tx, webhook.shard);
        await requireRoom(tx, caller, parts);
        await insertWebhook(tx, { ...webhook, revision });
        return { ...webhook, revision };
      });
      parts.changed();
      return { webhook: viewOf(made, clock.now()), secret: made.secret };
    },
    async list(accountId: string) {
      const now = clock.now();
      return (await webhooksOfAccount(database.read, accountId)).map((webhook) => viewOf(webhook, now));
    },
    get: async (accountId: string, id: string) => viewOf(await own(accountId, id), clock.now()),
    async update(
      accountId: string,
      id: string,
      wanted: { status?: "active" | "paused"; name?: string; url?: string },
    ) {
      if (wanted.url !== undefined) readTarget(wanted.url, parts.targets);
      const changed = await change(accountId, id, (webhook) => updated(webhook, wanted));
      return viewOf(changed, clock.now());
    },
    async remove(accountId: string, id: string) {
      const deletedAt = clock.now();
      // Its secrets are deleted at once; the row follows when every node knows.
      const blank = { secret: "", oldSecret: null, url: "", nextTryAt: deletedAt };
      await change(accountId, id, ({ generation }) => ({
        ...blank,
        status: "deleted",
        generation: generation + 1,
      }));
      return { deletedAt };
    },
    async rotate(accountId: string, id: string) {
      const now = clock.now();
      const secret = mintSecret();
      const changed = await change(accountId, id, (webhook) => ({
        secret,
        oldSecret: webhook.secret,
        oldSecretUntil: now + WEBHOOK.oldSecretHours * HOUR_MS,
      }));
      return { webhook: viewOf(changed, now), secret };
    },
    async test(accountId: string, id: string) {
      const delivery = await parts.sendTest(await own(accountId, id));
      await database.write((tx) => insertDeliveries(tx, [delivery]));
      return delivery as DeliveryRow;
    },
    async deliveries(accountId: string, id: string, page: { limit: number; cursor: Keyset | null }) {
      await own(accountId, id);
      const { rows, next } = await deliveriesOf(database.read, id, page.limit, page.cursor);
      return { deliveries: rows as DeliveryRow[], next };
    },
    async replay(accountId: string, id: string, from: "start" | "latest" | { epoch: string; seq: number }) {
      const isOfPaper = isPaper(await own(accountId, id));
      const [head, oldest] = isOfPaper
        ? [await headOfPaper(accountId), { seq: 1 }]
        : await Promise.all([logStore.head(), logStore.oldest()]);
      const position = from === "start" ? oldest.seq - 1 : from === "latest" ? head.seq : from.seq;
      if (typeof from === "object" && (from.epoch !== head.epoch || from.seq > head.seq))
        throw fault("invalid_body", "position is not from this log: take it from a delivery or a cursor.", {
          param: "position",
        });
      const changed = await change(accountId, id, ({ generation }) => ({
        ...AT_EASE,
        epoch: head.epoch,
        position,
        gap: null,
        generation: generation + 1,
      }));
      return viewOf(changed, clock.now());
    },
  };
}

/** The outcomes that were stored are ours. */
type DeliveryRow = StoredDelivery & { outcome: "delivered" };

export const AT_EASE = {
  failures: 0,
  failingSince: null,
  nextTryAt: 0,
  pendingTo: null,
  waitingFor: null,
} as const;

const BLANK = {
  ...AT_EASE,
  oldSecret: null,
  oldSecretUntil: null,
  status: "active" as const,
  pausedBecause: null,
  gap: null,
  delivered: 0,
  paidBlocks: 0,
  generation: 0,
} as const;

function updated(
  webhook: StoredWebhook,
  { status, name, url }: { status?: "active" | "paused"; name?: string; url?: string },
): Partial<StoredWebhook> {
  const settings = { ...(name === undefined ? {} : { name }), ...(url === undefined ? {} : { url }) };
  if (isStoppedByOperator(webhook)) {
    if (status === "active") throw fault("conflict", "The operator of this service stopped this webhook.");
    return settings;
  }
  const isMoved = url !== undefined && url !== webhook.url;
  if ((status === undefined || status === webhook.status) && !isMoved) return settings;
  const next = status ?? (webhook.status as "active" | "paused");
  // An owner who fixes or replaces an endpoint need not wait for the next attempt. The same request is retried.
  const { pendingTo } = webhook;
  return {
    ...settings,
    ...AT_EASE,
    pendingTo,
    status: next,
    generation: webhook.generation + 1,
    pausedBecause: next === "active" ? null : status === undefined ? webhook.pausedBecause : "owner",
  };
}

const isStoppedByOperator = ({ status, pausedBecause }: StoredWebhook) =>
  status === "paused" && pausedBecause === null;

/** Holding the account makes the count true until the webhook is in. */
async function requireRoom(
  tx: Queries,
  caller: KeyCaller,
  { clock, upgradeUrl }: Pick<ManageParts, "clock" | "upgradeUrl">,
): Promise<void> {
  const [account] = await lockAccounts(tx, [caller.accountId]);
  if (!account) throw fault("not_found", "There is no such account.");
  const plan = PLANS[planOf(advance(account, clock.now()).account)];
  if ((await webhooksOfAccount(tx, account.id)).length < plan.webhooks) return;
  throw fault(
    "plan_required",
    `The ${plan.title} plan includes ${plan.webhooks} webhooks. Delete one, or choose a larger plan.`,
    { plan: plan.name, upgradeUrl },
  );
}

function notIncluded({ plan }: KeyCaller, upgradeUrl: string) {
  return fault("plan_required", "Webhooks need the Starter, the Growth or the Scale plan.", {
    plan,
    upgradeUrl,
  });
}

function unknownFilter({ param, value }: UnknownName) {
  const noun = param === "token" ? "token" : "trader";
  return fault("unknown_filter", `There is no ${noun} "${value}" that we know of.`, { param });
}

export function noSuchWebhook() {
  return fault("not_found", "There is no such webhook.");
}

export function viewOf(webhook: StoredWebhook, now: number) {
  const { id, name, url, format, chatId, batch, pausedBecause, delivered, failures, failingSince } = webhook;
  const { oldSecretUntil, nextTryAt, createdAt } = webhook;
  const isActive = webhook.status === "active";
  return {
    id,
    name,
    url,
    format,
    chatId,
    batch,
    pausedBecause: isStoppedByOperator(webhook) ? ("operator" as const) : pausedBecause,
    delivered,
    failures,
    failingSince,
    createdAt,
    filters: JSON.parse(webhook.filters) as Record<string, string | number>,
    paper: isPaper(webhook),
    status: isActive ? ("active" as const) : ("paused" as const),
    waitingFor: isActive ? webhook.waitingFor : null,
    position: `${webhook.epoch}.${webhook.position}`,
    nextAttemptAt: isActive && nextTryAt > 0 ? nextTryAt : null,
    previousSecretUntil: oldSecretUntil !== null && oldSecretUntil > now ? oldSecretUntil : null,
  };
}
