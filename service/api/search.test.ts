import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manualClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { tokenInfo, trader } from "../../test/support/nouns.ts";
import { countTurns } from "../../test/support/turns.ts";
import { openStore } from "../store/store.ts";
import { createSearch } from "./search.ts";

test("a directory of any size is indexed whole, with a turn of the event loop between two of its pages", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-search-"));
  const [clock, log] = [manualClock(0), createLog("silent", () => 0)];
  const store = await openStore({ location: { file: join(folder, "store.sqlite") }, clock, log });
  const people = Array.from({ length: 450 }, (_, index) => trader({ handle: `person${index}` }));
  for (let start = 0; start < people.length; start += 60)
    await store.traders.save(people.slice(start, start + 60), 1);
  const tokens = Array.from({ length: 250 }, (_, index) => tokenInfo({ symbol: `COIN${index}` }));
  for (let start = 0; start < tokens.length; start += 60)
    await store.tokens.save(tokens.slice(start, start + 60), 1);

  const turns = countTurns();
  const pages: { turn: number; rows: number }[] = [];
  const heard = <Page extends { rows: unknown[] }>(page: Page) => {
    pages.push({ turn: turns.now(), rows: page.rows.length });
    return page;
  };
  const search = createSearch({
    store: {
      traders: {
        ...store.traders,
        changedAfter: async (...rest) => heard(await store.traders.changedAfter(...rest)),
      },
      tokens: {
        ...store.tokens,
        changedAfter: async (...rest) => heard(await store.tokens.changedAfter(...rest)),
      },
    },
    clock,
    log,
  });
  await search.start();
  turns.stop();
  await search.stop();

  expect(pages.length).toBeGreaterThan(4);
  // A batch that was saved together is never cut.
  expect(Math.max(...pages.map(({ rows }) => rows))).toBeLessThan(160);
  expect(new Set(pages.map(({ turn }) => turn)).size).toBe(pages.length);
  expect(search.find("person449", "traders", 1)).toHaveLength(1);
  expect(search.find("COIN249", "tokens", 1)).toHaveLength(1);
  await store.close();
  rmSync(folder, { recursive: true });
});
