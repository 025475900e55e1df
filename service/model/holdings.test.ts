import { expect, test } from "bun:test";
import { wireHolding } from "../../protocol/test-samples.ts";
import { listHoldings } from "./holdings.ts";

test("spam is listed on request, and never counts", () => {
  const own = { ...wireHolding, spam: false } as Parameters<typeof listHoldings>[0][number];
  const sent = { ...own, valueUsd: 1_000_000, spam: true };
  const unpriced = { ...own, valueUsd: null, priceUsd: null, spam: true };
  const list = (withSpam: boolean, networkId: number | null = null) =>
    listHoldings([own, sent, unpriced], { networkId, withSpam });
  expect(list(false)).toEqual({ holdings: [own], totalValueUsd: 252 });
  expect(list(true)).toEqual({ holdings: [sent, own, unpriced], totalValueUsd: 252 });
  expect(list(true, 5)).toEqual({ holdings: [], totalValueUsd: 0 });
  expect(
    listHoldings([{ ...unpriced, spam: false }], { networkId: null, withSpam: false }).totalValueUsd,
  ).toBeNull();
});
