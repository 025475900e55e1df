// Closes final days into files. A day's files are put in place first and the manifest that lists them last, so an
// interruption in between leaves the history unchanged. A day that changed afterwards gets files of a new version.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshUuid } from "../../kit/ids.ts";
import type { Kit } from "../../kit/kit.ts";
import { createLoop } from "../../kit/loop.ts";
import { DAY_MS, HOUR_MS } from "../../kit/units.ts";
import type { Lease } from "../store/captured/lease.ts";
import type { Store } from "../store/store.ts";
import { openAside } from "./aside.ts";
import { dateOf, dayRows, sourcesOf, spanOf } from "./day.ts";
import { fileOf, type HistoryFile, type HistoryManifest, pathOf, withFiles } from "./manifest.ts";
import { writeParquet } from "./parquet.ts";
import type { HistoryPlace } from "./place.ts";
import { HISTORY_TABLES, type HistoryCell, type HistoryTable, SCHEMA_VERSION } from "./tables.ts";

/** By then most late data has arrived. */
const FINAL_AFTER_MS = HOUR_MS;
/** Recent days compared on every run: longer than any chain reverts. Older ones are compared only if a change was noted. */
const LOOKED_AT_DAYS = 7;
/** Events that may still be waiting for derivation; with more, a day would be closed without its last fills. */
const BEHIND_MAX = 5_000;
const SUPERSEDED_MS = HOUR_MS;
const LEASE = "history";
/** How long a killed process blocks others; writing a row group takes up to a few seconds without a renewal. */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 5_000;

export interface ClosingParts extends Pick<Kit, "clock" | "log"> {
  store: Store;
  place: HistoryPlace;
  /** Older fills are being deleted, so a day that reaches back that far is left as it is. */
  retentionDays: number;
  /** Days compared on every run; LOOKED_AT_DAYS by default. */
  lookedAtDays?: number;
  onClosed?(file: HistoryFile): void;
  /** Where files are written before they are put in place. */
  draftFolder?: string;
}

export type Closing = { kind: "closed"; files: number } | { kind: "notYet"; why: string };

export async function closeDays(parts: ClosingParts): Promise<Closing> {
  const { store } = parts;
  const why = await reasonToWait(store);
  if (why !== null) return { kind: "notYet", why };
  const lease = await store.leases.acquire(LEASE, freshUuid(), LEASE_MS);
  if (!lease) return { kind: "notYet", why: "Another process is closing days." };
  const drafts = mkdtempSync(join(parts.draftFolder ?? tmpdir(), "crowdtape-history-"));
  const renewing = createLoop({
    clock: parts.clock,
    log: parts.log,
    failure: "the lease was not renewed",
    first: "later",
    everyMs: RENEW_EVERY_MS,
    round: () => store.leases.renew(lease, LEASE_MS),
  });
  renewing.start();
  try {
    return await closeDue(parts, lease, drafts);
  } finally {
    await renewing.stop();
    rmSync(drafts, { recursive: true, force: true });
    await store.leases.release(lease);
  }
}

async function closeDue(parts: ClosingParts, lease: Lease, drafts: string): Promise<Closing> {
  const { store, place, clock } = parts;
  let manifest = await place.manifest();
  let files = 0;
  // Read before any day: later changes are seen by the next run.
  const changed = new Map((await store.dayChanges.list()).map((change) => [dateOf(change.at), change]));
  for (const date of await dueDates(parts, manifest, changed)) {
    const fresh = await closeDay(parts, manifest, date, drafts);
    if (!(await store.leases.renew(lease, LEASE_MS)))
      return { kind: "notYet", why: "Another process has taken over." };
    if (fresh.length > 0) {
      manifest = withFiles(manifest, fresh, new Date(clock.now()).toISOString());
      await place.saveManifest(manifest);
      files += fresh.length;
    }
    const change = changed.get(date);
    if (change) await store.dayChanges.markClosed(change);
  }
  await removeSuperseded(parts, manifest);
  return { kind: "closed", files };
}

async function reasonToWait({ log, progress }: Store): Promise<string | null> {
  if ((await log.historyLeft()).length > 0) return "What happened before the log began is still being read.";
  const behind = (await log.head()).seq - (await progress.derivedSeq());
  return behind > BEHIND_MAX ? `${behind} events of the log still wait to be derived from.` : null;
}

/**
 * From the first day that is stored completely to the last final one: unclosed days, and of the closed ones the latest,
 * and those that gained or lost a fill or a thesis since.
 */
async function dueDates(
  { store, clock, retentionDays, lookedAtDays = LOOKED_AT_DAYS }: ClosingParts,
  manifest: HistoryManifest,
  changed: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  const oldestAt = await store.fills.oldestAt();
  if (oldestAt === null) return [];
  const now = clock.now();
  const first = Math.max(spanOf(dateOf(oldestAt)).from, spanOf(dateOf(now - retentionDays * DAY_MS)).to);
  const end = spanOf(dateOf(now - FINAL_AFTER_MS)).from;
  const filesOf = Map.groupBy(manifest.files, ({ date }) => date);
  const theses = new Map(
    (await store.days.thesisCounts({ from: first, to: end })).map(({ day, theses }) => [day, theses]),
  );
  const dates: string[] = [];
  for (let at = first; at < end; at += DAY_MS) {
    const files = filesOf.get(dateOf(at)) ?? [];
    const isClosed = HISTORY_TABLES.every((table) => files.some((file) => file.table === table));
    const rows = files.find(({ table }) => table === "theses")?.rows;
    const isAsClosed = !changed.has(dateOf(at)) && rows === (theses.get(at / DAY_MS) ?? 0);
    if (!isClosed || !isAsClosed || at >= end - lookedAtDays * DAY_MS) dates.push(dateOf(at));
  }
  return dates;
}

async function closeDay(
  parts: ClosingParts,
  manifest: HistoryManifest,
  date: string,
  drafts: string,
): Promise<HistoryFile[]> {
  const { store, onClosed } = parts;
  const day = spanOf(date);
  const sources = await sourcesOf(store, day);
  const isDue = (table: HistoryTable) => {
    const known = fileOf(manifest, table, date);
    return known?.source !== sources[table] || known.schemaVersion !== SCHEMA_VERSION;
  };
  const due = HISTORY_TABLES.filter(isDue);
  if (due.length === 0) return [];
  const aside = openAside(join(drafts, `aside-${date}.sqlite`));
  try {
    const rows = dayRows(store, day, aside);
    const fresh: HistoryFile[] = [];
    for (const table of due) {
      const version = (fileOf(manifest, table, date)?.version ?? 0) + 1;
      const path = pathOf(table, date, version);
      const written = await putFile(parts, join(drafts, `${table}.parquet`), path, table, rows(table));
      const file = { table, date, version, path, ...written, source: sources[table] };
      fresh.push(file);
      onClosed?.(file);
    }
    return fresh;
  } finally {
    aside.close();
  }
}

async function putFile(
  { place, clock }: ClosingParts,
  draft: string,
  path: string,
  table: HistoryTable,
  rows: AsyncIterable<HistoryCell[]>,
) {
  const written = await writeParquet(draft, table, rows);
  await place.put(path, draft);
  rmSync(draft);
  return { ...written, schemaVersion: SCHEMA_VERSION, closedAt: new Date(clock.now()).toISOString() };
}

async function removeSuperseded({ place, clock }: ClosingParts, manifest: HistoryManifest): Promise<void> {
  const isOver = ({ at }: { at: string }) => Date.parse(at) < clock.now() - SUPERSEDED_MS;
  const over = manifest.superseded.filter(isOver);
  if (over.length === 0) return;
  for (const { path } of over) await place.remove(path);
  await place.saveManifest({ ...manifest, superseded: manifest.superseded.filter((one) => !isOver(one)) });
}
