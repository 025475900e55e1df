// What the handlers work with.
import type { Chains } from "../../contract/chains.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import type { Access } from "../access/access.ts";
import type { AccountData } from "../accounts/account-data.ts";
import type { StablecoinPayments } from "../billing/stablecoin/payments.ts";
import type { Directory } from "../feed/resolve-filter.ts";
import type { LiveKeeper } from "../store/captured/live-keeper.ts";
import type { Store } from "../store/store.ts";
import type { Upstream } from "../upstream/port.ts";
import type { FindRoute } from "./finder.ts";
import type { Labels } from "./present/labels.ts";
import type { Search } from "./search.ts";
import type { Webhooks } from "./webhook-port.ts";

export interface Services {
  upstream: Upstream;
  store: Store;
  /** Where what a live read told is kept. */
  keeper: LiveKeeper;
  access: Access;
  accountData: AccountData;
  payments: StablecoinPayments;
  search: Search;
  directory: Directory;
  webhooks: Webhooks;
  /** The reads that a batch may hold. */
  findRead: FindRoute;
  chains: Chains;
  labels: Labels;
  clock: Clock;
  log: Log;
  startedAt: number;
}
