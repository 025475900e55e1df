// Cards safely draw any name of a trader or token, as PNG files that any program can read.
import { expect, test } from "bun:test";
import { inflateSync } from "node:zlib";
import type { TradeDetail } from "../../client/src/generated.ts";
import { atOnce } from "../../kit/slices.ts";
import { createCanvas } from "./canvas.ts";
import { type Card, drawCard } from "./card.ts";
import { pngOf } from "./png.ts";
import { CARD_SUBJECTS } from "./subjects.ts";
import { drawable, drawText, fitted, readable, textWidth, wrapped } from "./text.ts";

const INK = [255, 255, 255] as const;
const STYLE = { size: 20, colour: INK };

/** A text drawn on a small black picture. */
function inked(text: string): string {
  const canvas = createCanvas(120, 40);
  canvas.fill([0, 0, 0]);
  atOnce(drawText(canvas, text, [10, 30], STYLE));
  return Bun.hash(canvas.pixels).toString(36);
}

test("a card is a PNG of its size, drawn in many slices, and says simulated only if it is", async () => {
  const card: Card = {
    name: "a",
    title: "T",
    under: "u",
    figure: { text: "+$1", tone: "gain", caption: "c" },
    quote: null,
    curve: [1, 3, 2, Number.NaN, 4],
    stats: [{ name: "n", text: "1" }],
    at: Date.UTC(2026, 0, 2),
    isSimulated: true,
  };
  const drawing = drawCard(card);
  let slices = 0;
  let step = drawing.next();
  for (; !step.done; step = drawing.next()) slices++;
  expect(slices).toBeGreaterThan(30);
  const canvas = step.value;
  if (!canvas) throw new Error("no picture");
  const png = await pngOf(canvas);
  const view = new DataView(png.buffer);
  expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  expect([view.getUint32(16), view.getUint32(20)]).toEqual([1_200, 630]);
  const length = view.getUint32(33);
  expect(Bun.hash.crc32(png.subarray(37, 41 + length))).toBe(view.getUint32(41 + length));
  const rows = inflateSync(png.subarray(41, 41 + length));
  expect(rows.length).toBe((1_200 * 4 + 1) * 630);
  expect([...rows.subarray(1, 5)]).toEqual([...canvas.pixels.subarray(0, 4)]);
  const real = atOnce(drawCard({ ...card, isSimulated: false }));
  expect(Buffer.compare(real.pixels, canvas.pixels)).not.toBe(0);
});

test("a price with counted zeros stays that price, and no two figures look alike", () => {
  expect(drawable("$0.0₅342")).toBe("$0.0₅342");
  const looks = [..."0123456789₀₁₂₃₄₅₆₇₈₉$%+−.,"].map(inked);
  expect(new Set(looks).size).toBe(looks.length);
});

test("a hostile name is letters, boxes or nothing, and stays within its room", () => {
  expect(drawable("\u202Eevil\u200B\u0000\n  name\u{1f47b}")).toBe("evil name");
  expect(drawable("Ｆｕｌｌ ﬁne café")).toBe("Full fine cafe");
  expect(readable("日本語", "0xabc")).toBe("0xabc");
  expect(readable("\u{1f680}\u{1f680}", "handle")).toBe("handle");
  expect(readable("日本", "語")).toBe("語");
  expect(inked("Ж")).toBe(inked("語"));
  for (const name of ["W".repeat(100_000), "a\u0301".repeat(50_000), "<script>alert(1)</script>", ""]) {
    expect(textWidth(fitted(name, STYLE, 300), STYLE)).toBeLessThanOrEqual(300);
    expect(wrapped(name, STYLE, { width: 300, linesMax: 3 }).length).toBeLessThanOrEqual(3);
  }
});

test("nothing is drawn outside the picture", () => {
  const canvas = createCanvas(8, 8);
  canvas.fill([0, 0, 0]);
  atOnce(drawText(canvas, "WWW", [-30, 4], STYLE));
  canvas.box(-5, -5, 100, 100, 3, INK);
  canvas.disc([400, -400], 20, INK);
  canvas.line(
    [
      [-50, -50],
      [60, 60],
    ],
    4,
    INK,
  );
  atOnce(
    canvas.below(
      [
        [-9, -9],
        [99, 99],
      ],
      [0, 400],
      INK,
    ),
  );
  expect(canvas.pixels.length).toBe(8 * 8 * 4);
});

test("a trade without any known figures yet has a card with dashes, not zeros", () => {
  const subject = CARD_SUBJECTS.find(({ path }) => path.startsWith("/cards/trade/"));
  const unknown = {
    token: { address: "0xabc", symbol: "日本", name: "日本", image: null },
    trader: { handle: "a", userId: "u" },
    status: "open",
    chain: "base",
    createdAt: "2026-01-01T00:00:00.000Z",
    closedAt: null,
    pnlUsd: null,
    costBasisUsd: null,
    avgEntryPrice: null,
    avgExitPrice: null,
    feesUsd: null,
    swapCount: 0,
    swaps: [],
    thesis: null,
  } as unknown as TradeDetail;
  const card = subject?.card([unknown], { now: Date.UTC(2026, 0, 2), isSimulated: false });
  expect([card?.title, card?.figure?.text, card?.figure?.tone]).toEqual(["0xabc by @a", "–", "even"]);
  expect(card?.stats.map(({ text }) => text)).toEqual(["–", "–", "0", "–"]);
});
