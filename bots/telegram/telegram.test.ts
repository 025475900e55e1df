// The Telegram bot against stand-ins that speak the real protocols: a chat's follows reach it once and in order, whatever
// Telegram responds meanwhile; a restart misses nothing; strangers' text is text; the token appears nowhere.
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_CHAINS } from "../../contract/chains.ts";
import { createLog } from "../../kit/log.ts";
import { seededRandom } from "../../kit/random.ts";
import { eventually } from "../../test/support/eventually.ts";
import { openState } from "../core/state.ts";
import { fastClock, OTTO, startTestLog } from "../test-log.ts";
import { runTelegram, type TelegramParts } from "./telegram.ts";
import { startTestTelegram } from "./test-telegram.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-telegram-"));
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  rmSync(folder, { recursive: true, force: true });
});

function start() {
  const clock = fastClock();
  const log = startTestLog();
  const telegram = startTestTelegram(clock.now);
  const lines: string[] = [];
  ends.push(log.stop, telegram.stop);
  const state = { location: { file: join(folder, "telegram.sqlite") }, bot: "telegram" };
  const run = (over: Partial<TelegramParts> = {}) => {
    const stop = new AbortController();
    const running = runTelegram({
      clock,
      state,
      chains: DEFAULT_CHAINS,
      pages: null,
      webhook: null,
      random: seededRandom("bot"),
      log: createLog("debug", clock.now, (line) => void lines.push(line)),
      client: log.client,
      token: telegram.token,
      base: telegram.url,
      signal: stop.signal,
      ...over,
    });
    const end = async () => {
      stop.abort();
      await running;
    };
    ends.push(end);
    return { running, end };
  };
  const texts = (chat: number) =>
    telegram.sent.filter((each) => each.chat === String(chat)).map(({ text }) => text);
  /** Messages and digests alike: the tokens of the alerts, in order. */
  const tokens = (chat: number) =>
    texts(chat).flatMap((text) => [...text.matchAll(/\$(T\d+)/g)].map(([, name]) => name));
  const follow = async (chat: number, words: string) => {
    await log.listened();
    telegram.write(chat, `/follow ${words}`);
    await eventually(
      () => texts(chat).some((text) => text.startsWith("Following")),
      "the follow is confirmed",
    );
  };
  const got = (chat: number, count: number) =>
    eventually(() => tokens(chat).length >= count, `chat ${chat} has ${count} alerts`);
  return { clock, log, telegram, lines, state, run, texts, tokens, follow, got };
}

test("each chat gets what it follows, once, in order, no faster than Telegram allows, with buttons that fit", async () => {
  const { log, telegram, run, follow, got, tokens, texts } = start();
  run();
  await follow(1, "@maya buys 500");
  await follow(2, "@otto");
  log.append({ fillUsd: 499 });
  log.append({ alertType: "sell" });
  for (let n = 0; n < 30; n++) log.append();
  log.append({ userId: OTTO, trader: "otto" });
  await got(1, 30);
  await got(2, 1);
  expect(tokens(1)).toEqual(Array.from({ length: 30 }, (_, n) => `T${n + 3}`));
  expect(tokens(2)).toEqual(["T33"]);
  const times = telegram.sent.filter(({ chat }) => chat === "1").map(({ at }) => at);
  for (const [index, at] of times.slice(1).entries())
    expect(at - Number(times[index])).toBeGreaterThanOrEqual(1_000);
  const single = telegram.sent.find(({ chat, text }) => chat === "2" && text.includes("T33"));
  expect(single?.text).toBe("🟢 <b>@\u2060otto</b> bought $1,000 of <b>$T33</b> on solana at $0.5");
  expect(single?.keyboard.flat().map(({ text }) => text)).toEqual([
    "Trader",
    "Token",
    "Mute @otto",
    "Mute $T33",
  ]);
  telegram.press(2, String(single?.keyboard[1]?.[0]?.callback_data));
  await eventually(() => telegram.toasts.length > 0, "the button is answered");
  log.append({ userId: OTTO, trader: "otto" });
  log.append();
  await got(1, 31);
  expect(tokens(2)).toEqual(["T33"]);
  expect(texts(3)).toEqual([]);
});

test("an alert that a re-org undid gets one reply that says so, even after a restart; a waiting one is not sent", async () => {
  const { log, telegram, run, follow, got, texts } = start();
  const first = run();
  await follow(1, "@maya");
  await follow(2, "@otto");
  const undone = log.append();
  await got(1, 1);
  const number = telegram.sent.findIndex(({ text }) => text.includes("$T1<")) + 1;
  await first.end();
  log.undo(undone);
  run();
  const isAnswer = (text: string) => text.startsWith("↩️");
  await eventually(() => texts(1).some(isAnswer), "it is answered");
  const answer = telegram.sent.find(({ text }) => isAnswer(text));
  expect(answer?.text).toBe(
    "↩️ Undone by a re-org: 🟢 <b>@\u2060maya</b> bought $1,000 of <b>$T1</b> on solana at $0.5",
  );
  expect(answer?.replyTo).toBe(number);
  telegram.ill.add("1");
  const tries = () => telegram.methods.filter((name) => name === "sendMessage").length;
  const before = tries();
  const held = log.append();
  await eventually(() => tries() > before, "the next is being tried");
  const waits = log.append();
  log.undo(waits);
  log.append({ userId: OTTO, trader: "otto" });
  await got(2, 1);
  telegram.ill.delete("1");
  log.append();
  await eventually(() => texts(1).some((text) => text.includes("$T7<")), "the last came");
  expect(texts(1).filter((text) => text.includes(`$T${waits}<`))).toEqual([]);
  expect(texts(1).filter((text) => text.includes(`$T${held}<`))).toHaveLength(1);
  expect(texts(1).filter(isAnswer)).toHaveLength(1);
});

test("a link from the explorer starts a chat that follows its list, once, and nothing is searched for", async () => {
  const { log, telegram, run, texts, got } = start();
  run();
  const word = `list_${"a1".repeat(11)}`;
  await log.listened();
  telegram.write(1, `/start ${word}`);
  await eventually(() => texts(1).length === 1, "the list is confirmed");
  expect(texts(1)[0]).toMatch(/^Following <b>@.?maya, \$WIF \(solana .*\)<\/b>/);
  telegram.write(1, `/follow ${word}`);
  await eventually(() => texts(1).length === 2, "the second time is answered");
  expect(texts(1)[1]).toStartWith("Nothing of that list is new");
  expect(log.server.asked.filter(({ path }) => path.startsWith("/v2/search"))).toEqual([]);
  log.append();
  await got(1, 1);
});

test("strangers' text is shown as text: no markup, no mention, no link", async () => {
  const { log, run, follow, texts } = start();
  run({ pages: "https://tape.example" });
  await follow(1, "all");
  const text = '<b>x</b> <a href="https://evil.example">y</a> & @durov https://evil.example evil.example';
  log.append({ alertType: "thesis", text, trader: "a<b>&", token: '"><i>' });
  await eventually(() => texts(1).length === 2, "the thesis came");
  const [, shown = ""] = texts(1);
  expect(shown.match(/<[^>]+>/g)).toEqual(["<b>", "</b>", "<b>", "</b>", "<i>", "</i>"]);
  expect(shown).not.toMatch(/@durov|:\/\/evil|evil\.example/);
});

test("429 is waited for as long as it says, a lost response repeats one message, a refusal holds up nothing", async () => {
  const { log, telegram, run, follow, got, tokens, clock } = start();
  run();
  await follow(1, "all");
  telegram.meets(1, { retryAfter: 40 });
  const askedAt = clock.now();
  log.append();
  await got(1, 1);
  expect(Number(telegram.sent.at(-1)?.at) - askedAt).toBeGreaterThanOrEqual(40_000);
  telegram.meets(1, "lost answer");
  log.append();
  await got(1, 3);
  telegram.meets(1, "refused");
  log.append();
  await eventually(
    () => telegram.methods.filter((name) => name === "sendMessage").length >= 6,
    "it was tried",
  );
  log.append();
  await got(1, 4);
  expect(tokens(1)).toEqual(["T1", "T2", "T2", "T4"]);
});

test("nothing is lost or repeated over a restart, whether Telegram or the bot was away", async () => {
  const { log, telegram, lines, run, follow, got, tokens } = start();
  const first = run();
  await follow(1, "all");
  await follow(2, "all");
  log.append();
  await got(1, 1);
  await got(2, 1);
  telegram.ill.add("2");
  log.append();
  log.append();
  await got(1, 3);
  await eventually(() => lines.some((line) => line.includes("was not accepted")), "it was tried");
  await first.end();
  log.append();
  telegram.ill.clear();
  run();
  await got(1, 4);
  await got(2, 4);
  log.append();
  await got(1, 5);
  await got(2, 5);
  const all = ["T1", "T2", "T3", "T4", "T5"];
  expect([tokens(1), tokens(2)]).toEqual([all, all]);
});

test("excess alerts for a chat are joined, and past the limit counted instead of silently dropped", async () => {
  const { log, telegram, lines, run, follow, texts, tokens } = start();
  run();
  await follow(1, "all");
  telegram.ill.add("1");
  for (let n = 0; n < 260; n++) log.append();
  await eventually(() => lines.some((line) => line.includes("was not accepted")), "it was tried");
  // Another chat's alert shows that all of them were read.
  await follow(2, "all");
  log.append();
  await eventually(() => tokens(2).includes("T261"), "the last was read");
  telegram.ill.clear();
  await eventually(() => tokens(1).includes("T261"), "the last came");
  const leftOut = texts(1).flatMap((text) => [...text.matchAll(/(\d+) earlier alerts were left out/g)]);
  const counted = leftOut.reduce((sum, [, count]) => sum + Number(count), 0);
  expect(new Set(tokens(1)).size + counted).toBe(261);
  expect(counted).toBeGreaterThan(50);
  expect(texts(1).length).toBeLessThan(30);
});

test("a chat is warned when the log no longer reaches back to where it was", async () => {
  const { log, run, follow, got, texts } = start();
  const first = run();
  await follow(1, "all");
  log.append();
  await got(1, 1);
  await first.end();
  for (let n = 0; n < 9; n++) log.append();
  log.forgetBefore(8);
  run();
  await got(1, 4);
  expect(texts(1).filter((text) => text.includes("were lost")).length).toBe(1);
});

test("a chat that blocks the bot is removed, a group that migrates continues, and /stop leaves nothing behind", async () => {
  const { log, telegram, run, follow, got, state: place, texts, tokens } = start();
  const first = run();
  await follow(1, "all");
  await follow(-2, "all");
  await follow(3, "all");
  telegram.blocked.add("1");
  telegram.meets(-2, { migrateTo: -1002 });
  telegram.write(3, "/stop");
  await eventually(() => texts(3).some((text) => text.includes("forgotten")), "it says so");
  log.append();
  await got(-1002, 1);
  log.append();
  await got(-1002, 2);
  await first.end();
  expect(tokens(3)).toEqual([]);
  const state = await openState(place, 0);
  expect([...state.chats()].map(({ id }) => id)).toEqual(["-1002"]);
  await state.close();
});

test("the token is in no log line and no error, whatever fails", async () => {
  const { telegram, run, lines, follow, log, got } = start();
  run();
  await follow(1, "all");
  telegram.ill.add("1");
  log.append();
  await eventually(() => lines.some((line) => line.includes("was not accepted")), "it failed");
  telegram.ill.clear();
  await got(1, 1);
  const gone = run({ base: "http://127.0.0.1:1" });
  await eventually(() => lines.some((line) => line.includes("can't be reached")), "no one is there");
  await gone.end();
  const wrong = await run({ token: "123456:another-token-that-is-wrong" }).running.catch((error) => error);
  ends.pop();
  expect(wrong.message).toContain("does not know BOT_TELEGRAM_TOKEN");
  expect(`${lines.join("\n")}${wrong.stack}`).not.toMatch(/test-token|another-token/);
});

test("a webhook accepts updates with its secret, each once", async () => {
  const { telegram, run, texts } = start();
  const probe = Bun.serve({ port: 0, fetch: () => new Response() });
  const { port } = probe;
  await probe.stop(true);
  const url = "https://bot.example/updates";
  run({ webhook: { url, host: "127.0.0.1", port: Number(port) } });
  await eventually(() => telegram.webhook() !== null, "the webhook is set");
  expect(telegram.webhook()?.url).toBe(url);
  const post = async (secret: string, id: number) =>
    (
      await fetch(`http://127.0.0.1:${port}/updates`, {
        method: "POST",
        headers: { "x-telegram-bot-api-secret-token": secret },
        body: JSON.stringify({ update_id: id, message: { chat: { id: 7 }, text: "/help@tape_bot" } }),
      })
    ).status;
  const secret = String(telegram.webhook()?.secret_token);
  expect(await post("wrong", 1)).toBe(401);
  expect(await post(secret, 1)).toBe(200);
  expect(await post(secret, 1)).toBe(200);
  await eventually(() => texts(7).length > 0, "it answers");
  expect(await post(secret, 2)).toBe(200);
  await eventually(() => texts(7).length === 2, "once for each update");
});

test("too many requests get one warning and then silence", async () => {
  const { telegram, run, texts } = start();
  run({ clock: { ...fastClock(), now: () => 5 } });
  for (let n = 0; n < 15; n++) telegram.write(1, "/list");
  telegram.write(2, "/list");
  await eventually(() => texts(2).length === 1 && texts(1).length === 11, "both are answered");
  expect(texts(1).at(-1)).toContain("At most 10 questions");
});
