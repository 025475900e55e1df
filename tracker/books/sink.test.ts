import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { derivedUuid } from "../../kit/ids.ts";
import { type Flow, type FlowKind, type Leg, NATIVE } from "../chain.ts";
import { readLedger } from "./ledger.ts";
import { CHAIN, money, openBooks, ROSTER, STABLE, TOKEN_A, TOKEN_B, WRAPPED } from "./test-story.ts";

const wallet = String(ROSTER[1]?.evm[0]);
const userId = derivedUuid("trader", "bob");
const leg = (token: string, amountRaw: bigint): Leg => ({ token, amountRaw });

/** The holding of each token after these flows, one per block. */
async function heldAfter(
  flows: [kind: FlowKind, sold: Leg[], bought: Leg[]][],
): Promise<Record<string, bigint>> {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-sink-"));
  const { database, sink, close } = await openBooks({ file: join(folder, "tracker.sqlite") });
  try {
    const reads = flows.map(([kind, sold, bought], index) => {
      const block = {
        chainId: CHAIN,
        height: index + 1,
        hash: `h${index}`,
        parentHash: "",
        timeMs: index + 1,
      };
      const flow: Flow = {
        chainId: CHAIN,
        wallet,
        hash: `tx${index}`,
        index: 0,
        swap: kind === "swap",
        kind,
        sold,
        bought,
        feeRaw: 0n,
        counterparty: null,
        exact: true,
      };
      return { block, flows: [flow], pools: [] };
    });
    await sink.apply(reads, { name: "reader", value: "1" });
    const { positions } = await readLedger(database.read, userId, money);
    return Object.fromEntries(positions.map(({ token, heldRaw }) => [token, heldRaw]));
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a token wrapped into a share is no longer held, but the share is", async () => {
  const held = await heldAfter([
    ["swap", [leg(STABLE, 500n)], [leg(TOKEN_A, 100n)]],
    ["wrap", [leg(TOKEN_A, 60n)], [leg(TOKEN_B, 55n)]],
    ["unwrap", [leg(TOKEN_B, 11n)], [leg(TOKEN_A, 12n)]],
  ]);
  // Part of the second token was there before.
  expect(held).toEqual({ [TOKEN_A]: 52n, [TOKEN_B]: 777n + 44n });
});

test("a token held by an order is gone until it comes back", async () => {
  const bought = ["swap", [leg(STABLE, 500n)], [leg(TOKEN_A, 100n)]] as [FlowKind, Leg[], Leg[]];
  expect(await heldAfter([bought, ["order-placed", [leg(TOKEN_A, 30n)], []]])).toEqual({ [TOKEN_A]: 70n });
  expect(await heldAfter([bought, ["order-cancelled", [], [leg(TOKEN_A, 30n)]]])).toEqual({
    [TOKEN_A]: 130n,
  });
});

test("wrapping the chain's coin and failed transactions don't change the books", async () => {
  const held = await heldAfter([
    ["wrap", [leg(NATIVE, 9n)], [leg(WRAPPED, 9n)]],
    ["failed", [], []],
    ["none", [], [leg(NATIVE, 3n)]],
  ]);
  expect(held).toEqual({});
});
