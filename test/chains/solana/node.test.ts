// The test cluster behaves like a real one in everything the tracker depends on: commitments, skipped slots, forks, paging and
// subscriptions, over real sockets.
import { afterAll, expect, test } from "bun:test";
import { eventually } from "../../support/eventually.ts";
import { TestLedger } from "./ledger.ts";
import { TestMarket } from "./market.ts";
import { TestNode } from "./node.ts";

const ledger = new TestLedger();
const market = await TestMarket.open(ledger);
const trader = await market.addTrader();
const pool = await market.addPool(10n ** 15n, 30n * 10n ** 9n);
ledger.produce();
ledger.finalize();
const node = new TestNode(ledger);
afterAll(() => node.stop());

interface Answer<T> {
  result: T;
  error?: { code: number };
}
async function call<T>(method: string, ...params: unknown[]): Promise<Answer<T>> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return (await (await fetch(node.url, { method: "POST", body })).json()) as Answer<T>;
}
type Entry = { signature: string; slot: number; confirmationStatus: string; err: unknown };
const signatures = async (config: object) =>
  (await call<Entry[]>("getSignaturesForAddress", trader.address, config)).result;

test("a transaction is seen when its block is confirmed, and final when that is finalized", async () => {
  const { signature } = await market.buy(trader, pool, 10n ** 9n);
  const { slot } = ledger.produce();
  const version = { maxSupportedTransactionVersion: 0 };
  const seen = async (commitment: string) =>
    (await call<object | null>("getTransaction", signature, { ...version, commitment })).result;
  expect(await seen("confirmed")).toBeNull();
  ledger.confirm();
  expect(await seen("confirmed")).toMatchObject({ slot, version: 0 });
  expect(await seen("finalized")).toBeNull();
  expect((await signatures({ commitment: "confirmed", limit: 1 }))[0]?.confirmationStatus).toBe("confirmed");
  ledger.finalize();
  expect(await seen("finalized")).toMatchObject({ slot });
  const old = await call("getTransaction", signature, { commitment: "finalized" });
  expect(old.error?.code).toBe(-32015);
});

test("a skipped slot, a future slot and a block are told apart", async () => {
  ledger.skip();
  const { slot } = ledger.produce();
  ledger.finalize();
  const none = { transactionDetails: "none" };
  expect((await call("getBlock", slot - 1, none)).error?.code).toBe(-32007);
  expect((await call("getBlock", slot + 1, none)).error?.code).toBe(-32004);
  expect((await call("getBlock", slot, none)).result).toMatchObject({ parentSlot: slot - 2 });
  expect((await call<number[]>("getBlocks", slot - 2, slot)).result).toEqual([slot - 2, slot]);
});

test("a fork drops confirmed transactions, and any that land again do so in another block", async () => {
  const lost = await market.transferSol(trader, pool.address, 7n);
  const kept = await market.transferSol(trader, pool.address, 8n);
  const { slot } = ledger.produce();
  ledger.confirm();
  ledger.fork(1, ({ signature }) => signature === kept.signature);
  ledger.produce();
  ledger.finalize();
  const list = await signatures({ commitment: "confirmed" });
  expect(list.some(({ signature }) => signature === lost.signature)).toBe(false);
  expect(list.find(({ signature }) => signature === kept.signature)?.slot).toBe(slot + 1);
  expect((await call("getBlock", slot, { transactionDetails: "none" })).error?.code).toBe(-32007);
});

test("signatures are listed newest first and paged by before, until and limit", async () => {
  const sent: string[] = [];
  for (let at = 0; at < 5; at++) {
    sent.unshift((await market.transferSol(trader, pool.address, BigInt(at + 100))).signature);
    if (at % 2 === 0) ledger.produce();
  }
  ledger.produce();
  ledger.finalize();
  const names = (list: Entry[]) => list.map(({ signature }) => signature);
  expect(names(await signatures({ limit: 5 }))).toEqual(sent);
  expect(names(await signatures({ before: sent[1], until: sent[4] }))).toEqual(sent.slice(2, 4));
});

test("subscribers to logs are notified about the wallet they named and no other", async () => {
  const heard: string[] = [];
  const socket = new WebSocket(node.wsUrl);
  socket.onmessage = ({ data }) => heard.push(JSON.parse(String(data)).params?.result?.value?.signature);
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  const params = [{ mentions: [trader.address] }, { commitment: "confirmed" }];
  socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "logsSubscribe", params }));
  await eventually(() => node.subscribers === 1, "the subscription is there");
  const other = await market.addTrader();
  await market.transferSol(other, pool.address, 5n);
  const own = await market.sell(trader, pool, 10n);
  ledger.produce();
  ledger.confirm();
  await eventually(() => heard.includes(own.signature), "the trade is heard of");
  expect(heard.filter(Boolean)).toEqual([own.signature]);
  socket.close();
});

test("a transaction that the token program refuses lands as failed and only costs its fee", async () => {
  const landed = await market.sell(trader, pool, 10n ** 18n);
  expect(landed.failed).toBe(true);
  ledger.produce();
  ledger.finalize();
  const [entry] = await signatures({ limit: 1 });
  expect(entry).toMatchObject({ signature: landed.signature, err: { InstructionError: expect.anything() } });
  const [before, after] = [landed.meta.preBalances, landed.meta.postBalances] as number[][];
  expect((before?.[0] ?? 0) - (after?.[0] ?? 0)).toBe(landed.meta.fee as number);
});
