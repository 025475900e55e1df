// One chain's share of the activity, out of all traders' fills: read in slices, however small that share is.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Queries } from "../../../database/database.ts";
import { fill, MIDNIGHT, token } from "../../../test/support/nouns.ts";
import { openTestStore } from "../suite-support.ts";
import { activity } from "./activity.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-activity-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [BASE, BSC] = [8_453, 56];
const FILLS = 3_500;

test("activity of a chain with few fills takes as many slices as that of all chains", async () => {
  const store = await openTestStore({ location: async () => ({ file: join(folder, "crowdtape.sqlite") }) });
  const everybody = token({ networkId: BASE });
  await store.fills.save([
    ...Array.from({ length: FILLS }, (_, n) => fill({ token: everybody, at: MIDNIGHT + n })),
    fill({ token: token({ networkId: BSC }), at: MIDNIGHT + FILLS - 1, usd: 7 }),
  ]);
  let slices = 0;
  const queries: Queries = {
    ...store.database.read,
    all: (statement) => {
      slices++;
      return store.database.read.all(statement);
    },
  };
  const found = await activity.reads.between(queries, MIDNIGHT, MIDNIGHT + FILLS, { networkId: BSC });
  expect(found).toMatchObject([{ networkId: BSC, buyUsd: 7, traders: 1 }]);
  expect(slices).toBe(4);
  await store.close();
});
