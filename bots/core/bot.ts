// Wires up a bot: state, the reader of the log, the post and the commands. It is independent of the chat platform; an adapter
// supplies the channel that sends and calls `commands` with people's requests.
import { StreamClosed } from "../../client/src/api-error.ts";
import { Unauthorized } from "../../client/src/errors.ts";
import type { Chains } from "../../contract/chains.ts";
import type { Kit } from "../../kit/kit.ts";
import { runLoop } from "../../kit/loop.ts";
import type { PagesUrl } from "./alert.ts";
import type { Channel } from "./channel.ts";
import { type BotClient, type Commands, createCommands } from "./commands.ts";
import { createFollowIndex } from "./follow.ts";
import { type BotPost, createPost } from "./post.ts";
import { createReader, type LogReader } from "./reader.ts";
import { type BotState, openState, type StatePlace } from "./state.ts";

export interface BotParts extends Pick<Kit, "clock" | "log" | "random"> {
  state: StatePlace;
  client: BotClient;
  chains: Chains;
  pages: PagesUrl;
  channel: Channel;
  signal: AbortSignal;
}

export interface Bot {
  state: BotState;
  post: BotPost;
  reader: LogReader;
  commands: Commands;
  moved(from: string, to: string): Promise<void>;
  /** Runs until the signal aborts or the service refuses the key. */
  run(): Promise<void>;
  /** After the signal: waits for work in progress, then closes its state. */
  close(): Promise<void>;
}

const KEY_REVOKED = 4001;
const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MS_MAX = 60_000;

export async function openBot(parts: BotParts): Promise<Bot> {
  const { client, chains, pages, channel, signal, clock, log, random } = parts;
  const state = await openState(parts.state, clock.now());
  const index = createFollowIndex();
  for (const { id, follows } of state.chats()) index.set(id, follows);

  const moved = async (from: string, to: string) => {
    log.info("a chat has another id now", { from, to });
    post.rename(from, to);
    index.set(from, []);
    await state.rename(from, to);
    index.set(to, state.chat(to)?.follows ?? []);
  };
  const onGone = (chat: string) => commands.forget(chat);
  const post = createPost({ clock, log, random, channel, state, pages, signal, onGone, onMoved: moved });
  const reader = createReader({ client, state, index, post, clock, log });
  const commands = createCommands({ client, state, index, post, reader, chains, pages, clock, log });
  return {
    state,
    post,
    reader,
    commands,
    moved,
    run: () =>
      runLoop(
        {
          clock,
          log,
          failure: "the log could not be read",
          everyMs: BACKOFF_FIRST_MS,
          backoff: { firstMs: BACKOFF_FIRST_MS, msMax: BACKOFF_MS_MAX, random },
          isFatal: isRefusedForGood,
          round: () => reader.read(signal),
        },
        signal,
      ),
    async close() {
      await post.stopped();
      await state.close();
    },
  };
}

/** A wrong or revoked key stays invalid: the operator has to be notified. */
function isRefusedForGood(error: unknown): boolean {
  return error instanceof Unauthorized || (error instanceof StreamClosed && error.closeCode === KEY_REVOKED);
}
