// Days closed into files: their contents, their sale, and what happens when a closed day changes.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kit/units.ts";
import { closeDays } from "../../service/history/close.ts";
import { spanOf } from "../../service/history/day.ts";
import { fileOf, type HistoryFile } from "../../service/history/manifest.ts";
import { COLUMNS, HISTORY_TABLES } from "../../service/history/tables.ts";
import { retractFills } from "../../service/store/captured/retract-fills.ts";
import { eventually } from "../support/eventually.ts";
import { closeEveryDay, closingOf } from "../support/history.ts";
import { type LiveService, START_MS_MAX, startLiveService } from "../support/live-service.ts";
import { fill } from "../support/nouns.ts";
import { quiet, stillness } from "./quiet.ts";

let live: LiveService;

beforeAll(async () => {
  live = await startLiveService({ traders: 60, historyDays: 2, eventsPerSecond: 0.05, keepsHistory: true });
  await live.captured();
  await stillness(live);
}, START_MS_MAX);
afterAll(() => live.stop(), START_MS_MAX);

describe("a closed day", () => {
  let date: string;
  beforeAll(async () => {
    date = await closeEveryDay(live);
  }, START_MS_MAX);
  beforeEach(() => settled(), START_MS_MAX);

  /** Fills from the past still arrive for a moment after the log has stopped, and whenever the clock continues. */
  const settled = () =>
    eventually(async () => {
      live.clock.push(MINUTE_MS);
      await quiet(live);
      const closing = await closeDays(closingOf(live));
      return closing.kind === "closed" && closing.files === 0;
    }, "nothing more of the closed days changes");

  const read = async (path: string) => {
    const bytes = readFileSync(join(live.folder, "history", path));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    return parquetReadObjects({ file, compressors: { ZSTD: (packed) => Bun.zstdDecompressSync(packed) } });
  };
  const named = async () => (await live.get("listHistory", `/v2/history?from=${date}&to=${date}`)).body.files;
  const shaOf = (path: string) =>
    new Bun.CryptoHasher("sha256").update(readFileSync(join(live.folder, "history", path))).digest("hex");

  /** The day's fills in the store and in its file; a fill that arrives between the two reads is waited for. */
  const atOneMoment = async () => {
    const { from, to } = spanOf(date);
    const wish = { from, to, order: "asc", of: { kind: "everybody" }, limit: 100_000 } as const;
    const parts = closingOf(live);
    let file: HistoryFile | undefined;
    let stored: Awaited<ReturnType<typeof live.service.store.fills.between>>["rows"] = [];
    await eventually(async () => {
      file = fileOf(await parts.place.manifest(), "fills", date);
      stored = (await live.service.store.fills.between(wish)).rows;
      const closing = await closeDays(parts);
      return closing.kind === "closed" && closing.files === 0;
    }, "the file is of the moment of the look");
    return { stored, rows: await read(String(file?.path)), said: Number(file?.rows) };
  };

  test("has every fill of the day in its file, in order, each with its event", async () => {
    const { stored, rows, said } = await atOneMoment();
    expect(rows.map(({ swapId }) => swapId)).toEqual(stored.map(({ swapId }) => swapId));
    expect(rows.map(({ ts }) => Number(ts))).toEqual(stored.map(({ at }) => at));
    expect([rows.length > 10, rows.length]).toEqual([true, said]);
    const withEvent = rows.find(({ seq }) => seq !== null);
    const [event] = await live.service.store.log.readAfter(Number(withEvent?.seq) - 1, { limit: 1 });
    expect(event).toMatchObject({ eventId: withEvent?.eventId, tradeId: withEvent?.tradeId });
  });

  test("has a file of every table, which matches its checksum and has the table's columns", async () => {
    const files = await named();
    expect(files.map(({ table }) => table)).toEqual([...HISTORY_TABLES]);
    for (const { table, path, sha256, rows } of files) {
      expect(shaOf(path)).toBe(sha256);
      const found = await read(path);
      expect(found.length).toBe(rows);
      if (found[0]) expect(Object.keys(found[0])).toEqual(COLUMNS[table].map(({ name }) => name));
    }
  });

  test("is sold by the bytes sent: whole, in part, and never those the caller already has", async () => {
    const path = `/v2/history/fills/${date}`;
    const file = (await live.get("getHistoryFile", path)).body;
    const ask = async (headers: Record<string, string>, method = "GET") => {
      const response = await fetch(`${live.url}${path}?format=parquet`, {
        method,
        headers: { authorization: `Bearer ${live.keys.scale.secret}`, ...headers },
      });
      const bytes = await response.bytes();
      const cost = Number(response.headers.get("x-credits-cost"));
      return { status: response.status, cost, bytes, range: response.headers.get("content-range") };
    };
    const whole = await ask({});
    expect([whole.status, whole.cost, whole.bytes.length]).toEqual([200, 2_500, file.bytes]);
    expect(new Bun.CryptoHasher("sha256").update(whole.bytes).digest("hex")).toBe(file.sha256);
    const parts = [await ask({ range: "bytes=0-99" }), await ask({ range: "bytes=100-" })];
    expect(parts.map(({ status, cost }) => [status, cost])).toEqual([
      [206, 2_500],
      [206, 2_500],
    ]);
    expect(parts[0]?.range).toBe(`bytes 0-99/${file.bytes}`);
    expect(Buffer.concat(parts.map(({ bytes }) => bytes)).equals(whole.bytes)).toBe(true);
    expect((await ask({ range: "bytes=-8" })).bytes).toEqual(whole.bytes.slice(-8));
    const other = await ask({ range: "bytes=100-", "if-range": '"another"' });
    expect([other.status, other.bytes.length]).toEqual([200, file.bytes]);
    const free = [
      await ask({ "if-none-match": `"${file.sha256}"` }),
      await ask({ range: `bytes=${file.bytes}-` }),
      await ask({}, "HEAD"),
    ];
    expect(free.map(({ status, cost }) => [status, cost])).toEqual([
      [304, 0],
      [416, 0],
      [200, 0],
    ]);
    const none = await live.refused("/v2/history/fills/2001-01-01?format=parquet");
    expect([none.status, none.cost]).toEqual([404, 0]);
    // Nothing is public unless the operator says so.
    expect(file.publicUrl).toBeNull();
    expect((await fetch(`${live.url}/history/${file.path}`)).headers.get("content-type")).not.toContain(
      "parquet",
    );
  });

  test("that loses a fill is closed again as a new version, and an interrupted close leaves the old one", async () => {
    const { store } = live.service;
    const before = (await named()).find(({ table }) => table === "fills");
    if (!before) throw new Error("the day is not closed");
    const [gone] = await read(before.path);
    const retracted = [{ tradeId: String(gone?.tradeId), txHash: String(gone?.txHash) }];
    const lost = await store.database.write((tx) => retractFills(tx, retracted));

    const parts = closingOf(live);
    const failing = { ...parts.place, saveManifest: () => Promise.reject(new Error("killed")) };
    await expect(closeDays({ ...parts, place: failing })).rejects.toThrow("killed");
    const kept = await parts.place.manifest();
    for (const file of kept.files) expect([file.path, shaOf(file.path)]).toEqual([file.path, file.sha256]);

    await closeDays(parts);
    live.clock.push(HOUR_MS / 2);
    const after = (await named()).find(({ table }) => table === "fills");
    expect([after?.version, lost > 0]).toEqual([before.version + 1, true]);
    expect((await read(String(after?.path))).map(({ swapId }) => swapId)).not.toContain(gone?.swapId);
    expect(after?.path).not.toBe(before.path);
    expect(shaOf(before.path)).toBe(before.sha256);
    // Readers of the old one have an hour to finish.
    live.clock.push(2 * HOUR_MS);
    await closeDays(parts);
    expect(() => shaOf(before.path)).toThrow();
    const { superseded } = await parts.place.manifest();
    expect(superseded.filter(({ path }) => path === before.path)).toEqual([]);
  });

  test("however old, is closed again once one of its fills arrives late or is retracted", async () => {
    const { store } = live.service;
    // As if the day were older than those that are compared in every round.
    const parts = { ...closingOf(live), lookedAtDays: 0 };
    const swaps = async () => {
      await closeDays(parts);
      const { path = "" } = fileOf(await parts.place.manifest(), "fills", date) ?? {};
      return (await read(path)).map(({ swapId }) => swapId);
    };
    const late = fill({ at: spanOf(date).from + HOUR_MS });
    expect(await swaps()).not.toContain(late.swapId);
    await store.fills.save([late]);
    expect(await swaps()).toContain(late.swapId);
    await store.database.write((tx) => retractFills(tx, [late]));
    expect(await swaps()).not.toContain(late.swapId);
  });

  test("is taken over by another process within a minute after the closing one died", async () => {
    const { leases } = live.service.store;
    const parts = closingOf(live);
    const left: number[] = [];
    const looking = async () => {
      const { expiresAt } = (await leases.current("history")) ?? { expiresAt: Number.POSITIVE_INFINITY };
      left.push(expiresAt - live.clock.now());
      expect(await closeDays(parts)).toMatchObject({ kind: "notYet" });
      return parts.place.manifest();
    };
    await closeDays({ ...parts, place: { ...parts.place, manifest: looking } });
    expect(left.map((milliseconds) => milliseconds > 0 && milliseconds < MINUTE_MS)).toEqual([true]);
    expect(await closeDays(parts)).toMatchObject({ kind: "closed" });
  });

  test("is not made of the current day, and an old one is not made again once its fills are being deleted", async () => {
    const parts = closingOf(live);
    const { files } = await parts.place.manifest();
    expect(files.every((file) => spanOf(file.date).to + HOUR_MS <= live.clock.now())).toBe(true);
    expect(await closeDays({ ...parts, retentionDays: 0 })).toEqual({ kind: "closed", files: 0 });
    live.clock.push(DAY_MS);
    expect((await closeEveryDay(live)) > date).toBe(true);
  });
});
