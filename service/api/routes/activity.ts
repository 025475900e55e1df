// The alert feed and the pushes: pages of the same log that the sockets deliver, with the delay of the caller's plan.
// A cursor is a position in the log, so it means the same here and on a socket.
import { fault } from "../../../contract/errors.ts";
import type { Routes } from "../../../contract/routes.ts";
import { alertOf } from "../../../contract/wire/alert.ts";
import { notificationOf } from "../../../contract/wire/notification.ts";
import { type AlertPage, type AlertWalk, readAlerts } from "../../feed/alerts.ts";
import { filterFromQuery, flatFilter } from "../../feed/filter-input.ts";
import { resolveFilter, type UnknownName } from "../../feed/resolve-filter.ts";
import type { LogQuery } from "../../store/captured/log-page.ts";
import type { Handler, RouteCall } from "../answer.ts";
import { badCursor } from "../cursor.ts";
import { isoOrNull } from "../present/common.ts";
import type { Services } from "../services.ts";

interface AlertWalkQuery {
  limit: number;
  cursor?: string | undefined;
  before?: string | undefined;
  since?: number | undefined;
  order?: "asc" | "desc" | undefined;
}

type ActivityParts = Pick<Services, "store" | "chains" | "clock" | "directory">;

export function activityRoutes({ store, chains, clock, directory }: ActivityParts): {
  [Id in "listAlerts" | "listNotifications"]: Handler<Routes[Id]>;
} {
  const page = async (
    query: AlertWalkQuery,
    call: RouteCall,
    read: (walk: AlertWalk) => Promise<AlertPage>,
  ) => {
    const capturedBy = clock.now() - call.delayMs;
    const [head, oldest] = await Promise.all([store.log.head(), store.log.oldest()]);
    const positionOf = (cursor: string, param: string) => readPosition(cursor, param, head.epoch);
    const order = query.order ?? "desc";
    const after = query.cursor === undefined ? undefined : positionOf(query.cursor, "cursor");
    const before = query.before === undefined ? undefined : positionOf(query.before, "before");
    const { events, hasMore, reached } = await read({
      limit: query.limit,
      order,
      ...(call.delayMs > 0 ? { capturedBy } : {}),
      ...(after === undefined ? {} : { after }),
      // A page takes several reads. Events appended in between are left for the next page, so that its cursor skips nothing.
      before: Math.min(before ?? Number.POSITIVE_INFINITY, head.seq + 1),
      ...(query.since === undefined ? {} : { since: query.since }),
    });
    const cursor = (seq: number | null | undefined) =>
      seq === undefined || seq === null ? null : `${head.epoch}.${seq}`;
    const visible = call.delayMs > 0 ? await store.log.positionAt(capturedBy) : head.seq;
    const [first, last] = [events[0]?.seq, reached ?? events.at(-1)?.seq];
    const [newest, eldest] = order === "desc" ? [first, last] : [last, first];
    return {
      events,
      envelope: {
        nextCursor: cursor(newest ?? after ?? before ?? (visible > 0 ? visible : undefined)),
        oldestCursor: cursor(eldest),
        hasMore,
        retentionFrom: isoOrNull(oldest.capturedAt),
        delaySeconds: Math.round(call.delayMs / 1_000),
      },
    };
  };

  return {
    async listAlerts({ query }, call) {
      const written = filterFromQuery("alerts", query, chains);
      const { filter, unknown } = await resolveFilter(written, directory);
      const [stranger] = unknown;
      if (stranger) {
        throw fault(
          "unknown_filter",
          `There is no ${nounOf(stranger)} "${stranger.value}" that we know of.`,
          {
            param: stranger.param,
          },
        );
      }
      const { events, envelope } = await page(query, call, (walk) =>
        readAlerts(store.log, filter, walk, call.signal),
      );
      const alerts = events.flatMap((event) => (event.feed === "chain" ? [] : [alertOf(event, chains)]));
      const times = alerts.map((alert) => alert.ts);
      return {
        body: {
          count: alerts.length,
          alerts,
          ...envelope,
          newestTs: times.length > 0 ? Math.max(...times) : null,
          oldestTs: times.length > 0 ? Math.min(...times) : null,
          filters: {
            ...flatFilter("alerts", written, chains),
            ...(query.since === undefined ? {} : { since: query.since }),
          },
        },
      };
    },

    async listNotifications({ query }, call) {
      const filter: Partial<LogQuery> = { feed: "push" };
      if (query.notificationType !== undefined) filter.notificationType = query.notificationType;
      const { events, envelope } = await page(query, call, (walk) => store.log.page({ ...filter, ...walk }));
      const notifications = events.flatMap((event) =>
        event.feed === "push" ? [notificationOf(event, chains)] : [],
      );
      return { body: { count: notifications.length, notifications, ...envelope } };
    },
  };
}

const nounOf = ({ param }: UnknownName) => (param === "token" ? "token" : "trader");

function readPosition(cursor: string, param: string, epoch: string): number {
  if (cursor === "start" && param === "cursor") return 0;
  const position = /^([A-Za-z0-9-]{1,64})\.(\d{1,15})$/.exec(cursor);
  if (!position) throw badCursor(param);
  if (position[1] !== epoch) {
    throw fault(
      "invalid_parameter",
      `${param} belongs to a log that has since been rebuilt. Start again without it.`,
      { param },
    );
  }
  return Number(position[2]);
}
