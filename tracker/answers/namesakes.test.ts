// Spam state updated change by change equals that of a tracker that just opened the same books: with same-named tokens that are
// sent, bought, sold and undone in any order.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { type Random, seededRandom } from "../../kit/random.ts";
import { CHAIN, money, openBooks, POOL, queriesNaming, ROSTER, STABLE } from "../books/test-story.ts";
import type { BlockPlace, BlockRead, Flow } from "../chain.ts";
import { createDirectory } from "../roster/directory.ts";
import { createNames, type Namesakes } from "./namesakes.ts";
import { type Answering, openAnswering } from "./parts.ts";
import { isSpam } from "./spam.ts";

// In the first story, a price appears at exactly a moment that was already computed.
const SEEDS = new Set(["3895374281", process.env.SEED ?? "namesakes"]);
const folder = mkdtempSync(join(tmpdir(), "crowdtape-namesakes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SYMBOLS = ["FROG", "frog", "Fr0g", "CAT", "cat"];
const TOKENS = SYMBOLS.map((_, at) => `0x${`d${at}`.repeat(20)}`);
const WALLETS = ROSTER.flatMap(({ evm }) => evm);
const START_MS = Date.UTC(2026, 0, 1);
const named = queriesNaming((token) => SYMBOLS[TOKENS.indexOf(token)] ?? "USDC");

function anyBlock(random: Random, height: number): BlockRead {
  const [hash, token] = [`tx${height}`, random.pick(TOKENS)];
  const kind = random.pick(["transfer-in", "transfer-in", "transfer-out", "swap"] as const);
  const amount = { token, amountRaw: BigInt(1 + random.below(1_000)) * 10n ** 18n };
  const dollars = { token: STABLE, amountRaw: 10n ** 6n };
  const flow: Flow = {
    chainId: CHAIN,
    wallet: random.pick(WALLETS),
    hash,
    index: 0,
    swap: kind === "swap",
    kind,
    sold: kind === "swap" ? [dollars] : kind === "transfer-out" ? [amount] : [],
    bought: kind === "transfer-out" ? [] : [amount],
    feeRaw: 0n,
    counterparty: null,
    exact: true,
  };
  const reserves = [{ token: STABLE, amountRaw: 10n ** 9n }];
  const trade = { pool: POOL, hash, index: 1, in: dollars, out: amount, reserves, doubt: null };
  const block = { chainId: CHAIN, height, hash: `block${height}`, parentHash: "", timeMs: START_MS + height };
  return { block, flows: [flow], pools: random.chance(0.5) ? [trade] : [] };
}

async function judged(answering: Answering, at: number) {
  const { ranked } = await answering.standings.everybody("all", at);
  const tokens = await Promise.all(
    [...answering.live.tokens()].map(async (of) => {
      const holds = [...of.holders.values()].map(({ held }) => held);
      expect(of.topHeld).toBe(Math.max(0, ...holds));
      return [of.known.symbol, of.swappers, of.alike.traded, await isSpam(answering, of, at)];
    }),
  );
  const counted = ranked.map(({ trader, rank, positions, total }) => [
    trader.handle,
    rank,
    positions,
    total.net,
  ]);
  return { tokens: tokens.sort(), counted };
}

test.each([...SEEDS])("incremental judgement equals a fresh one (seed %s)", async (seed) => {
  const random = seededRandom(seed);
  let follow: Awaited<ReturnType<typeof openAnswering>> | null = null;
  const location = { file: join(folder, `${seed}.sqlite`) };
  const { database, sink, close } = await openBooks(location, undefined, named, undefined, (change) =>
    follow?.change(change),
  );
  const [clock, log] = [systemClock(), createLog("silent", () => 0)];
  const directory = createDirectory(database, clock, log);
  await directory.refresh();
  const open = () => openAnswering({ database, clock, directory, money, log });
  follow = await open();
  let [height, kept, spam] = [0, [] as BlockPlace[], 0];
  for (let step = 0; step < 40; step++) {
    const cursor = { name: "reader", value: String(step) };
    if (kept.length > 0 && random.chance(0.3)) {
      await sink.retract(CHAIN, kept.splice(-1 - random.below(kept.length)).reverse(), cursor);
    } else {
      const read = anyBlock(random, ++height);
      await sink.apply([read], cursor);
      kept = [...kept, read.block];
    }
    if (step % 4 !== 0) continue;
    const moments = [START_MS + height / 2, START_MS + height + 1];
    const fresh = await open();
    for (const at of moments) {
      const own = await judged(follow, at);
      spam += own.tokens.filter((each) => each.at(-1) === true).length;
      expect(own).toEqual(await judged(fresh, at));
    }
  }
  expect(spam).toBeGreaterThan(0);
  await close();
});

test("a token whose symbol changes counts under the new one only", () => {
  const names = createNames();
  const token = { swappers: 1, heldSince: 5, alike: names.of("FROG") satisfies Namesakes };
  names.note(token, false);
  expect(names.of("fr0g")).toEqual({ traded: 1, heldSince: 5 });
  names.move(token, "CAT");
  expect([names.of("frog").traded, names.of("cat")]).toEqual([0, { traded: 1, heldSince: 5 }]);
});
