// Every resource as the interface and its decisions describe it, with the rules between its fields.
import {
  anyAddress,
  anyHash,
  type Check,
  chain,
  chainId,
  count,
  cursor,
  evmAddress,
  flag,
  handle,
  isAbout,
  link,
  list,
  notNegative,
  number,
  oneOf,
  orNull,
  picture,
  positive,
  pricing,
  row,
  solanaAddress,
  text,
  time,
  uuid,
  words,
} from "./forms.ts";

const token = row({ symbol: words, address: words, name: words, networkId: chainId, image: orNull(picture) });
const clan = row({ id: words, name: words, icon: orNull(words), role: orNull(words) });
const wallets = row({ solana: orNull(solanaAddress), evm: orNull(evmAddress) });
const onChain = { chainId, chain };

const holding = row(
  {
    token,
    amount: positive,
    priceUsd: orNull(positive),
    valueUsd: orNull(notNegative),
    change24h: orNull(number),
    spam: flag,
    ...onChain,
  },
  ({ amount, priceUsd, valueUsd }, path, wrong) => {
    if (priceUsd !== null && valueUsd !== null && !isAbout(valueUsd, Number(amount) * Number(priceUsd)))
      wrong.push(`${path}: worth ${valueUsd}, not ${amount} at ${priceUsd}`);
  },
);
const topToken = row({
  tokenAddress: anyAddress,
  symbol: words,
  networkId: chainId,
  chain,
  humanAmount: positive,
  price: orNull(positive),
  value: orNull(notNegative),
  pnl: orNull(number),
  imageUrl: orNull(picture),
});

export const trader = row(
  {
    handle,
    displayName: words,
    userId: uuid,
    verified: flag,
    avatar: orNull(picture),
    description: orNull(text),
    twitter: orNull(words),
    clan: orNull(clan),
    following: orNull(count),
    swapCount: count,
    wallets: row({
      solana: orNull(solanaAddress),
      evm: orNull(evmAddress),
      verified: flag,
      evidence: row({ solana: orNull(words), evm: orNull(words) }),
    }),
    pnl: row({ "24h": number, "7d": number, "30d": number, all: number }),
    pnlUsd: number,
    volumeUsd: notNegative,
    trades: count,
    followers: orNull(count),
    upstreamCreatedAt: time,
    accountAgeDays: count,
    averageHoldTimeSeconds: orNull(notNegative),
    holdings: list(holding),
    holdingsCount: count,
    topTokens: list(topToken),
  },
  ({ pnl, pnlUsd, holdings, holdingsCount }, path, wrong) => {
    if ((pnl as { all: number }).all !== pnlUsd) wrong.push(`${path}: pnlUsd is not pnl.all`);
    const shown = (holdings as unknown[]).length;
    if (shown > 10 || shown !== Math.min(10, Number(holdingsCount))) wrong.push(`${path}: ${shown} holdings`);
  },
);

const positionFields = {
  token,
  side: oneOf("buy", "sell"),
  sizeUsd: orNull(number),
  realizedPnlUsd: orNull(number),
  ...onChain,
  ts: time,
  source: oneOf("captured"),
  tradeId: uuid,
  userId: uuid,
  status: oneOf("open", "closed"),
  amount: notNegative,
  avgEntryPrice: orNull(positive),
  avgExitPrice: orNull(number),
  createdAt: time,
  unrealizedPnlUsd: orNull(number),
  pnlUsd: orNull(number),
  grossPnlUsd: orNull(number),
  feesUsd: orNull(notNegative),
  closedAt: orNull(time),
  costBasisUsd: orNull(notNegative),
  boughtAmount: notNegative,
  soldAmount: notNegative,
  transferredInAmount: notNegative,
  transferredOutAmount: notNegative,
  avgTransferInPrice: orNull(number),
  avgTransferOutPrice: orNull(number),
  priceUsd: orNull(positive),
  ...pricing,
};

function positionRules(given: Record<string, unknown>, path: string, wrong: string[]): void {
  const n = (name: string) => Number(given[name]);
  const held = n("boughtAmount") - n("soldAmount") + n("transferredInAmount") - n("transferredOutAmount");
  const most = Math.max(n("boughtAmount"), n("transferredInAmount"), 1);
  if (!isAbout(given.amount, held, 1e-9, most * 1e-9))
    wrong.push(`${path}: amount ${given.amount}, not ${held}`);
  if ((given.avgEntryPrice === null) !== (n("boughtAmount") === 0))
    wrong.push(`${path}: a wrong null for the entry`);
  if (
    given.avgEntryPrice !== null &&
    !isAbout(given.avgEntryPrice, n("costBasisUsd") / n("boughtAmount"), 1e-6, 0)
  )
    wrong.push(`${path}: entry ${given.avgEntryPrice}`);
  if ((given.avgExitPrice === null) !== (n("soldAmount") === 0))
    wrong.push(`${path}: a wrong null for the exit`);
  for (const way of ["In", "Out"])
    if ((given[`avgTransfer${way}Price`] === null) !== (n(`transferred${way}Amount`) === 0))
      wrong.push(`${path}: a wrong null for avgTransfer${way}Price`);
  if ((given.closedAt === null) !== (given.status === "open"))
    wrong.push(`${path}: ${given.status}, closedAt ${given.closedAt}`);
  if (given.status === "closed" && given.amount !== 0)
    wrong.push(`${path}: closed, and holds ${given.amount}`);
}

export const position = row(positionFields, positionRules);
const feedTrade = row({
  token,
  side: oneOf("buy", "sell"),
  sizeUsd: orNull(number),
  realizedPnlUsd: orNull(number),
  ...onChain,
  ts: time,
  source: oneOf("feed"),
});
export const tradeRow: Check = (value, path, wrong) =>
  ((value as { source?: unknown } | null)?.source === "feed" ? feedTrade : position)(value, path, wrong);

const leg = row({ address: words, symbol: words, amount: positive, usd: orNull(notNegative) });
export const swap = row(
  {
    swapId: uuid,
    side: oneOf("buy", "sell"),
    ...onChain,
    tokenIn: leg,
    tokenOut: leg,
    priceUsd: orNull(positive),
    ...pricing,
    feeUsd: orNull(notNegative),
    txHash: anyHash,
    block: orNull(count),
    tradeIdIn: orNull(uuid),
    tradeIdOut: orNull(uuid),
    at: time,
  },
  ({ side, tradeIdIn, tradeIdOut }, path, wrong) => {
    if ((side === "buy" ? tradeIdOut : tradeIdIn) === null) wrong.push(`${path}: a ${side} of no position`);
  },
);
export const transfer = row({
  transferId: uuid,
  direction: oneOf("in", "out"),
  amount: positive,
  priceUsd: orNull(notNegative),
  valueUsd: orNull(notNegative),
  counterparty: orNull(anyAddress),
  txHash: anyHash,
  at: time,
});
const thesisOfTrade = row({ id: uuid, text, likes: orNull(count) });
export const tradeDetail = row(
  {
    ...positionFields,
    trader: row({ handle, userId: uuid }),
    isDev: flag,
    thesis: orNull(thesisOfTrade),
    swaps: list(swap),
    transfers: list(transfer),
    nextCursor: orNull(cursor),
  },
  positionRules,
);
export const comment = row(
  {
    id: uuid,
    text,
    userId: uuid,
    handle,
    likes: orNull(count),
    createdAt: time,
    parentId: orNull(uuid),
    isReply: flag,
    links: list(row({ text, link, provider: orNull(words) })),
  },
  ({ isReply, parentId }, path, wrong) => {
    if (isReply !== (parentId !== null)) wrong.push(`${path}: isReply against parentId`);
  },
);

export const person = row({
  handle,
  displayName: words,
  userId: uuid,
  avatar: orNull(picture),
  verified: flag,
  clan: orNull(clan),
  bio: orNull(text),
  followers: orNull(count),
  following: orNull(count),
  trades: count,
  swapCount: count,
  volumeUsd: notNegative,
  pnl24h: orNull(number),
  twitter: orNull(words),
  private: flag,
  createdAt: time,
  accountAgeDays: count,
});
export const spotlightTrade = row({
  token,
  avgEntryPrice: orNull(positive),
  avgExitPrice: orNull(number),
  costBasisUsd: notNegative,
  realizedPnlUsd: orNull(number),
  unrealizedPnlUsd: orNull(number),
  openedAt: time,
  closedAt: orNull(time),
  thesis: orNull(thesisOfTrade),
});
export const leaderboardRow = row({
  rank: positive,
  handle,
  displayName: words,
  pnlUsd: number,
  volumeUsd: notNegative,
  trades: count,
  followers: orNull(count),
  holdings: count,
  wallets,
  topTokens: list(topToken),
  verified: flag,
  userId: uuid,
});
export const boardRow = (hasHolders: boolean) =>
  row({
    rank: positive,
    image: orNull(picture),
    token: row({ name: words, symbol: words, address: anyAddress }),
    holders: hasHolders ? count : oneOf(null),
    network: chainId,
    chain,
    priceUsd: orNull(positive),
    change24h: orNull(number),
    marketCapUsd: orNull(positive),
    volume24hUsd: orNull(notNegative),
  });
export const thesis = row({
  id: uuid,
  tradeId: orNull(uuid),
  text,
  handle,
  name: words,
  userId: uuid,
  equity: orNull(number),
  tradeUsd: orNull(number),
  realizedPnlUsd: orNull(number),
  unrealizedPnlUsd: orNull(number),
  isDev: flag,
  ts: time,
  "likes?": count,
  replies: orNull(count),
  token,
  networkId: chainId,
  chain,
  avatar: orNull(picture),
  tokenImage: orNull(picture),
  links: list(row({ text, link, provider: orNull(words) })),
});
export const holder = row({
  handle,
  amount: positive,
  valueUsd: orNull(notNegative),
  priceUsd: orNull(positive),
});
export const dev = row({
  handle,
  wallet: orNull(anyAddress),
  isDev: flag,
  amount: notNegative,
  valueUsd: orNull(notNegative),
  costBasisUsd: notNegative,
  realizedPnlUsd: orNull(number),
  unrealizedPnlUsd: orNull(number),
  averageEntryPrice: orNull(number),
  averageHoldTimeSeconds: orNull(notNegative),
  tradeId: orNull(uuid),
});
const flow = row({
  buys: count,
  sells: count,
  uniqueBuyers: count,
  uniqueSellers: count,
  buyVolumeUsd: notNegative,
  sellVolumeUsd: notNegative,
  netVolumeUsd: number,
  buySellRatio: orNull(notNegative),
});
export const stats = row({
  token,
  networkId: chainId,
  chain,
  holders: orNull(count),
  top10HoldersPercent: orNull(notNegative),
  lowFees: orNull(flag),
  windows: row({ "5m": flow, "1h": flow, "4h": flow, "24h": flow }),
});
export const candle = row(
  {
    o: positive,
    h: positive,
    l: positive,
    c: positive,
    v: notNegative,
    buyV: notNegative,
    sellV: notNegative,
    trades: count,
    closed: flag,
  },
  ({ o, h, l, c }, path, wrong) => {
    if (Number(h) < Math.max(Number(o), Number(c)) || Number(l) > Math.min(Number(o), Number(c)))
      wrong.push(`${path}: the high or the low is not`);
  },
);
export const activityRow = row({
  rank: positive,
  token,
  chain,
  traders: count,
  buyers: count,
  sellers: count,
  buyUsd: notNegative,
  sellUsd: notNegative,
  netUsd: number,
  firstTradeAt: time,
  lastTradeAt: time,
  priceUsdAtFirst: orNull(positive),
  priceUsd: orNull(positive),
  changePct: orNull(number),
  theses: count,
});
export const foundToken = row({
  symbol: words,
  address: anyAddress,
  name: words,
  image: orNull(picture),
  marketCapUsd: orNull(positive),
  networkId: chainId,
});
export const notification = row({
  id: words,
  notification_type: orNull(words),
  title: orNull(text),
  text: orNull(text),
  userId: orNull(uuid),
  token: orNull(words),
  tokenAddress: orNull(words),
  chainId: orNull(chainId),
  chain: orNull(chain),
  ts: time,
});
