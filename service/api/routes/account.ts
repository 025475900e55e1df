// The caller's own account: plan and balance, usage, keys, stream tickets, payments. All free, never cached across callers.

import { fault } from "../../../contract/errors.ts";
import type { Routes } from "../../../contract/routes.ts";
import { DAY_MS } from "../../../kit/units.ts";
import type { KeyCaller } from "../../access/access.ts";
import { TICKET_SECONDS } from "../../access/identity/tickets.ts";
import type { KeyWithUsage } from "../../accounts/account-data.ts";
import type { Handler, RouteCall } from "../answer.ts";
import { iso, isoOrNull } from "../present/common.ts";
import type { Services } from "../services.ts";

type AccountRouteId =
  | "getMe"
  | "getUsage"
  | "listKeys"
  | "createKey"
  | "rotateKey"
  | "revokeKey"
  | "createStreamTicket"
  | "createPayment"
  | "listPayments"
  | "getPayment";

/** How far back usage looks by default. */
const USAGE_DEFAULT_MS = 30 * DAY_MS;

type AccountParts = Pick<Services, "access" | "accountData" | "payments" | "clock">;

export function accountRoutes({ access, accountData, payments, clock }: AccountParts): {
  [Id in AccountRouteId]: Handler<Routes[Id]>;
} {
  return {
    async getMe(_input, call) {
      const caller = keyOf(call);
      // Another node's latest charges are in the database, but not yet in this node's cache.
      await access.grants.account(caller.accountId);
      const me = accountData.me(caller);
      const resetsAt = isoOrNull(me.credits.resetsAt);
      return {
        body: {
          plan: me.plan,
          planExpiresAt: isoOrNull(me.planExpiresAt),
          renews: await accountData.renews(caller),
          key: { id: me.key.id, name: me.key.name, hint: me.key.hint },
          credits: { ...me.credits, resetsAt },
          resolutions: { ...me.resolutions, resetsAt },
          rate: me.rate,
          streams: {
            appFeed: { path: "/ws/alerts", included: true, delaySeconds: me.delaySeconds },
            onChain: { path: "/ws/trades", included: me.onChain },
          },
        },
      };
    },

    async getUsage({ query }, call) {
      const to = query.to ?? clock.now();
      const from = query.from ?? to - USAGE_DEFAULT_MS;
      if (from >= to) throw fault("invalid_parameter", "from must be earlier than now.", { param: "from" });
      const rows = await accountData.usage(keyOf(call).accountId, { from, to }, query.groupBy);
      const sum = (field: "calls" | "credits") => rows.reduce((total, row) => total + row[field], 0);
      const body = {
        from: iso(from),
        to: iso(to),
        groupBy: query.groupBy,
        count: rows.length,
        totalCalls: sum("calls"),
        totalCredits: sum("credits"),
        rows: rows.map(({ group, calls, credits }) => ({ group, calls, credits })),
      };
      if (query.format === "json") return { body };
      const lines = [
        `${query.groupBy},calls,credits`,
        ...body.rows.map((row) => Object.values(row).join(",")),
      ];
      return { body, instead: { contentType: "text/csv; charset=utf-8", text: `${lines.join("\r\n")}\r\n` } };
    },

    async listKeys(_input, call) {
      const caller = keyOf(call);
      const keys = await accountData.keys(caller);
      return { body: { count: keys.length, keys: keys.map((key) => presentKey(key, caller)) } };
    },

    async createKey({ body }, call) {
      const caller = managerOf(call);
      const made = await access.keys.create({
        accountId: caller.accountId,
        name: body.name ?? null,
        mode: caller.key.mode,
        monthlyCap: body.monthlyCap ?? null,
      });
      const shown = presentKey({ key: made.key, usedThisMonth: 0, lastUsedAt: null }, caller);
      return { body: { key: made.secret, ...shown, replaces: null } };
    },

    async rotateKey({ params, body }, call) {
      const caller = managerOf(call);
      const { accountId } = caller;
      const made = await access.keys.rotate({
        accountId,
        keyId: params.id,
        overlapSeconds: body.overlapSeconds,
      });
      const shown = presentKey({ key: made.key, usedThisMonth: 0, lastUsedAt: null }, caller);
      return { body: { key: made.secret, ...shown, replaces: params.id } };
    },

    async revokeKey({ params }, call) {
      const key = await access.keys.revoke({ accountId: managerOf(call).accountId, keyId: params.id });
      return { body: { id: key.id, revokedAt: iso(key.endsAt ?? clock.now()) } };
    },

    async createStreamTicket(_input, call) {
      const { ticket, expiresAt } = await access.tickets.create(keyOf(call).keyId);
      return { body: { ticket, expiresAt: iso(expiresAt), expiresInSeconds: TICKET_SECONDS } };
    },

    async createPayment({ body }, call) {
      const { plan, amount } = body;
      const order = { plan, ...(amount === undefined ? {} : { amount }) };
      return { body: await payments.create(order, keyOf(call).accountId) };
    },

    async listPayments({ query }, call) {
      const { payments: rows, truncated } = await payments.list(keyOf(call).accountId, query.limit);
      return { body: { count: rows.length, payments: rows, truncated } };
    },

    async getPayment({ params }, call) {
      return { body: await payments.get(params.paymentId, keyOf(call).accountId) };
    },
  };
}

/** A cap is worthless if its key can create one without. */
function managerOf(call: RouteCall): KeyCaller {
  const caller = keyOf(call);
  if (caller.key.monthlyCap === null && caller.key.requestsPerMinute === null) return caller;
  throw fault(
    "key_restricted",
    "This key has its own cap or rate, so it may not create, rotate or revoke keys. Use one without.",
  );
}

function keyOf(call: RouteCall): KeyCaller {
  if (call.caller.kind === "key") return call.caller;
  throw fault("unauthorized", "This call needs a key.");
}

function presentKey({ key, usedThisMonth, lastUsedAt }: KeyWithUsage, caller: KeyCaller) {
  return {
    id: key.id,
    name: key.name,
    plan: caller.plan,
    hint: key.hint,
    monthlyCap: key.monthlyCap,
    usedThisMonth,
    createdAt: iso(key.createdAt),
    lastUsedAt: isoOrNull(lastUsedAt),
    expiresAt: key.endedBy === "rotated" ? isoOrNull(key.endsAt) : null,
    revokedAt: key.endedBy === "rotated" ? null : isoOrNull(key.endsAt),
  };
}
