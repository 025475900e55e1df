// The commands that make one call: a trader, a board, a leaderboard, theses, a token, a search.
import type {
  BoardAnswer,
  BoardRow,
  CopyBoardRow,
  Holder,
  LeaderboardRow,
  SearchAnswer,
  Thesis,
} from "../src/generated.ts";
import { type Reading, reading } from "./reading.ts";
import { Refused } from "./refused.ts";
import { type Column, facts, gains, table } from "./table.ts";
import * as unit from "./units.ts";
import { wholeNumber } from "./verb.ts";

const limitOption = { limit: { type: "string" } } as const;
const limitHelp = "  --limit N          how many rows at most";
const limitOf = ({ values }: { values: { readonly limit?: string } }) => {
  const limit = wholeNumber("--limit", values.limit);
  return limit === undefined ? {} : { limit };
};

export const trader = reading({
  usage: "trader @HANDLE",
  summary: "A trader: wallets, profit per window, holdings. 2,500 credits.",
  words: [1, 1],
  async run(run) {
    const found = await run.client.getTrader({ handle: String(run.words[0]) });
    await run.show(found, () => {
      const { pnl, wallets } = found;
      const figures = facts(
        [
          ["trader", `${found.displayName} (@${found.handle})${found.verified ? ", verified" : ""}`],
          ["userId", found.userId],
          ["about", unit.text(found.description)],
          ["wallets", `solana ${unit.text(wallets.solana)}, evm ${unit.text(wallets.evm)}`],
          [
            "profit (USD)",
            Object.entries(pnl)
              .map(([window, value]) => `${window} ${unit.usd(value)}`)
              .join(", "),
          ],
          ["volume (USD)", unit.usd(found.volumeUsd)],
          ["trades", `${unit.count(found.trades)} positions, ${unit.count(found.swapCount)} fills`],
          ["followers", `${unit.count(found.followers)}, follows ${unit.count(found.following)}`],
          ["account age", `${unit.count(found.accountAgeDays)} days`],
        ],
        run.paint,
      );
      const holdings = table(
        found.holdings,
        [
          { head: "token", value: ({ token }) => token.symbol },
          { head: "chain", value: ({ chain }) => chain },
          { head: "amount", align: "right", value: ({ amount }) => unit.amount(amount) },
          { head: "price (USD)", align: "right", value: ({ priceUsd }) => unit.price(priceUsd) },
          { head: "value (USD)", align: "right", value: ({ valueUsd }) => unit.usd(valueUsd) },
          gains("24h", ({ change24h }) => change24h, unit.percent),
        ],
        run.paint,
      );
      return `${figures}\n\n${holdings}`;
    });
  },
});

const leaderboardColumns: Column<LeaderboardRow>[] = [
  { head: "#", align: "right", value: ({ rank }) => unit.count(rank) },
  { head: "trader", value: ({ handle }) => `@${handle}` },
  { head: "name", max: 24, value: ({ displayName }) => displayName },
  gains("profit (USD)", ({ pnlUsd }) => pnlUsd),
  { head: "volume (USD)", align: "right", value: ({ volumeUsd }) => unit.usd(volumeUsd) },
  { head: "trades", align: "right", value: ({ trades }) => unit.count(trades) },
  { head: "followers", align: "right", value: ({ followers }) => unit.count(followers) },
];

const copyColumns: Column<CopyBoardRow>[] = [
  { head: "#", align: "right", value: ({ rank }) => unit.count(rank) },
  { head: "trader", value: ({ handle }) => `@${handle}` },
  gains("at least (USD)", ({ low90Usd }) => low90Usd),
  { head: "at most (USD)", align: "right", value: ({ high90Usd }) => unit.usd(high90Usd) },
  { head: "left (USD)", align: "right", value: ({ pnlUsd }) => unit.usd(pnlUsd) },
  { head: "return", align: "right", value: ({ roi }) => unit.share(roi) },
  { head: "round trips", align: "right", value: ({ roundTrips }) => unit.count(roundTrips) },
  { head: "covered", align: "right", value: ({ covered }) => unit.share(covered) },
  { head: "verdict", value: ({ verdict }) => verdict },
  { head: "as of (UTC)", value: ({ asOf }) => unit.time(asOf) },
];

export const leaderboard = reading({
  usage: "leaderboard 24h|7d|30d|all [--copy] [--limit N]",
  summary:
    "Traders ranked by profit, or by what following them left. 250 credits; ranking by profit is free without a key.",
  details: `  --copy             by what a follower was left with at least ($100 a buy, 5 s behind, mirror)\n${limitHelp}`,
  options: { ...limitOption, copy: { type: "boolean" } },
  words: [0, 1],
  async run(run) {
    if (run.values.copy) {
      const copied = await run.client.getCopyLeaderboard({
        window: (run.words[0] ?? "30d") as "30d",
        ...limitOf(run),
      });
      await run.show(copied, () => table(copied.traders, copyColumns, run.paint));
      if (copied.note) run.remark(copied.note);
      return;
    }
    const window = (run.words[0] ?? "24h") as "24h";
    const board = await run.client.getLeaderboard({ window, ...limitOf(run) });
    await run.show(board, () => table(board.traders, leaderboardColumns, run.paint));
  },
});

const boardColumns: Column<BoardRow>[] = [
  { head: "#", align: "right", value: ({ rank }) => unit.count(rank) },
  { head: "token", value: ({ token }) => token.symbol },
  { head: "name", max: 24, value: ({ token }) => token.name },
  { head: "chain", value: ({ chain }) => chain },
  { head: "price (USD)", align: "right", value: ({ priceUsd }) => unit.price(priceUsd) },
  gains("24h", ({ change24h }) => change24h, unit.percent),
  { head: "market cap (USD)", align: "right", value: ({ marketCapUsd }) => unit.count(marketCapUsd) },
  { head: "volume 24h (USD)", align: "right", value: ({ volume24hUsd }) => unit.count(volume24hUsd) },
  { head: "holders", align: "right", value: ({ holders }) => unit.count(holders) },
  { head: "address", max: 44, value: ({ token }) => token.address },
];

export const board = reading({
  usage: "board trending|most-held|graduated [--limit N]",
  summary: "A board of tokens. 250 credits.",
  details: limitHelp,
  options: limitOption,
  words: [1, 1],
  async run(run) {
    const { client } = run;
    const boards: Record<string, (input: { limit?: number }) => Promise<BoardAnswer>> = {
      trending: client.getTrendingTokens,
      "most-held": client.getMostHeldTokens,
      graduated: client.getGraduatedTokens,
    };
    const read = boards[String(run.words[0])];
    if (!read) throw new Refused(`Say which board: ${Object.keys(boards).join(", ")}.`);
    const answer = await read(limitOf(run));
    await run.show(answer, () => table(answer.tokens, boardColumns, run.paint));
    if (answer.stale)
      run.remark(`This board is ${answer.ageHours.toFixed(1)} hours old: the platform does not answer.`);
  },
});

const thesisColumns: Column<Thesis>[] = [
  { head: "when (UTC)", value: ({ ts }) => unit.time(ts) },
  { head: "trader", value: ({ handle }) => `@${handle}` },
  { head: "token", value: ({ token }) => token.symbol },
  { head: "size (USD)", align: "right", value: ({ tradeUsd }) => unit.usd(tradeUsd) },
  { head: "likes", align: "right", value: ({ likes }) => unit.count(likes) },
  { head: "thesis", max: 80, value: ({ text }) => text },
];

export const theses = reading({
  usage: "theses [--trader @HANDLE] [--token ADDRESS] [--chain NAME] [--limit N]",
  summary: "Written reasons for positions, newest first. 1,250 credits a page.",
  details: `  --trader @HANDLE   only by this trader\n  --token ADDRESS    only about this token\n  --chain NAME       only on this chain\n${limitHelp}`,
  options: {
    ...limitOption,
    trader: { type: "string" },
    token: { type: "string" },
    chain: { type: "string" },
  },
  async run(run) {
    const { client, values } = run;
    const { trader: id, token: address, chain } = values;
    const limit = limitOf(run);
    const onChain = chain === undefined ? {} : { chain };
    if (address !== undefined && chain !== undefined)
      throw new Refused("A token is on one chain: leave --chain out.");
    const answer =
      id !== undefined && address !== undefined
        ? await client.listTraderTokenTheses({ id, address, ...limit })
        : id !== undefined
          ? await client.listTraderTheses({ id, ...limit, ...onChain })
          : address !== undefined
            ? await client.listTokenTheses({ mint: address, ...limit })
            : await client.listTheses({ ...limit, ...onChain });
    await run.show(answer, () => table(answer.theses, thesisColumns, run.paint));
  },
});

const ADDRESS = /^([1-9A-HJ-NP-Za-km-z]{32,44}|0x[0-9a-fA-F]{40})$/;

const holderColumns: Column<Holder>[] = [
  { head: "holder", value: ({ handle }) => `@${handle}` },
  { head: "amount", align: "right", value: ({ amount }) => unit.amount(amount) },
  { head: "value (USD)", align: "right", value: ({ valueUsd }) => unit.usd(valueUsd) },
];

export const token = reading({
  usage: "token ADDRESS|SYMBOL [--network-id N] [--limit N]",
  summary: "A token's buys, sells and holders. 500 credits, 250 more to look a symbol up.",
  details: `  --network-id N     the chain's number, for a token outside the directory\n${limitHelp}`,
  options: { ...limitOption, "network-id": { type: "string" } },
  words: [1, 1],
  async run(run) {
    const { client, values } = run;
    const asked = String(run.words[0]);
    const address = ADDRESS.test(asked) ? asked : await addressOf(run, asked);
    const networkId = wholeNumber("--network-id", values["network-id"]);
    const stats = await client.getTokenStats({ address, ...(networkId === undefined ? {} : { networkId }) });
    const holders = await client.listHolders({ address, ...limitOf(run) });
    await run.show({ stats, holders }, () => {
      const about = facts(
        [
          ["token", `${stats.token.symbol}, ${stats.token.name}`],
          ["address", stats.token.address],
          ["chain", `${stats.chain} (${stats.chainId})`],
          ["holders", unit.count(stats.holders)],
          [
            "top 10 hold",
            stats.top10HoldersPercent === null ? "–" : `${stats.top10HoldersPercent.toFixed(1)}%`,
          ],
        ],
        run.paint,
      );
      const flow = table(
        Object.entries(stats.windows),
        [
          { head: "window", value: ([window]) => window },
          { head: "buys", align: "right", value: ([, each]) => unit.count(each.buys) },
          { head: "sells", align: "right", value: ([, each]) => unit.count(each.sells) },
          { head: "bought (USD)", align: "right", value: ([, each]) => unit.usd(each.buyVolumeUsd) },
          { head: "sold (USD)", align: "right", value: ([, each]) => unit.usd(each.sellVolumeUsd) },
          gains("net (USD)", ([, each]) => each.netVolumeUsd),
        ],
        run.paint,
      );
      return [about, flow, table(holders.holders, holderColumns, run.paint)].join("\n\n");
    });
  },
});

async function addressOf(
  { client, remark }: Pick<Reading, "client" | "remark">,
  symbol: string,
): Promise<string> {
  const { tokens } = await client.searchTokens({ q: symbol.replace(/^\$/, ""), limit: 5 });
  const [first] = tokens;
  if (!first) throw new Refused("No token of that name was found. Give its address.");
  if (tokens.length > 1)
    remark(`${tokens.length} tokens match; this is the first. Give an address for another.`);
  return first.address;
}

type FoundRow = SearchAnswer["results"][number];

const fullName = (row: FoundRow) =>
  row.type === "trader" ? row.displayName : row.type === "token" ? row.name : `${row.side} ${row.symbol}`;
const sizeOf = (row: FoundRow) =>
  row.type === "trader" ? row.followers : row.type === "token" ? row.marketCapUsd : row.usd;
const idOf = (row: FoundRow) =>
  row.type === "trader" ? row.userId : row.type === "token" ? row.address : row.tradeId;

export const search = reading({
  usage: "search TEXT [--type all|traders|tokens] [--limit N]",
  summary: "Traders, tokens and trades by a name, a wallet or a transaction. 250 credits.",
  details: `  --type TYPE        only traders, or only tokens\n${limitHelp}`,
  options: { ...limitOption, type: { type: "string" } },
  words: [1, 8],
  async run(run) {
    const type = run.values.type as "all" | undefined;
    const q = run.words.join(" ");
    const answer = await run.client.search({ q, ...(type === undefined ? {} : { type }), ...limitOf(run) });
    await run.show(answer, () =>
      table(
        answer.results,
        [
          { head: "type", value: ({ type }) => type },
          {
            head: "name",
            value: (row) => (row.type === "token" ? row.symbol : `@${row.handle ?? row.userId}`),
          },
          { head: "full name", value: fullName },
          {
            head: "followers / market cap / size (USD)",
            align: "right",
            value: (row) => unit.count(sizeOf(row)),
          },
          { head: "id", max: 44, value: idOf },
        ],
        run.paint,
      ),
    );
  },
});
