import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../database/migrate.ts";
import { openDatabase } from "../../database/open.ts";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { BOOKS } from "../books/schema.ts";
import { coinAt } from "./coins.ts";
import { createPriceEndpoint } from "./endpoint.ts";
import { createMoney } from "./money.ts";
import { quoteOf } from "./observed.ts";

const WRAPPED = "0x4200000000000000000000000000000000000006";

test("the deepest pair of what was asked for counts, and nothing out of form does", async () => {
  let body: unknown = [];
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json(body) });
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-prices-"));
  const database = await openDatabase({ file: join(folder, "tracker.sqlite") });
  await migrate(database, 1, BOOKS);
  const endpoint = createPriceEndpoint({
    url: `http://127.0.0.1:${server.port}`,
    chains: [{ chainId: 8453, slug: "base" }],
    database,
    money: createMoney([{ chainId: 8453, wrapped: WRAPPED, stables: [] }]),
    clock: systemClock(),
    log: createLog("silent", () => 0),
    onQuotes() {},
  });
  const pair = (priceUsd: unknown, usd: number, address: string = WRAPPED) => ({
    baseToken: { address },
    priceUsd,
    liquidity: { usd },
  });
  const now = async () => (await coinAt(database.read, 8453, systemClock().now()))?.priceUsd;
  body = [pair("1", 5), pair("2000.5", 1e6), pair("0", 1e9), pair("NaN", 1e9), null, 5, { baseToken: 1 }];
  await endpoint.refresh();
  expect(await now()).toBe(2000.5);
  body = [pair("9", 1e9, "0x0000000000000000000000000000000000000bad")];
  await endpoint.refresh();
  body = "not a list";
  await endpoint.refresh();
  expect(await now()).toBe(2000.5);
  expect(await quoteOf(database.read, 8453, "0x0000000000000000000000000000000000000bad")).toBeNull();
  await server.stop(true);
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});
