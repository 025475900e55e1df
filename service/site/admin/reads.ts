// The data of the operator's pages. Every list is a page of bounded length with the id after which the next one continues.

import type {
  AccountDetail,
  AccountRow,
  AdminKeyRow,
  AdminPage,
  OverviewAnswer,
  WebhookRow,
} from "../../../web/admin/answers.ts";
import type { OwnedKey } from "../../access/identity/keys.ts";
import { iso, isoOrNull } from "../../api/present/common.ts";
import type { Account } from "../../store/money/accounts.ts";
import type { Key } from "../../store/money/keys.ts";
import { pageOf, ROWS_A_PAGE } from "./pages.ts";
import type { AdminParts } from "./parts.ts";

/** As many as fit a screen; the database has the rest. */
const ENTRIES_SHOWN_MAX = 20;
/** Addresses are not proof of ownership, so one may have many accounts. */
const ACCOUNTS_FOUND_MAX = 10;

export function createReads(parts: AdminParts) {
  const { access, clock } = parts;
  const keyState = ({ endsAt, endedBy }: Key): AdminKeyRow["state"] => {
    if (endsAt === null) return "works";
    if (endedBy === null) return "suspended";
    return endedBy === "rotated" && clock.now() < endsAt ? "ends" : "ended";
  };
  const keyRow = (key: Key, owner: Pick<OwnedKey, "email" | "plan"> | null): AdminKeyRow => ({
    id: key.id,
    accountId: key.accountId,
    name: key.name,
    hint: key.hint,
    email: owner?.email ?? null,
    plan: owner?.plan ?? null,
    createdAt: iso(key.createdAt),
    endsAt: isoOrNull(key.endsAt),
    state: keyState(key),
  });
  const detailOf = async (account: Account): Promise<AccountDetail> => {
    const [keys, entries] = await Promise.all([
      access.keys.list(account.id),
      parts.accountData.entries(account.id),
    ]);
    return {
      ...accountRow(account),
      monthlyRemaining: account.monthlyRemaining,
      prepaidRemaining: account.prepaidRemaining,
      resolutionsRemaining: account.resolutionsRemaining,
      keys: keys.slice(0, ROWS_A_PAGE).map((key) => keyRow(key, null)),
      entries: entries
        .slice(0, ENTRIES_SHOWN_MAX)
        .map(({ kind, credits, reference, at }) => ({ kind, credits, reference, at: iso(at) })),
    };
  };

  return {
    async overview(operator: string): Promise<OverviewAnswer> {
      const [ok, head, traders, tokens] = await Promise.all([
        parts.isWell(),
        parts.store.log.head(),
        parts.store.traders.count(),
        parts.store.tokens.count(),
      ]);
      const chains = parts.readChains?.() ?? null;
      return {
        operator,
        ok,
        traders,
        tokens,
        seq: head.seq,
        capturedAt: iso(head.capturedAt),
        now: iso(clock.now()),
        chains: chains?.map(({ chain, lagMs, reason }) => ({ chain, lagMs, reason })) ?? null,
      };
    },

    async accounts(after: string): Promise<AdminPage<AccountRow>> {
      return pageOf(await access.grants.accountsFrom(after, ROWS_A_PAGE + 1), accountRow, ({ id }) => id);
    },

    async account(subject: string): Promise<AdminPage<AccountDetail>> {
      const found = subject.includes("@")
        ? await access.grants.accountsOf(subject)
        : [await access.grants.account(subject)].filter((one) => one !== null);
      const rows = [];
      for (const account of found.slice(0, ACCOUNTS_FOUND_MAX)) rows.push(await detailOf(account));
      return { rows, nextCursor: null };
    },

    async keys(after: string): Promise<AdminPage<AdminKeyRow>> {
      const found = await access.keys.listFrom(after, ROWS_A_PAGE + 1);
      return pageOf(
        found,
        ({ key, ...owner }) => keyRow(key, owner),
        ({ id }) => id,
      );
    },

    async webhooks(after: string): Promise<AdminPage<WebhookRow>> {
      const found = await parts.webhooks.listFrom(after, ROWS_A_PAGE + 1);
      return pageOf(
        found,
        ({ id, accountId, name, url, status, pausedBecause, delivered, failures }) => ({
          id,
          accountId,
          name,
          // The rest of the URL may be its owner's secret.
          host: URL.parse(url)?.host ?? "",
          status,
          pausedBecause,
          delivered,
          failures,
        }),
        ({ id }) => id,
      );
    },
  };
}

const accountRow = ({ id, email, plan, paidUntil, createdAt }: Account): AccountRow => ({
  id,
  email,
  plan,
  paidUntil: isoOrNull(paidUntil),
  createdAt: iso(createdAt),
});
