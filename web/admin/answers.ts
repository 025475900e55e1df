// The answers that the operator's pages receive, and the paths they call.

export const ADMIN_PATH = "/admin";
export const ADMIN_DATA = "/admin/data";
export type AdminPlace = "overview" | "accounts" | "keys" | "webhooks" | "tokens";

export interface AdminPage<Row> {
  rows: Row[];
  nextCursor: string | null;
}

export interface OverviewAnswer {
  /** The service's name for the caller. */
  operator: string;
  ok: boolean;
  traders: number;
  tokens: number;
  seq: number;
  capturedAt: string;
  now: string;
  /** Null if this process does not read any chains itself. */
  chains: { chain: string; lagMs: number | null; reason: string | null }[] | null;
}

export interface AccountRow {
  id: string;
  email: string;
  plan: string;
  paidUntil: string | null;
  createdAt: string;
}

export interface AccountDetail extends AccountRow {
  monthlyRemaining: number;
  prepaidRemaining: number;
  resolutionsRemaining: number;
  keys: AdminKeyRow[];
  entries: { kind: string; credits: number; reference: string | null; at: string }[];
}

export interface AdminKeyRow {
  id: string;
  accountId: string;
  name: string | null;
  hint: string;
  email: string | null;
  plan: string | null;
  createdAt: string;
  endsAt: string | null;
  /** `ends`: replaced, and valid until its overlap is over. */
  state: "works" | "suspended" | "ends" | "ended";
}

export interface WebhookRow {
  id: string;
  accountId: string;
  name: string | null;
  host: string;
  status: "active" | "paused";
  pausedBecause: string | null;
  delivered: number;
  failures: number;
}

export interface JudgedToken {
  address: string;
  networkId: number;
  symbol: string | null;
  name: string | null;
  verdict: "spam" | "fine" | null;
  judgedBy: string | null;
  judgedAt: string | null;
}
