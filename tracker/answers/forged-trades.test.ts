// A stranger fakes a sale by a roster trader of a token that the stranger created: it is not a trade in any answer, the token
// stays spam, and nobody's profit changes, however its price is moved before and after.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { MINUTE_MS } from "../../kit/units.ts";
import { readItems } from "../books/feed-items.ts";
import { CHAIN, money, openBooks, POOL, queries, ROSTER } from "../books/test-story.ts";
import type { BlockRead, ChainQueries, Flow, Leg, PoolTrade } from "../chain.ts";
import { evmChain } from "../evm/chains.ts";
import { netFlow } from "../evm/netting.ts";
import { included, transfer } from "../evm/test-receipts.ts";
import { createDirectory } from "../roster/directory.ts";
import { netWallet } from "../solana/netting.ts";
import { FEE, RENT, type Scene, transactionOf } from "../solana/test-transactions.ts";
import { readTransaction } from "../solana/transaction.ts";
import { openAnswering } from "./parts.ts";
import { isSpam } from "./spam.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-forged-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const alice = String(ROSTER[0]?.evm[0]);
const STRANGER = `0x${"a".repeat(40)}`;
const FAKE = `0x${"b".repeat(40)}`;
const OTHER_FAKE = `0x${"c".repeat(40)}`;
const USDC = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const TOKENS = 10n ** 9n;
const CENT = 10_000n;
const MANY = 1_000_000n * TOKENS;

const chain: ChainQueries = {
  ...queries,
  balances: async () => [],
  tokens: async (asked) =>
    asked.map((token) => ({
      token,
      symbol: token === FAKE ? "FAKE" : "OTHER",
      name: "",
      decimals: token === USDC ? 6 : 9,
      supplyRaw: null,
    })),
};
const FIRST_MS = Date.UTC(2026, 0, 1);
const AFTER_MS = FIRST_MS + MINUTE_MS;
const leg = (token: string, amountRaw: bigint): Leg => ({ token, amountRaw });

const onEvm = (logs: ReturnType<typeof transfer>[]): Flow => {
  const one = included(logs);
  const transaction = { ...one.transaction, from: STRANGER };
  return netFlow({ ...one, chain: evmChain(CHAIN), transaction }, alice, { before: 0n, after: 0n });
};

/** The books know one chain here: a Solana wallet's flow is moved to it. */
const onSolana = (scene: Scene): Flow => ({
  ...netWallet(readTransaction(transactionOf(scene)), alice),
  chainId: CHAIN,
});

const taken: NonNullable<Scene["tokens"]> = [
  ["a", alice, FAKE, String(MANY), "0"],
  ["b", STRANGER, FAKE, "0", String(MANY)],
];
const accounts: Scene["lamports"] = { a: [RENT, RENT], b: [RENT, RENT], c: [RENT, RENT], d: [RENT, RENT] };

const FORGED: Record<string, Flow> = {
  "an event of its own and a cent": onEvm([
    transfer(FAKE, alice, STRANGER, MANY),
    transfer(USDC, STRANGER, alice, CENT),
  ]),
  "two events of its own": onEvm([
    transfer(FAKE, alice, STRANGER, MANY),
    transfer(OTHER_FAKE, STRANGER, alice, MANY / 2n),
  ]),
  "a permanent delegate and a lamport": onSolana({
    lamports: { [STRANGER]: [RENT, RENT - FEE - 1], [alice]: [RENT, RENT + 1], ...accounts },
    tokens: taken,
  }),
  "a permanent delegate and another token": onSolana({
    lamports: { [STRANGER]: [RENT, RENT - FEE], ...accounts },
    tokens: [
      ...taken,
      ["c", STRANGER, OTHER_FAKE, String(MANY / 2n), "0"],
      ["d", alice, OTHER_FAKE, "0", String(MANY / 2n)],
    ],
  }),
};

/** A pool of a known factory with 500 dollars, at this price per token. */
const priced = (token: string, hash: string, dollars: bigint, index: number): PoolTrade => ({
  pool: POOL,
  hash,
  index,
  in: leg(USDC, dollars * 10n ** 6n),
  out: leg(token, TOKENS),
  reserves: [leg(USDC, 500n * 10n ** 6n)],
  doubt: null,
});

function block(height: number, flow: Flow, dollars: bigint): BlockRead {
  const hash = `tx${height}`;
  const timeMs = FIRST_MS + height * 1_000;
  return {
    block: { chainId: CHAIN, height, hash: `block${height}`, parentHash: "", timeMs },
    flows: [{ ...flow, hash }],
    pools: [priced(FAKE, hash, dollars, 1), priced(OTHER_FAKE, hash, dollars, 2)],
  };
}

const sent = (...tokens: string[]): Flow =>
  onEvm(tokens.map((token) => transfer(token, STRANGER, alice, 2n * MANY)));

test.each(Object.entries(FORGED))("forged by %s", async (name, forged) => {
  const { database, sink, close } = await openBooks(
    { file: join(folder, `${name}.sqlite`) },
    undefined,
    chain,
  );
  const reads = [
    block(1, sent(FAKE), 1n),
    block(2, forged, 1n),
    block(3, sent(FAKE), 1_000n),
    block(4, sent(FAKE), 1_000n),
  ];
  for (const read of reads) await sink.apply([read], { name: "reader", value: String(read.block.height) });
  await sink.finalize(CHAIN, 100, { name: "reader", value: "final" });
  const said = await Promise.all(
    (["app", "chain", "push"] as const).map((feed) =>
      readItems<{ kind?: string }>(database.read, feed, 0, 100),
    ),
  );
  const [clock, log] = [systemClock(), createLog("silent", () => 0)];
  const directory = createDirectory(database, clock, log);
  await directory.refresh();
  const answering = await openAnswering({ database, clock, directory, money, log });
  const { ranked } = await answering.standings.everybody("all", AFTER_MS);
  const standing = ranked.find(({ trader }) => trader.handle === "alice");
  const fakes = [...answering.live.tokens()].filter(({ holders }) => holders.size > 0);
  expect({
    said: said.flatMap(({ items }) => items.map(({ item }) => item.kind)).filter((kind) => kind !== "final"),
    isSpam: await Promise.all(fakes.map((of) => isSpam(answering, of))),
    swappers: fakes.map(({ swappers }) => swappers),
    rank: standing?.rank,
    pnlUsd: standing?.total.net,
  }).toEqual({
    said: [],
    isSpam: fakes.map(() => true),
    swappers: fakes.map(() => 0),
    rank: null,
    pnlUsd: 0,
  });
  expect(fakes.length).toBeGreaterThan(0);
  await close();
});
