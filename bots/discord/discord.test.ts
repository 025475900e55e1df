// The Discord bot against a stand-in: signed commands only, alerts to channels within their buckets, each once, even when a
// response got lost; closed channels are removed; a webhook alone is enough for alerts.
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_CHAINS } from "../../contract/chains.ts";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { seededRandom } from "../../kit/random.ts";
import { eventually } from "../../test/support/eventually.ts";
import { openState } from "../core/state.ts";
import { fastClock, startTestLog } from "../test-log.ts";
import { type DiscordParts, runDiscord } from "./discord.ts";
import { startTestDiscord, type TestDiscord } from "./test-discord.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-discord-"));
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  rmSync(folder, { recursive: true, force: true });
});

const CHANNEL = "1200000000000000001";
const OTHER = "1200000000000000002";

async function start(
  clock = fastClock(),
  over: (discord: TestDiscord) => Partial<DiscordParts> = () => ({}),
) {
  const log = startTestLog();
  const discord = startTestDiscord(clock.now);
  const lines: string[] = [];
  ends.push(log.stop, discord.stop);
  const state = { location: { file: join(folder, "discord.sqlite") }, bot: "discord" };
  const run = async () => {
    const stop = new AbortController();
    let isReady = false;
    const running = runDiscord({
      clock,
      state,
      log: createLog("debug", clock.now, (line) => void lines.push(line)),
      random: seededRandom("bot"),
      client: log.client,
      chains: DEFAULT_CHAINS,
      pages: null,
      base: discord.url,
      token: discord.token,
      webhook: null,
      host: "127.0.0.1",
      port: 0,
      signal: stop.signal,
      onReady(port) {
        isReady = true;
        if (port !== null) discord.listensOn(port);
      },
      ...over(discord),
    });
    let isOver = false;
    const noteEnd = () => {
      isOver = true;
    };
    running.then(noteEnd, noteEnd);
    await eventually(() => isOver || (isReady && log.server.sockets.length > 0), "the bot runs");
    if (isOver) await running;
    const end = async () => {
      stop.abort();
      await running;
    };
    ends.push(end);
    return end;
  };
  const end = await run();
  const follow = async (channel: string, value: string) => {
    await log.listened();
    const data = { name: "follow", options: [{ name: "what", value }] };
    const asked = discord.edited.length;
    const { body } = await discord.interaction({ type: 2, channel_id: channel, data });
    // A slow answer is acknowledged first, and sent afterwards.
    if (body.type === 5) await eventually(() => discord.edited.length > asked, "the answer follows");
    expect(body.data?.content ?? discord.edited.at(-1)?.content).toStartWith("Following");
  };
  const tokens = (to: string) =>
    discord.posted
      .filter((each) => each.to === to)
      .flatMap(({ content }) => [...content.matchAll(/\$(T\d+)/g)].map(([, name]) => name));
  const got = (to: string, count: number) =>
    eventually(() => tokens(to).length >= count, `${to} has ${count} alerts`);
  return { clock, log, discord, lines, state, run, end, follow, tokens, got };
}

test("only requests signed by Discord are read: a ping, commands, buttons", async () => {
  const { discord, log, follow, got } = await start(systemClock());
  expect(await discord.interaction({ type: 1 })).toEqual({ status: 200, body: { type: 1 } });
  expect((await discord.interaction({ type: 1 }, { change: (text) => `${text} ` })).status).toBe(401);
  expect((await discord.interaction({ type: 1 }, { ageMs: 600_000 })).status).toBe(401);
  await follow(CHANNEL, "@maya buys 500");
  log.append();
  await got(CHANNEL, 1);
  const [alert] = discord.posted;
  expect(alert?.content).toBe("🟢 **\\@maya** bought $1,000 of **$T1** on solana at $0.5");
  expect(alert?.labels).toEqual(["Trader", "Token", "Mute @maya", "Mute $T1"]);
  const pressed = { type: 3, channel_id: CHANNEL, data: { custom_id: alert?.actions[2] } };
  const { body } = await discord.interaction(pressed);
  expect([body.data?.content, Number(body.data?.flags) & 64]).toEqual([
    "Muted for 24 hours; /unmute ends it.",
    64,
  ]);
  expect(discord.commands.find(({ name }) => name === "stop")?.default_member_permissions).toBe("16");
  expect(discord.commands.every(({ description }) => description.length <= 100)).toBe(true);
});

test("buckets and 429 are respected, a lost response repeats nothing, strangers' markup is text", async () => {
  const { discord, log, follow, got, tokens } = await start();
  await follow(CHANNEL, "all");
  discord.meets(CHANNEL, { resetAfter: 30 });
  log.append();
  await got(CHANNEL, 1);
  const firstAt = Number(discord.posted.at(-1)?.at);
  discord.meets(CHANNEL, { retryAfter: 20, global: true });
  discord.meets(CHANNEL, "lost answer");
  log.append({
    alertType: "thesis",
    text: "**x** @everyone <@1> [a](https://evil.example) `c`",
    trader: "_a_",
  });
  await got(CHANNEL, 2);
  expect(Number(discord.posted.at(-1)?.at) - firstAt).toBeGreaterThanOrEqual(50_000);
  const shown = String(discord.posted.at(-1)?.content).replace(/\\./gsu, "");
  expect(shown.replace(/^📝 \*\*.*?\*\* on \*\*.*?\*\*/u, "")).not.toMatch(/[`<@[\]()]|\*\*/);
  log.append();
  await got(CHANNEL, 3);
  expect(tokens(CHANNEL)).toEqual(["T1", "T2", "T3"]);
});

test("an alert that a re-org undid gets a reply that says so", async () => {
  const { discord, log, follow, got } = await start();
  await follow(CHANNEL, "all");
  const undone = log.append();
  await got(CHANNEL, 1);
  const message = `message-${discord.posted.length}`;
  log.undo(undone);
  await got(CHANNEL, 2);
  expect(discord.posted.at(-1)).toMatchObject({ to: CHANNEL, answers: message });
  expect(discord.posted.at(-1)?.content).toStartWith("↩️ Undone by a re\\-org\\: 🟢 **\\@maya** bought");
});

test("a restart misses nothing, and a channel that is closed or gone is removed", async () => {
  const { discord, log, follow, got, tokens, end, run, state: place, lines } = await start();
  await follow(CHANNEL, "all");
  await follow(OTHER, "all");
  discord.closed.set(OTHER, 403);
  log.append();
  await got(CHANNEL, 1);
  discord.closed.set(CHANNEL, 500);
  log.append();
  await end();
  log.append();
  discord.closed.delete(CHANNEL);
  const endAgain = await run();
  await got(CHANNEL, 3);
  expect(tokens(CHANNEL)).toEqual(["T1", "T2", "T3"]);
  discord.closed.set(CHANNEL, 404);
  log.append();
  const forgotten = () => lines.filter((line) => line.includes("is closed to the bot")).length;
  await eventually(() => forgotten() === 2, "both are found closed");
  await endAgain();
  const state = await openState(place, 0);
  expect([...state.chats()]).toEqual([]);
  await state.close();
});

test("an incoming webhook alone gets what the setting says, and its URL is in no log line", async () => {
  const { discord, log, tokens, lines } = await start(fastClock(), ({ webhookUrl }) => ({
    token: null,
    webhook: { url: webhookUrl, follows: ["@maya sells", "@maya buys 2000"] },
  }));
  discord.meets("webhook", "lost answer");
  log.append();
  log.append({ fillUsd: 2_000 });
  log.append({ alertType: "sell" });
  await eventually(() => tokens("webhook").includes("T3"), "the last came");
  expect(new Set(tokens("webhook"))).toEqual(new Set(["T2", "T3"]));
  expect(discord.posted[0]?.labels).toEqual([]);
  expect(lines.join("\n")).not.toMatch(/secret-of-webhook|test-bot-token/);
});

test("a wrong token ends the start with a sentence", async () => {
  const failed = start(fastClock(), () => ({ token: "wrong-token-wrong-token" }));
  expect(await failed.catch(({ message }) => message)).toContain("does not know BOT_DISCORD_TOKEN");
});
