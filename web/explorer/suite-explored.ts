// Shared by the explorer's browser tests: one service, one browser, and example subjects of its world.
import type { Browser } from "playwright-core";
import { makeVapidKeys } from "../../kit/vapid-keys.ts";
import { launchBrowser } from "../../test/support/browser.ts";
import { eventually } from "../../test/support/eventually.ts";
import { type LiveService, startLiveService } from "../../test/support/live-service.ts";
import type { SitePlaces } from "../../test/support/site-pages.ts";

export interface Explored extends SitePlaces {
  /** Loads no pictures: most journeys are about something else. */
  browser: Browser;
  pictured: Browser;
  live: LiveService;
  leader: { handle: string; displayName: string };
  token: { address: string; symbol: string; networkId: number };
  /** A key without limits of its own, which may do everything in the console. */
  secret: string;
  close(): Promise<void>;
}

const TRADERS = 60;
const { publicKey: VAPID_PUBLIC_KEY, privateKey: VAPID_PRIVATE_KEY } = makeVapidKeys();

export async function explore(): Promise<Explored> {
  const live = await startLiveService({
    traders: TRADERS,
    historyDays: 2,
    eventsPerSecond: 4,
    trustsProxy: true,
    settings: {
      VAPID_PUBLIC_KEY,
      VAPID_PRIVATE_KEY,
      VAPID_SUBJECT: "mailto:ops@example.com",
      BOT_TELEGRAM_NAME: "tape_bot",
      BOT_DISCORD_APPLICATION: "1234567",
    },
  });
  const clock = () => live.clock;
  const [browser, pictured] = await Promise.all([
    launchBrowser({ pictures: false, clock }),
    launchBrowser({ clock }),
  ]);
  // Pages need traders and their positions; the rest of the history is read while the tests run.
  await eventually(
    async () => (await live.service.store.captures.coverage()).traders >= TRADERS,
    "every trader was captured",
  );
  await live.searchable();
  const { accountId } = await live.makeKey({ plan: "growth" });
  const { secret } = await live.service.access.keys.create({ accountId, name: null });
  const board = await live.get("getLeaderboard", "/v2/leaderboard/7d?limit=1", { key: { secret } });
  const trending = await live.get("getTrendingTokens", "/v2/leaderboard/tokens/trending?limit=1");
  const payment = await live.get("createPayment", "/pay/create", {
    method: "POST",
    key: { secret },
    body: { plan: "credits", amount: 5 },
  });
  const [leader] = board.body.traders;
  const [trend] = trending.body.tokens;
  const positions = await live.get("listPositions", `/v2/users/${leader?.handle}/positions?limit=1`, {
    key: { secret },
  });
  const [position] = positions.body.positions;
  if (!leader || !trend || !position) throw new Error("The world has no trader, no trade or no token.");
  return {
    browser,
    pictured,
    live,
    leader,
    tradeId: position.tradeId,
    token: trend.token,
    secret,
    paymentPath: new URL(payment.body.pageUrl).pathname + new URL(payment.body.pageUrl).search,
    close: async () => {
      await browser.close();
      await pictured.close();
      await live.stop();
    },
  };
}
