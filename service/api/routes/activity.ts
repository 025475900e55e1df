// The alert feed and the pushes: pages of the same log that the sockets deliver, as late as the caller's plan says.
// A cursor is a position in the log, so it means the same here and on a socket.
import { fault } from "../../../contract/errors.ts";
import { readChain } from "../../../contract/parts.ts";
import type { Routes } from "../../../contract/routes.ts";
import { alertOf } from "../../../contract/wire/alert.ts";
import { notificationOf } from "../../../contract/wire/notification.ts";
import { normaliseHandle } from "../../model/handle.ts";
import { normaliseAddress } from "../../model/token.ts";
import type { LogQuery } from "../../store/captured/log-page.ts";
import type { Call, Handler } from "../answer.ts";
import { badCursor } from "../cursor.ts";
import { isoOrNull } from "../present/common.ts";
import type { Services } from "../services.ts";

interface WalkQuery {
  limit: number;
  cursor?: string | undefined;
  before?: string | undefined;
  since?: number | undefined;
}

export function activityRoutes(services: Services): {
  [Id in "listAlerts" | "listNotifications"]: Handler<Routes[Id]>;
} {
  const { store, chains, clock } = services;

  const page = async (query: WalkQuery, filter: Partial<LogQuery>, call: Call) => {
    const capturedBy = clock.now() - call.delayMs;
    const [head, oldest] = await Promise.all([store.log.head(), store.log.oldest()]);
    const positionOf = (cursor: string, param: string) => readPosition(cursor, param, head.epoch);
    const after = query.cursor === undefined ? undefined : positionOf(query.cursor, "cursor");
    const before = query.before === undefined ? undefined : positionOf(query.before, "before");
    const { events, hasMore } = await store.log.page({
      ...filter,
      limit: query.limit,
      ...(call.delayMs > 0 ? { capturedBy } : {}),
      ...(after === undefined ? {} : { after }),
      ...(before === undefined ? {} : { before }),
      ...(query.since === undefined ? {} : { since: query.since }),
    });
    const cursor = (seq: number | undefined) => (seq === undefined ? null : `${head.epoch}.${seq}`);
    const visible = call.delayMs > 0 ? await store.log.positionAt(capturedBy) : head.seq;
    return {
      events,
      envelope: {
        nextCursor: cursor(events[0]?.seq ?? after ?? before ?? (visible > 0 ? visible : undefined)),
        oldestCursor: cursor(events.at(-1)?.seq),
        hasMore,
        retentionFrom: isoOrNull(oldest.capturedAt),
        delaySeconds: Math.round(call.delayMs / 1_000),
      },
    };
  };

  return {
    async listAlerts({ query }, call) {
      const { filter, filters } = await readFilter(query);
      const { events, envelope } = await page(query, filter, call);
      const alerts = events.flatMap((event) => (event.feed === "chain" ? [] : [alertOf(event, chains)]));
      const times = alerts.map((alert) => alert.ts);
      return {
        body: {
          count: alerts.length,
          alerts,
          ...envelope,
          newestTs: times.length > 0 ? Math.max(...times) : null,
          oldestTs: times.length > 0 ? Math.min(...times) : null,
          filters,
        },
      };
    },

    async listNotifications({ query }, call) {
      const filter: Partial<LogQuery> = { feed: "push" };
      if (query.notificationType !== undefined) filter.notificationType = query.notificationType;
      const { events, envelope } = await page(query, filter, call);
      const notifications = events.flatMap((event) =>
        event.feed === "push" ? [notificationOf(event, chains)] : [],
      );
      return { body: { count: notifications.length, notifications, ...envelope } };
    },
  };

  async function readFilter(query: AlertQuery) {
    const filter: Partial<LogQuery> = {};
    const filters: Record<string, string | number> = {};
    if (query.type !== undefined) {
      filter.kinds = [query.type];
      filters.type = query.type;
    }
    if (query.source !== undefined) {
      filter.feed = query.source === "push" ? "push" : "app";
      filters.source = query.source;
    }
    if (query.chain !== undefined) {
      const chain = readChain(query.chain, chains, "chain");
      filter.networkId = chain.id;
      filters.chain = chain.name;
    }
    if (query.token !== undefined) {
      const address = normaliseAddress(query.token);
      if (address !== null) filter.tokenAddress = address;
      else filter.tokenSymbol = query.token.replace(/^\$/, "");
      filters.token = address ?? query.token;
    }
    if (query.trader !== undefined) {
      Object.assign(filter, await traderFilter(query.trader));
      filters.trader = query.trader.key;
    }
    if (query.userId !== undefined) {
      if (filter.userId !== undefined && filter.userId !== query.userId) {
        throw fault("invalid_parameter", "trader and userId name two different traders.", {
          param: "userId",
        });
      }
      filter.userId = query.userId;
      filters.userId = query.userId;
    }
    if (query.since !== undefined) filters.since = query.since;
    return { filter, filters };
  }

  /** By id where the directory knows it, so that a renamed trader's older alerts are found as well. */
  async function traderFilter(trader: {
    kind: "handle" | "userId";
    key: string;
  }): Promise<Partial<LogQuery>> {
    if (trader.kind === "userId") return { userId: trader.key };
    const handle = normaliseHandle(trader.key) ?? trader.key;
    const known = await store.traders.byHandle(handle);
    return known ? { userId: known.userId } : { handle };
  }
}

type AlertQuery = Parameters<Handler<Routes["listAlerts"]>>[0]["query"];

function readPosition(cursor: string, param: string, epoch: string): number {
  if (cursor === "start" && param === "cursor") return 0;
  const position = /^([A-Za-z0-9-]{1,64})\.(\d{1,15})$/.exec(cursor);
  if (!position) throw badCursor(param);
  if (position[1] !== epoch) {
    throw fault(
      "invalid_parameter",
      `${param} belongs to a log that was rebuilt since. Begin again without it.`,
      { param },
    );
  }
  return Number(position[2]);
}
