// The strict client must be strict: each of these answers is wrong in one way, and it has to report it.
import { expect, test } from "bun:test";
import { keepBook } from "./book.ts";
import { type Check, number, row, time, uuid } from "./forms.ts";
import { alert } from "./frame-shapes.ts";
import { position } from "./shapes.ts";

const SOLANA_TOKEN = "So11111111111111111111111111111111111111112";
const EVM_TOKEN = "0x52908400098527886e0f7030069857d2e4169ee7";
const HASH = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";
const ID = "7c0f6a52-4b1e-5d7a-9f3e-2a6d81c4e5b0";
const SOLANA = { chainId: 1399811149, chain: "solana" };
const AT = "2026-03-14T15:09:26.535Z";

const sell = {
  ...SOLANA,
  id: "alrt_1773500966535_7",
  seq: 7,
  eventId: ID,
  type: "sell",
  alertType: "sell",
  source: "feed",
  trader: "nightowl",
  displayName: "Night Owl",
  userId: ID,
  tradeId: ID,
  swapId: null,
  transferId: null,
  token: "CAT",
  tokenAddress: SOLANA_TOKEN,
  text: "sold",
  notificationType: null,
  ts: 1773500966535,
  fillUsd: 10,
  amount: 5,
  priceUsd: 2,
  txHash: HASH,
  positionValueUsd: 0,
  usdValue: 4,
  realizedPnlUsd: 4,
  realizedPnlUsdDelta: 4,
  tradeUsd: 10,
  execTs: 1773500966000,
  fillMatch: "onchain-exact",
  feesUsd: 0,
};
const token = { symbol: "CAT", address: SOLANA_TOKEN, name: "Cat", networkId: 1399811149, image: null };
const held = {
  token,
  side: "buy",
  sizeUsd: 20,
  realizedPnlUsd: 0,
  ...SOLANA,
  ts: AT,
  source: "captured",
  tradeId: ID,
  userId: ID,
  status: "open",
  amount: 5,
  avgEntryPrice: 2,
  avgExitPrice: null,
  unrealizedPnlUsd: 0,
  pnlUsd: 0,
  grossPnlUsd: 0,
  feesUsd: 0,
  createdAt: AT,
  closedAt: null,
  costBasisUsd: 10,
  boughtAmount: 5,
  soldAmount: 0,
  transferredInAmount: 0,
  transferredOutAmount: 0,
  avgTransferInPrice: null,
  avgTransferOutPrice: null,
  priceUsd: 4,
  pricedBy: "pool",
  depthUsd: 500,
  asOf: AT,
  exact: true,
};

const complaintsOf = (check: Check, value: unknown) => {
  const wrong: string[] = [];
  check(value, "$", wrong);
  return wrong;
};

test("there are no complaints about valid answers", () => {
  expect(complaintsOf(alert, sell)).toEqual([]);
  expect(complaintsOf(position, held)).toEqual([]);
});

test.each([
  ["a missing field", alert, { ...sell, userId: undefined }],
  ["a chain's name that is another's", alert, { ...sell, chain: "base" }],
  ["an address of another family", alert, { ...sell, tokenAddress: EVM_TOKEN }],
  ["a hash of another family", alert, { ...sell, txHash: `0x${"a".repeat(64)}` }],
  ["money as a text", alert, { ...sell, fillUsd: "10" }],
  ["an unknown price as 0", alert, { ...sell, priceUsd: 0 }],
  ["seconds for milliseconds", alert, { ...sell, ts: 1773500966 }],
  ["a legacy mirror that does not mirror", alert, { ...sell, usdValue: 10 }],
  ["a malformed id", alert, { ...sell, tradeId: "123" }],
  ["amounts that do not add up", position, { ...held, soldAmount: 1 }],
  ["an entry price of what was never bought", position, { ...held, boughtAmount: 0, transferredInAmount: 5 }],
  ["a closed position that holds", position, { ...held, status: "closed", closedAt: AT }],
  ["a token of another chain", position, { ...held, token: { ...token, networkId: 8453 } }],
  ["a time without milliseconds", row({ at: time }), { at: "2026-03-14T15:09:26Z" }],
  ["not a number", row({ n: number }), { n: Number.NaN }],
  ["an upper-case id", row({ id: uuid }), { id: ID.toUpperCase() }],
] as [string, Check, unknown][])("%s is complained about", (_, check, value) => {
  expect(complaintsOf(check, value)).not.toEqual([]);
});

test("a book notices a fill that never came, a sum that differs, and a profit that jumps", () => {
  const swap = {
    swapId: ID,
    side: "sell",
    txHash: HASH,
    at: AT,
    tokenIn: { address: SOLANA_TOKEN, amount: 5, usd: 10 },
  };
  const detail = {
    ...held,
    createdAt: "2026-03-01T00:00:00.000Z",
    realizedPnlUsd: 4,
    swaps: [swap],
    transfers: [],
  };
  const shown = { since: Date.parse("2026-03-10"), until: Date.parse("2026-03-20") };
  const compare = (alerts: object[], reported: object) =>
    keepBook(alerts as Record<string, unknown>[]).compare(ID, reported as Record<string, unknown>, shown);
  expect(compare([sell], detail)).toEqual([]);
  expect(compare([], detail)[0]).toContain("was not on the stream");
  expect(compare([sell], { ...detail, swaps: [] })[0]).toContain("is not in its detail");
  expect(compare([sell], { ...detail, realizedPnlUsd: 5 })[0]).toContain("its detail says 5");
  expect(compare([sell], { ...detail, createdAt: AT })[0]).toContain("the stream adds up to");
  const jump = { ...sell, txHash: "other", ts: sell.ts + 1, realizedPnlUsd: 9, realizedPnlUsdDelta: 1 };
  expect(compare([sell, jump], detail).join()).toContain("taken by its sells, but 9 reported");
});
