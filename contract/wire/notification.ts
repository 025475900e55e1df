// A push as a notification: its own text and upstream's complete text, on the path that serves only pushes.
import type { Chains } from "../chains.ts";
import type { ServedNotification } from "../shapes/types.ts";
import { tokenFields } from "./alert.ts";
import type { PushEventInput } from "./events.ts";

export function notificationOf(event: PushEventInput, chains: Chains): ServedNotification {
  return {
    id: `ntf_${event.at}_${event.seq}`,
    notification_type: event.notificationType,
    title: event.title,
    text: event.text,
    userId: event.userId,
    ...tokenFields(event.token, chains),
    ts: new Date(event.at).toISOString(),
    raw: event.raw,
  };
}
