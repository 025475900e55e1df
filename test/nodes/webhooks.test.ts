// Webhooks and paper follows on several nodes: endpoints fail, stall and redirect, the node that works some of them is killed,
// and still each gets every alert in order, at least once, each follow has every order once, and the account is charged
// exactly.
import { expect } from "bun:test";
import type { AnswerOf } from "../../contract/route.ts";
import type { Routes } from "../../contract/routes.ts";
import { WEBHOOK_PRICE } from "../../contract/webhooks.ts";
import { eventually } from "../support/eventually.ts";
import { chargedFor, type Hooks, type Manner, newsAfter, startHooks } from "../support/hooks.ts";
import { needing } from "../support/needing.ts";
import { CLUSTER_START_MS, type Cluster, startCluster } from "./cluster.ts";

const { afterAll, beforeAll, test } = needing("postgres", "redis");

let cluster: Cluster;
let hooks: Hooks;
beforeAll(async () => {
  // Each alert goes to eight endpoints, some of them alone: a busy machine must be able to catch up. Nothing here is about
  // speed.
  cluster = await startCluster(6, { UPSTREAM_DEADLINE_MS: "60000" });
  hooks = startHooks("nodes");
}, CLUSTER_START_MS);
afterAll(async () => {
  await hooks?.stop();
  await cluster?.stop();
}, CLUSTER_START_MS);

interface View {
  id: string;
  position: string;
  delivered: number;
}

type CallNode = <T>(
  path: string,
  method?: string,
  body?: object,
  node?: Cluster["api"][number],
) => Promise<T>;
type Follow = AnswerOf<Routes["getFollow"]>;
type FollowOrders = AnswerOf<Routes["listFollowOrders"]>;

const FOLLOWS = 6;

/** One of the currently active traders. */
async function followBusiest(call: CallNode, node: Cluster["api"][number]): Promise<Follow[]> {
  let traders: string[] = [];
  await eventually(async () => {
    const { events } = await cluster.store.log.page({ kinds: ["buy"], limit: 100 });
    const ids = events.flatMap((event) => (event.feed === "app" ? (event.userId ?? []) : []));
    traders = [...new Set(ids)].slice(0, FOLLOWS);
    return traders.length === FOLLOWS;
  }, "this many traders traded");
  const made: Follow[] = [];
  for (const trader of traders)
    made.push(await call("/v2/follows", "POST", { trader, capitalUsd: 1e6 }, node));
  return made;
}

/** One order for each of the trader's fills that is in a follow. */
async function expectEveryOrder(call: CallNode, follows: readonly Follow[], killedAt: number): Promise<void> {
  const isBooked = async ({ id }: Follow) =>
    (await call<FollowOrders>(`/v2/follows/${id}/orders?cursor=start`)).orders.length > 0;
  // The traders trade at random times.
  await eventually(async () => (await Promise.all(follows.map(isBooked))).includes(true), "one is booked", {
    pollMs: 500,
  });
  let booked = 0;
  for (const { id, userId, from } of follows) {
    await eventually(
      async () => Date.parse((await call<Follow>(`/v2/follows/${id}`)).asOf) > killedAt + 1_000,
      "the follow continues at the other node",
    );
    const stopped = await call<Follow>(`/v2/follows/${id}`, "DELETE");
    const orders: FollowOrders["orders"] = [];
    for (let cursor: string | null = "start"; cursor !== null; ) {
      const page: FollowOrders = await call(`/v2/follows/${id}/orders?cursor=${cursor}`);
      orders.push(...page.orders);
      cursor = page.nextCursor;
    }
    expect(orders.map(({ index }) => index)).toEqual(orders.map((_, index) => index));
    const kinds = ["buy", "sell"];
    const query = { userId, kinds, limit: 1_000, before: stopped.logSeq + 1, order: "asc" } as const;
    const fills = (await cluster.store.log.page(query)).events.flatMap((event) =>
      event.feed === "app" && (event.execAt ?? event.at) > Date.parse(from) ? event.txHash : [],
    );
    const copied = orders.filter(({ cause }) => cause === "leader").map(({ txHash }) => txHash);
    expect(new Set(copied).size).toBe(copied.length);
    expect([id, fills.filter((txHash) => !copied.includes(txHash)).length]).toEqual([id, stopped.waiting]);
    expect(stopped.creditsCharged).toBe(125 * Math.ceil(stopped.filled / 100));
    booked += orders.length;
  }
  expect(booked).toBeGreaterThan(0);
}

test(
  "a killed node's webhooks continue at another one; nothing is missing, reordered or charged twice",
  async () => {
    const key = await cluster.makeKey();
    const [first, second] = cluster.api;
    let survivor = second;
    const call: CallNode = async <T>(
      path: string,
      method = "GET",
      body?: object,
      node = survivor,
    ): Promise<T> => {
      const response = await fetch(`${node.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${key.secret}`, "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      expect([path, response.status]).toEqual([path, method === "POST" ? 201 : 200]);
      return (await response.json()) as T;
    };
    const manners: Manner[] = ["well", "failing", "slow", "redirecting", "well", "failing", "slow", "well"];
    const made: (View & { name: string })[] = [];
    const make = async (manner: Manner) => {
      const name = `h${made.length}`;
      const body = { url: hooks.url(manner, name), batch: made.length % 2 === 0 ? 1 : 20 };
      made.push({ ...(await call<View>("/v2/webhooks", "POST", body, first)), name });
    };
    for (const manner of manners) await make(manner);
    const follows = await followBusiest(call, first);
    const endpoints = (node: typeof first) => node.metric("crowdtape_webhook_endpoints");
    // A webhook's node follows from its id, so by chance one may have them all.
    await eventually(async () => {
      const [ours, theirs] = [await endpoints(first), await endpoints(second)];
      if (ours + theirs === made.length && ours * theirs === 0) await make("well");
      return ours * theirs > 0;
    }, "both nodes work some");
    await eventually(
      () => made.filter(({ name }) => hooks.taken(name).length > 10).length >= 3,
      "alerts come",
    );
    // Either node may have been faster with all of the follows.
    const follower = async () => {
      const held = await Promise.all(cluster.api.map((node) => node.metric("crowdtape_paper_follows")));
      return cluster.api.find((_, index) => Number(held[index]) > 0);
    };
    await eventually(async () => (await follower()) !== undefined, "a node works follows");
    const victim = (await follower()) ?? first;
    survivor = victim === first ? second : first;
    await victim.end("SIGKILL");
    const killedAt = Date.now();
    const working = () => survivor.metric("crowdtape_webhook_endpoints");
    await eventually(async () => (await working()) === made.length, "the other node works all of them");
    hooks.restore();
    // Their retry delays are not over just because the endpoints work again; an owner resumes them.
    for (const status of ["paused", "active"])
      for (const { id } of made) await call(`/v2/webhooks/${id}`, "PATCH", { status });
    for (const { name, position } of made) {
      const wanted = await newsAfter(cluster.store, position);
      await eventually(() => new Set(hooks.taken(name)).size >= wanted.length, `${name} got everything`);
      const got = [...new Set(hooks.taken(name))];
      expect([name, got.slice(0, wanted.length)]).toEqual([name, wanted]);
    }
    for (const { id } of made) await call(`/v2/webhooks/${id}`, "PATCH", { status: "paused" });
    const owed = async () => {
      const { webhooks } = await call<{ webhooks: View[] }>("/v2/webhooks");
      return webhooks.reduce(
        (sum, { delivered }) => sum + Math.ceil(delivered / WEBHOOK_PRICE.events) * WEBHOOK_PRICE.credits,
        0,
      );
    };
    // Deliveries in progress when they were paused are still counted.
    await eventually(
      async () => (await owed()) === (await chargedFor(cluster.store, key.accountId)),
      "paid exactly",
    );
    await expectEveryOrder(call, follows, killedAt);
    expect(await cluster.access.imbalances()).toEqual([]);
    await victim.start();
  },
  CLUSTER_START_MS,
);
