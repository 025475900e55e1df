// Feed positions belong to a platform: following another begins at its start, and coming back continues where it was.
import { expect, test } from "bun:test";
import { UNDECLARED } from "../../protocol/capabilities.ts";
import { eventually } from "../../test/support/eventually.ts";
import { appEvent } from "../../test/support/nouns.ts";
import type { Store } from "../store/store.ts";
import { captureOn, closedAfterEach } from "./test-support.ts";
import { scriptedUpstream } from "./test-upstream.ts";

const { openStore, cleanUps } = closedAfterEach();

function platform(source: string) {
  const upstream = scriptedUpstream();
  upstream.capabilities = async () => ({ kind: "found", value: { ...UNDECLARED, source } });
  return upstream;
}

async function followed(upstream: ReturnType<typeof platform>, store: Store, until: number): Promise<void> {
  const capture = captureOn(upstream, store);
  capture.start();
  cleanUps.push(() => capture.stop());
  await eventually(async () => (await store.log.head()).seq === until, `the log has ${until} events`);
  await capture.stop();
}

test("a store changes platforms and back without skipping or repeating an event", async () => {
  const store = await openStore();
  const [first, second] = [platform("one"), platform("two")];
  first.put("app", appEvent(), appEvent(), appEvent());
  second.put("app", appEvent(), appEvent());
  await followed(first, store, 3);
  await followed(second, store, 5);
  expect(await store.progress.position("app", "one")).toBe(3);
  expect(await store.progress.position("app", "two")).toBe(2);
  first.put("app", appEvent());
  const readsBefore = first.reads("app");
  await followed(first, store, 6);
  expect(first.reads("app")).toBeGreaterThan(readsBefore);
  expect(await store.progress.position("app", "one")).toBe(4);
});
