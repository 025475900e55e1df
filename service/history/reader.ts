// The history as served: the files in the manifest, which is reread now and then because another process writes it.
import type { Clock } from "../../kit/clock.ts";
import { createSingleFlight } from "../../kit/single-flight.ts";
import { DAY_MS } from "../../kit/units.ts";
import { spanOf } from "./day.ts";
import type { HistoryFile, HistoryManifest } from "./manifest.ts";
import type { HistoryPlace } from "./place.ts";

/** A day is closed once a day: no one misses anything in this time. */
const MANIFEST_MS = 10_000;
/** Public files are at least this old. */
const PUBLIC_AFTER_MS = 30 * DAY_MS;

export interface HistoryReader {
  /** Whether any file may ever be public. */
  mayBePublic: boolean;
  files(): Promise<readonly HistoryFile[]>;
  isPublic(file: Pick<HistoryFile, "date">): boolean;
  bytes: HistoryPlace["bytes"];
}

export function createHistoryReader(place: HistoryPlace, clock: Clock, mayBePublic: boolean): HistoryReader {
  const flights = createSingleFlight();
  let known: { manifest: HistoryManifest; readAt: number } | null = null;
  return {
    mayBePublic,
    async files() {
      if (known && clock.now() - known.readAt < MANIFEST_MS) return known.manifest.files;
      const manifest = await flights.run("manifest", () => place.manifest());
      known = { manifest, readAt: clock.now() };
      return manifest.files;
    },
    isPublic: ({ date }) => mayBePublic && spanOf(date).to <= clock.now() - PUBLIC_AFTER_MS,
    bytes: place.bytes,
  };
}
