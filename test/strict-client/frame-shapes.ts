// Alerts, on the stream and from REST, and the frames of the on-chain stream, with the rules between their fields.
import {
  anyAddress,
  anyHash,
  type Check,
  chain,
  chainId,
  count,
  epochMs,
  handle,
  notNegative,
  number,
  oneOf,
  orNull,
  positive,
  row,
  text,
  uuid,
  words,
} from "./forms.ts";

const onChain = { chainId, chain };

const alertFields = {
  id: words,
  alertType: oneOf("buy", "sell", "thesis", "perp", "transfer", "listing", "push"),
  source: oneOf("feed", "push"),
  token: orNull(words),
  tokenAddress: orNull(words),
  chainId: orNull(chainId),
  chain: orNull(chain),
  ts: epochMs,
  seq: count,
  text: orNull(text),
  notificationType: orNull(words),
};
const feedAlertFields = {
  ...alertFields,
  eventId: uuid,
  userId: orNull(uuid),
  tradeId: orNull(uuid),
  swapId: orNull(uuid),
  transferId: orNull(uuid),
  trader: orNull(handle),
  displayName: orNull(words),
};
const fillFields = {
  ...feedAlertFields,
  userId: uuid,
  tradeId: uuid,
  trader: handle,
  tokenAddress: anyAddress,
  fillUsd: positive,
  amount: positive,
  priceUsd: positive,
  txHash: anyHash,
  positionValueUsd: notNegative,
  usdValue: number,
  tradeUsd: positive,
  execTs: orNull(epochMs),
  fillMatch: oneOf("onchain-exact", "onchain", "app"),
  feesUsd: orNull(number),
};
const absent = oneOf(null);
const pushAlert = row({
  ...alertFields,
  eventId: absent,
  userId: absent,
  tradeId: absent,
  swapId: absent,
  transferId: absent,
});
const feedAlert = row(feedAlertFields);
const named = ({ id, ts, seq }: Record<string, unknown>, path: string, wrong: string[]) => {
  if (id !== `alrt_${ts}_${seq}`) wrong.push(`${path}: the id ${id}`);
};
const buyAlert = row(fillFields, named, ({ usdValue, positionValueUsd }, path, wrong) => {
  if (usdValue !== positionValueUsd) wrong.push(`${path}: usdValue of a buy is not its position's value`);
});
const sellAlert = row(
  { ...fillFields, realizedPnlUsd: number, realizedPnlUsdDelta: number },
  named,
  ({ usdValue, realizedPnlUsd }, path, wrong) => {
    if (usdValue !== realizedPnlUsd) wrong.push(`${path}: usdValue of a sell is not its running profit`);
  },
);
export const alert: Check = (value, path, wrong) => {
  const { alertType, source } = (value ?? {}) as Record<string, unknown>;
  const check =
    source === "push"
      ? pushAlert
      : alertType === "buy"
        ? buyAlert
        : alertType === "sell"
          ? sellAlert
          : feedAlert;
  check(value, path, wrong);
};
export const tradeFrame = row(
  {
    id: words,
    eventId: uuid,
    seq: count,
    tradeId: uuid,
    swapId: uuid,
    ...onChain,
    side: oneOf("buy", "sell"),
    userId: orNull(uuid),
    trader: row({ wallet: anyAddress, handle: orNull(handle), userId: orNull(uuid) }),
    token: row({ address: anyAddress, symbol: words, mcap: orNull(positive) }),
    usdValue: orNull(positive),
    amountToken: positive,
    priceUsd: orNull(positive),
    txHash: anyHash,
    block: orNull(count),
    blockTs: epochMs,
    seenAt: epochMs,
    latencyMs: number,
    source: oneOf("onchain"),
    finality: words,
    verified: oneOf("db", false),
  },
  ({ latencyMs, seenAt, blockTs, userId, trader: who }, path, wrong) => {
    if (latencyMs !== Number(seenAt) - Number(blockTs)) wrong.push(`${path}: a latency of ${latencyMs}`);
    if ((who as { userId: unknown }).userId !== userId) wrong.push(`${path}: two userIds`);
  },
);
export const retractFrame = row({ id: words, reason: words, seq: count });
