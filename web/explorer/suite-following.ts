// Following without an account, as a visitor does it: a star, a feed, marks in lists, a file for another browser; and the
// tokens that traders are piling into now.
import { expect, test } from "bun:test";
import type { WebSocketRoute } from "playwright-core";
import { raw } from "../../database/sql.ts";
import { watchedPage } from "../../test/support/browser.ts";
import { eventually } from "../../test/support/eventually.ts";
import type { Explored } from "./suite-explored.ts";

const JOURNEY_MS_MAX = 900_000;

/** A headless browser shows no notifications: they are recorded instead. */
const NOTED_NOTIFICATIONS = `window.Notification = class {
  static permission = "granted";
  static requestPermission = async () => "granted";
  constructor(title, { body }) { (window.noted ??= []).push([title, body]); }
}; Object.defineProperty(navigator, "serviceWorker", { value: undefined });`;

/** A browser without its vendor's push service: a stub that issues a subscription with its own keys. */
const NEAR_PUSH_SERVICE = `{
  Object.defineProperty(Notification, "permission", { value: "granted" });
  Notification.requestPermission = async () => "granted";
  let held = null;
  PushManager.prototype.getSubscription = async () => held;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    const curve = { name: "ECDH", namedCurve: "P-256" };
    const pair = await crypto.subtle.generateKey(curve, true, ["deriveBits"]);
    const key = await crypto.subtle.exportKey("raw", pair.publicKey);
    const text = applicationServerKey.replaceAll("-", "+").replaceAll("_", "/");
    const options = { applicationServerKey: Uint8Array.from(atob(text), (each) => each.charCodeAt(0)).buffer };
    const getKey = (name) => (name === "auth" ? new Uint8Array(16).buffer : key);
    const unsubscribe = async () => { held = null; return true; };
    return (held = { endpoint: "https://push.example.com/one", options, getKey, unsubscribe });
  };
}`;
/** The same in the worker, and also for opening a window, which only a real tap may do. */
const NOTED_BY_WORKER = `registration.showNotification = async (title, { body, data }) => {
  self.shown = [title, body, data.href];
};
clients.openWindow = async (href) => { self.opened = href; };
0`;
const TAPPED = `dispatchEvent(Object.assign(new ExtendableEvent("notificationclick"), {
  notification: { close() {}, data: { href: self.shown[2] } },
}))`;

const WELCOME = {
  type: "welcome",
  stream: "alerts",
  realtime: true,
  delaySeconds: 0,
  heartbeatSeconds: 20,
  plan: "keyless",
  filter: {},
  seq: 1,
  epoch: "test",
  oldestSeq: 1,
  note: null,
};
let sent = 10_000_000;
const boughtBy = (trader: string) => ({
  type: "alert",
  id: `alrt_${++sent}`,
  seq: sent,
  eventId: null,
  alertType: "buy",
  source: "feed",
  trader,
  displayName: "T",
  userId: null,
  tradeId: null,
  token: "BONK",
  tokenAddress: null,
  chainId: null,
  chain: null,
  text: null,
  ts: 4_000_000_000_000 + sent,
  fillUsd: 250,
  priceUsd: 0.1,
});

export function testFollowing(explored: Explored): void {
  test(
    "one follows a trader and a token, sees what they do and their marks, and takes the list elsewhere",
    async () => {
      const { browser, live, leader, token } = explored;
      const here = await watchedPage(browser, live.url);
      const { page } = here;
      await page.goto(`${live.url}/following`);
      await page.getByText("You follow no one yet.").waitFor();
      await page.goto(`${live.url}/traders/${leader.handle}`);
      await page.getByRole("button", { name: "☆ Follow" }).click();
      await page.getByRole("button", { name: "★ Following" }).waitFor();
      await page.goto(`${live.url}/tokens/${token.address}?networkId=${token.networkId}`);
      await page.getByRole("button", { name: "☆ Follow" }).click();
      await page.goto(`${live.url}/leaderboard/7d`);
      await page.locator(`a[href="/traders/${leader.handle}"] .star`).first().waitFor();
      await page.goto(`${live.url}/following`);
      const feed = page.locator("section.card", { hasText: "Traders you follow" });
      await feed.locator(".tape-row").first().waitFor();
      const names = await feed.locator(".tape-who a").allTextContents();
      expect([...new Set(names)]).toEqual([leader.handle]);
      // The same picture of the same trader, in the list and in the feed.
      const faces = [page.locator(".watched img.face"), feed.locator(".tape-who img.face")];
      const [listed, passing] = await Promise.all(faces.map((face) => face.first().getAttribute("src")));
      expect(listed).toBe(String(passing));
      await page.getByRole("button", { name: "Tokens", exact: true }).click();
      await page.getByRole("heading", { name: "Tokens you follow" }).waitFor();
      const saving = page.waitForEvent("download");
      await page.getByRole("button", { name: "Export" }).click();
      const file = await (await saving).path();

      const elsewhere = await watchedPage(browser, live.url);
      await elsewhere.page.addInitScript(NOTED_NOTIFICATIONS);
      const sockets: WebSocketRoute[] = [];
      await elsewhere.page.routeWebSocket(/\/ws\/alerts/, (socket) => {
        socket.send(JSON.stringify(WELCOME));
        sockets.push(socket);
      });
      await elsewhere.page.goto(`${live.url}/following`);
      await elsewhere.page.getByText("You follow no one yet.").waitFor();
      await elsewhere.page.locator("input[type=file]").setInputFiles(file);
      await elsewhere.page.getByText("2 read.").waitFor();
      await elsewhere.page.locator(".watched a", { hasText: leader.handle }).waitFor();
      // Notified of the trader's trades, over the one socket that the list next to it uses as well.
      await elsewhere.page.getByLabel("of every trade").check();
      await eventually(async () => {
        for (const socket of sockets) socket.send(JSON.stringify(boughtBy(leader.handle)));
        return (await elsewhere.page.evaluate("window.noted?.length ?? 0")) !== 0;
      }, "a notification is shown");
      expect(await elsewhere.page.evaluate("window.noted[0]")).toEqual([
        `@${leader.handle} bought BONK`,
        "$250",
      ]);
      expect(sockets.length).toBe(1);
      await elsewhere.page.getByRole("button", { name: `★ Following ${leader.handle}` }).click();
      await elsewhere.page.locator(".watched a", { hasText: leader.handle }).waitFor({ state: "detached" });
      expect([...here.errors, ...elsewhere.errors]).toEqual([]);
      // And two clicks to a chat: this one, and the one that starts the chat there.
      await page.getByRole("button", { name: "Discord" }).click();
      await page.getByText("/follow what: list_").waitFor();
      let opened = "";
      await page.route("https://t.me/**", (route) => {
        opened = route.request().url();
        return route.abort();
      });
      await page.getByRole("button", { name: "Telegram" }).click();
      await eventually(() => opened !== "", "Telegram is opened");
      const [, code] = /^https:\/\/t\.me\/tape_bot\?start=list_(\w+)$/.exec(opened) ?? [];
      expect(await (await fetch(`${live.url}/lists/${code}`)).json()).toMatchObject({
        traders: [{ handle: leader.handle }],
        tokens: [{ address: token.address, networkId: token.networkId, symbol: token.symbol }],
      });
      expect((await fetch(`${live.url}/lists/${"0".repeat(22)}`)).status).toBe(404);
      await here.close();
      await elsewhere.close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "the server reaches a browser without a page, a tap opens what it is about, and without a connection a page says so",
    async () => {
      const { browser, live, leader } = explored;
      const { page, errors, close } = await watchedPage(browser, live.url, {
        permissions: ["notifications"],
      });
      const context = page.context();
      await page.addInitScript(NEAR_PUSH_SERVICE);
      await page.goto(`${live.url}/traders/${leader.handle}`);
      await page.getByRole("button", { name: "☆ Follow" }).click();
      await page.goto(`${live.url}/following`);
      await page.getByLabel("of every trade and thesis of traders I follow").check();
      const kept = page.waitForResponse((answer) => answer.url().endsWith("/page-data/push"));
      await page.getByLabel("also while no page of this site is open").check();
      expect((await kept).status()).toBe(200);
      await page.getByText("By this browser's push service.").waitFor();
      const { database } = live.service.store;
      const [row] = await database.read.all<{ endpoint: string; wish: string }>(
        raw("SELECT endpoint, wish FROM push_subscription WHERE ended_at IS NULL"),
      );
      expect(row?.endpoint).toBe("https://push.example.com/one");
      expect(JSON.parse(String(row?.wish)).traders).toHaveLength(1);

      const devtools = await context.newCDPSession(page);
      let registrationId = "";
      devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        registrationId = registrations[0]?.registrationId ?? registrationId;
      });
      await devtools.send("ServiceWorker.enable");
      await eventually(() => registrationId !== "", "the worker is known");
      const { type: _, ...alert } = boughtBy(leader.handle);
      const data = JSON.stringify({ kind: "alert", alert });
      const [worker] = context.serviceWorkers();
      if (!worker) throw new Error("No worker runs.");
      await worker.evaluate(NOTED_BY_WORKER);
      await devtools.send("ServiceWorker.deliverPushMessage", { origin: live.url, registrationId, data });
      await eventually(
        async () => (await worker.evaluate("!!self.shown")) === true,
        "a notification is shown",
      );
      expect(await worker.evaluate("self.shown")).toEqual([
        `@${leader.handle} bought BONK`,
        "$250",
        `/traders/${leader.handle}`,
      ]);
      await worker.evaluate(TAPPED);
      expect(await worker.evaluate("self.opened")).toBe(`/traders/${leader.handle}`);

      const ended = page.waitForResponse((answer) => answer.request().method() === "DELETE");
      await page.getByLabel("also while no page of this site is open").uncheck();
      expect((await ended).status()).toBe(200);
      expect(errors).toEqual([]);
      await context.setOffline(true);
      await page.goto(`${live.url}/theses`);
      await page.getByRole("heading", { name: "No connection" }).waitFor();
      await context.setOffline(false);
      await page.getByRole("link", { name: "Try again" }).click();
      await page.getByRole("heading", { name: "Theses", exact: true }).waitFor();
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "what traders pile into is a picture and a list, and its filters are its address",
    async () => {
      const { browser, live } = explored;
      const { page, errors, close } = await watchedPage(browser, live.url);
      await page.goto(`${live.url}/now?minTraders=1`);
      await page.locator("#app[data-live]").waitFor();
      await page.getByRole("button", { name: "24 hours" }).click();
      await page.locator(".treemap a").first().waitFor();
      await page.getByLabel("Side").selectOption("buy");
      await page.waitForURL("**/now?*side=buy*");
      await page.reload();
      expect(await page.getByLabel("Side").inputValue()).toBe("buy");
      const asked = page.waitForResponse(/tokens\/activity\?.*top=50.*minMarketCapUsd=1000000/);
      await page.getByLabel("Market cap").selectOption("medium");
      await page.getByLabel("Whose").selectOption("50");
      expect((await asked).status()).toBe(200);
      await page.getByLabel("Market cap").selectOption("");
      await page.locator("tbody [data-row] a.who").first().click();
      await page.waitForURL("**/tokens/**");
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "on a phone a thumb reaches what matters, and lists are cards that need no sideways scroll",
    async () => {
      const { pictured, live } = explored;
      const { page, errors, close } = await watchedPage(pictured, live.url, {
        viewport: { width: 390, height: 844 },
      });
      await page.goto(`${live.url}/`);
      await page.locator("#app[data-live]").waitFor();
      const bar = page.getByRole("navigation", { name: "Quick" });
      await bar.getByRole("button", { name: "Search" }).click();
      await page.getByRole("dialog").getByRole("combobox").press("Escape");
      await bar.getByRole("link", { name: "Leaders" }).click();
      await page.waitForURL("**/leaderboard/7d");
      await page.locator("tbody [data-row]").first().waitFor();
      const [needed, has] = (await page.evaluate(
        "(([box]) => [box.scrollWidth, box.clientWidth])(document.querySelectorAll('.scroll'))",
      )) as [number, number];
      expect(needed).toBeLessThanOrEqual(has);
      const manifest = await (await fetch(`${live.url}/manifest.webmanifest`)).json();
      expect([manifest.start_url, manifest.display]).toEqual(["/", "standalone"]);
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );
}
