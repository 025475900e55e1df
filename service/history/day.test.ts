import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manualClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { DAY_MS, MINUTE_MS } from "../../kit/units.ts";
import { appEvent, fill, MIDNIGHT, position, thesis, trader } from "../../test/support/nouns.ts";
import { openStore } from "../store/store.ts";
import { openAside } from "./aside.ts";
import { dayRows } from "./day.ts";
import { COLUMNS, type HistoryTable } from "./tables.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "crowdtape-day-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const DAY = { from: MIDNIGHT, to: MIDNIGHT + DAY_MS };
/** More than one page of everything. */
const FILLS = 4_500;
const userOf = (index: number) => `user-${index % 700}`;
const tradeOf = (index: number) => `trade-${index % 2_100}`;

test("a day of several pages has each fill and thesis with its event, each trader and each position once, and the log is read once", async () => {
  const [clock, log] = [manualClock(MIDNIGHT), createLog("silent", () => 0)];
  const store = await openStore({ location: { file: join(folder, "store.sqlite") }, clock, log });
  const lease = await store.leases.acquire("capture", "test", DAY_MS);
  if (!lease) throw new Error("nobody else holds it");
  const fills = Array.from({ length: FILLS }, (_, index) =>
    fill({ tradeId: tradeOf(index), userId: userOf(index), txHash: `tx-${index}`, at: MIDNIGHT + index }),
  );
  await store.fills.save(fills);
  const own = thesis({ userId: "writer", createdAt: MIDNIGHT + MINUTE_MS });
  await store.theses.save([own], MIDNIGHT);
  const people = [...new Set([...fills.map(({ userId }) => userId), "writer", "idle"])];
  await store.traders.save(
    people.map((userId) => trader({ userId, handle: userId })),
    1,
  );
  const held = [...new Map(fills.map(({ tradeId, userId }) => [tradeId, userId]))];
  await store.positions.save(
    [...held, ["trade-idle", "idle"] as const].map(([tradeId, userId]) => position({ tradeId, userId })),
    1,
  );
  // The very last one first: the log has its own order.
  const events = fills
    .slice(0, -1)
    .reverse()
    .map(({ tradeId, userId, txHash, at }) =>
      appEvent({ eventId: `event of ${txHash}`, tradeId, userId, txHash, at }),
    );
  const written = appEvent({
    kind: "thesis",
    eventId: "event of a thesis",
    thesisId: own.id,
    at: own.createdAt,
  });
  await store.log.append(lease, { events: [...events, written], capturedAt: MIDNIGHT + 2 * MINUTE_MS });

  let firstPages = 0;
  const days: typeof store.days = {
    ...store.days,
    events: (day, walk) => {
      if (walk.after === null) firstPages += 1;
      return store.days.events(day, walk);
    },
  };
  const aside = openAside(join(folder, "aside.sqlite"));
  const rowsOf = dayRows({ ...store, days }, DAY, aside);
  const column = async (table: HistoryTable, ...names: string[]) => {
    const places = names.map((name) => COLUMNS[table].findIndex((each) => each.name === name));
    const rows = await Array.fromAsync(rowsOf(table));
    return rows.map((row) => places.map((place) => row[place]).join(" "));
  };
  expect(await column("fills", "txHash", "eventId")).toEqual(
    fills.map(({ txHash }, index) => `${txHash} ${index === FILLS - 1 ? "" : `event of ${txHash}`}`),
  );
  expect(await column("theses", "id", "eventId")).toEqual([`${own.id} event of a thesis`]);
  expect(await column("traders", "userId")).toEqual(people.filter((id) => id !== "idle").sort());
  expect(await column("positions", "userId", "tradeId")).toEqual(
    held.map(([tradeId, userId]) => `${userId} ${tradeId}`).sort(),
  );
  expect(firstPages).toBe(1);
  const asideFiles = () => readdirSync(folder).filter((name) => name.startsWith("aside"));
  expect(asideFiles()).toEqual(["aside.sqlite"]);
  aside.close();
  expect(asideFiles()).toEqual([]);
  await store.close();
});

test("of two events with one key the later one counts, and lists are never longer than requested", () => {
  const aside = openAside(join(folder, "aside.sqlite"));
  aside.addPlaces([
    { key: "a", eventId: "first", seq: 9 },
    { key: "b", eventId: "other", seq: 1 },
  ]);
  aside.addPlaces([{ key: "a", eventId: "second", seq: 4 }]);
  aside.sortPlaces();
  expect([aside.placeOf("a"), aside.placeOf("b"), aside.placeOf("c")]).toEqual([
    { eventId: "second", seq: 4 },
    { eventId: "other", seq: 1 },
    undefined,
  ]);
  aside.addTrades([
    { userId: "y", tradeId: "1" },
    { userId: "x", tradeId: "3" },
    { userId: "x", tradeId: "2" },
    { userId: "y", tradeId: "1" },
  ]);
  aside.addWriters(["w", "x"]);
  expect([...aside.tradeIds(2)]).toEqual([["2", "3"], ["1"]]);
  expect([...aside.userIds(2)]).toEqual([["w", "x"], ["y"]]);
  aside.close();
});
