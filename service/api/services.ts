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
  /** Every replay is worked through here. */
  follow: Follow;
  /** Replays that callers requested under their own terms. */
  replayJobs: ReplayJobs;
  /** Closed days as files; null where none are made. */
  history: HistoryReader | null;
  /** Works the follows on paper. */
  paper: Pick<Paper, "wake">;
  /** Where what a live read returned is kept. */
  keeper: LiveKeeper;
  access: Access;
  accountData: AccountData;
  payments: StablecoinPayments;
  search: Search;
  /** The operator's verdicts on tokens. */
  moderation: Moderation;
  directory: NameDirectory;
  webhooks: WebhookPort;
  /** The reads that a batch may hold. */
  findRead: FindRoute;
  chains: Chains;
  labels: AnswerLabels;
  startedAt: number;
  /** How much of the tape that replays read is kept. */
  tapeBytesMax: number;
  /** Whether the platform is an invented one. */
  isSimulated(): boolean;
  /** Whether calls can be answered and charged. */
  isWell(): Promise<boolean>;
  /** How far each chain is read, where this process does it. */
  readChains: (() => ReadChain[]) | null;
}

export interface ReadChain {
  chain: string;
  /** How far behind its head; null before its first block. */
  lagMs: number | null;
  /** Why it can't be read on; null while it can. */
  reason: string | null;
}
