// A new user's first minute, and every later start: the printed commands work, and data once seen stays the same.
import { beforeAll, expect, test } from "bun:test";
import type { AnswerOf } from "../../contract/route.ts";
import type { Routes } from "../../contract/routes.ts";
import { eventually } from "../support/eventually.ts";
import { needing } from "../support/needing.ts";
import { ask, type Greeted, run, startGreeted, temporaryData } from "./program.ts";

type Alerts = AnswerOf<Routes["listAlerts"]>;
type TradeDetail = AnswerOf<Routes["getTrade"]>;

// More events than by default, so that a test need not wait for one.
const settings = {
  DATA_DIR: temporaryData(),
  SIMULATOR_EVENTS_PER_SECOND: "20",
  // The world of `npm start`.
  SIMULATOR_TRADERS: "2000",
  SIMULATOR_HISTORY_DAYS: "31",
};
/** The first history is read before the first news, which takes a while on a busy machine. */
const FIRST_NEWS_MS = 900_000;
let service: Greeted;

beforeAll(async () => {
  service = await startGreeted(settings);
});

async function alerts(query: string): Promise<Alerts> {
  const { status, body } = await ask(`${service.url}/v2/alerts?${query}`, service.keys.scale);
  expect(status).toBe(200);
  return body as Alerts;
}

/** The newest alerts, newest first, once the log has enough of them to compare. */
async function newest(): Promise<Alerts["alerts"]> {
  let found: Alerts["alerts"] = [];
  await eventually(async () => {
    found = (await alerts("limit=100")).alerts;
    return found.length > 50 && found.some(isSell);
  }, "there are alerts, a sell among them");
  return found;
}

const isSell = (alert: Alerts["alerts"][number]) => alert.alertType === "sell" && alert.tradeId !== null;

test("it prints a working key of each plan", async () => {
  for (const [plan, key] of Object.entries(service.keys)) {
    const { status, body } = await ask(`${service.url}/v2/me`, key);
    expect({ status, plan: (body as AnswerOf<Routes["getMe"]>).plan }).toEqual({
      status: 200,
      plan,
    } as never);
  }
});

needing("curl").test("the calls it says to paste work as printed", async () => {
  const curls = service.commands.filter((command) => command.startsWith("curl "));
  expect(curls).toHaveLength(2);
  const [board, me] = await Promise.all(
    curls.map(async (command) => {
      const { out } = await run(["sh", "-c", command], {});
      return JSON.parse(out) as Record<string, unknown>;
    }),
  );
  expect(board).toMatchObject({ window: "24h", count: 3 });
  expect(me).toMatchObject({ plan: "growth" });
});

test("no URL that it prints contains a key", () => {
  for (const command of service.commands) expect(command).not.toMatch(/:\/\/\S*ct_(live|test)_/);
});

test(
  "the printed tail command works, and ends when its reader exits",
  async () => {
    const command = service.commands.find((line) => line.startsWith("npx crowdtape tail "));
    // Heartbeats may come between the two; when the reader exits, the program does too.
    const reader = `awk 'NR == 1 { print } /"type":"alert"/ { print; exit }'`;
    const { out } = await run(["sh", "-c", `${command} --frames | ${reader}`], {});
    const [welcome, alert] = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(welcome).toMatchObject({ type: "welcome", realtime: true, delaySeconds: 0 });
    expect(alert).toMatchObject({ type: "alert" });
  },
  FIRST_NEWS_MS,
);

test(
  "after kill -9 and a start the keys, the world and the log are the same, and continue",
  async () => {
    const before = await newest();
    const sell = before.find(isSell);
    const tradePath = `/v2/trades/${sell?.tradeId}`;
    const trade = (await ask(service.url + tradePath, service.keys.scale)).body as TradeDetail;
    expect(trade.swaps.length).toBeGreaterThan(0);
    const welcome = await firstFrame();
    const { keys } = service;

    await service.end("SIGKILL");
    service = await startGreeted(settings);

    expect(service.keys).toEqual(keys);
    const again = (await ask(service.url + tradePath, service.keys.scale)).body as TradeDetail;
    // Filled items keep their ids and figures; the position may have been traded since.
    expect(again.swaps).toEqual(expect.arrayContaining(trade.swaps));
    expect({ tradeId: again.tradeId, trader: again.trader.userId, token: again.token.address }).toEqual({
      tradeId: trade.tradeId,
      trader: trade.trader.userId,
      token: trade.token.address,
    });

    const head = Math.max(...before.map((alert) => alert.seq));
    await eventually(
      async () => (await alerts("limit=1")).alerts.some(({ seq }) => seq > head),
      "the log grows",
    );
    expect((await firstFrame()).epoch).toBe(welcome.epoch);
    const after = await walkBackTo(head);
    const bySeq = new Map(after.map((alert) => [alert.seq, alert]));
    for (const alert of before.filter(({ seq }) => seq > head - 20))
      expect(bySeq.get(alert.seq)).toEqual(alert);
    // Pushes have no id from the platform.
    const named = after.flatMap(({ eventId }) =>
      eventId === undefined || eventId === null ? [] : [eventId],
    );
    expect(new Set(named).size).toBe(named.length);
    expect(bySeq.size).toBe(after.length);
  },
  FIRST_NEWS_MS,
);

test("SIGTERM stops it cleanly, with 0", async () => {
  expect(await service.end("SIGTERM")).toEqual({ code: 0, signal: null });
  service = await startGreeted(settings);
});

/** The alerts from now back to a little before that position. */
async function walkBackTo(seq: number): Promise<Alerts["alerts"]> {
  const walked: Alerts["alerts"] = [];
  let query = "limit=100";
  for (;;) {
    const page = await alerts(query);
    walked.push(...page.alerts);
    const oldest = page.alerts.at(-1)?.seq ?? 0;
    if (oldest < seq - 20 || page.oldestCursor === null) return walked;
    query = `limit=100&before=${page.oldestCursor}`;
  }
}

function firstFrame(): Promise<{ epoch: string; seq: number }> {
  const address = `${service.url.replace("http", "ws")}/ws/alerts?key=${service.keys.scale}`;
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    socket.onerror = reject;
    socket.onmessage = ({ data }) => {
      resolve(JSON.parse(String(data)));
      socket.close();
    };
  });
}
