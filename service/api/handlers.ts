// The table of contents: every route of the contract and the function that answers it. A missing one is a compile error.
import type { Handlers } from "./answer.ts";
import { createFollow } from "./copy/follow.ts";
import { createTapeReader } from "./copy/tape.ts";
import { createProfits } from "./profit/profits.ts";
import { accountRoutes } from "./routes/account.ts";
import { activityRoutes } from "./routes/activity.ts";
import { batchRoutes } from "./routes/batch.ts";
import { candleRoutes } from "./routes/candles.ts";
import { copyRoutes } from "./routes/copy.ts";
import { copyBoardRoutes } from "./routes/copy-board.ts";
import { directoryRoutes } from "./routes/directory.ts";
import { fillRoutes } from "./routes/fills.ts";
import { followRoutes } from "./routes/follows.ts";
import { historyRoutes } from "./routes/history.ts";
import { historyFileRoutes } from "./routes/history-files.ts";
import { leaderboardRoutes } from "./routes/leaderboards.ts";
import { metaRoutes } from "./routes/meta.ts";
import { pnlRoutes } from "./routes/pnl.ts";
import { positionChartRoutes } from "./routes/position-charts.ts";
import { replayRoutes } from "./routes/replays.ts";
import { riskRoutes } from "./routes/risk.ts";
import { searchRoutes } from "./routes/search.ts";
import { thesisRoutes } from "./routes/theses.ts";
import { tokenActivityRoutes } from "./routes/token-activity.ts";
import { tokenRoutes } from "./routes/tokens.ts";
import { traderRoutes } from "./routes/traders.ts";
import { tradeRoutes } from "./routes/trades.ts";
import { webhookRoutes } from "./routes/webhooks.ts";
import type { Services } from "./services.ts";
import { answeringUnsupported, throwingUnsupported } from "./supported.ts";
import { createIdentify } from "./traders.ts";

export function createHandlers(given: Omit<Services, "profits" | "follow">): Handlers {
  const { store, clock, log, tapeBytesMax } = given;
  const upstream = throwingUnsupported(given.upstream);
  const profits = createProfits({ upstream, store, clock });
  const tape = createTapeReader({ upstream, store, log, bytesMax: tapeBytesMax });
  const services = { ...given, upstream, profits, follow: createFollow(profits, tape) };
  const identify = createIdentify(services);
  const handlers: Handlers = {
    ...metaRoutes(services),
    ...traderRoutes(services, identify),
    ...directoryRoutes(services),
    ...fillRoutes(services, identify),
    ...historyRoutes(services, identify),
    ...positionChartRoutes(services, identify),
    ...historyFileRoutes(services),
    ...pnlRoutes(services, identify),
    ...copyRoutes(services, identify),
    ...copyBoardRoutes(services),
    ...replayRoutes(services, identify),
    ...followRoutes(services, identify),
    ...riskRoutes(services, identify),
    ...tradeRoutes(services),
    ...leaderboardRoutes(services),
    ...thesisRoutes(services, identify),
    ...tokenRoutes(services),
    ...candleRoutes(services),
    ...tokenActivityRoutes(services),
    ...searchRoutes(services),
    ...activityRoutes(services),
    ...webhookRoutes(services),
    ...batchRoutes(services),
    ...accountRoutes(services),
  };
  return answeringUnsupported(handlers, services, identify);
}
