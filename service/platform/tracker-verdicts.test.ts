// What the operator said before and says now is in the tracker's books, whichever of the two was there first.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../database/open.ts";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { eventually } from "../../test/support/eventually.ts";
import { readVerdicts } from "../../tracker/books/verdicts.ts";
import { CHAIN, SIMULATOR } from "../config.ts";
import { trackerLocation } from "../foundation.ts";
import type { TokenVerdict } from "../store/captured/verdicts.ts";
import type { Store } from "../store/store.ts";
import { followVerdicts } from "./tracker-verdicts.ts";

test("verdicts reach the tracker that this service runs, also those that are taken back", async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), "crowdtape-verdicts-"));
  const base = { networkId: 8453, judgedBy: "operator", judgedAt: 0 };
  const said: TokenVerdict[] = [
    { ...base, address: "0xa", verdict: "fine" },
    { ...base, address: "0xa", verdict: null },
    { ...base, address: "0xb", verdict: "spam" },
  ];
  // One a page.
  const changedAfter = async (version: number) => {
    const rows = said.slice(version, version + 1);
    return { rows, version: version + rows.length, more: rows.length > 0 };
  };
  const store = { verdicts: { changedAfter } } as unknown as Pick<Store, "verdicts">;
  const kit = { clock: systemClock(), log: createLog("silent", () => 0) };
  const config = { databaseUrl: null, dataFolder };
  const closers: (() => Promise<void>)[] = [];
  const follow = (upstream: string) =>
    followVerdicts({ ...config, upstream }, store, kit, (close) => closers.push(close));
  follow(SIMULATOR);
  expect(closers).toEqual([]);
  follow(CHAIN);
  const books = await openDatabase(trackerLocation(config));
  const known = () => readVerdicts(books.read).catch(() => []);
  await eventually(async () => (await known())[0]?.token === "0xb", "all of them are there");
  expect(await known()).toEqual([{ chainId: 8453, token: "0xb", verdict: "spam" }]);
  for (const close of closers) await close();
  await books.close();
  rmSync(dataFolder, { recursive: true, force: true });
});
