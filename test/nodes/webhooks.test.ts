// Webhooks on several nodes: endpoints fail, stall and redirect, the node that works some of them is killed, and still each
// gets every alert in order, at least once, and the account pays exactly.
import { expect } from "bun:test";
import { WEBHOOK_PRICE } from "../../contract/webhooks.ts";
import { eventually } from "../support/eventually.ts";
import { chargedFor, type Hooks, type Manner, newsAfter, startHooks } from "../support/hooks.ts";
import { needing } from "../support/needing.ts";
import { CLUSTER_START_MS, type Cluster, startCluster } from "./cluster.ts";

const { afterAll, beforeAll, test } = needing("postgres", "redis");

let cluster: Cluster;
let hooks: Hooks;
beforeAll(async () => {
  cluster = await startCluster();
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

test(
  "a killed node's webhooks go on at another one; nothing is missing, reordered or paid twice",
  async () => {
    const key = await cluster.makeKey();
    const [first, second] = cluster.api;
    const call = async <T>(path: string, method = "GET", body?: object, node = second): Promise<T> => {
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
    for (const [index, manner] of manners.entries()) {
      const name = `h${index}`;
      const body = { url: hooks.url(manner, name), batch: index % 2 === 0 ? 1 : 20 };
      made.push({ ...(await call<View>("/v2/webhooks", "POST", body, first)), name });
    }
    const worked = async (node: typeof first) => (await node.metric("crowdtape_webhook_endpoints")) > 0;
    await eventually(async () => (await worked(first)) && (await worked(second)), "both nodes work some");
    await eventually(
      () => made.filter(({ name }) => hooks.taken(name).length > 10).length >= 3,
      "alerts come",
    );
    await first.end("SIGKILL");
    const working = () => second.metric("crowdtape_webhook_endpoints");
    await eventually(async () => (await working()) === made.length, "the other node works all of them");
    hooks.restore();
    // Their waits are not over because the endpoints are well again; an owner resumes them.
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
    // What was under way when they were paused is still counted.
    await eventually(
      async () => (await owed()) === (await chargedFor(cluster.store, key.accountId)),
      "paid exactly",
    );
    expect(await cluster.access.imbalances()).toEqual([]);
    await first.start();
  },
  CLUSTER_START_MS,
);
