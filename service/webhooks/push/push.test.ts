// Web Push: sealed as RFC 8291 has it, signed so that a push service can check it, delivered from the log late enough, retried
// when it was refused, forgotten when the browser is gone, and whole over a restart.
import { afterEach, expect, test } from "bun:test";
import { DEFAULT_CHAINS } from "../../../contract/chains.ts";
import { KEYLESS } from "../../../contract/plans.ts";
import { PUSH, type Pushed, type PushWish } from "../../../contract/push.ts";
import { createLog } from "../../../kit/log.ts";
import { createMetrics } from "../../../kit/metrics.ts";
import { seededRandom } from "../../../kit/random.ts";
import { MINUTE_MS } from "../../../kit/units.ts";
import { makeVapidKeys } from "../../../kit/vapid-keys.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { memoryBus } from "../../bus/memory.ts";
import { storeDirectory } from "../../feed/directory.ts";
import { createTail } from "../../feed/tail.ts";
import { buy, openTape, undo, type WebhookTape } from "../test-support.ts";
import { encryptFor } from "./encrypt.ts";
import { createPush } from "./push.ts";
import { openBrowser, startPushService } from "./test-support.ts";

const PATIENT_MS = 900_000;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const vapid = { ...makeVapidKeys(), subject: "mailto:ops@example.com" };
const point = (text: string) => {
  const bytes = Buffer.from(text, "base64url");
  return {
    kty: "EC",
    crv: "P-256",
    x: bytes.subarray(1, 33).toString("base64url"),
    y: bytes.subarray(33).toString("base64url"),
  };
};

test("a message is sealed exactly as the example of RFC 8291", async () => {
  const own = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
  const curve = { name: "ECDH", namedCurve: "P-256" };
  const jwk = { ...point(own), d: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw" };
  const pair = {
    publicKey: await crypto.subtle.importKey("jwk", point(own), curve, true, []),
    privateKey: await crypto.subtle.importKey("jwk", jwk, curve, true, ["deriveBits"]),
  };
  const sealed = await encryptFor(
    {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    },
    "When I grow up, I want to be a watermelon",
    { pair, salt: new Uint8Array(Buffer.from("DGv6ra1nlYgDCS1FRnbzlw", "base64url")) },
  );
  expect(Buffer.from(sealed).toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w" +
      "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

/** A node that delivers; `tape` has its log, and a clock that can be pushed. */
async function startNode(tape: WebhookTape) {
  const { store, clock } = tape;
  const log = createLog("silent", clock.now);
  const tail = createTail({ store, bus: memoryBus(log), chains: DEFAULT_CHAINS, clock, log });
  await tail.start();
  const metrics = createMetrics();
  const push = createPush({
    clock,
    log,
    metrics,
    random: seededRandom("push"),
    database: store.database,
    leases: store.leases,
    logStore: store.log,
    tail,
    chains: DEFAULT_CHAINS,
    directory: storeDirectory(store),
    targets: "any",
    vapid,
  });
  push.start();
  let isOpen = true;
  const stop = async () => {
    if (!isOpen) return;
    isOpen = false;
    await push.stop();
    await tail.stop();
  };
  closing.push(stop);
  /** How many answers of push services were taken in. */
  const answers = () => {
    const counts = metrics.render().matchAll(/^crowdtape_push_messages_total\{.* (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  return { ...push, stop, answers };
}

async function begin(behave?: Parameters<typeof startPushService>[0]) {
  const service = startPushService(behave);
  closing.push(service.stop);
  const tape = await openTape("sqlite");
  closing.push(tape.close);
  const browser = await openBrowser();
  const wish = (more: Partial<PushWish> = {}): PushWish => ({
    endpoint: service.url("/one"),
    p256dh: browser.p256dh,
    auth: browser.auth,
    traders: ["ana", "ben", "cem"],
    tokens: [],
    each: true,
    crowd: 0,
    ...more,
  });
  const read = async () => {
    const taken: Pushed[] = [];
    for (const { body } of service.taken) taken.push(JSON.parse(await browser.decrypt(body)) as Pushed);
    return taken;
  };
  return { service, tape, wish, read, later: () => tape.clock.push(KEYLESS.delaySeconds * 1_000) };
}

const byHand = (handle: string, more: Parameters<typeof buy>[0] = {}) =>
  buy({ handle, userId: null, ...more });
const seqs = (taken: readonly Pushed[]) =>
  taken.flatMap((pushed) => (pushed.kind === "alert" ? [pushed.alert.seq] : []));

test(
  "a followed trader's alerts reach the browser that asked, once visitors may see them, signed for its push service",
  async () => {
    const { service, tape, wish, read, later } = await begin();
    const node = await startNode(tape);
    await node.subscribe(wish(), "203.0.113.9");
    const [first] = await tape.append([byHand("ana"), byHand("dan")]);
    later();
    await eventually(() => service.taken.length > 0, "a message was taken");
    const [pushed] = await read();
    expect(pushed).toMatchObject({
      kind: "alert",
      alert: { alertType: "buy", trader: "ana", seq: first?.seq },
    });
    const { headers } = service.taken[0] as (typeof service.taken)[number];
    expect([headers["content-encoding"], headers.ttl]).toEqual(["aes128gcm", String(PUSH.ttlSeconds)]);
    const [, token = "", key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(String(headers.authorization)) ?? [];
    const [head = "", claims = "", signature = ""] = token.split(".");
    const own = await crypto.subtle.importKey(
      "jwk",
      point(String(key)),
      { name: "ECDSA", namedCurve: "P-256" },
      true,
      ["verify"],
    );
    const isSigned = await crypto.subtle.verify(
      { name: "ECDSA", hash: "SHA-256" },
      own,
      Buffer.from(signature, "base64url"),
      Buffer.from(`${head}.${claims}`),
    );
    expect([key, isSigned]).toEqual([vapid.publicKey, true]);
    const { aud, sub, exp } = JSON.parse(Buffer.from(claims, "base64url").toString());
    expect([aud, sub]).toEqual([new URL(service.url("/")).origin, vapid.subject]);
    expect(exp * 1_000).toBeGreaterThan(tape.clock.now());
    expect(service.taken).toHaveLength(1);
  },
  PATIENT_MS,
);

test(
  "nothing is lost over a restart: not what came meanwhile, not what was refused before it; and a crowd is said once",
  async () => {
    let isOpen = false;
    const { service, tape, wish, read, later } = await begin(() =>
      isOpen ? undefined : new Response(null, { status: 503 }),
    );
    const before = await startNode(tape);
    await before.subscribe(wish({ crowd: 3 }), "203.0.113.9");
    const refused = await tape.append([byHand("ana")]);
    later();
    await eventually(() => before.answers() > 0, "the push service refused it");
    await before.stop();
    isOpen = true;
    const meanwhile = await tape.append([byHand("ben")]);
    later();
    const node = await startNode(tape);
    const wanted = [...refused, ...meanwhile].map(({ seq }) => seq);
    await eventually(() => service.taken.length >= 2, "both were taken");
    expect(seqs(await read())).toEqual(wanted);
    await tape.append([byHand("cem")]);
    later();
    await eventually(() => service.taken.length >= 4, "the crowd and its last buy were taken");
    const crowd = (await read()).filter(({ kind }) => kind === "crowd");
    expect(crowd).toMatchObject([{ crowd: { count: 3, traders: ["ana", "ben", "cem"] } }]);
    await node.stop();
    await startNode(tape);
    await tape.append([byHand("ana")]);
    later();
    await eventually(() => service.taken.length >= 5, "one more was taken");
    const all = await read();
    expect(all.filter(({ kind }) => kind === "crowd")).toHaveLength(1);
    expect(new Set(seqs(all)).size).toBe(seqs(all).length);
  },
  PATIENT_MS,
);

test(
  "a node that slept past its lease sends nothing twice if no other took it",
  async () => {
    const asleep = Promise.withResolvers<undefined>();
    const { service, tape, wish, read, later } = await begin((path, before) =>
      path === "/one" && before === 0 ? asleep.promise : undefined,
    );
    const node = await startNode(tape);
    await node.subscribe(wish(), "203.0.113.9");
    await tape.append([byHand("ana")]);
    later();
    await eventually(() => service.asked("/one") === 1, "it is being sent");
    tape.clock.push(MINUTE_MS);
    await node.subscribe(wish({ endpoint: service.url("/two"), traders: ["dan"] }), "203.0.113.9");
    await tape.append([byHand("dan")]);
    later();
    await eventually(() => node.answers() >= 1, "the node is awake");
    asleep.resolve(undefined);
    await tape.append([byHand("ana")]);
    later();
    await eventually(() => node.answers() >= 3, "all were taken");
    const all = seqs(await read());
    expect(new Set(all).size).toBe(all.length);
  },
  PATIENT_MS,
);

test(
  "an alert that a re-org undid is taken back where it was shown, is not shown where it still waits, and is no news to others",
  async () => {
    const { service, tape, wish, read, later } = await begin();
    const node = await startNode(tape);
    await node.subscribe(wish(), "203.0.113.9");
    const [shown] = await tape.append([byHand("ana")]);
    later();
    await eventually(() => node.answers() >= 1, "it was shown");
    // One who comes now never saw it.
    await node.subscribe(wish({ endpoint: service.url("/two"), traders: ["ana", "dan"] }), "203.0.113.9");
    const waiting = byHand("ben");
    await tape.append([undo(shown as { eventId: string }), waiting, undo(waiting), byHand("dan")]);
    later();
    await eventually(() => node.answers() >= 3, "both got what is theirs");
    const [next] = await tape.append([byHand("ana")]);
    later();
    await eventually(() => node.answers() >= 5, "one more came");
    // A node that takes over knows of both that they may have it.
    await node.stop();
    await startNode(tape);
    await tape.append([undo(next as { eventId: string })]);
    later();
    await eventually(() => service.asked("/one") >= 4 && service.asked("/two") >= 3, "it was taken back");
    const taken = await read();
    const of = (path: string) =>
      taken.flatMap((pushed, index) =>
        service.taken[index]?.path === path && "alert" in pushed ? [[pushed.kind, pushed.alert.trader]] : [],
      );
    expect(of("/one")).toEqual([
      ["alert", "ana"],
      ["gone", "ana"],
      ["alert", "ana"],
      ["gone", "ana"],
    ]);
    expect(of("/two")).toEqual([
      ["alert", "dan"],
      ["alert", "ana"],
      ["gone", "ana"],
    ]);
    const gone = taken.find(({ kind }) => kind === "gone");
    expect(gone).toMatchObject({ alert: { seq: shown?.seq, alertType: "buy" } });
  },
  PATIENT_MS,
);

test(
  "a push service that says wait is left alone for that long, and one that says gone ends it",
  async () => {
    const { service, tape, wish, later } = await begin((path, count) => {
      if (path === "/gone") return new Response(null, { status: 410 });
      return count === 0
        ? new Response(null, { status: 429, headers: { "retry-after": "1800" } })
        : undefined;
    });
    let node = await startNode(tape);
    await node.subscribe(wish(), "203.0.113.9");
    await node.subscribe(wish({ endpoint: service.url("/gone"), traders: ["ana"] }), "203.0.113.9");
    await tape.append([byHand("ana")]);
    later();
    await eventually(() => node.answers() >= 2, "both have answered");
    // What comes next would go to both, if they were asked; also by a node that takes over.
    await tape.append([byHand("ana")]);
    await node.stop();
    tape.clock.push(1_500_000);
    node = await startNode(tape);
    await node.subscribe(wish({ endpoint: service.url("/other"), traders: ["ben"] }), "203.0.113.9");
    await tape.append([byHand("ben")]);
    later();
    await eventually(() => service.asked("/other") > 0, "another browser got its own");
    expect([service.asked("/one"), service.asked("/gone")]).toEqual([1, 1]);
    tape.clock.push(300_000);
    await eventually(() => service.asked("/one") >= 2, "it is asked again");
    expect(service.asked("/gone")).toBe(1);
  },
  PATIENT_MS,
);

test(
  "more than a person reads is one message, tokens count too, and an address keeps a bounded number of browsers",
  async () => {
    const { service, tape, wish, read, later } = await begin();
    const node = await startNode(tape);
    const token = { address: `0x${"ab".repeat(20)}`, networkId: 8453, symbol: "MANY" };
    await node.subscribe(wish({ traders: [], tokens: [token.address] }), "203.0.113.9");
    await tape.append(Array.from({ length: 30 }, () => byHand("zoe", { token } as never)));
    later();
    await eventually(() => service.taken.length > 0, "a message was taken");
    expect((await read()).at(0)).toMatchObject({ kind: "many", count: 30 });
    for (let n = 1; n < PUSH.perAddressMax; n++)
      await node.subscribe(wish({ endpoint: service.url(`/${n}`) }), "203.0.113.9");
    const next = wish({ endpoint: service.url("/next") });
    await expect(node.subscribe(next, "203.0.113.9")).rejects.toThrow("At most 20 browsers");
    await node.unsubscribe(service.url("/1"));
    await node.subscribe(next, "203.0.113.9");
    await node.subscribe(wish({ endpoint: service.url("/elsewhere") }), "198.51.100.7");
    await expect(node.subscribe(wish({ p256dh: `B${"A".repeat(86)}` }), "198.51.100.7")).rejects.toThrow(
      "p256dh",
    );
  },
  PATIENT_MS,
);
