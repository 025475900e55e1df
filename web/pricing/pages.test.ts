// The journey of a buyer in a real browser against a whole service, and the pages' texts.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { PLANS } from "../../contract/plans.ts";
import { launchBrowser } from "../../test/support/browser.ts";
import { type LiveService, START_MS_MAX, startLiveService } from "../../test/support/live-service.ts";
import { needing } from "../../test/support/needing.ts";
import { NAMED_ASSETS } from "../assets/test-assets.ts";
import { createBillingViews } from "./pages.ts";

let isSimulated = false;
const views = createBillingViews({
  assets: NAMED_ASSETS,
  explorer: true,
  publicUrl: () => "https://api.example.org",
  isSimulated: () => isSimulated,
});

const ATTACK = `</script><img src=x onerror="alert(1)">`;

describe("the pages", () => {
  test("name every plan with the price and limits of the contract", () => {
    const page = views.pricing({ provider: "stripe", error: null });
    for (const { title, creditsPerMonth, requestsPerMinute } of Object.values(PLANS)) {
      expect(page).toContain(title);
      expect(page).toContain(creditsPerMonth.toLocaleString("en-US"));
      expect(page).toContain(requestsPerMinute.toLocaleString("en-US"));
    }
    for (const price of ["$0", "$49.99", "$599", "$1,500"]) expect(page).toContain(price);
  });

  test("are marked as a test only if they are one", () => {
    expect(views.pricing({ provider: "builtin", error: null })).toContain("TEST CHECKOUT");
    expect(views.pricing({ provider: "stripe", error: null })).not.toContain("TEST");
  });

  test("say that the world is simulated if it is", () => {
    const marked = () => views.message({ title: "t", text: "t" }).includes('class="simulated"');
    expect(marked()).toBe(false);
    isSimulated = true;
    expect(marked()).toBe(true);
    isSimulated = false;
  });

  test("say before a link is requested where it goes if no mail is set up", () => {
    const recover = (mailsLeave: boolean) => views.recover({ error: null, sent: null, mailsLeave });
    expect(recover(true)).toContain("You get a mail with a link");
    expect(recover(false)).toContain("This server sends no mail");
    expect(recover(false)).not.toContain("Send me a link");
  });

  test("can't be broken out of by any text in them", () => {
    const account = { id: ATTACK, plan: ATTACK, createdAt: 0 };
    const accounts = [{ account, keys: [{ hint: ATTACK, name: ATTACK }], renews: true }];
    for (const page of [
      views.pricing({ provider: "stripe", error: ATTACK }),
      views.testCheckout({ sessionId: ATTACK, plan: "scale", email: ATTACK, error: ATTACK }),
      views.link({ token: ATTACK, accounts, error: ATTACK }),
      views.recover({ error: ATTACK, sent: null, mailsLeave: true }),
      views.message({ title: ATTACK, text: ATTACK }),
      views.key({ secret: ATTACK, plan: "free", test: true, from: "free" }),
    ]) {
      expect(page).not.toContain("<img");
      // The theme's and the page's own.
      expect(page.match(/<\/script>/g)).toHaveLength(2);
      expect(page).not.toMatch(/<style|\sstyle="|\son[a-z]+="/);
    }
  });
});

needing("chromium").describe("in a browser", () => {
  let browser: Browser;
  let live: LiveService;
  const errors: string[] = [];
  beforeAll(async () => {
    live = await startLiveService({ traders: 20, historyDays: 1 });
    browser = await launchBrowser({ clock: () => live.clock });
  }, START_MS_MAX);
  afterAll(async () => {
    await browser?.close();
    await live?.stop();
  });
  beforeEach(() => {
    errors.length = 0;
  });
  const openPage = async (path: string): Promise<Page> => {
    const page = await browser.newPage();
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(live.url + path);
    return page;
  };
  const me = (secret: string) => live.get("getMe", "/v2/me", { key: { secret } });

  test("a visitor chooses a plan, pays the test checkout, gets a key that works, and sees it once more after a reload", async () => {
    const page = await openPage("/pricing");
    await page.getByRole("button", { name: "Try Growth" }).click();
    await page.getByText("No card is needed").waitFor();
    await page.getByLabel("E-mail address").fill("buyer@example.com");
    await page.getByRole("button", { name: /^Pay \$599/ }).click();
    await page.getByRole("heading", { name: "Your Growth key" }).waitFor();
    const secret = String(await page.locator("#key").textContent());
    expect(page.url()).not.toContain(secret);
    expect((await me(secret)).body.plan).toBe("growth");
    await page.getByText(`npx crowdtape tail --server ${live.url} --key ${secret}`).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Your key" }).waitFor();
    expect(await page.locator("#key").textContent()).toBe(secret);
    await page.getByText(`npx crowdtape tail --server ${live.url} --key ${secret}`).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "already shown" }).waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(errors).toEqual([]);
    await page.close();
  }, 900_000);

  test("a visitor gets a free key with just an address, and a second request says where the link is", async () => {
    const page = await openPage("/pricing");
    await page.getByLabel("Your e-mail address").fill("free@example.com");
    await page.getByRole("button", { name: "Get a free key" }).click();
    await page.getByRole("heading", { name: "Your free key" }).waitFor();
    const secret = String(await page.locator("#key").textContent());
    expect((await me(secret)).body.plan).toBe("free");
    await page.reload();
    await page.getByRole("heading", { name: "Your key" }).waitFor();
    expect(await page.locator("#key").textContent()).toBe(secret);
    await page.getByRole("link", { name: "Open the console" }).click();
    await page.getByText("Plan: free").waitFor();
    await page.goto(`${live.url}/pricing`);
    await page.getByLabel("Your e-mail address").fill("free@example.com");
    await page.getByLabel("Your e-mail address").press("Enter");
    await page.getByRole("heading", { name: "Ask the operator" }).waitFor();
    expect(errors).toEqual([]);
    await page.close();
  }, 900_000);

  test("an owner starts a stablecoin payment, pays its test coin on the page and continues with the key", async () => {
    const page = await openPage("/pricing");
    await page.getByLabel("Your key", { exact: true }).last().fill(live.keys.free.secret);
    await page.getByLabel("Dollars").fill("50");
    await page.getByText("2,000,000 credits", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Show the payment code" }).click();
    await page.getByText("TEST PAYMENT", { exact: true }).waitFor();
    expect(await page.locator(".code svg").isVisible()).toBe(true);
    expect(page.url()).not.toContain(live.keys.free.secret);
    await page.getByRole("button", { name: "Pay 50 TEST-USD" }).click();
    await page.getByText("Paid", { exact: true }).waitFor();
    await page.getByText(`npx crowdtape tail --server ${live.url} --key ${live.keys.free.secret}`).waitFor();
    expect((await me(live.keys.free.secret)).body.credits.prepaid).toBe(2_000_000);
    const again = await fetch(`${page.url().replace(/page$/, "test")}`, {
      method: "POST",
      redirect: "manual",
    });
    expect(again.status).toBe(303);
    expect((await me(live.keys.free.secret)).body.credits.prepaid).toBe(2_000_000);
    await page.getByRole("link", { name: "Open the console" }).click();
    await page.getByText("Plan: free").waitFor();
    expect(errors).toEqual([]);
    await page.close();
  }, 900_000);

  test("a payment with a wrong key is refused with a reason, and leaves nothing behind", async () => {
    const page = await openPage("/pricing");
    await page.getByLabel("Your key", { exact: true }).last().fill("ct_live_wrong");
    await page.getByRole("button", { name: "Show the payment code" }).click();
    await page.getByText("This key is").waitFor();
    expect(new URL(page.url()).pathname).toBe("/pricing");
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    await page.close();
  }, 900_000);

  test("pressing Enter in the field for a key buys nothing", async () => {
    const page = await openPage("/pricing");
    await page.getByText("I already have a key").click();
    await page.getByLabel("Your key", { exact: true }).first().fill("ct_live_x");
    await page.getByLabel("Your key", { exact: true }).first().press("Enter");
    await page.getByRole("button", { name: "Try Starter" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/pricing");
    await page.close();
  }, 900_000);

  test("no page is wider than a phone", async () => {
    const page = await openPage("/pricing");
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of ["/pricing", "/recover", "/checkout/success?session_id=x"]) {
      await page.goto(live.url + path);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    }
    await page.close();
  }, 900_000);

  test("a Stripe notice without Stripe set up, and a wrong method, get the one error shape", async () => {
    const refused = await live.refused("/stripe/webhook", { method: "POST", body: {} });
    expect(refused.body).toMatchObject({ error: "not_found", status: 404 });
    expect((await live.refused("/checkout")).body.error).toBe("method_not_allowed");
  });
});
