// A trader: one person on the upstream platform. `userId` survives a rename; the handle does not.
export {
  type Balances,
  type LeaderboardRow,
  type Person,
  PNL_WINDOWS,
  type PnlWindow,
  type RankedTrader,
  type Ranking,
  type Trader,
} from "../../protocol/shapes/trader.ts";
