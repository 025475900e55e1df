// A wallet added while the reader is in the middle of a step: its back-fill and live reading meet without a gap.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Market, openMarket } from "../../test/chains/evm/market.ts";
import { startTestChain, type TestChain } from "../../test/chains/evm/node.ts";
import type { Sink } from "../chain.ts";
import { createMemorySink } from "../test-sink.ts";
import { caughtUp, openReader } from "./test-reader.ts";

const CHAIN_ID = 4663;
const FINALITY = 4;
const MILLI = 10n ** 15n;
const SLOW_MS = 900_000;

let chain: TestChain;
let market: Market;

beforeAll(async () => {
  chain = await startTestChain(CHAIN_ID);
  market = await openMarket(chain);
}, SLOW_MS);
afterAll(() => chain.stop());

test(
  "a back-fill that starts while blocks are being finalized reads those too",
  async () => {
    const [one = "", late = ""] = market.traders;
    const later = new Set<string>();
    const kept = createMemorySink();
    const inner = kept.connect();
    let past: Promise<void> | null = null;
    let tradedAt = Infinity;
    const sink: Sink = {
      cursor: (name) => inner.cursor(name),
      apply: (reads, cursor) => inner.apply(reads, cursor),
      retract: (id, blocks, cursor) => inner.retract(id, blocks, cursor),
      finalize(id, height, cursor) {
        // The blocks becoming final now were searched before this wallet was known.
        if (past === null && height >= tradedAt) {
          later.add(late.toLowerCase());
          past = reader.backfill({ wallets: [late.toLowerCase()], sinceMs: 0, name: "past of added" });
        }
        return inner.finalize(id, height, cursor);
      },
    };
    const reader = openReader({
      chainId: CHAIN_ID,
      wrapped: market.weth.address,
      urls: [chain.url],
      sink,
      wallets: [one],
      later,
      finality: FINALITY,
    });
    const settled = async () => {
      await chain.mine(FINALITY + 1);
      const height = await chain.height();
      await caughtUp(reader, height, height - FINALITY);
    };
    reader.start();
    await settled();
    const hash = await market.buyV2(late, MILLI);
    tradedAt = await chain.height();
    await settled();
    await past;
    await reader.stop();
    const ofLate = kept.flows().filter(({ wallet }) => wallet === late.toLowerCase());
    expect(ofLate.map((flow) => flow.hash)).toEqual([hash.toLowerCase()]);
  },
  SLOW_MS,
);
