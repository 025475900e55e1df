// Pasting anything from the clipboard leads to the page of its subject, and a trade has a page with its transactions.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { watchedPage } from "../../test/support/browser.ts";
import type { Explored } from "./suite-explored.ts";

const JOURNEY_MS_MAX = 900_000;
const UNKNOWN_WALLET = `0x${"12".repeat(20)}`;

export function testFinding(explored: Explored): void {
  const paste = async (page: Page, text: string) => {
    await page.keyboard.press("Control+k");
    const field = page.getByRole("dialog").getByRole("combobox");
    await field.fill(text);
    return field;
  };

  test(
    "a pasted wallet, link and transaction each open what they are about",
    async () => {
      const { browser, live, leader, secret } = explored;
      const { page, errors, close } = await watchedPage(browser, live.url);
      const key = { secret };
      const { body: trader } = await live.get("getTrader", `/v2/users/${leader.handle}`, { key });
      const { solana, evm } = trader.wallets;
      const wallet = String(solana ?? evm);
      await page.goto(`${live.url}/theses`);
      await page.locator("#app[data-live]").waitFor();
      const field = await paste(page, `https://solscan.io/account/${wallet}?tab=swaps`);
      await page
        .getByRole("option")
        .filter({ hasText: `@${leader.handle}` })
        .waitFor();
      await field.fill(UNKNOWN_WALLET);
      await page.getByText("No tracked trader uses this wallet, and no token is at this address.").waitFor();
      expect(await page.getByRole("dialog").getByRole("option").count()).toBe(0);
      await field.fill(wallet);
      await page.getByRole("option", { selected: true }).filter({ hasText: leader.handle }).waitFor();
      await field.press("Enter");
      await page.waitForURL(`**/traders/${leader.handle}`);

      const { body: fills } = await live.get("listFills", "/v2/fills?order=asc&limit=1", { key });
      const fill = fills.fills[0];
      if (!fill) throw new Error("No fill was captured.");
      await page.goto(`${live.url}/search?q=${encodeURIComponent(`https://basescan.org/tx/${fill.txHash}`)}`);
      await page.locator(".results a").first().click();
      await page.waitForURL("**/trades/**");
      await page.getByRole("heading", { name: "Entries and exits" }).waitFor();
      const row = page.locator("tr", { has: page.locator(`[id="${fill.txHash}"]`) });
      await row.getByRole("button", { name: "Copy the transaction" }).waitFor();
      await page.locator(".candle-box canvas, .empty").first().waitFor();
      await page.getByText("its transactions are on no chain").waitFor();
      // The result of following this one trade, at another size.
      const copy = page.locator("#copy");
      await copy.scrollIntoViewIfNeeded();
      await copy.getByText("You would have").or(copy.getByText("could be copied")).waitFor();
      const again = page.waitForResponse(/\/copy\?tradeId=.*size=250/);
      await copy.getByLabel("Dollars on each buy").press("ArrowRight");
      expect((await again).status()).toBe(200);
      await page.goBack();
      await page.goto(`${live.url}/search?q=${"1".repeat(85)}`);
      await page.getByText("No tracked trader has a fill in this transaction.").waitFor();
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );

  test(
    "an unknown wallet can be tracked where the tracker allows it",
    async () => {
      const { browser, live } = explored;
      const { page, errors, close } = await watchedPage(browser, live.url);
      // This world is simulated and does not track wallets: the page and the answer are those of a tracker.
      await page.route("**/search?*", async (route) => {
        const answer = await route.fetch();
        const body = (await answer.text()).replace('"tracksWallets":false', '"tracksWallets":true');
        await route.fulfill({ response: answer, body });
      });
      const asked: unknown[] = [];
      await page.route("**/page-data/track", (route) => {
        asked.push(route.request().postDataJSON());
        return route.fulfill({ json: { handle: "wallet_1" } });
      });
      await page.goto(`${live.url}/search?q=${UNKNOWN_WALLET}`);
      await page.locator("#app[data-live]").waitFor();
      await page.getByRole("button", { name: "Track this wallet" }).click();
      await page.getByRole("link", { name: "@wallet_1" }).waitFor();
      expect(asked).toEqual([{ wallet: UNKNOWN_WALLET }]);
      expect(errors).toEqual([]);
      await close();
    },
    JOURNEY_MS_MAX,
  );
}
