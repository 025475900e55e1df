// The operator's pages in a real browser, in the console's world: who is let in, and what they can change.
import { expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { watchedPage } from "../../test/support/browser.ts";
import { eventually } from "../../test/support/eventually.ts";
import type { LiveService } from "../../test/support/live-service.ts";
import { PAGE_HEADER } from "../shared/api.ts";
import { ADMIN_DATA, type AdminKeyRow, type AdminPage } from "./answers.ts";

const JOURNEY_MS_MAX = 900_000;
const ADMIN_KEY = "the-operators-key-of-this-test-0123456789";
export const ADMIN_SETTINGS = { ADMIN_KEY };

export function adminSuite(world: { live(): LiveService; browser(): Browser; lines(): string[] }): void {
  const OWN = { [PAGE_HEADER]: "1" };
  const ask = async (place: string, headers: Record<string, string>, body?: unknown) =>
    world.live().ask(`${ADMIN_DATA}/${place}`, {
      key: null,
      headers,
      ...(body === undefined ? {} : { method: "POST", body }),
    });
  const statusOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).status;
  const withKey = { ...OWN, authorization: `Bearer ${ADMIN_KEY}` };

  test("nobody reads or changes anything without the operator's key, with another key, or from another site", async () => {
    const { live } = world;
    const change = { id: "key_none", action: "revoke" };
    const wrong = { ...OWN, authorization: `Bearer ${live().keys.scale.secret}` };
    for (const place of ["overview", "accounts", "keys", "webhooks", "tokens"]) {
      expect(await statusOf(place, OWN)).toBe(401);
      expect(await statusOf(place, wrong)).toBe(401);
      expect(await statusOf(place, { authorization: `Bearer ${ADMIN_KEY}` })).toBe(403);
      expect(await statusOf(place, { ...withKey, "sec-fetch-site": "cross-site" })).toBe(403);
      expect(await statusOf(place, { ...withKey, origin: "https://elsewhere.example" })).toBe(403);
      expect(await statusOf(place, withKey)).toBe(200);
    }
    expect(await statusOf("keys", OWN, change)).toBe(401);
    expect(await statusOf("keys", { ...withKey, origin: "https://elsewhere.example" }, change)).toBe(403);
    expect(await statusOf("keys", withKey, change)).toBe(404);
    expect(await statusOf("keys", withKey, { ...change, action: "forget" })).toBe(400);
    expect(await statusOf("keys?cursor=%27", withKey)).toBe(400);
  });

  test("a list continues where its last page ended, and shows no secret", async () => {
    const { live } = world;
    const { accountId } = await live().makeKey();
    for (let made = 0; made < 50; made++)
      await live().service.access.keys.create({ accountId, name: `paged ${made}` });
    const rows: AdminKeyRow[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body } = await ask(`keys?cursor=${cursor}`, withKey);
      const page = body as AdminPage<AdminKeyRow>;
      expect(page.rows.length).toBeLessThanOrEqual(50);
      rows.push(...page.rows);
      cursor = page.nextCursor;
    }
    const ids = rows.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(rows.filter(({ name }) => name?.startsWith("paged")).length).toBe(50);
    expect(JSON.stringify(rows)).not.toMatch(/ct_(live|test)_\w{20}/);
  });

  test(
    "the operator suspends and resumes a key, stops a webhook for good, and calls a token spam, with a line in the log for each",
    async () => {
      const { live } = world;
      const { secret, accountId } = await live().makeKey({ plan: "growth" });
      const me = async () => (await live().ask("/v2/me", { key: { secret } })).status;
      const { page, errors, asked, close } = await watchedPage(world.browser(), live().url);
      await page.goto(`${live().url}/admin`);
      await page.locator("#app[data-live]").waitFor();
      await page.getByLabel("Operator's key").fill("wrong-key-wrong-key-wrong-key-wrong");
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByRole("alert").waitFor();
      // The browser itself logs the refused call, and the attempt without a key.
      expect(errors.splice(0).every((text) => text.includes("401"))).toBe(true);
      await page.getByLabel("Operator's key").fill(ADMIN_KEY);
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByText("signed in as key").waitFor();

      const keyId = (await live().service.access.keys.list(accountId))[0]?.id ?? "";
      await page.getByRole("link", { name: "Keys" }).click();
      const row = page.getByRole("row", { name: new RegExp(keyId) });
      const more = page.locator("button.more:enabled");
      await row.or(more).first().waitFor();
      while (!(await row.isVisible())) {
        const shown = await page.locator("[data-row]").count();
        await more.click();
        await page.locator("[data-row]").nth(shown).waitFor();
      }
      await row.getByRole("button", { name: "Suspend" }).click();
      await row.getByText("suspended").waitFor();
      await eventually(async () => (await me()) === 401, "the key is suspended");
      await row.getByRole("button", { name: "Resume" }).click();
      await row.getByText("works").waitFor();
      await eventually(async () => (await me()) === 200, "the key continues");

      const body = { url: "https://hooks.example/x", name: "loud" };
      const made = await live().get("createWebhook", "/v2/webhooks", {
        key: { secret },
        method: "POST",
        body,
      });
      await page.getByRole("link", { name: "Webhooks" }).click();
      const hook = page.getByRole("row", { name: /^loud/ });
      await hook.getByRole("button", { name: "Stop" }).click();
      await hook.getByText("paused (operator)").waitFor();
      const path = `/v2/webhooks/${made.body.id}`;
      const resume = { key: { secret }, method: "PATCH", body: { status: "active" } };
      expect((await live().refused(path, resume)).status).toBe(409);
      await hook.getByRole("button", { name: "Resume" }).click();
      await hook.getByText("active").waitFor();

      const [token] = (await live().get("searchTokens", "/v2/tokens/search?q=a&limit=1")).body.tokens;
      const symbol = token?.symbol ?? "";
      // The list of judged tokens is answered after the search, and must not replace its results.
      const { resolve: answer, promise: isSearched } = Promise.withResolvers<void>();
      const isJudgedList = (url: URL) => url.pathname === `${ADMIN_DATA}/tokens` && url.search === "";
      await page.route(isJudgedList, async (route) => {
        await isSearched;
        await route.continue();
      });
      const late = page.waitForResponse((response) => isJudgedList(new URL(response.url())));
      await page.getByRole("link", { name: "Spam" }).click();
      await page.getByLabel(/^Ticker/).fill(String(token?.address));
      // A search that failed can be repeated as it is.
      const isSearch = (url: URL) => url.pathname === `${ADMIN_DATA}/tokens` && url.search !== "";
      await page.route(isSearch, (route) => route.fulfill({ status: 503, json: { message: "Try again." } }), {
        times: 1,
      });
      await page.getByRole("button", { name: "Find" }).click();
      await page.getByText("Try again.").waitFor();
      expect(errors.splice(0).every((text) => text.includes("503"))).toBe(true);
      await page.getByRole("button", { name: "Find" }).click();
      const judged = page.getByRole("row", { name: new RegExp(`^${symbol}`) });
      await judged.waitFor();
      answer();
      await (await late).finished();
      await page.unroute(isJudgedList);
      // Time for the page to show it, if it did.
      await page.evaluate(() => new Promise((shown) => setTimeout(() => requestAnimationFrame(shown), 0)));
      await judged.getByRole("button", { name: "Spam", exact: true }).click();
      await judged.getByText("spam", { exact: true }).waitFor();
      const found = async (q: string) =>
        (await live().get("searchTokens", `/v2/tokens/search?q=${q}&limit=50`)).body.tokens.some(
          ({ address }) => address === token?.address,
        );
      // With another search text than before, whose answer is cached for a while.
      expect(await found(symbol.slice(0, -1))).toBe(false);
      expect(await found(String(token?.address))).toBe(true);

      expect(errors).toEqual([]);
      expect(asked.join(" ")).not.toContain(ADMIN_KEY);
      const log = world.lines().join("\n");
      for (const did of [
        "suspended a key",
        "resumed a key",
        "stopped a webhook",
        "resumed a webhook",
        "judged a token",
      ])
        expect(log).toContain(`the operator ${did}`);
      expect(log).toContain(`"keyId":"${keyId}"`);
      expect(log).not.toContain(ADMIN_KEY);
      await close();
    },
    JOURNEY_MS_MAX,
  );
}
