// Paper follows: an account without money that copies a trader from now on, and the state of active ones.
import type { Follow, PaperOrder } from "../src/generated.ts";
import { type Reading, reading } from "./reading.ts";
import { FOLLOW_HELP, FOLLOW_OPTIONS, followTerms } from "./replay-terms.ts";
import { type Column, facts, gains, table } from "./table.ts";
import * as unit from "./units.ts";

const columns: Column<Follow>[] = [
  { head: "id", value: ({ id }) => id },
  { head: "trader", max: 24, value: ({ handle }) => `@${handle}` },
  { head: "status", value: ({ status, waitingFor }) => (waitingFor ? `waits for ${waitingFor}` : status) },
  { head: "since (UTC)", value: ({ from }) => unit.time(from) },
  { head: "orders", align: "right", value: ({ filled }) => unit.count(filled) },
  { head: "held", align: "right", value: ({ holdings }) => unit.count(holdings.length) },
  gains("net (USD)", ({ pnlUsd }) => pnlUsd),
];

const orderColumns: Column<PaperOrder>[] = [
  { head: "when (UTC)", value: ({ at }) => unit.time(at) },
  { head: "side", value: ({ side }) => side },
  { head: "token", max: 16, value: ({ symbol }) => symbol },
  { head: "why", value: ({ cause, skipped }) => (skipped === null ? cause : `skipped: ${skipped}`) },
  { head: "price (USD)", align: "right", value: ({ priceUsd }) => unit.price(priceUsd) },
  { head: "USD", align: "right", value: ({ usd, skipped }) => (skipped === null ? unit.usd(usd) : "") },
  {
    head: "fees (USD)",
    align: "right",
    value: ({ feeUsd, skipped }) => (skipped === null ? unit.usd(feeUsd) : ""),
  },
];

const text = (follow: Follow, { paint }: Pick<Reading, "paint">): string =>
  facts(
    [
      ["follow", follow.id],
      ["trader", `@${follow.handle}`],
      ["status", follow.waitingFor ? `waits for ${follow.waitingFor}` : follow.status],
      ["decided up to (UTC)", unit.time(follow.asOf)],
      ["net (USD)", unit.usd(follow.pnlUsd)],
      ["cash (USD)", unit.usd(follow.cashUsd)],
      ["orders", `${unit.count(follow.filled)} filled, ${unit.count(follow.waiting)} to come`],
      ["held", follow.holdings.map(({ symbol }) => symbol).join(", ")],
      ["credits", unit.count(follow.creditsCharged)],
    ],
    paint,
  );

export const follow = reading({
  usage: "follow @HANDLE [--size USD] [--delay SECONDS] [--exit mirror|firstSell|rules] …",
  summary: "Follow a trader on paper from now on. 125 credits for each 100 orders.",
  details: FOLLOW_HELP,
  options: FOLLOW_OPTIONS,
  words: [1, 1],
  async run(run) {
    const made = await run.client.createFollow(followTerms(String(run.words[0]), run.values));
    await run.show(made, () => text(made, run));
    run.remark(`It continues by itself. See it with: crowdtape follows ${made.id}`);
  },
});

export const follows = reading({
  usage: "follows [ID [--orders | --stop]]",
  summary: "Your paper follows, or one of them. Free.",
  details: [
    "  --orders           every order of the one named, filled or skipped",
    "  --stop             stops the one named; it can be read for 30 days",
  ].join("\n"),
  options: { orders: { type: "boolean" }, stop: { type: "boolean" } },
  words: [0, 1],
  async run(run) {
    const [followId] = run.words;
    if (followId === undefined) {
      const answer = await run.client.listFollows();
      return run.show(answer, () => table(answer.follows, columns, run.paint));
    }
    const one = await (run.values.stop
      ? run.client.stopFollow({ followId })
      : run.client.getFollow({ followId }));
    const orders = run.values.orders
      ? await Array.fromAsync(run.client.rows.listFollowOrders({ followId }))
      : [];
    await run.show(run.values.orders ? { ...one, orderList: orders } : one, () =>
      [text(one, run), ...(orders.length > 0 ? [table(orders, orderColumns, run.paint)] : [])].join("\n\n"),
    );
    if (one.note) run.remark(one.note);
  },
});
