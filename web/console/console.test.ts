// The console in a real browser: a key in the tab, its permissions and spending, keys created, rotated and revoked, a stream
// inspected and dropped, and calls tried. The operator's pages are tested in the same world.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { launchBrowser, watchedPage } from "../../test/support/browser.ts";
import { eventually } from "../../test/support/eventually.ts";
import { type LiveService, START_MS_MAX, startLiveService } from "../../test/support/live-service.ts";
import { needing } from "../../test/support/needing.ts";
import { ADMIN_SETTINGS, adminSuite } from "../admin/suite-admin.ts";

const JOURNEY_MS_MAX = 900_000;

needing("chromium").describe("the console", () => {
  let browser: Browser;
  let live: LiveService;
  const lines: string[] = [];
  beforeAll(async () => {
    live = await startLiveService({
      traders: 30,
      historyDays: 1,
      eventsPerSecond: 6,
      webhookTargets: "any",
      settings: ADMIN_SETTINGS,
      onLine: (line) => lines.push(line),
    });
    browser = await launchBrowser({ clock: () => live.clock });
  }, START_MS_MAX);
  afterAll(async () => {
    await browser?.close();
    await live?.stop();
  }, START_MS_MAX);

  adminSuite({ live: () => live, browser: () => browser, lines: () => lines });

  const signedIn = async () => {
    // A key with limits of its own can't manage keys.
    const { accountId } = await live.makeKey({ plan: "growth" });
    const { secret } = await live.service.access.keys.create({ accountId, name: null });
    await live.get("getLeaderboard", "/v2/leaderboard/7d?limit=2", { key: { secret } });
    const watched = await watchedPage(browser, live.url);
    await watched.page.goto(`${live.url}/console`);
    await watched.page.locator("#app[data-live]").waitFor();
    await watched.page.getByLabel("Your key").fill(secret);
    await watched.page.getByRole("button", { name: "Open" }).click();
    await watched.page.getByText("Plan: growth").waitFor();
    return { ...watched, secret };
  };

  test(
    "a wrong key is refused with a reason; a right one stays in the tab, through a reload, and can be forgotten",
    async () => {
      const { page, errors, secret, close } = await signedIn();
      await page.getByText("37,499,750").waitFor();
      await page.getByText("last until the plan ends").waitFor();
      await page.locator(".bars rect").last().waitFor();
      await page.getByRole("row", { name: /getLeaderboard/ }).waitFor();
      await page.reload();
      await page.getByText("Plan: growth").waitFor();
      expect(page.url()).not.toContain(secret);
      expect(await page.evaluate("JSON.stringify(localStorage)")).not.toContain(secret);
      expect(errors).toEqual([]);
      await page.getByRole("button", { name: "Forget the key" }).click();
      await page.getByLabel("Your key").fill("ct_live_nonsense");
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByRole("alert").waitFor();
      expect(await page.evaluate("sessionStorage.length")).toBe(0);
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "a key is created with a cap, replaced with an overlap, and revoked",
    async () => {
      const { page, errors, close } = await signedIn();
      await page.getByRole("link", { name: "Keys" }).click();
      await page.getByLabel("Name").fill("bot");
      await page.getByLabel("Credits a month at most").fill("5000");
      await page.getByRole("button", { name: "Make it" }).click();
      const made = String(await page.locator(".secret code").textContent());
      expect((await live.get("getMe", "/v2/me", { key: { secret: made } })).body.key.name).toBe("bot");
      const row = page.getByRole("row", { name: /^bot/ });
      await row.getByText("5,000").waitFor();
      await row.getByLabel("Old one ends").selectOption("86400");
      await row.getByRole("button", { name: "Rotate" }).click();
      await page.getByText("It replaces").waitFor();
      await page.getByText(/^ends /).waitFor();
      // Both work until the old one ends.
      expect((await live.ask("/v2/me", { key: { secret: made } })).status).toBe(200);
      const ending = page.getByRole("row").filter({ hasText: /ends / });
      await ending.getByRole("button", { name: "Revoke" }).click();
      await ending.getByRole("button", { name: "Revoke for good" }).click();
      await page.getByText(/^revoked /).waitFor();
      await eventually(
        async () => (await live.ask("/v2/me", { key: { secret: made } })).status === 401,
        "the key ends",
      );
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "a webhook is created, tested, inspected, paused and deleted; its secret is shown once",
    async () => {
      const endpoint = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: () => new Response(null, { status: 204 }),
      });
      const { page, errors, close } = await signedIn();
      await page.getByRole("link", { name: "Webhooks" }).click();
      await page.getByText("None yet; your plan includes 10.").waitFor();
      await page.getByLabel("Endpoint").fill(`http://127.0.0.1:${endpoint.port}/hook`);
      await page.getByLabel("Name").fill("mine");
      await page.getByRole("button", { name: "Make it" }).click();
      expect(await page.locator(".secret code").textContent()).toStartWith("whsec_");
      const row = page.getByRole("row", { name: /^mine/ });
      await row.getByRole("button", { name: "Test" }).click();
      await page.getByText("It took the test").waitFor();
      await row.getByRole("button", { name: "Deliveries" }).click();
      await page
        .getByRole("row", { name: /delivered 204/ })
        .first()
        .waitFor();
      await row.getByRole("button", { name: "Pause" }).click();
      await row.getByText("paused (owner)").waitFor();
      await row.getByRole("button", { name: "Resume" }).click();
      await row.getByText("works").waitFor();
      await row.getByRole("button", { name: "Delete" }).click();
      await row.getByRole("button", { name: "Delete for good" }).click();
      await page.getByText("None yet").waitFor();
      expect(errors).toEqual([]);
      await close();
      await endpoint.stop(true);
    },
    JOURNEY_MS_MAX,
  );

  test(
    "the inspector shows frames with their position, and resumes after a drop",
    async () => {
      const { page, errors, asked, secret, close } = await signedIn();
      await page.getByRole("link", { name: "Streams" }).click();
      const sockets: string[] = [];
      page.on("websocket", (socket) => sockets.push(socket.url()));
      await page.getByRole("button", { name: "Connect", exact: true }).click();
      await page.locator(".frame", { hasText: "alert" }).first().waitFor();
      // By keyboard: each new frame moves the list down, and a click may hit the row next to it.
      await page.locator(".frame", { hasText: "welcome" }).first().press("Enter");
      await page.getByRole("heading", { name: "A welcome" }).waitFor();
      await page.getByRole("button", { name: "Drop the connection" }).click();
      await page.locator(".frame", { hasText: "resumed" }).first().waitFor();
      expect(sockets.some((url) => url.includes("resume="))).toBe(true);
      expect([...sockets, ...asked].join(" ")).not.toContain(secret);
      await page.getByRole("button", { name: "Stop" }).click();
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "the playground sends a call, shows its price, and its code in three languages",
    async () => {
      const { page, errors, close } = await signedIn();
      await page.getByRole("link", { name: "Playground" }).click();
      await page.locator("form select").selectOption("getLeaderboard");
      await page.getByText("250 credits").first().waitFor();
      await page.getByLabel(/^limit/).fill("2");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText('"window": "7d"').waitFor();
      await page.getByText('/v2/leaderboard/7d?limit=2"').waitFor();
      await page.getByRole("button", { name: "Python" }).click();
      await page.getByText("import os, requests").waitFor();
      await page.getByRole("button", { name: "TypeScript" }).click();
      await page.getByText("await fetch(").waitFor();
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "a payment is started and then listed",
    async () => {
      const { page, errors, close } = await signedIn();
      await page.getByRole("link", { name: "Payments" }).click();
      await page.getByText("No stablecoin payment yet").waitFor();
      await page.getByLabel("Dollars, in a stablecoin").fill("10");
      await page.getByText("400K credits").waitFor();
      await page.getByRole("button", { name: "Show the payment code" }).click();
      await page.getByText("TEST PAYMENT", { exact: true }).waitFor();
      await page.goto(`${live.url}/console#payments`);
      await page
        .getByRole("row", { name: /400K credits/ })
        .getByText("awaiting payment")
        .waitFor();
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );
});
