// The dependencies of the operator's reads and changes.
import type { Clock } from "../../../kit/clock.ts";
import type { Access } from "../../access/access.ts";
import type { AccountData } from "../../accounts/account-data.ts";
import type { Moderation } from "../../api/moderation.ts";
import type { Search } from "../../api/search.ts";
import type { ReadChain } from "../../api/services.ts";
import type { WebhookView } from "../../api/webhook-port.ts";
import type { Store } from "../../store/store.ts";
import type { Upstream } from "../../upstream/port.ts";

interface OwnedWebhook extends WebhookView {
  accountId: string;
}

/** What the operator can do with any account's webhooks. */
interface WebhookOperation {
  listFrom(after: string, limit: number): Promise<OwnedWebhook[]>;
  stop(id: string): Promise<OwnedWebhook>;
  resume(id: string): Promise<OwnedWebhook>;
}

export interface AdminParts {
  access: Pick<Access, "keys" | "grants">;
  accountData: Pick<AccountData, "entries">;
  webhooks: WebhookOperation;
  moderation: Moderation;
  search: Pick<Search, "find">;
  upstream: Pick<Upstream, "search">;
  upstreamDeadlineMs: number;
  store: Pick<Store, "log" | "traders" | "tokens">;
  /** How far each chain is read; null if this process reads none. */
  readChains: (() => ReadChain[]) | null;
  isWell(): Promise<boolean>;
  clock: Clock;
}
