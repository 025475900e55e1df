// The handlers' dependencies.
import type { Chains } from "../../contract/chains.ts";
import type { Kit } from "../../kit/kit.ts";
import type { Access } from "../access/access.ts";
import type { AccountData } from "../accounts/account-data.ts";
import type { StablecoinPayments } from "../billing/stablecoin/payments.ts";
import type { NameDirectory } from "../feed/resolve-filter.ts";
import type { HistoryReader } from "../history/reader.ts";
import type { LiveKeeper } from "../store/captured/live-keeper.ts";
import type { Store } from "../store/store.ts";
import type { Upstream } from "../upstream/port.ts";
import type { Follow } from "./copy/follow.ts";
import type { ReplayJobs } from "./copy/jobs.ts";
import type { FindRoute } from "./finder.ts";
import type { Moderation } from "./moderation.ts";
import type { Paper } from "./paper/engine.ts";
import type { AnswerLabels } from "./present/labels.ts";
import type { Profits } from "./profit/profits.ts";
import type { Search } from "./search.ts";
import type { WebhookPort } from "./webhook-port.ts";

export interface Services extends Pick<Kit, "clock" | "log"> {
  upstream: Upstream;
  store: Store;
  /** The source of every profit shown. */
  profits: Profits;
  /** Runs every replay. */
  follow: Follow;
  /** Replays that callers requested under their own terms. */
  replayJobs: ReplayJobs;
  /** Closed days as files; null if disabled. */
  history: HistoryReader | null;
  /** Runs paper follows. */
  paper: Pick<Paper, "wake">;
  /** Stores the results of live reads. */
  keeper: LiveKeeper;
  access: Access;
  accountData: AccountData;
  payments: StablecoinPayments;
  search: Search;
  /** The operator's verdicts on tokens. */
  moderation: Moderation;
  directory: NameDirectory;
  webhooks: WebhookPort;
  /** The reads that a batch may contain. */
  findRead: FindRoute;
  chains: Chains;
  labels: AnswerLabels;
  startedAt: number;
  /** The most bytes stored of the tape that replays read. */
  tapeBytesMax: number;
  /** Whether the platform is simulated. */
  isSimulated(): boolean;
  /** Whether calls can be answered and charged. */
  isWell(): Promise<boolean>;
  /** How far each chain is read, if this process does so. */
  readChains: (() => ReadChain[]) | null;
}

export interface ReadChain {
  chain: string;
  /** How far behind its head; null before its first block. */
  lagMs: number | null;
  /** Why reading can't continue; null while it can. */
  reason: string | null;
}
