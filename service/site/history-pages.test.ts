import { expect, test } from "bun:test";
import { Fault } from "../../contract/errors.ts";
import { manualClock } from "../../kit/clock.ts";
import { DAY_MS } from "../../kit/units.ts";
import { spanOf } from "../history/day.ts";
import { emptyManifest, type HistoryFile, pathOf, withFiles } from "../history/manifest.ts";
import type { HistoryPlace } from "../history/place.ts";
import { createHistoryReader } from "../history/reader.ts";
import { historyPages } from "./history-pages.ts";

const NOW = Date.parse("2026-11-17T12:00:00.000Z");
const AT = new Date(NOW).toISOString();
const fileOn = (date: string, version = 1): HistoryFile => ({
  table: "fills",
  date,
  version,
  path: pathOf("fills", date, version),
  rows: 1,
  bytes: 10,
  sha256: `sha ${date} ${version}`,
  schemaVersion: 1,
  closedAt: AT,
  source: "",
});
const [OLD, NEW] = ["2026-10-17", "2026-10-18"];
const manifest = withFiles(emptyManifest(), [fileOn(NEW), fileOn(OLD)], AT);
const place = {
  manifest: async () => manifest,
  bytes: (_path: string, start: number, end: number) => new Blob(["0123456789"]).slice(start, end),
} as unknown as HistoryPlace;

function pagesOf(mayBePublic: boolean) {
  const reader = createHistoryReader(place, manualClock(NOW), mayBePublic);
  return historyPages(reader, async () => undefined);
}

async function ask(date: string, headers: Record<string, string> = {}) {
  const page = pagesOf(true)["/history/{table}/{day}/{file}"]?.GET;
  const request = Object.assign(new Request("http://127.0.0.1/", { headers }), {
    params: { table: "fills", day: `dt=${date}`, file: "part-0.parquet" },
  });
  return page?.(request, "127.0.0.1", "127.0.0.1");
}

test("only days that ended 30 days ago are public, and only if the operator allows it", async () => {
  expect(NOW - spanOf(OLD).to).toBeGreaterThanOrEqual(30 * DAY_MS);
  expect(await (await ask(OLD))?.text()).toBe("0123456789");
  await expect(ask(NEW)).rejects.toBeInstanceOf(Fault);
  await expect(ask("2026-01-01")).rejects.toBeInstanceOf(Fault);
  const list = pagesOf(true)["/history/manifest.json"]?.GET;
  const listed = await (await list?.(new Request("http://127.0.0.1/"), "127.0.0.1", "127.0.0.1"))?.json();
  expect(listed.files.map(({ date }: HistoryFile) => date)).toEqual([OLD]);
  expect(pagesOf(false)).toEqual({});
});

test("a range of such a file, and one that the caller already has", async () => {
  const part = await ask(OLD, { range: "bytes=2-4" });
  expect([part?.status, part?.headers.get("content-range"), await part?.text()]).toEqual([
    206,
    "bytes 2-4/10",
    "234",
  ]);
  expect((await ask(OLD, { "if-none-match": `"sha ${OLD} 1"` }))?.status).toBe(304);
});

test("a new version takes the place of the old one, which stays for a while", () => {
  const next = withFiles(manifest, [fileOn(OLD, 2)], AT);
  expect(next.files.map(({ date, version }) => [date, version])).toEqual([
    [OLD, 2],
    [NEW, 1],
  ]);
  expect(next.superseded).toEqual([{ path: "fills/dt=2026-10-17/part-0.parquet", at: AT }]);
});
