// The contract's composites, implemented: each combines the routes that it names into one tool call.
import { DEFAULT_CHAINS, PERPS_ID } from "../../contract/chains.ts";
import type { CompositeId } from "../../contract/composites.ts";
import type {
  BalancesAnswer,
  CandlesAnswer,
  FillsAnswer,
  LeaderboardAnswer,
  PositionsAnswer,
  ThesesAnswer,
  TokenOverview,
} from "../src/generated.ts";
import type { Asking } from "./asking.ts";

type Body = Record<string, unknown>;

interface Inputs {
  findCommonHoldings: { window: string; top: number };
  compareChainVolumes: { window: string };
  getWinRate: { handle: string };
  findFirstBuyers: { address: string; networkId?: number; limit: number };
  listThesesWithPrices: { handle?: string; limit: number };
}

type Answers = { [Id in CompositeId]: (input: Inputs[Id], asking: Asking) => Promise<Body> };

const change = (then: number | null, now: number | null) =>
  then === null || now === null || then <= 0 ? null : (now / then - 1) * 100;

/** Rows of a leaderboard at most. */
const BOARD_ROWS_MAX = 150;
const POSITIONS_A_PAGE = 500;
const POSITION_PAGES_MAX = 4;
const FILL_PAGES_MAX = 10;

export const ANSWERS: Answers = {
  async findCommonHoldings({ window, top }, { need, ask, each }) {
    const board = await need<LeaderboardAnswer>("getLeaderboard", { window, limit: top });
    const handles = board.traders.map(({ handle }) => handle);
    const held = await each(handles, (handle) => ask<BalancesAnswer>("getBalances", { handle }));
    const tokens = new Map<string, CommonToken>();
    for (const balances of held)
      for (const { token, chain, chainId, valueUsd } of balances?.holdings ?? []) {
        const key = `${chainId} ${token.address.toLowerCase()}`;
        const { symbol, address } = token;
        const row = tokens.get(key) ?? {
          symbol,
          address,
          chain,
          chainId,
          holders: 0,
          valueUsd: 0,
          heldBy: [],
        };
        row.holders += 1;
        row.valueUsd += valueUsd ?? 0;
        row.heldBy.push({ handle: String(balances?.handle) });
        tokens.set(key, row);
      }
    const common = [...tokens.values()].filter(({ holders }) => holders > 1);
    common.sort((a, b) => b.holders - a.holders || b.valueUsd - a.valueUsd);
    const read = held.filter((each) => each !== null).length;
    const complete = held.every((balances) => balances?.complete === true);
    return { window, asOf: board.asOf, traders: read, count: common.length, complete, tokens: common };
  },

  async compareChainVolumes({ window }, { ask, each }) {
    const names = DEFAULT_CHAINS.list.filter(({ id }) => id !== PERPS_ID).map(({ name }) => name);
    const boards = await each(names, async (chain) => ({
      chain,
      board: await ask<LeaderboardAnswer>("getLeaderboard", {
        window,
        chain,
        sort: "volume",
        limit: BOARD_ROWS_MAX,
      }),
    }));
    const chains = boards.flatMap(({ chain, board }) => {
      if (!board) return [];
      const volumeUsd = board.traders.reduce((sum, row) => sum + row.volumeUsd, 0);
      const trades = board.traders.reduce((sum, row) => sum + row.trades, 0);
      const isWhole = board.count < BOARD_ROWS_MAX;
      return [{ chain: board.chain ?? chain, volumeUsd, trades, traders: board.count, complete: isWhole }];
    });
    const totalUsd = chains.reduce((sum, { volumeUsd }) => sum + volumeUsd, 0);
    chains.sort((a, b) => b.volumeUsd - a.volumeUsd);
    const rows = chains.map((row) => ({ ...row, share: totalUsd > 0 ? row.volumeUsd / totalUsd : null }));
    const complete = rows.length === names.length && rows.every((row) => row.complete);
    return { window, asOf: boards[0]?.board?.asOf ?? null, totalUsd, complete, chains: rows };
  },

  async getWinRate({ handle }, { need, ask }) {
    const input = { handle, status: "closed", sort: "recent", limit: POSITIONS_A_PAGE };
    const first = await need<PositionsAnswer>("listPositions", input);
    const pages = [first];
    for (let cursor = first.nextCursor; cursor !== null && pages.length < POSITION_PAGES_MAX; ) {
      const page: PositionsAnswer | null = await ask<PositionsAnswer>("listPositions", { ...input, cursor });
      if (!page) break;
      pages.push(page);
      cursor = page.nextCursor;
    }
    const positions = pages.flatMap((page) => page.positions);
    const known = positions
      .filter((row) => row.pnlUsd !== null)
      .sort((a, b) => Number(b.pnlUsd) - Number(a.pnlUsd));
    const gains = known.map((row) => Number(row.pnlUsd));
    const [won, lost] = [gains.filter((usd) => usd > 0), gains.filter((usd) => usd < 0)];
    const average = (some: number[]) =>
      some.length === 0 ? null : some.reduce((sum, usd) => sum + usd, 0) / some.length;
    const shown = (row: PositionsAnswer["positions"][number] | undefined) =>
      row ? { tradeId: row.tradeId, symbol: row.token.symbol, chain: row.chain, pnlUsd: row.pnlUsd } : null;
    const last = pages.at(-1);
    return {
      handle,
      asOf: first.asOf,
      closed: positions.length,
      unknown: positions.length - known.length,
      won: won.length,
      lost: lost.length,
      winRate: known.length === 0 ? null : won.length / known.length,
      averageWinUsd: average(won),
      averageLossUsd: average(lost),
      best: shown(known[0]),
      worst: shown(known.at(-1)),
      complete: last?.nextCursor === null && last.complete,
      ...(first.note === null ? {} : { note: first.note }),
    };
  },

  async findFirstBuyers({ address, networkId, limit }, { need, ask }) {
    const overview = await ask<TokenOverview>("getToken", { address, networkId });
    const token = overview?.token.address ?? address;
    const asked = { token, chain: networkId ?? overview?.chainId, side: "buy", order: "asc", limit: 100 };
    const buyers = new Map<string, Body>();
    const priceUsd = overview?.quote.priceUsd ?? null;
    let page = await need<FillsAnswer>("listFills", asked);
    const { coveredFrom } = page;
    for (let pages = 1; ; pages++) {
      for (const { userId, handle, at, tokenOut, priceUsd: paid, txHash, chain } of page.fills)
        if (!buyers.has(userId) && buyers.size < limit)
          buyers.set(userId, {
            place: buyers.size + 1,
            handle,
            userId,
            at,
            usd: tokenOut.usd,
            priceUsd: paid,
            changePct: change(paid, priceUsd),
            chain,
            txHash,
          });
      const cursor = page.nextCursor;
      const next: FillsAnswer | null =
        cursor === null || buyers.size >= limit || pages >= FILL_PAGES_MAX
          ? null
          : await ask<FillsAnswer>("listFills", { ...asked, cursor });
      if (!next) break;
      page = next;
    }
    const isWhole = buyers.size >= limit || page.nextCursor === null;
    return {
      symbol: overview?.token.symbol ?? null,
      address: token,
      priceUsd,
      asOf: overview?.quote.asOf ?? null,
      coveredFrom,
      count: buyers.size,
      complete: isWhole && overview !== null,
      buyers: [...buyers.values()],
    };
  },

  async listThesesWithPrices({ handle, limit }, { need, ask, each }) {
    const { theses } = await (handle === undefined
      ? need<ThesesAnswer>("listTheses", { limit })
      : need<ThesesAnswer>("listTraderTheses", { id: handle, limit, sort: "recent" }));
    const tokens = new Map(
      theses.map(({ token, networkId }) => [`${networkId} ${token.address}`, { token, networkId }]),
    );
    const quotes = new Map(
      await each([...tokens], async ([key, { token, networkId }]) => {
        const overview = await ask<TokenOverview>("getToken", { address: token.address, networkId });
        return [key, overview?.quote ?? null] as const;
      }),
    );
    // The first call shows whether the plan has candles at all.
    let hasCandles = true;
    const firstCandle = async ({ token, networkId, ts }: ThesesAnswer["theses"][number]) => {
      if (!hasCandles) return null;
      const input = { address: token.address, networkId, interval: "1m", from: ts, limit: 1 };
      const answer = await ask<CandlesAnswer>("listCandles", input);
      if (!answer) hasCandles = false;
      return answer?.candles[0] ?? null;
    };
    const [first, ...rest] = theses;
    const candles = first ? [await firstCandle(first), ...(await each(rest, firstCandle))] : [];
    const rows = theses.map((thesis, index) => {
      const quote = quotes.get(`${thesis.networkId} ${thesis.token.address}`) ?? null;
      const then = candles[index] ?? null;
      return {
        handle: thesis.handle,
        text: thesis.text,
        symbol: thesis.token.symbol,
        address: thesis.token.address,
        chain: thesis.chain,
        ts: thesis.ts,
        tradeId: thesis.tradeId,
        priceThenUsd: then?.o ?? null,
        priceThenAt: then?.t ?? null,
        priceUsd: quote?.priceUsd ?? null,
        asOf: quote?.asOf ?? null,
        changePct: change(then?.o ?? null, quote?.priceUsd ?? null),
      };
    });
    const note = hasCandles
      ? {}
      : { note: "Prices of the past need candles, which are part of Growth and Scale." };
    return { count: rows.length, complete: hasCandles, theses: rows, ...note };
  },
};

interface CommonToken {
  symbol: string;
  address: string;
  chain: string;
  chainId: number;
  holders: number;
  valueUsd: number;
  heldBy: { handle: string }[];
}
