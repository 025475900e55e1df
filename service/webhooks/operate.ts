// The operator's actions on any webhook: inspect, stop and resume. An owner can't resume one that
// was stopped here.
import { fault } from "../../contract/errors.ts";
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../kit/clock.ts";
import { changeWebhook, findAnyWebhook, type StoredWebhook, webhooksFrom } from "../store/money/webhooks.ts";
import { AT_EASE, noSuchWebhook, viewOf } from "./manage.ts";

export function createOperate(parts: { database: Database; clock: Clock; changed(): void }) {
  const { database, clock } = parts;
  const ownedView = (webhook: StoredWebhook) => ({
    ...viewOf(webhook, clock.now()),
    accountId: webhook.accountId,
  });
  const change = async (id: string, how: (webhook: StoredWebhook) => Partial<StoredWebhook>) => {
    const found = await findAnyWebhook(database.read, id);
    const changed = found && (await database.write((tx) => changeWebhook(tx, found, how)));
    if (!changed) throw noSuchWebhook();
    parts.changed();
    return ownedView(changed);
  };
  return {
    /** This many with ids after this one. */
    listFrom: async (after: string, limit: number) =>
      (await webhooksFrom(database.read, after, limit)).map(ownedView),
    stop: (id: string) =>
      change(id, ({ pendingTo, generation }) => ({
        ...AT_EASE,
        pendingTo,
        status: "paused",
        pausedBecause: null,
        generation: generation + 1,
      })),
    resume: (id: string) =>
      change(id, ({ status, pausedBecause, pendingTo, generation }) => {
        if (status !== "paused" || pausedBecause !== null)
          throw fault("conflict", "The operator did not stop this webhook.");
        return { ...AT_EASE, pendingTo, status: "active", generation: generation + 1 };
      }),
  };
}
