// Bot commands. A command is a name and words, whatever its source; its answer is one message. Each chat may
// ask so often and no more, and equal questions within half a minute share one answer, because answers cost the operator's
// credits.
import type { Crowdtape } from "../../client/src/client.ts";
import type { Chains } from "../../contract/chains.ts";
import type { Kit } from "../../kit/kit.ts";
import { createLru } from "../../kit/lru.ts";
import { DAY_MS, MINUTE_MS } from "../../kit/units.ts";
import type { PagesUrl } from "./alert.ts";
import { chosen, helpMessage, listMessage, traderIn, windowIn, wordsFor } from "./command-words.ts";
import type { ChatFollow, FollowIndex } from "./follow.ts";
import { isListWord, readList } from "./list.ts";
import { type BotMessage, oneLine, say } from "./message.ts";
import type { BotPost } from "./post.ts";
import type { LogReader } from "./reader.ts";
import { copyReply, nowReply, pnlReply, tokenReply, topReply } from "./replies.ts";
import type { BotState, Chat } from "./state.ts";
import { Unclear } from "./unclear.ts";
import { readWish, toFollow } from "./wish.ts";

export type BotClient = Pick<
  Crowdtape,
  "alerts" | "send" | "search" | "getPnl" | "getCopy" | "getLeaderboard" | "listTokenActivity" | "getToken"
>;

export interface CommandParts extends Pick<Kit, "clock" | "log"> {
  client: BotClient;
  state: BotState;
  index: FollowIndex;
  post: BotPost;
  reader: LogReader;
  chains: Chains;
  pages: PagesUrl;
}

export interface Commands {
  /** The answer; null when a chat is over its limit and has already been warned. */
  run(chat: string, name: string, words: readonly string[]): Promise<BotMessage | null>;
  /** A button's payload. */
  act(chat: string, action: string): Promise<BotMessage | null>;
  /** Replaces the chat's follows; for chats that can't send commands. */
  setFollows(chat: string, follows: readonly ChatFollow[]): Promise<void>;
  forget(chat: string): Promise<void>;
}

const FOLLOWS_MAX = 50;
const CHATS_MAX = 5_000;
const MUTES_MAX = 100;
const MUTE_MS = DAY_MS;
const COMMANDS_A_MINUTE_MAX = 10;
const SAME_ANSWER_MS = 30_000;
const ANSWERS_MAX = 500;
const ROWS = 10;
/** Follows shown after a list is added; the rest is in /list. */
const LABELS_LENGTH_MAX = 500;

export function createCommands(parts: CommandParts): Commands {
  const { client, state, index, post, chains, pages, clock } = parts;
  const answers = createLru<string, { at: number; message: BotMessage }>(ANSWERS_MAX);
  const asked = createLru<string, { since: number; count: number }>(CHATS_MAX);

  const chatOf = (id: string): Chat =>
    state.chat(id) ?? { id, follows: [], mutes: {}, sent: parts.reader.position() };

  const save = async (chat: Chat) => {
    if (!state.chat(chat.id) && [...state.chats()].length >= CHATS_MAX)
      throw new Unclear("This bot has no room for more chats.");
    await state.save(chat);
    index.set(chat.id, chat.follows);
  };

  const shared = async (key: string, work: () => Promise<BotMessage>) => {
    const known = answers.get(key);
    if (known && clock.now() - known.at < SAME_ANSWER_MS) return known.message;
    const message = await work();
    answers.set(key, { at: clock.now(), message });
    return message;
  };

  const pnl = async (who: string, window: "24h" | "7d" | "30d" | "all") =>
    shared(`pnl ${who.toLowerCase()} ${window}`, async () =>
      pnlReply(await client.getPnl({ handle: who, window }), pages),
    );

  const forget = async (id: string) => {
    post.drop(id);
    index.set(id, []);
    await state.forget(id);
  };

  const followList = async (id: string, word: string) => {
    const wanted = await readList(client, word, chains);
    const chat = chatOf(id);
    const labels = new Set(chat.follows.map(({ label }) => label));
    const added = wanted
      .filter(({ label }) => !labels.has(label))
      .slice(0, FOLLOWS_MAX - chat.follows.length);
    if (added.length > 0) await save({ ...chat, follows: [...chat.follows, ...added] });
    const names = oneLine(added.map(({ label }) => label).join(", "), LABELS_LENGTH_MAX);
    if (added.length === 0)
      return say("Nothing of that list is new to this chat, or it has no room for more.");
    return say(["Following ", { bold: names }, ". /list shows all, /stop ends it."]);
  };

  const known: Record<string, (id: string, words: readonly string[]) => Promise<BotMessage>> = {
    // A link from the explorer starts a chat with a list.
    start: async (id, words) => (isListWord(words[0]) ? followList(id, words[0]) : helpMessage()),
    help: async () => helpMessage(),
    async follow(id, words) {
      if (isListWord(words[0])) return followList(id, words[0]);
      const wish = readWish(words, chains);
      if (chatOf(id).follows.length >= FOLLOWS_MAX)
        throw new Unclear(`A chat has at most ${FOLLOWS_MAX} follows. Make room with /unfollow.`);
      const follow = await toFollow(client, wish, chains);
      const chat = chatOf(id);
      if (chat.follows.some(({ label }) => label === follow.label))
        return say(["This chat follows ", { bold: follow.label }, " already."]);
      await save({ ...chat, follows: [...chat.follows, follow] });
      return say(["Following ", { bold: follow.label }, ". /list shows all, /stop ends it."]);
    },
    async unfollow(id, words) {
      const chat = chatOf(id);
      const gone = chosen(chat.follows, words.join(" "));
      await save({ ...chat, follows: chat.follows.filter((follow) => !gone.includes(follow)) });
      return say(`Unfollowed ${gone.map(({ label }) => label).join(", ")}.`);
    },
    list: async (id) => listMessage(chatOf(id), clock.now()),
    async unmute(id) {
      const chat = state.chat(id);
      if (chat) await save({ ...chat, mutes: {} });
      return say("Nothing is muted any more.");
    },
    async pnl(_, words) {
      return pnl(traderIn(words), windowIn(words, ["24h", "7d", "30d", "all"], "7d"));
    },
    async copy(_, words) {
      const [handle, window] = [traderIn(words), windowIn(words, ["24h", "7d", "30d"], "7d")];
      return shared(`copy ${handle.toLowerCase()} ${window}`, async () =>
        copyReply(await client.getCopy({ handle, window }), pages),
      );
    },
    async top(_, words) {
      const window = windowIn(words, ["24h", "7d", "30d", "all"], "24h");
      return shared(`top ${window}`, async () =>
        topReply(await client.getLeaderboard({ window, limit: ROWS }), pages),
      );
    },
    now: async () =>
      shared("now", async () =>
        nowReply(await client.listTokenActivity({ window: "1h", side: "buy", limit: ROWS }), pages),
      ),
    async stop(id) {
      await forget(id);
      return say("Everything about this chat is forgotten. /follow begins again.");
    },
  };

  const actions: Record<string, (id: string, subject: string) => Promise<BotMessage>> = {
    pnl: (_, userId) => pnl(userId, "7d"),
    async token(_, subject) {
      const [, chainId, address = ""] = /^t:(\d{1,12}):(\w{1,64})$/.exec(subject) ?? [];
      if (chainId === undefined) throw new Unclear("That button is of an older bot.");
      return shared(subject, async () =>
        tokenReply(await client.getToken({ address, networkId: Number(chainId) })),
      );
    },
    async mute(id, subject) {
      const chat = state.chat(id);
      if (!chat || !/^[ut]:[\w:-]{1,62}$/.test(subject)) return say("This chat follows nothing.");
      const now = clock.now();
      const mutes = Object.entries(chat.mutes).filter(([, until]) => until > now);
      if (mutes.length >= MUTES_MAX) throw new Unclear("Too much is muted; /unmute ends all of it.");
      await save({ ...chat, mutes: { ...Object.fromEntries(mutes), [subject]: now + MUTE_MS } });
      return say("Muted for 24 hours; /unmute ends it.");
    },
  };

  /** Over the limit: a warning the first time, silence after that. */
  const tooMany = (chat: string): BotMessage | "silence" | null => {
    const now = clock.now();
    const last = asked.get(chat);
    const isNew = !last || now - last.since >= MINUTE_MS;
    const count = isNew ? 1 : last.count + 1;
    asked.set(chat, { since: isNew ? now : last.since, count });
    if (count <= COMMANDS_A_MINUTE_MAX) return null;
    if (count > COMMANDS_A_MINUTE_MAX + 1) return "silence";
    return say(`At most ${COMMANDS_A_MINUTE_MAX} questions a minute, please.`);
  };

  const guarded = async (chat: string, work: () => Promise<BotMessage>): Promise<BotMessage | null> => {
    const refusal = tooMany(chat);
    if (refusal) return refusal === "silence" ? null : refusal;
    try {
      return await work();
    } catch (error) {
      const words = wordsFor(error);
      if (words === null) throw error;
      if (!(error instanceof Unclear)) parts.log.warn("a question was not answered", { error });
      return say(words);
    }
  };

  return {
    run: (chat, name, words) =>
      guarded(chat, async () => {
        const command = Object.hasOwn(known, name) ? known[name] : undefined;
        if (!command) throw new Unclear("I don't know that command. /help lists what I know.");
        return command(chat, words);
      }),
    act: (chat, action) =>
      guarded(chat, async () => {
        const [name = "", subject = ""] = action.split(" ");
        const act = Object.hasOwn(actions, name) ? actions[name] : undefined;
        if (!act) throw new Unclear("That button is of an older bot.");
        return act(chat, subject);
      }),
    setFollows: (chat, follows) => save({ ...chatOf(chat), follows }),
    forget,
  };
}
