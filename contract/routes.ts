// Every route of the service, by operation name. There are no others.
import type { AnyRoute } from "./route.ts";
import * as account from "./routes/account.ts";
import * as activity from "./routes/activity.ts";
import * as batch from "./routes/batch.ts";
import * as candles from "./routes/candles.ts";
import * as copy from "./routes/copy.ts";
import * as copyBoard from "./routes/copy-board.ts";
import * as directory from "./routes/directory.ts";
import * as fills from "./routes/fills.ts";
import * as follows from "./routes/follows.ts";
import * as history from "./routes/history.ts";
import * as historyFiles from "./routes/history-files.ts";
import * as leaderboards from "./routes/leaderboards.ts";

import * as meta from "./routes/meta.ts";
import * as pnl from "./routes/pnl.ts";
import * as positionCharts from "./routes/position-charts.ts";
import * as replays from "./routes/replays.ts";
import * as risk from "./routes/risk.ts";
import * as search from "./routes/search.ts";
import * as theses from "./routes/theses.ts";
import * as tokenActivity from "./routes/token-activity.ts";
import * as tokens from "./routes/tokens.ts";
import * as traders from "./routes/traders.ts";
import * as trades from "./routes/trades.ts";
import * as webhooks from "./routes/webhooks.ts";

export const ROUTES = {
  getTrader: traders.getTrader,
  getTraderById: traders.getTraderById,
  listTraders: directory.listTraders,
  listTrades: history.listTrades,
  listPositions: history.listPositions,
  listPositionCharts: positionCharts.listPositionCharts,
  listSwaps: history.listSwaps,
  getBalances: traders.getBalances,
  listFollowing: traders.listFollowing,
  listFollowers: traders.listFollowers,
  getSpotlight: traders.getSpotlight,
  getPnl: pnl.getPnl,
  getPnlProof: pnl.getPnlProof,
  getCopy: copy.getCopy,
  createReplay: replays.createReplay,
  getReplay: replays.getReplay,
  cancelReplay: replays.cancelReplay,
  listReplayOrders: replays.listReplayOrders,
  createFollow: follows.createFollow,
  listFollows: follows.listFollows,
  getFollow: follows.getFollow,
  stopFollow: follows.stopFollow,
  listFollowOrders: follows.listFollowOrders,
  getRisk: risk.getRisk,
  getTrade: trades.getTrade,
  listComments: trades.listComments,
  listFills: fills.listFills,
  getLeaderboard: leaderboards.getLeaderboard,
  getCopyLeaderboard: copyBoard.getCopyLeaderboard,
  getTrendingTokens: leaderboards.getTrendingTokens,
  getMostHeldTokens: leaderboards.getMostHeldTokens,
  getGraduatedTokens: leaderboards.getGraduatedTokens,
  listTheses: theses.listTheses,
  listTokenTheses: theses.listTokenTheses,
  listTraderTheses: theses.listTraderTheses,
  listTraderTokenTheses: theses.listTraderTokenTheses,
  getToken: tokens.getToken,
  listHolders: tokens.listHolders,
  getHolderHistory: tokens.getHolderHistory,
  listDevs: tokens.listDevs,
  getTokenStats: tokens.getTokenStats,
  listCandles: candles.listCandles,
  listTokenActivity: tokenActivity.listTokenActivity,
  listHistory: historyFiles.listHistory,
  getHistoryFile: historyFiles.getHistoryFile,
  search: search.search,
  searchTokens: search.searchTokens,
  listAlerts: activity.listAlerts,
  listNotifications: activity.listNotifications,
  createWebhook: webhooks.createWebhook,
  listWebhooks: webhooks.listWebhooks,
  getWebhook: webhooks.getWebhook,
  updateWebhook: webhooks.updateWebhook,
  deleteWebhook: webhooks.deleteWebhook,
  rotateWebhookSecret: webhooks.rotateWebhookSecret,
  testWebhook: webhooks.testWebhook,
  listWebhookDeliveries: webhooks.listWebhookDeliveries,
  replayWebhook: webhooks.replayWebhook,
  batch: batch.batch,
  getMe: account.getMe,
  getUsage: account.getUsage,
  listKeys: account.listKeys,
  createKey: account.createKey,
  rotateKey: account.rotateKey,
  revokeKey: account.revokeKey,
  createStreamTicket: account.createStreamTicket,
  createPayment: account.createPayment,
  listPayments: account.listPayments,
  getPayment: account.getPayment,
  getInfo: meta.getInfo,
  getHealth: meta.getHealth,
} as const satisfies Record<string, AnyRoute>;

export type RouteId = keyof typeof ROUTES;
export type Routes = typeof ROUTES;

/** The same routes, for uses where their exact types do not matter. */
export const ALL_ROUTES: readonly AnyRoute[] = Object.values(ROUTES);
