import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../../test/support/browser.ts";
import { eventually } from "../../test/support/eventually.ts";
import { needing } from "../../test/support/needing.ts";
import { type Assets, openAssets } from "../assets/assets.ts";
import { NAMED_ASSETS } from "../assets/test-assets.ts";
import { type PaymentView, renderPaymentPage } from "./page.tsx";

const POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'";

const payment = (more: Partial<PaymentView> = {}): PaymentView => ({
  paymentId: "pay_abc",
  status: "awaiting_payment",
  plan: "growth",
  credits: 37_500_000,
  amount: 599,
  amountAtomic: "599000000",
  network: "solana",
  memo: "crowdtape abc",
  test: false,
  asset: { symbol: "USDC", mint: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", decimals: 6 },
  recipient: "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV5",
  reference: "4f3cL8Ts9Dp1E7uVh2xBwJ5nQ6aRzKyMgXoPtNsHqWbC",
  url: "solana:7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV5?amount=599",
  createdAt: "2026-01-15T12:00:00.000Z",
  expiresAt: "2126-01-15T13:00:00.000Z",
  statusUrl: "/pay/pay_abc",
  pageUrl: "/pay/pay_abc/page",
  receivedAmount: null,
  signature: null,
  creditedAt: null,
  ...more,
});
const OPTIONS = {
  statePath: "/pay/pay_abc/state",
  testPath: "/pay/pay_abc/test",
  publicUrl: "https://api.example.org",
};
const render = (more: Partial<PaymentView> = {}) => renderPaymentPage(payment(more), OPTIONS, NAMED_ASSETS);

describe("the payment page", () => {
  test("marks a test payment loudly and a real one not at all", () => {
    expect(render({ test: true })).toContain("TEST PAYMENT");
    expect(render({ test: true })).toContain("crowdtape pay test pay_abc");
    expect(render()).not.toContain("TEST");
  });

  test("can't be broken out of by any text in a payment", () => {
    const attack = `</script><img src=x onerror="alert(1)">`;
    const page = render({
      recipient: attack,
      reference: attack,
      url: `solana:${attack}`,
      paymentId: attack,
      test: true,
    });
    expect(page).not.toContain("<img");
    // The theme's, the page's data and the page's own.
    expect(page.match(/<\/script>/g)).toHaveLength(3);
  });

  needing("chromium").describe("in a browser, under the service's content policy", () => {
    let browser: Browser;
    let current = payment();
    let isAway = false;
    let assets: Assets;
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => {
        const { pathname } = new URL(request.url);
        const file = assets.files.get(pathname.slice("/assets/".length));
        if (file) return new Response(file.plain, { headers: { "content-type": file.type } });
        if (pathname === "/favicon.svg")
          return new Response("<svg/>", { headers: { "content-type": "image/svg+xml" } });
        if (pathname.endsWith("/state"))
          return isAway ? new Response(null, { status: 503 }) : Response.json(current);
        return new Response(renderPaymentPage(current, OPTIONS, assets), {
          headers: { "content-type": "text/html", "content-security-policy": POLICY },
        });
      },
    });
    beforeAll(async () => {
      assets = await openAssets();
      browser = await launchBrowser();
    }, 900_000);
    afterAll(async () => {
      await browser.close();
      await server.stop(true);
    });

    test("it shows what to pay, then by itself that it was seen and paid, without blocked requests or errors", async () => {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      page.on("pageerror", (error) => errors.push(error.message));
      await page.goto(`http://127.0.0.1:${server.port}/pay/pay_abc/page`);
      const title = () => page.locator("#title").textContent();
      expect(await title()).toBe("Waiting for your payment");
      expect(await page.locator(".code svg").isVisible()).toBe(true);
      // The remaining amount has another code, and is another page.
      const loadedAgain = page.waitForEvent("load");
      current = payment({ status: "underpaid", receivedAmount: 20, url: "solana:abc?amount=579" });
      await eventually(
        async () => (await title()) === "A part is missing",
        "the page to tell of the missing part",
      );
      expect(await page.locator("#received").textContent()).toBe("Received: 20 USDC");
      expect(await page.locator("dl code").first().textContent()).toBe("579");
      expect(await page.getByText("Still to pay").isVisible()).toBe(true);
      await loadedAgain;
      const loads: string[] = [];
      page.on("load", () => loads.push(page.url()));
      current = payment({ status: "credited", receivedAmount: 599 });
      await eventually(async () => (await title()) === "Paid", "the page to tell of the payment");
      expect(await page.locator(".code svg").isVisible()).toBe(false);
      expect(await page.getByText("Still to pay").isVisible()).toBe(false);
      expect(loads).toEqual([]);
      expect(errors).toEqual([]);
      await page.close();
    }, 900_000);

    test("it says so when the server stops responding, and removes the notice when it responds again", async () => {
      current = payment();
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${server.port}/pay/pay_abc/page`);
      isAway = true;
      await page.getByText("No answer from the server").waitFor();
      isAway = false;
      await page.locator("#contact").waitFor({ state: "hidden" });
      await page.close();
    }, 900_000);
  });
});
