// A careful bot author's client against a live service: after an hour of trading, everything it recorded from the streams
// agrees with REST, every list ends, and no field of any answer has a form that it would have to drop.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import { eventually } from "../support/eventually.ts";
import { type LiveService, START_MS_MAX, startLiveService } from "../support/live-service.ts";
import { keepBook } from "./book.ts";
import { type Body, createStrictClient, type Row, type StrictClient, type Tape } from "./client.ts";
import { readEverything } from "./everything.ts";
import { isAbout } from "./forms.ts";
import { alert } from "./frame-shapes.ts";
import { position } from "./shapes.ts";

/** Speed is not tested here: a busy machine takes its time. */
const RUN_MS_MAX = 900_000;
/** `SEED=… bun test test/strict-client` replays the same hour. */
const seed = `strict-${Bun.env.SEED ?? crypto.getRandomValues(new Uint32Array(1))[0]}`;
/** A pushed clock ends the lease, and the next holder reads the last two minutes again: this is shorter. */
const STEP_MS = 90_000;
/** The app shows a trade some 15 seconds after its chain, and a few of them minutes late; this is later than that. */
const PAST_THE_APP_MS = 4 * STEP_MS;

let live: LiveService;
let client: StrictClient;
let alerts: Tape;
let trades: Tape;
/** When both streams were open. */
let openedAt: number;

beforeAll(async () => {
  live = await startLiveService({ seed, traders: 120, historyDays: 3, eventsPerSecond: 1.5 });
  await live.captured();
  await caughtUp();
  client = createStrictClient(live.url, live.keys.scale.secret);
  [alerts, trades] = await Promise.all([client.listen("alerts"), client.listen("trades")]);
  openedAt = live.clock.now();
  for (let passed = 0; passed < HOUR_MS + PAST_THE_APP_MS; passed += STEP_MS) {
    live.clock.push(STEP_MS);
    await present();
  }
  await caughtUp();
  live.clock.hold();
  await settled();
  // While the clock is held there are no heartbeats, and on a slow machine the sockets would be closed.
  for (const tape of [alerts, trades]) tape.close();
}, RUN_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);

/** Everything up to now is in the log, derived while it is news, with all follow-up requests made. */
async function present(): Promise<void> {
  const now = live.clock.now();
  await eventually(
    async () => (await live.service.store.log.head()).capturedAt >= now,
    "the log is at the present",
  );
  await live.derived();
  await eventually(() => isIdle(), "no question waits");
}

/**
 * The feeds are read to their ends and no request is pending: for facts missing in the stream, such as a transfer's size, the
 * service has made its requests. This has to hold for longer than the world sleeps between two events.
 */
async function caughtUp(): Promise<void> {
  let looks = 0;
  await eventually(
    async () => {
      looks = isIdle() ? looks + 1 : 0;
      return looks > LOOKS_AT_IDLE;
    },
    "the service has caught up",
    { pollMs: LOOK_MS },
  );
  await live.derived();
}

function isIdle(): boolean {
  const figures = live.service.metrics.render();
  const isBusy = /^crowdtape_capture_(lag_items\{.*\}|questions_waiting) [1-9]/m.test(figures);
  return !isBusy && figures.includes('crowdtape_capture_lag_items{feed="app"} 0');
}

const LOOK_MS = 25;
const LOOKS_AT_IDLE = 24;
const LOOKS = 60;

/**
 * The clock is held: the log no longer grows, everything is derived from it, its last follow-up request is answered, and the
 * streams have sent all of it.
 */
async function settled(): Promise<void> {
  const { log, progress } = live.service.store;
  let last = "";
  let looks = 0;
  await eventually(
    async () => {
      const [{ seq }, derived] = await Promise.all([log.head(), progress.derivedSeq()]);
      // The result of a call still in flight to upstream is about to be stored.
      const asked = live.service.metrics.render().match(/^crowdtape_upstream_calls_total.*$/gm);
      const now = [seq, alerts.frames.length, trades.frames.length, asked].join(" ");
      looks = now === last && derived >= seq && isIdle() ? looks + 1 : 0;
      last = now;
      return looks > LOOKS;
    },
    "everything stands still",
    { pollMs: LOOK_MS },
  );
}

/** Everything on the chain by then has been shown by the app now. */
const shownUntil = () => live.clock.now() - PAST_THE_APP_MS;

/** Complaints since the last check; a few are enough to see what is wrong. */
const complaints = () => client.complaints.splice(0).slice(0, 20);

test(`every frame of both streams has the promised form, in the order of the log (${seed})`, () => {
  expect(alerts.frames.length).toBeGreaterThan(2_000);
  expect(trades.frames.length).toBeGreaterThan(1_000);
  expect(complaints()).toEqual([]);
});

test("an event is sent once: eventIds, seqs and ids are unique on each stream", () => {
  for (const { frames } of [alerts, trades]) {
    const trade = frames.filter(({ type }) => type !== "retract");
    const ids = trade.map(({ eventId }) => eventId).filter((id) => id !== null);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(trade.map(({ id }) => id)).size).toBe(trade.length);
    expect(new Set(frames.map(({ seq }) => seq)).size).toBe(frames.length);
  }
});

test(
  "the REST feed is the stream: the same events with the same seq and the same figures",
  async () => {
    const rows = await client.walk("/v2/alerts?limit=100", {
      rows: "alerts",
      key: ({ seq }) => String(seq),
      check: alert,
      by: { parameter: "before", from: "oldestCursor" },
    });
    const first = Number(alerts.frames[0]?.seq);
    // The app may show things late that happened before the start of the log: they can be read, but are not news.
    const beganAt = await live.service.store.log.beganAt();
    const rest = rows
      .filter(({ seq, ts }) => Number(seq) >= first && Number(ts) >= beganAt)
      .toSorted((a, b) => Number(a.seq) - Number(b.seq));
    const sent = alerts.frames.map(({ type: _frame, ...each }) => ({ ...each, type: each.alertType }));
    const streamed = new Set(alerts.frames.map(({ seq }) => Number(seq)));
    expect(rest.filter(({ seq }) => !streamed.has(Number(seq)))).toEqual([]);
    expect(rest.length).toBe(sent.length);
    expect(rest.filter((each, index) => !Bun.deepEquals(each, sent[index])).slice(0, 3)).toEqual([]);
    expect(complaints()).toEqual([]);
  },
  RUN_MS_MAX,
);

test("each trade on the chain is the app's alert of the same position and transaction, and the other way round", () => {
  const retracted = new Set(trades.frames.filter(({ type }) => type === "retract").map(({ id }) => id));
  const standing = trades.frames.filter(({ type, id }) => type === "trade" && !retracted.has(id));
  const nameOf = ({ tradeId, txHash }: Body) => `${tradeId} ${txHash}`;
  const fills = alerts.frames.filter(({ alertType }) => alertType === "buy" || alertType === "sell");
  const byName = new Map(fills.map((fill) => [nameOf(fill), fill]));
  const wrong: string[] = [];
  for (const trade of standing) {
    const fill = byName.get(nameOf(trade));
    byName.delete(nameOf(trade));
    if (!fill && Number(trade.blockTs) > shownUntil()) continue;
    if (!fill) wrong.push(`no alert for ${nameOf(trade)} of ${trade.blockTs}`);
    else if (fill.alertType !== trade.side || fill.chainId !== trade.chainId)
      wrong.push(`another fill for ${nameOf(trade)}`);
    else if (
      fill.amount !== trade.amountToken ||
      fill.fillUsd !== trade.usdValue ||
      fill.userId !== trade.userId
    )
      wrong.push(`other figures for ${nameOf(trade)}: ${JSON.stringify([fill, trade])}`);
  }
  // Anything that the app shows in its first moments was on the chain before the stream was open.
  for (const [name, fill] of byName)
    if (Number(fill.ts) > openedAt + PAST_THE_APP_MS) wrong.push(`no trade on the chain for ${name}`);
  expect(wrong.slice(0, 10)).toEqual([]);
  expect(retracted.size).toBeGreaterThan(0);
});

test(
  "positions tracked from the stream match REST's positions, one by one and in lists",
  async () => {
    const book = keepBook(alerts.frames);
    const ids = book.tradeIds();
    expect(ids.length).toBeGreaterThan(200);
    const owners = new Set(
      alerts.frames.filter(({ tradeId }) => tradeId !== null).map(({ userId }) => String(userId)),
    );
    const listed = new Map<string, Row>();
    for (const userId of owners) {
      const path = `/v2/users/${userId}/positions?limit=100`;
      const rows = await client.walk(path, {
        rows: "positions",
        key: (row) => String(row.tradeId),
        check: position,
      });
      for (const row of rows) listed.set(String(row.tradeId), row);
    }
    const wrong: string[] = [];
    let compared = 0;
    const shown = { since: openedAt, until: shownUntil() };
    for (const tradeId of ids) {
      const response = await live.ask(`/v2/trades/${tradeId}`);
      const detail = response.body as Body;
      if (response.status !== 200) wrong.push(`position ${tradeId}: ${response.status}`);
      else {
        wrong.push(...book.compare(tradeId, detail, shown));
        // The list must include a fill or transfer once the stream has sent it, not before.
        const untold = book.untold(tradeId, detail, shown.since);
        const row = listed.get(tradeId);
        // A list is of one moment for all of its rows, and the detail may be of a later one.
        if (Date.parse(String(detail.ts)) > live.clock.now() - MINUTE_MS) continue;
        if (untold.length === 0) {
          compared += 1;
          wrong.push(...compareRows(detail, row));
        } else if (untold.some((at) => at <= shown.until))
          wrong.push(`position ${tradeId}: the stream has not sent all of it`);
      }
      if (wrong.length > 20) break;
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(200);
    expect(complaints()).toEqual([]);
  },
  RUN_MS_MAX,
);

/** The same position in a list and on its own. */
function compareRows(detail: Row, listed: Row | undefined): string[] {
  if (!listed) return [`position ${detail.tradeId}: in no list`];
  const amounts = ["amount", "boughtAmount", "soldAmount", "transferredInAmount", "transferredOutAmount"];
  const wrong = ["ts", "status", "closedAt"].filter((field) => detail[field] !== listed[field]);
  for (const field of [...amounts, "costBasisUsd", "realizedPnlUsd"])
    if (!isAbout(detail[field], listed[field], 1e-6, 1e-2)) wrong.push(field);
  return wrong.map(
    (field) => `position ${detail.tradeId}: ${field} is ${detail[field]}, and ${listed[field]} in its list`,
  );
}

test(
  "every route answers in the promised forms, and every list can be walked to its end",
  async () => {
    await readEverything(client);
    expect(complaints()).toEqual([]);
  },
  RUN_MS_MAX,
);
