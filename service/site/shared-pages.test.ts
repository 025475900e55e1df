// Cards are redrawn only when a figure changes, and only frames for other sites may be framed.
import { expect, test } from "bun:test";
import { NAMED_ASSETS } from "../../web/assets/test-assets.ts";
import type { Loaded, PageData } from "../../web/shared/data.ts";
import type { SitePage } from "../api/page.ts";
import { createCards } from "./cards.ts";
import { createEmbeds } from "./embeds.ts";
import { html } from "./pages.ts";

const TRADE = {
  token: { address: "0xabc", symbol: "<b>T", name: "T", image: null },
  trader: { handle: "a", userId: "u" },
  status: "closed",
  chain: "base",
  createdAt: "2026-01-01T00:00:00.000Z",
  closedAt: "2026-01-01T01:00:00.000Z",
  pnlUsd: 10,
  costBasisUsd: 100,
  avgEntryPrice: 1,
  avgExitPrice: 2,
  feesUsd: 1,
  swapCount: 2,
  swaps: [],
  thesis: null,
};

function cardsOver(answer: () => Omit<Loaded, "at">) {
  const seen = { loads: 0, paced: 0 };
  let now = Date.UTC(2026, 0, 2);
  const pages = createCards({
    load: async () => {
      seen.loads++;
      return { ...answer(), at: now };
    },
    pace: async () => void seen.paced++,
    isSimulated: () => true,
    clock: { now: () => now } as Parameters<typeof createCards>[0]["clock"],
  });
  const get = (file: string, headers: Record<string, string> = {}) =>
    ask(pages["/cards/trade/{file}"], { file }, headers);
  return { seen, get, pass: (milliseconds: number) => (now += milliseconds) };
}

async function ask(page: SitePage | undefined, params: Record<string, string>, headers = {}) {
  const request = Object.assign(new Request("http://localhost/x?theme=dark", { headers }), { params });
  const response = await page?.GET?.(request, "", "");
  if (!response) throw new Error("no such page");
  return response;
}

test("a card is read and drawn once a minute no matter who asks, and again only where a figure changed", async () => {
  let pnlUsd = 10;
  const { seen, get, pass } = cardsOver(() => ({ status: 200, body: { ...TRADE, pnlUsd } }));
  const [first, together] = await Promise.all([get("x.png"), get("x.png")]);
  expect(first?.headers.get("content-type")).toBe("image/png");
  expect(await first?.bytes()).toEqual((await together?.bytes()) as Uint8Array<ArrayBuffer>);
  await get("x.png");
  expect(seen.loads).toBe(1);
  expect(seen.paced).toBe(2);
  pass(61_000);
  const etag = String(first?.headers.get("etag"));
  // The minute on the card changed, so its date alone makes it another picture.
  const later = await get("x.png", { "if-none-match": etag });
  expect([later.status, seen.loads]).toEqual([200, 2]);
  const same = await get("x.png", { "if-none-match": String(later.headers.get("etag")) });
  expect([same.status, await same.text()]).toEqual([304, ""]);
  pnlUsd = 11;
  pass(61_000);
  expect((await get("x.png")).headers.get("etag")).not.toBe(later.headers.get("etag"));
});

test("a missing subject has no card, and one that can't be read now invites a retry", async () => {
  const gone = cardsOver(() => ({ status: 404, body: {} }));
  expect(gone.get("x.png")).rejects.toThrow("nothing by that name");
  expect(gone.get("x.svg")).rejects.toThrow("no such card");
  expect(cardsOver(() => ({ status: 503, body: {} })).get("x.png")).rejects.toThrow("did not finish");
});

test("a frame may be framed anywhere, holds no script and sets no cookie; every other page stays unframed", async () => {
  const body = {
    handle: "<img src=x>",
    displayName: "<script>x</script>",
    avatar: null,
    verified: false,
    pnl: { "7d": 1, "30d": -2 },
    pnlUsd: null,
    trades: 3,
    asOf: "2026-01-01T00:00:00.000Z",
  };
  const embedsOver = (status: number) =>
    createEmbeds({
      load: async (path) => ({ status: path.includes("/pnl") ? 503 : status, body, at: 0 }),
      pace: async () => {},
      assets: NAMED_ASSETS,
      publicUrl: () => "https://tape.example",
      dataOf: (_request, params, query) => ({ params, query, isSimulated: true }) as PageData,
    });
  const frame = await ask(embedsOver(200)["/embed/trader/{handle}"], { handle: "a" });
  const policy = String(frame.headers.get("content-security-policy"));
  expect(policy).toContain("frame-ancestors *");
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("script-src");
  expect(frame.headers.get("set-cookie")).toBeNull();
  const text = await frame.text();
  expect(text).not.toMatch(/<script|<img src=x| on\w+=/);
  expect(text).toContain('data-theme="dark"');
  expect(text).toContain("simulated");
  expect(text).toContain('href="https://tape.example/traders/%3Cimg%20src%3Dx%3E" target="_blank"');
  expect((await ask(embedsOver(404)["/embed/trader/{handle}"], { handle: "a" })).status).toBe(404);
  expect((await ask(embedsOver(503)["/embed/trader/{handle}"], { handle: "a" })).status).toBe(503);
  expect(html("").headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
});
