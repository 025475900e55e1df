// What every bus guarantees; run on each of them. `make` gives a node on the same bus as the others.
import { expect, test } from "bun:test";
import { eventually } from "../../test/support/eventually.ts";
import type { Bus, BusMessage } from "./port.ts";

const MOVED: BusMessage = { kind: "moved", epoch: "e", seq: 7 };

export function busSuite(make: () => Promise<Bus>): void {
  test("a node hears its own announcement before announce returns, and once", async () => {
    const bus = await make();
    const heard: BusMessage[] = [];
    bus.listen((message) => heard.push(message));
    bus.announce(MOVED);
    expect(heard).toEqual([MOVED]);
    bus.announce({ kind: "revoked", keyId: "k" });
    bus.announce({ kind: "accountChanged", accountId: "a" });
    await Bun.sleep(50);
    expect(heard).toEqual([
      MOVED,
      { kind: "revoked", keyId: "k" },
      { kind: "accountChanged", accountId: "a" },
    ]);
    await bus.close();
  });

  test("a listener that throws harms no other, and one that stopped hears nothing", async () => {
    const bus = await make();
    const heard: string[] = [];
    bus.listen(() => {
      throw new Error("a bad listener");
    });
    const stop = bus.listen(() => heard.push("stopped"));
    bus.listen(() => heard.push("stays"));
    stop();
    bus.announce(MOVED);
    expect(heard).toEqual(["stays"]);
    await bus.close();
  });

  test("a closed bus is silent", async () => {
    const bus = await make();
    const heard: BusMessage[] = [];
    bus.listen((message) => heard.push(message));
    await eventually(() => bus.state() === "up", "the bus is up");
    await bus.close();
    bus.announce(MOVED);
    expect(heard).toEqual([]);
  });
}
