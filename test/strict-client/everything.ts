// A reader that calls every route of the interface once, with names found in earlier answers, and walks every list to its end.
import type { Body, Row, StrictClient } from "./client.ts";
import { count, flag, list, notNegative, number, oneOf, orNull, row, time, words } from "./forms.ts";
import { alert } from "./frame-shapes.ts";
import * as shapes from "./shapes.ts";

const by = (name: string) => (each: Row) => String(each[name]);
/** How many people and tokens are read in full. */
const SAMPLE = 4;

export async function readEverything(client: StrictClient): Promise<void> {
  const people = await boards(client);
  for (const userId of people.slice(0, SAMPLE)) await person(client, userId);
  await theses(client);
  await tokens(client);
  await activity(client);
  await account(client);
}

async function boards(client: StrictClient): Promise<string[]> {
  const userIds = new Set<string>();
  for (const window of ["24h", "7d", "30d", "all"]) {
    const rows = await client.list(`/v2/leaderboard/${window}?limit=100`, "traders", shapes.leaderboardRow);
    rows.forEach(({ rank }, index) => {
      if (rank !== index + 1) client.complain(`leaderboard ${window}: rank ${rank} at ${index + 1}`);
    });
    for (const { userId } of rows) userIds.add(String(userId));
  }
  for (const name of ["trending", "most-held", "graduated"]) {
    const path = `/v2/leaderboard/tokens/${name}?limit=100`;
    const { available } = await client.get(path);
    const envelope = row({
      board: oneOf(name),
      // A platform without such a board never returned it.
      capturedAt: available === false ? oneOf(null) : time,
      stale: flag,
      ageHours: notNegative,
      source: words,
    });
    await client.get(path, envelope);
    const rows = await client.list(path, "tokens", shapes.boardRow(name !== "most-held"));
    const ranks = rows.map(({ rank }) => Number(rank));
    if (ranks.some((rank, index) => index > 0 && rank <= Number(ranks[index - 1])))
      client.complain(`${name}: ranks out of order`);
  }
  return [...userIds];
}

/** Positions are of a moment up to a minute ago, trades are live. */
async function everyTradeIsAPosition(
  client: StrictClient,
  base: string,
  trades: readonly Row[],
  positions: readonly Row[],
): Promise<void> {
  const captured = new Set(positions.map(({ tradeId }) => tradeId));
  const { asOf } = await client.get(`${base}/positions?limit=1`);
  const isByThen = ({ createdAt }: Row) => Date.parse(String(createdAt)) < Date.parse(String(asOf));
  for (const trade of trades)
    if (trade.source === "captured" && isByThen(trade) && !captured.has(trade.tradeId))
      client.complain(`${base}: ${trade.tradeId} only among its trades`);
}

async function person(client: StrictClient, userId: string): Promise<void> {
  const trader = await client.get(`/v2/users/id/${userId}`, shapes.trader);
  const same = await client.get(`/v2/users/@${String(trader.handle).toUpperCase()}`, shapes.trader);
  if (same.userId !== userId) client.complain(`${trader.handle} is ${same.userId}, not ${userId}`);
  const base = `/v2/users/${userId}`;

  const walked = await client.walk(`${base}/trades`, {
    rows: "trades",
    key: ({ tradeId, txHash, source }: Row) => `${source} ${txHash ?? tradeId}`,
    check: shapes.tradeRow,
    start: "start",
  });
  const positions = await client.walk(`${base}/positions?limit=20`, {
    rows: "positions",
    key: by("tradeId"),
    check: shapes.position,
    start: "start",
  });
  await everyTradeIsAPosition(client, base, walked, positions);
  for (const { source, userId: whose } of [...walked, ...positions])
    if (source === "captured" && whose !== userId) client.complain(`${base}: a row of ${whose}`);
  await client.get(
    `${base}/trades?deep=1`,
    row({ complete: oneOf(false), upstreamCalls: count, trades: list(shapes.tradeRow) }),
  );

  await client.walk(`${base}/swaps`, { rows: "swaps", key: by("swapId"), check: shapes.swap });
  const fewer = await client.walk(`${base}/swaps?limit=7`, {
    rows: "swaps",
    key: by("swapId"),
    check: shapes.swap,
  });
  if (!fewer.every((each, index) => index === 0 || String(each.at) <= String(fewer[index - 1]?.at)))
    client.complain(`${base}/swaps: not newest first`);

  const balances = await client.get(`${base}/balances`, row({ totalValueUsd: orNull(notNegative) }));
  const holdings = await client.list(`${base}/balances`, "holdings", row({ amount: number }));
  if (holdings.length !== trader.holdingsCount)
    client.complain(`${base}: ${holdings.length} balances, ${trader.holdingsCount} holdings`);
  const sum = holdings.reduce((total, { valueUsd }) => total + Number(valueUsd), 0);
  if (Math.abs(sum - Number(balances.totalValueUsd)) > 0.01 + sum * 1e-6)
    client.complain(`${base}: balances of ${sum}, reported ${balances.totalValueUsd}`);

  const following = {
    handle: oneOf(trader.handle),
    userId: oneOf(userId),
    complete: flag,
    truncated: flag,
    cap: count,
  };
  await client.get(`${base}/following`, row(following));
  await client.list(`${base}/following`, "following", shapes.person);
  await client.get(`${base}/followers`, row({ sourceCapped: flag, note: words, cap: count }));
  await client.list(`${base}/followers`, "followers", shapes.person);
  const best = list(shapes.spotlightTrade);
  await client.get(`${base}/spotlight`, row({ bestTrades: best, bestTheses: best, note: words }));

  for (const { tradeId } of positions.slice(0, SAMPLE)) await trade(client, String(tradeId));
  await ownTheses(client, userId);
}

async function ownTheses(client: StrictClient, userId: string): Promise<void> {
  const written = await client.walk(`/v2/thesis/user/${userId}?limit=20`, {
    rows: "theses",
    key: by("id"),
    check: shapes.thesis,
  });
  for (const { userId: whose } of written) if (whose !== userId) client.complain(`a thesis of ${whose}`);
  const [first] = written;
  if (first) {
    const { address } = first.token as Row;
    const path = `/v2/thesis/user/${userId}/token/${address}?limit=5`;
    await client.walk(path, { rows: "theses", key: by("id"), check: shapes.thesis });
  }
}

async function trade(client: StrictClient, tradeId: string): Promise<void> {
  const path = `/v2/trades/${tradeId}`;
  const detail = await client.get(path, shapes.tradeDetail);
  const swaps = await client.walk(path, { rows: "swaps", key: by("swapId"), check: shapes.swap });
  await client.walk(path, { rows: "transfers", key: by("transferId"), check: shapes.transfer });
  if (swaps.length !== Number(detail.swapCount))
    client.complain(`${path}: ${swaps.length} fills of ${detail.swapCount}`);
  const comments = await client.walk(`${path}/comments?limit=10`, {
    rows: "comments",
    key: by("id"),
    check: shapes.comment,
  });
  const ids = new Set(comments.map(({ id }) => id));
  for (const { parentId } of comments)
    if (parentId !== null && !ids.has(parentId)) client.complain(`${path}: an answer to nothing`);
}

async function theses(client: StrictClient): Promise<void> {
  const all = { rows: "theses", key: by("id"), check: shapes.thesis };
  const recent = await client.walk("/v2/thesis?limit=100", all);
  const alias = await client.list("/theses?limit=100", "theses", shapes.thesis);
  if (alias[0]?.id !== recent[0]?.id) client.complain("/theses is not /v2/thesis");
  for (const chain of ["solana", "4663"]) {
    const rows = await client.walk(`/v2/thesis?limit=100&chain=${chain}`, all);
    for (const each of rows)
      if (![each.chain, String(each.chainId)].includes(chain))
        client.complain(`a thesis on ${each.chain} among ${chain}`);
    const expected = recent.filter((each) => [each.chain, String(each.chainId)].includes(chain)).length;
    if (rows.length !== expected) client.complain(`${rows.length} theses on ${chain}, not ${expected}`);
  }
  const [newest] = recent;
  // Some platforms have none.
  if (!newest) return;
  const { address } = newest.token as Row;
  await client.list(`/v2/thesis/token/${address}?sort=recent`, "theses", shapes.thesis);
  await client.list(`/token/${address}/theses?pages=2&sort=likes`, "theses", shapes.thesis);
}

async function tokens(client: StrictClient): Promise<void> {
  const active = await client.walk("/v2/tokens/activity?window=24h&limit=10", {
    rows: "tokens",
    key: ({ token }: Row) => JSON.stringify(token),
    check: shapes.activityRow,
  });
  active.forEach((each, index) => {
    if (each.rank !== index + 1) client.complain(`tokens/activity: rank ${each.rank} at ${index + 1}`);
    if (Number(each.traders) > Number(each.buyers) + Number(each.sellers))
      client.complain("more traders than sides");
  });
  for (const { token } of active.slice(0, SAMPLE)) {
    const { address, symbol } = token as Row;
    await client.list(`/token/${address}/holders?limit=100`, "holders", shapes.holder);
    await client.list(`/v2/token/${address}/devs`, "devs", shapes.dev);
    await client.get(`/v2/token/${address}/stats`, shapes.stats);
    const candles = await client.walk(`/v2/token/${address}/candles?interval=5m&limit=50`, {
      rows: "candles",
      key: by("t"),
      check: shapes.candle,
    });
    if (candles.length === 0) client.complain(`${address}: traded, and no candles`);
    // A token on a chain may have no name at all; then it is found by its address.
    const asked = encodeURIComponent(String(symbol === "" ? address : symbol));
    const found = await client.list(`/v2/tokens/search?q=${asked}&limit=50`, "tokens", shapes.foundToken);
    if (!found.some((each) => each.address === address)) client.complain(`${symbol} is not found`);
    const results = await client.list(
      `/v2/search?q=${asked}&limit=50`,
      "results",
      row({ type: oneOf("trader", "token") }),
    );
    for (const each of results)
      if (each.type === "token") shapes.foundToken(each, "search", client.complaints);
  }
}

async function activity(client: StrictClient): Promise<void> {
  const older = { parameter: "before", from: "oldestCursor" };
  for (const filter of ["type=sell", "chain=altchain", "source=push", "type=thesis"]) {
    const walk = { rows: "alerts", key: by("seq"), check: alert, by: older };
    const rows = await client.walk(`/v2/alerts?limit=100&${filter}`, walk);
    const [name, value] = filter.split("=") as [string, string];
    for (const each of rows)
      if (each[name] !== value) client.complain(`${filter}: an alert of ${each[name]}`);
  }
  await client.walk("/v2/notifications?limit=100", {
    rows: "notifications",
    key: by("id"),
    check: shapes.notification,
    by: older,
  });
}

async function account(client: StrictClient): Promise<void> {
  const stream = { path: words, included: flag };
  const me: Body = await client.get(
    "/v2/me",
    row({
      plan: oneOf("scale"),
      credits: row({
        monthly: count,
        usedThisMonth: count,
        prepaid: count,
        remaining: count,
        resetsAt: orNull(time),
      }),
      streams: row({ appFeed: row({ ...stream, delaySeconds: count }), onChain: row(stream) }),
      planExpiresAt: orNull(time),
    }),
  );
  const { monthly, usedThisMonth, prepaid, remaining } = me.credits as Record<string, number>;
  if (Number(monthly) - Number(usedThisMonth) + Number(prepaid) !== remaining)
    client.complain("the credits do not add up");
  await client.get("/v2/usage?groupBy=route");
  await client.get("/v2/keys");
  await client.get("/v1", row({ version: oneOf("2.0.0"), endpoints: row({}) }));
  await client.get("/health", row({ ok: oneOf(true), traders: count, uptime: notNegative }));
}
