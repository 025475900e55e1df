// Outgoing webhooks: management by owners, and the deliveries of this node. The API receives the first part, which it
// knows through its own port; the second runs on its own.

import type { Chains } from "../../contract/chains.ts";
import { fault } from "../../contract/errors.ts";
import { WEBHOOK } from "../../contract/webhooks.ts";
import type { Clock } from "../../kit/clock.ts";
import { createGate } from "../../kit/gate.ts";
import { freshUuid } from "../../kit/ids.ts";
import type { Kit } from "../../kit/kit.ts";
import { createLoop } from "../../kit/loop.ts";
import { nextTurn } from "../../kit/turn.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import type { Access } from "../access/access.ts";
import type { NameDirectory } from "../feed/resolve-filter.ts";
import { forgetDeliveries, type StoredDelivery } from "../store/money/webhook-deliveries.ts";
import { forgetDeleted, type StoredWebhook } from "../store/money/webhooks.ts";
import type { Store } from "../store/store.ts";
import type { TellOwner } from "./commits.ts";
import { createEngine, type EngineParts } from "./engine.ts";
import { createManage } from "./manage.ts";
import { testMessage } from "./message.ts";
import { createOperate } from "./operate.ts";
import { createPost, type Post, type PostParts } from "./post.ts";
import { signedHeaders } from "./signing.ts";
import type { Targets } from "./target.ts";

export interface WebhooksParts extends Kit {
  store: Pick<Store, "database" | "log">;
  /** Started before the webhooks are, and stopped after them. */
  tail: EngineParts["tail"];
  access: Pick<Access, "grants" | "within" | "onChange">;
  bus: EngineParts["bus"];
  directory: NameDirectory;
  chains: Chains;
  targets: Targets;
  upgradeUrl: string;
  drainMs: number;
  tellOwner: TellOwner;
  /** For tests: how names are resolved, and which certificates to trust in addition to the system's. */
  network?: Pick<PostParts, "resolve" | "ca">;
  timeoutMs?: number;
  /** How long this node keeps its share of the endpoints without renewal. */
  leaseMs?: number;
}

const TIDY_EVERY_MS = 600_000;
const DELETED_PER_STEP_MAX = 500;
/** Every node has read a change long before. */
const DELETED_KEPT_MS = HOUR_MS;
/** Tests at once on one node; people click, they do not hammer. */
const TESTS_MAX = 32;

export function createWebhooks(parts: WebhooksParts) {
  const { store, clock, log } = parts;
  const database = store.database;
  const timeoutMs = parts.timeoutMs ?? WEBHOOK.timeoutSeconds * 1_000;
  const post = createPost({ ...parts.network, targets: parts.targets, clock, timeoutMs });
  const engine = createEngine({ ...parts, database, logStore: store.log, post });
  const manage = createManage({
    ...parts,
    database,
    logStore: store.log,
    changed: engine.wake,
    sendTest: createTests(post, clock),
  });

  const operate = createOperate({ database, clock, changed: engine.wake });

  const untilNone = async (step: () => Promise<number>, signal: AbortSignal) => {
    while (!signal.aborted && (await step()) > 0) await nextTurn();
  };
  const tidying = createLoop({
    failure: "old deliveries of webhooks were not forgotten",
    everyMs: TIDY_EVERY_MS,
    clock,
    log,
    async round(signal) {
      const before = clock.now() - WEBHOOK.deliveriesKeptDays * DAY_MS;
      await untilNone(
        () => database.write((tx) => forgetDeliveries(tx, before, DELETED_PER_STEP_MAX)),
        signal,
      );
      const deleted = clock.now() - DELETED_KEPT_MS;
      await untilNone(() => database.write((tx) => forgetDeleted(tx, deleted, DELETED_PER_STEP_MAX)), signal);
    },
  });
  return {
    manage,
    operate,
    counts: engine.counts,
    async start() {
      await engine.start();
      tidying.start();
    },
    async stop() {
      await tidying.stop();
      await engine.stop();
    },
  };
}

function createTests(post: Post, clock: Clock) {
  const gate = createGate(TESTS_MAX, 0);
  return async (webhook: StoredWebhook): Promise<StoredDelivery> => {
    const { signal } = new AbortController();
    const leave = await gate.enter(signal);
    if (typeof leave === "string")
      throw fault("unavailable", "Too many tests are running. Try again in a moment.", {
        retryAfterSeconds: WEBHOOK.timeoutSeconds,
      });
    try {
      const at = clock.now();
      const message = testMessage(webhook, `test_${freshUuid()}`, at);
      const request = { headers: signedHeaders(webhook, message, at), body: message.body };
      const { outcome, status, durationMs, note } = await post(webhook.url, request, signal);
      return {
        deliveryId: freshUuid(),
        webhookId: webhook.id,
        at,
        kind: "test",
        messageId: message.id,
        attempt: 1,
        events: 0,
        fromSeq: null,
        toSeq: null,
        outcome,
        status,
        durationMs,
        note,
      };
    } finally {
      leave();
    }
  };
}
