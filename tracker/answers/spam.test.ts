// Unsolicited tokens are stored but not shown: in holdings, positions, profits and ranks, on boards, in lists and searches.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import type { WireBooks } from "../../protocol/shapes/books.ts";
import type { WireTradesPage } from "../../protocol/shapes/position.ts";
import type { WireUser } from "../../protocol/shapes/trader.ts";
import type { BooksChange } from "../books/changes.ts";
import { readItems } from "../books/feed-items.ts";
import { CHAIN, money, openBooks, POOL, queriesNaming, ROSTER, STABLE } from "../books/test-story.ts";
import { type SaidOfToken, saveVerdicts } from "../books/verdicts.ts";
import type { BlockRead, Flow, Leg } from "../chain.ts";
import { foldName, pretends } from "../prices/look-alike.ts";
import { createDirectory } from "../roster/directory.ts";
import { createAnswers } from "./answers.ts";
import { openAnswering } from "./parts.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-spam-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const alice = String(ROSTER[0]?.evm[0]);
const address = (byte: string) => `0x${byte.repeat(20)}`;
/** By name; all but the first were only sent to her. */
const TOKENS = {
  FROG: address("c1"),
  UNPRICED: address("c2"),
  "USD\u0421": address("c3"),
  frog: address("c4"),
  MILLION: address("c5"),
  GIFT: address("c6"),
};
const leg = (token: string, amountRaw: bigint): Leg => ({ token, amountRaw });
const dollars = leg(STABLE, 2n * 10n ** 6n);

function block(
  height: number,
  token: string,
  kind: Flow["kind"],
  amount: bigint,
  isPriced: boolean,
): BlockRead {
  const hash = `tx${height}`;
  const shared = { chainId: CHAIN, wallet: alice, hash, index: 0, kind, feeRaw: 0n };
  const flow: Flow = {
    ...shared,
    swap: kind === "swap",
    sold: kind === "swap" ? [dollars] : [],
    bought: [leg(token, amount)],
    counterparty: null,
    exact: true,
  };
  const reserves = [leg(STABLE, 10n ** 9n)];
  const trade = {
    pool: POOL,
    hash,
    index: 1,
    in: dollars,
    out: leg(token, 10n ** 18n),
    reserves,
    doubt: null,
  };
  return {
    block: {
      chainId: CHAIN,
      height,
      hash: `block${height}`,
      parentHash: "",
      timeMs: Date.UTC(2026, 0, 1) + height,
    },
    flows: [flow],
    pools: isPriced ? [trade] : [],
  };
}

const names = new Map(Object.entries(TOKENS).map(([name, token]) => [token, name]));
const named = queriesNaming((token) => names.get(token) ?? "");

test("unsolicited tokens are hidden, unless they have a price, their own name, and a pool worth their claim", async () => {
  let follow: (change: BooksChange) => void = () => undefined;
  const { database, sink, close } = await openBooks(
    { file: join(folder, "1.sqlite") },
    undefined,
    named,
    undefined,
    (change) => follow(change),
  );
  const one = 10n ** 18n;
  const reads = [
    block(1, TOKENS.FROG, "swap", one, true),
    block(2, TOKENS.UNPRICED, "transfer-in", one, false),
    block(3, TOKENS["USD\u0421"], "transfer-in", one, true),
    block(4, TOKENS.frog, "transfer-in", one, true),
    block(5, TOKENS.MILLION, "transfer-in", 500_000n * one, true),
    block(6, TOKENS.GIFT, "transfer-in", one, true),
  ];
  for (const read of reads) await sink.apply([read], { name: "reader", value: String(read.block.height) });
  await sink.finalize(CHAIN, 100, { name: "reader", value: "final" });
  const { items } = await readItems<{ kind: string; token: { symbol: string } }>(
    database.read,
    "app",
    0,
    100,
  );
  const alerted = items.map(({ item }) => `${item.kind} ${item.token.symbol}`);
  expect(alerted).not.toContain("transfer MILLION");
  expect(alerted).toContain("transfer GIFT");
  const [clock, log] = [systemClock(), createLog("silent", () => 0)];
  const directory = createDirectory(database, clock, log);
  await directory.refresh();
  const answering = await openAnswering({ database, clock, directory, money, log });
  follow = answering.change;
  const api = createAnswers({ ...answering, source: "test", chains: [CHAIN], depthMinUsd: 500 });
  const trader = directory.byHandle(String(ROSTER[0]?.handle));
  const balances = await api.balances?.(String(trader?.userId));
  const held = (balances as { holdings: { token: { symbol: string }; spam?: boolean }[] }).holdings;
  const called = (spam: boolean) =>
    held.filter((each) => (each.spam ?? false) === spam).map(({ token }) => token.symbol);
  expect(called(false).sort()).toEqual(["FROG", "GIFT"]);
  expect(called(true).sort()).toEqual(["MILLION", "UNPRICED", "USD\u0421", "frog"]);
  const swaps = (await api.swaps?.(String(trader?.userId), {})) as {
    rows: { tokenIn: object; tokenOut: object }[];
  };
  expect(swaps.rows).toMatchObject([
    { tokenIn: { address: STABLE, amount: 2, usd: 2 }, tokenOut: { symbol: "FROG", amount: 1 } },
  ]);
  const user = (await api.userById?.(String(trader?.userId))) as {
    holdings: unknown[];
    holdingsCount: number;
  };
  expect([user.holdings.length, user.holdingsCount]).toEqual([2, 2]);
  const board = (await api.board?.("most-held")) as { rows: { token: { symbol: string } }[] };
  const symbols = (rows: readonly { token: { symbol: string } }[]) =>
    rows.map(({ token }) => token.symbol).sort();
  expect(symbols(board.rows)).toEqual(["FROG", "GIFT"]);
  const found = (await api.search?.("frog", 10)) as { tokens: { address: string }[] };
  expect(found.tokens.map((token) => token.address)).toEqual([TOKENS.FROG]);
  expect(await api.token?.(TOKENS.frog, CHAIN)).toMatchObject({ address: TOKENS.frog });

  const userId = String(trader?.userId);
  const after = Date.UTC(2026, 0, 1) + 1_000;
  const shown = async () => {
    const trades = (await api.trades?.(userId, { sort: "recent" })) as WireTradesPage;
    const books = (await api.books?.(userId, after)) as WireBooks;
    const asked = books.rows.flatMap(({ position }) => (position.spam ? [] : [position]));
    const { ranked } = await answering.standings.everybody("all", after);
    const standing = ranked.find((each) => each.trader.userId === userId);
    const person = (await api.userById?.(userId)) as WireUser;
    return {
      trades: symbols(trades.open),
      books: symbols(asked),
      all: symbols(books.rows.map(({ position }) => position)),
      counted: [standing?.positions, person.trades],
    };
  };
  const everything = Object.keys(TOKENS).sort();
  const [own, gift] = ["FROG", "GIFT"];
  expect(await shown()).toEqual({
    trades: [own, gift],
    books: [own, gift],
    all: everything,
    counted: [2, 2],
  });
  // Someone buys a spam token: then it was never spam, even in answers computed before.
  await sink.apply([block(7, TOKENS.MILLION, "swap", one, true)], { name: "reader", value: "7" });
  const three = [own, gift, "MILLION"];
  expect(await shown()).toEqual({ trades: three, books: three, all: everything, counted: [3, 3] });
  // The operator's verdict overrides the rule, in every answer, until it is withdrawn.
  const say = async (token: string, verdict: SaidOfToken["verdict"]) => {
    await database.write((tx) => saveVerdicts(tx, [{ chainId: CHAIN, token, verdict }]));
    await answering.hearVerdicts();
  };
  await say(TOKENS.UNPRICED, "fine");
  const four = [...three, "UNPRICED"];
  expect(await shown()).toEqual({ trades: four, books: four, all: everything, counted: [4, 4] });
  await say(TOKENS.FROG, "spam");
  const without = four.slice(1);
  expect(await shown()).toEqual({ trades: without, books: without, all: everything, counted: [3, 3] });
  const again = await openAnswering({ database, clock, directory, money, log });
  expect(again.verdicts.of(`${CHAIN}:${TOKENS.FROG}`)).toBe("spam");
  for (const token of [TOKENS.FROG, TOKENS.UNPRICED]) await say(token, null);
  expect(await shown()).toEqual({ trades: three, books: three, all: everything, counted: [3, 3] });
  await close();
});

test("a trader with only unsolicited tokens is not ranked", async () => {
  const { database, sink, close } = await openBooks({ file: join(folder, "2.sqlite") }, undefined, named);
  await sink.apply([block(1, TOKENS.UNPRICED, "transfer-in", 10n ** 18n, false)], {
    name: "reader",
    value: "1",
  });
  const [clock, log] = [systemClock(), createLog("silent", () => 0)];
  const directory = createDirectory(database, clock, log);
  await directory.refresh();
  const answering = await openAnswering({ database, clock, directory, money, log });
  const userId = String(directory.byHandle(String(ROSTER[0]?.handle))?.userId);
  expect(answering.live.of(userId).size).toBe(1);
  const { ranked } = await answering.standings.everybody("all");
  expect(ranked.map(({ rank }) => rank)).toEqual(ranked.map(() => null));
  await close();
});

test("a name is compared as a person sees it", () => {
  for (const symbol of [
    "USDC",
    "usdc",
    "$USDC",
    "U S D C",
    "USD\u0421",
    "\uFF35\uFF33\uFF24\uFF23",
    "US\u200bDC",
    "S0L",
    "USDC.e",
    "WETH",
  ])
    expect([symbol, pretends({ symbol, name: "x" })]).toEqual([symbol, true]);
  for (const symbol of ["FROG", "USDOG", "SOLAR", "ETHER", "", "\u{1F438}"])
    expect([symbol, pretends({ symbol, name: "A token" })]).toEqual([symbol, false]);
  expect(pretends({ symbol: "GIFT", name: "Visit t.me/gift" })).toBe(true);
  expect(foldName("\u{1F438}".repeat(10_000))).toBe("");
});
