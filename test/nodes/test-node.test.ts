// A test's node gets its own port, even if another process took the first one between its choice and the node's start.
import { afterEach, expect, test } from "bun:test";
import { freePort } from "../support/supervised.ts";
import { type TestNode, testNode } from "./cluster.ts";

const PATIENCE_MS = 900_000;
const SMALL_WORLD = { SIMULATOR_TRADERS: "50", SIMULATOR_HISTORY_DAYS: "1" };

let squatter: Bun.Server<undefined>;
let node: TestNode | null = null;
afterEach(async () => {
  await node?.end("SIGKILL");
  node?.remove();
  node = null;
  await squatter.stop(true);
});

/** A server that accepts everything, and a port chooser that returns its port at this call. */
function taken(place: number): () => Promise<number> {
  squatter = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("squatter") });
  let chosen = 0;
  return async () => (chosen++ === place ? Number(squatter.port) : freePort());
}

test(
  "a node whose port was taken starts on another, and keeps that one",
  async () => {
    node = await testNode("platform", SMALL_WORLD, taken(0));
    expect(node.url).toBe(`http://127.0.0.1:${squatter.port}`);
    await node.start();
    expect(node.url).not.toBe(`http://127.0.0.1:${squatter.port}`);
    expect(await (await fetch(`${node.url}/api/status`)).text()).not.toBe("squatter");
    const { url } = node;
    await node.end("SIGKILL");
    await node.start();
    expect(node.url).toBe(url);
  },
  PATIENCE_MS,
);

test(
  "a node whose metrics' port was taken starts on another",
  async () => {
    node = await testNode("serve", SMALL_WORLD, taken(1));
    await node.start();
    expect(await node.metric("crowdtape_http_in_flight")).toBeGreaterThanOrEqual(0);
  },
  PATIENCE_MS,
);

test(
  "a node that can't start for another reason says so at once",
  async () => {
    node = await testNode("serve", { ...SMALL_WORLD, DATA_DIR: "/dev/null/nowhere" }, taken(-1));
    await expect(node.start()).rejects.toThrow("DATA_DIR");
  },
  PATIENCE_MS,
);
