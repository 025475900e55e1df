// The part of the composition root that delivers webhooks: what owners do with them goes to the API, and mails about those
// that were given up go to the outbox.
import type { Chains } from "../contract/chains.ts";
import { WEBHOOK } from "../contract/webhooks.ts";
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import type { Metrics } from "../kit/metrics.ts";
import type { Random } from "../kit/random.ts";
import type { Access } from "./access/access.ts";
import type { Outbox } from "./accounts/mail/outbox.ts";
import type { Webhooks } from "./api/webhook-port.ts";
import type { Bus } from "./bus/port.ts";
import type { Config } from "./config.ts";
import type { Directory } from "./feed/resolve-filter.ts";
import type { Store } from "./store/store.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";

export async function openWebhooks(
  config: Pick<Config, "webhookTargets" | "drainMs">,
  kit: { clock: Clock; log: Log; metrics: Metrics; random: Random },
  parts: {
    store: Store;
    bus: Bus;
    access: Access;
    directory: Directory;
    chains: Chains;
    outbox: Pick<Outbox, "queueWebhook">;
    upgradeUrl: string;
    onClose(close: () => Promise<void>): void;
  },
): Promise<{ webhooks: Webhooks }> {
  const webhooks = createWebhooks({
    ...{ ...kit, ...parts, targets: config.webhookTargets, drainMs: config.drainMs },
    tellOwner: (tx, { id, url, failingSince }, email) =>
      parts.outbox.queueWebhook(tx, {
        // Each time it is given up is told once, whichever node finds it out.
        mailId: `webhook:${id}:${failingSince ?? 0}`,
        ...{ recipient: email, webhookId: id, days: WEBHOOK.retryDays },
        host: URL.parse(url)?.host ?? "your endpoint",
      }),
  });
  await webhooks.start();
  parts.onClose(() => webhooks.stop());
  return { webhooks: webhooks.manage };
}
