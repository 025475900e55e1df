// A page of alerts takes several reads while events are appended: a client that keeps polling with each answer's cursor
// still gets every event once.
import { expect, test } from "bun:test";
import { DEFAULT_CHAINS } from "../../contract/chains.ts";
import { ROUTES } from "../../contract/routes.ts";
import { storeDirectory } from "../feed/directory.ts";
import type { LogEvent } from "../model/event.ts";
import { eventMaker } from "../streams/test-events.ts";
import { startNode } from "../streams/test-support.ts";
import type { RouteCall } from "./answer.ts";
import { activityRoutes } from "./routes/activity.ts";

/** The traders of alerts. */
const namesIn = (events: readonly LogEvent[]): [handle: string, userId: string][] =>
  events.flatMap((event) =>
    event.feed !== "chain" && event.handle && event.userId
      ? [[event.handle.toLowerCase(), event.userId]]
      : [],
  );

test("a cursor skips nothing that was appended while its page was read", async () => {
  const node = await startNode();
  try {
    const maker = eventMaker("alert pages", 4);
    const appended: LogEvent[] = await node.append([...maker.many(50)]);
    const { store } = node;
    const followed = new Map(namesIn(appended).slice(0, 4));
    // Each trader is a separate read, and the log grows in between.
    const page: typeof store.log.page = async (query) => {
      const found = await store.log.page(query);
      appended.push(...(await node.append([...maker.many(3)])));
      return found;
    };
    const { listAlerts } = activityRoutes({
      store: { ...store, log: { ...store.log, page } },
      chains: DEFAULT_CHAINS,
      clock: node.clock,
      directory: { ...storeDirectory(store), userIdOf: async (handle) => followed.get(handle) ?? null },
    });
    const call = { delayMs: 0, signal: new AbortController().signal } as RouteCall;
    const asked = { trader: [...followed.keys()].join(","), order: "asc", limit: "100" };
    const seen: number[] = [];
    for (let polls = 0, cursor = "start"; polls < 20; polls++) {
      const query = ROUTES.listAlerts.query.parse({ ...asked, cursor });
      const { body } = await listAlerts({ params: {}, query, body: undefined }, call);
      seen.push(...body.alerts.map(({ seq }) => seq));
      cursor = String(body.nextCursor);
    }
    const last = Number(seen.at(-1));
    const wanted = appended.filter(
      (event) => event.seq <= last && namesIn([event]).some(([handle]) => followed.has(handle)),
    );
    expect(seen).toEqual(wanted.map(({ seq }) => seq));
    expect(seen.length).toBeGreaterThan(20);
  } finally {
    await node.close();
  }
});
