// A real browser for tests, and a monitored page in it: every error it logs, every request to another origin, and everything
// its policy blocks is an error.
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Response,
} from "playwright-core";
import type { Clock } from "../../kit/clock.ts";
import { programPath } from "./programs.ts";

/** How long one step of a page may take: a busy machine shares its cores among many browsers. */
const STEP_MS_MAX = 240_000;

interface BrowserOptions {
  /** Drawing the small pictures next to names takes half of a page's time: a test that is not about them can skip it. */
  pictures?: boolean;
  /** Its pages read the time from this clock, as of when they are opened, and not from the machine's. */
  clock?: () => Pick<Clock, "now">;
}

export async function launchBrowser({ pictures = true, clock }: BrowserOptions = {}): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: programPath("chromium"),
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...(pictures ? [] : ["--blink-settings=imagesEnabled=false"]),
    ],
  });
  const { newContext, newPage } = browser;
  const prepared = async <Opened extends BrowserContext | Page>(opened: Opened): Promise<Opened> => {
    opened.setDefaultTimeout(STEP_MS_MAX);
    if (clock) await opened.addInitScript(shiftTime, Math.round(clock().now() - Date.now()));
    return opened;
  };
  browser.newContext = async (options) => prepared(await newContext.call(browser, options));
  browser.newPage = async (options) => prepared(await newPage.call(browser, options));
  return browser;
}

/** Runs in a page, before its own scripts. Playwright's clock would replace the timers too. */
function shiftTime(aheadMs: number): void {
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, as) =>
      Reflect.construct(target, given.length === 0 ? [RealDate.now() + aheadMs] : given, as),
    get: (target, name) => (name === "now" ? () => RealDate.now() + aheadMs : Reflect.get(target, name)),
  });
}

let visitors = 0;

export interface WatchedPage {
  page: Page;
  errors: string[];
  /** All requested URLs. */
  asked: string[];
  close(): Promise<void>;
}

/**
 * In its own browser context: no cookie and no key of another test, and its own IP address if the service trusts a proxy's
 * word, so that no test uses up another one's rate.
 */
export async function watchedPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  visitors += 1;
  const headers = { "x-forwarded-for": `203.0.113.${1 + (visitors % 250)}`, ...options.extraHTTPHeaders };
  const context = await browser.newContext({ ...options, extraHTTPHeaders: headers });
  const page = await context.newPage();
  const errors: string[] = [];
  const asked: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("request", (request) => {
    asked.push(request.url());
    if (new URL(request.url()).origin !== origin) errors.push(`asked ${request.url()}`);
  });
  page.on("websocket", (socket) => {
    if (new URL(socket.url()).host !== new URL(origin).host) errors.push(`connected to ${socket.url()}`);
  });
  return { page, errors, asked, close: () => context.close() };
}

/** The transferred bytes for opening a URL until that part of the page is there, headers included. */
export async function weighLoad(page: Page, url: string, part: string): Promise<number> {
  const answers: Response[] = [];
  const note = (answer: Response) => answers.push(answer);
  page.on("response", note);
  await page.goto(url);
  await page.locator(part).first().waitFor();
  // A live page keeps making requests: later ones are not part of the load, and may never end.
  page.off("response", note);
  const sizes = await Promise.all(answers.map((answer) => answer.request().sizes()));
  return sizes.reduce(
    (sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize,
    0,
  );
}
