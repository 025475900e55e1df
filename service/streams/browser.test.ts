// A real browser as the client: it sees the same frames, can resume, and is refused from a foreign origin.
import { expect } from "bun:test";
import { AlertFrame } from "../../contract/frames.ts";
import { launchBrowser } from "../../test/support/browser.ts";
import { needing } from "../../test/support/needing.ts";
import { eventMaker } from "./test-events.ts";
import { keyOf, startNode } from "./test-support.ts";

const { afterAll, test } = needing("chromium");

const closing: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

test("a page gets live frames, loses its connection, resumes, and misses nothing", async () => {
  const pages = Bun.serve({
    port: 0,
    fetch: () =>
      new Response("<!doctype html><title>test</title>", { headers: { "content-type": "text/html" } }),
  });
  closing.push(() => pages.stop(true));
  const origin = `http://localhost:${pages.port}`;
  const node = await startNode({ allowedOrigins: [origin] });
  closing.push(node.close);
  const { keyId } = await keyOf(node, "starter");
  const make = eventMaker("browser");
  const browser = await launchBrowser();
  closing.push(() => browser.close());
  const page = await browser.newPage();
  await page.goto(origin);

  /** Connects inside the page; the first `count` frames that are not heartbeats, or more until one is of this type. */
  const follow = async (query: string, count: number, until: string) => {
    const url = `${node.url}/ws/alerts?${query}`;
    const frames = await page.evaluate(
      ([address, wanted, type]) =>
        new Promise<string[]>((resolve, reject) => {
          const socket = new WebSocket(address);
          const got: string[] = [];
          socket.onmessage = ({ data }) => {
            if (!data.includes('"heartbeat"')) got.push(data);
            if (got.length < wanted || !got.some((text) => text.includes(`"type":"${type}"`))) return;
            socket.close();
            resolve(got);
          };
          socket.onerror = () => reject(new Error("the socket failed"));
        }),
      [url, count, until] as const,
    );
    return frames.map((text) => JSON.parse(text));
  };

  const { ticket } = await node.access.tickets.create(keyId);
  const first = follow(`ticket=${ticket}&type=buy`, 4, "alert");
  const timer = setInterval(
    () => void node.append([make.app({ kind: "buy" }), make.app({ kind: "thesis" })]),
    20,
  );
  const [welcome, ...live] = await first;
  const next = (await node.access.tickets.create(keyId)).ticket;
  const last = live.at(-1).seq;
  const again = await follow(`ticket=${next}&type=buy&resume=${welcome.epoch}.${last}`, 12, "resumed");
  clearInterval(timer);

  const alerts = [...live, ...again.filter((frame) => frame.type === "alert")];
  for (const alert of alerts) AlertFrame.parse(alert);
  // Every second position is a buy.
  const seqs = alerts.map((alert) => alert.seq);
  expect(seqs).toEqual(seqs.map((_, index) => seqs[0] + 2 * index));
  expect(again.some((frame) => frame.type === "resumed")).toBe(true);

  const elsewhere = await browser.newPage();
  await elsewhere.goto(origin.replace("localhost", "127.0.0.1"));
  const outcome = await elsewhere.evaluate(
    (address) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(address);
        socket.onopen = () => resolve("opened");
        socket.onerror = () => resolve("refused");
      }),
    `${node.url}/ws/alerts`,
  );
  expect(outcome).toBe("refused");
}, 900_000);
