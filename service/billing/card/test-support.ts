// For tests: checkout, mail and pages on a database of their own, with the real ledger behind them, a clock that the
// test moves, and, if wanted, a stand-in of Stripe.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../../../database/database.ts";
import type { Dialect } from "../../../database/sql.ts";
import { type ManualClock, manualClock } from "../../../kit/clock.ts";
import { createLog } from "../../../kit/log.ts";
import { createMetrics } from "../../../kit/metrics.ts";
import { seededRandom } from "../../../kit/random.ts";
import { openAssets } from "../../../web/assets/assets.ts";
import { createBillingViews } from "../../../web/pricing/pages.ts";
import { START, type TestStore, testAccess } from "../../access/test-support.ts";
import { openSelling } from "../../site/selling.ts";
import type { Account } from "../../store/money/accounts.ts";
import { checkoutOfSession, type StoredCheckout } from "../../store/money/checkouts.ts";
import { imbalances } from "../../store/money/ledger.ts";
import { SECRET_KEY, StripeStandIn, WEBHOOK_SECRET } from "./test-stripe.ts";

const PUBLIC_URL = "https://tape.example";
const SECRET = /ct_(?:live|test)_[0-9A-Za-z]{40}/;

export interface BuyerVisit {
  status: number;
  text: string;
  headers: Headers;
}

export interface CardWorld {
  clock: ManualClock;
  database: Database;
  checkout: ReturnType<typeof openSelling>;
  stripe: StripeStandIn;
  folder: string;
  lines: string[];
  access: Awaited<ReturnType<typeof testAccess>>["access"];
  get(path: string, headers?: Record<string, string>, method?: string): Promise<BuyerVisit>;
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<BuyerVisit>;
  /** Sends a signed notice; the answer, or the fault it gets. */
  tell(type: string, object: Record<string, unknown>, more?: { id?: string; at?: number }): Promise<void>;
  /** A checkout as Stripe knows it. */
  begin(plan?: string, fields?: Record<string, string>): Promise<string>;
  stored(sessionId: string): Promise<StoredCheckout>;
  account(sessionId: string): Promise<Account>;
  accounts(): Promise<number>;
  keyOf(visit: BuyerVisit): string | null;
  /** The mails in the outbox folder, oldest first. */
  mails(): string[];
  close(): Promise<void>;
}

const LOOKS = { explorer: false, isSimulated: () => false };

export async function cardWorld(
  options: {
    dialect?: Dialect;
    stripe?: boolean;
    settings?: Partial<Parameters<typeof openSelling>[0]>;
    store?: TestStore;
  } = {},
): Promise<CardWorld> {
  const clock = manualClock(START);
  const opened = await testAccess(options.dialect ?? "sqlite", {
    clock,
    ...(options.store ? { store: options.store } : {}),
  });
  const { access, database, store } = opened;
  const stripe = new StripeStandIn();
  const lines: string[] = [];
  const publicUrl = () => PUBLIC_URL;
  const views = createBillingViews({ assets: await openAssets(), publicUrl, ...LOOKS });
  const checkout = openSelling(
    {
      dataFolder: store.folder,
      simulated: options.stripe === false,
      solana: null,
      paymentExpiresMinutes: 30,
      stripe:
        options.stripe === false
          ? null
          : {
              secretKey: SECRET_KEY,
              webhookSecret: WEBHOOK_SECRET,
              prices: { starter: null, growth: null, scale: null },
              apiBase: stripe.url,
            },
      smtpUrl: null,
      mailFrom: "Crowdtape <keys@tape.example>",
      ...options.settings,
    },
    {
      clock,
      log: createLog("debug", clock.now, (line) => lines.push(line)),
      metrics: createMetrics(),
      random: seededRandom("mail"),
    },
    { database: database, access, publicUrl, views },
  );
  const visit = async (
    path: string,
    init: RequestInit & { headers: Record<string, string> },
  ): Promise<BuyerVisit> => {
    const { pathname } = new URL(path, PUBLIC_URL);
    const name = pathname.startsWith("/checkout/test/") ? "/checkout/test/{session}" : pathname;
    const method = init.method === "HEAD" ? "GET" : (init.method ?? "GET");
    const serve = checkout.pages[name]?.[method];
    if (!serve) throw new Error(`no page for ${method} ${path}`);
    const from = init.headers["x-from"] ?? "203.0.113.9";
    const answer = await serve(new Request(new URL(path, PUBLIC_URL), init), from, from);
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  const world: CardWorld = {
    clock,
    database: database,
    checkout,
    stripe,
    lines,
    access,
    folder: store.folder,
    get: (path, headers = {}, method = "GET") => visit(path, { method, headers }),
    post: (path, fields, headers = {}) =>
      visit(path, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        body: new URLSearchParams(fields).toString(),
      }),
    async tell(type, object, more = {}) {
      const at = more.at ?? clock.now();
      const { body, signature } = await stripe.signed(type, object, at, {
        ...(more.id === undefined ? {} : { id: more.id }),
        signedAt: clock.now(),
      });
      await checkout.cards.notice(Buffer.from(body), signature);
    },
    async begin(plan = "starter", fields = {}) {
      const answer = await world.post("/checkout", { plan, ...fields });
      if (answer.status !== 303) throw new Error(`the checkout was refused: ${answer.text}`);
      return String(answer.headers.get("location")?.split("/").at(-1));
    },
    async stored(sessionId) {
      const found = await checkoutOfSession(database.read, sessionId);
      if (!found) throw new Error("no such checkout");
      return found;
    },
    async account(sessionId) {
      const { accountId } = await world.stored(sessionId);
      const account = accountId === null ? null : await access.grants.account(accountId);
      if (!account) throw new Error("the checkout has no account");
      return account;
    },
    async accounts() {
      const row = await database.read.one<{ n: number }>({
        text: "SELECT COUNT(*) AS n FROM account",
        values: [],
      });
      return Number(row?.n);
    },
    keyOf: ({ text }) => SECRET.exec(text)?.[0] ?? null,
    mails() {
      const outbox = join(store.folder, "outbox");
      try {
        return readdirSync(outbox)
          .sort()
          .map((name) => readFileSync(join(outbox, name), "utf8"));
      } catch {
        return [];
      }
    },
    async close() {
      const wrong = await imbalances(database.read);
      await checkout.stop();
      await stripe.stop();
      await opened.close();
      if (wrong.length > 0) throw new Error(`the ledger does not add up: ${JSON.stringify(wrong)}`);
    },
  };
  return world;
}
