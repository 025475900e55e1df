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

test("a directory of any size is indexed completely, with a turn of the event loop between pages", async () => {
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
  // A batch that was saved together is never split.
  expect(Math.max(...pages.map(({ rows }) => rows))).toBeLessThan(160);
  expect(new Set(pages.map(({ turn }) => turn)).size).toBe(pages.length);
  expect(search.find("person449", "traders", 1)).toHaveLength(1);
  expect(search.find("COIN249", "tokens", 1)).toHaveLength(1);
  await store.close();
  rmSync(folder, { recursive: true });
});

test("a full wallet address and an X name find their trader, and a wallet that moved finds its new one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-search-"));
  const [clock, log] = [manualClock(0), createLog("silent", () => 0)];
  const store = await openStore({ location: { file: join(folder, "store.sqlite") }, clock, log });
  const evm = `0x${"ab".repeat(20)}`;
  const solana = "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs";
  const wallets = { ...trader().wallets, solana, evm };
  const first = trader({ handle: "first", twitter: "elsewhere_named", wallets });
  await store.traders.save([first], 1);
  const search = createSearch({ store, clock, log });
  await search.start();
  const found = (q: string) =>
    search.find(q, "all", 5).map((row) => (row.type === "trader" ? row.trader.handle : row.token.symbol));
  expect(found(evm.toUpperCase().replace("0X", "0x"))).toEqual(["first"]);
  expect(found(solana)).toEqual(["first"]);
  expect(found("@elsewhere_named")).toEqual(["first"]);
  expect(found(evm.slice(0, 20))).toEqual([]);
  const heir = trader({ handle: "heir", userId: crypto.randomUUID(), wallets: { ...wallets, solana: null } });
  await store.traders.save([{ ...first, wallets: { ...wallets, evm: null } }, heir], 2);
  await search.stop();
  await search.start();
  expect([found(evm), found(solana)]).toEqual([["heir"], ["first"]]);
  await search.stop();
  await store.close();
  rmSync(folder, { recursive: true });
});
